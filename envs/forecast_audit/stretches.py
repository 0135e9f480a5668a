"""Stretches that are wrong to the digit: stale, copied, rounded or in another unit.

No model is needed to see them, and none is asked.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def exact(observed: Floats) -> Iterator[tuple[str, int, int]]:
    """Kind, start and stop of such stretches, none of which overlap; NaN is a blank."""
    busy: set[int] = set()
    for kind, start, stop in (
        *_another_unit(observed), *_stale(observed), *_copied(observed), *_coarse(observed)
    ):  # fmt: skip
        if busy.isdisjoint(range(start, stop)):
            busy |= {*range(start, stop)}
            yield kind, start, stop


def _another_unit(observed: Floats) -> Iterator[tuple[str, int, int]]:
    with np.errstate(all="ignore"):
        logs = np.log(np.abs(observed))
    logs[~np.isfinite(logs)] = np.nan
    for at in range(5, len(logs) - 5):
        before, after = logs[:at][~np.isnan(logs[:at])], logs[at:][~np.isnan(logs[at:])]
        known = len(before) > 3 and len(after) > 3
        if known and max(after.min() - before.max(), before.min() - after.max()) > 3.0:
            yield "unit", at, len(logs)
            return


def _stale(observed: Floats) -> Iterator[tuple[str, int, int]]:
    at = 0
    for value, group in groupby(observed.tolist()):
        length = len(list(group))
        if length >= 4 and not math.isnan(value) and length < len(observed) / 2:
            yield "stale", at + 1, at + length
        at += length


def _copied(observed: Floats) -> Iterator[tuple[str, int, int]]:
    count = len(observed)
    best = (4, 0, 0)
    for lag in range(2, count // 2 + 1):
        same = observed[lag:] == observed[:-lag]
        at = 0
        for equal, group in groupby(same.tolist()):
            length = len(list(group))
            distinct = len({*observed[lag + at : lag + at + length].tolist()})
            if equal and length > best[0] and distinct > 3 and length < count / 2:
                best = (length, lag + at, lag + at + length)
            at += length
    if best[1]:
        yield "copy", best[1], best[2]


def _coarse(observed: Floats) -> Iterator[tuple[str, int, int]]:
    known = observed[~np.isnan(observed)]
    carried = sorted(_decimals(value) for value in known.tolist())
    digits = carried[len(carried) * 3 // 4] if carried else 0
    for step in (1000, 500, 200, 100, 50, 20, 10):
        quantum = step * 10.0**-digits
        # Rounded stretches come as runs; a single multiple is luck.
        near = np.abs(observed / quantum - np.round(observed / quantum)) * step < 1e-3
        at = 0
        for coarse, group in groupby((near & ~np.isnan(observed)).tolist()):
            length = len(list(group))
            if (
                coarse
                and length >= 5
                and length * math.log(step) > math.log(len(observed)) + 9
                and length < len(observed) / 2
            ):
                yield "coarse", at, at + length
                return
            at += length


def _decimals(value: float) -> int:
    text = f"{value:.6f}".rstrip("0")
    return min(len(text.partition(".")[2]), 6)


def repaired(kind: str, observed: Floats, fitted: Floats, start: int, stop: int) -> tuple[float, ...]:
    """What an exact stretch should say: the model, and for rounded values mostly the values."""
    if kind == "unit":
        with np.errstate(all="ignore"):
            ratio = np.nanmedian(observed[start:stop]) / np.nanmedian(observed[:start])
        factor = 10.0 ** round(math.log10(abs(float(ratio)))) if np.isfinite(ratio) and ratio else 1.0
        return tuple(map(float, observed[start:stop] / factor))
    share = 0.15 if kind == "coarse" else 1.0
    return tuple(map(float, (1 - share) * observed[start:stop] + share * fitted[start:stop]))
