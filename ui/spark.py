"""A card's readings as a small line: an inline picture in the colours of the text around it."""

from __future__ import annotations

from html import escape
from itertools import groupby

from envs.scene import Card

WIDTH, HEIGHT, EDGE = 120, 32, 3


def spark(card: Card) -> str:
    """The picture as SVG; a gap in the readings is a gap in the line."""
    known = [value for value in card.values if value is not None]
    told = f"{card.unit}: {', '.join('none' if v is None else f'{v:g}' for v in card.values)}"
    low, high = min(known, default=0.0), max(known, default=0.0)
    points = [
        None if v is None else _point(place, v, len(card.values), low, high)
        for place, v in enumerate(card.values)
    ]
    lines = (list(run) for seen, run in groupby(points, key=bool) if seen)
    drawn = "".join(f'<polyline points="{" ".join(p for p in line if p)}"/>' for line in lines)
    last = points[-1] if points else None
    dot = "" if last is None else '<circle cx="{}" cy="{}" r="2.5"/>'.format(*last.split(","))
    box = f"0 0 {WIDTH} {HEIGHT}"
    return f'<svg class="spark" viewBox="{box}" role="img" aria-label="{escape(told)}">{drawn}{dot}</svg>'


def _point(place: int, value: float, count: int, low: float, high: float) -> str:
    x = EDGE + (WIDTH - 2 * EDGE) * place / max(1, count - 1)
    share = (value - low) / (high - low) if high > low else 0.5
    return f"{x:.1f},{HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * share:.1f}"
