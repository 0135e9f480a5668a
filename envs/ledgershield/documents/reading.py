"""Reading: what a zoom, a crop or OCR brings to light on a page.

Decides which tokens are read and how they come out. Errors of fast OCR are fixed for each document of a case,
so that reading again helps nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from envs.kernel.rng import Rng
from envs.ledgershield.artifacts import Box, Token
from envs.ledgershield.tasks import Sheet

READABLE = 1 / 8
"""The largest part of a page that a zoom makes readable, or a crop cuts out."""

DROPPED = 0.08
MOST_CORRUPTED = 0.15
_TWIN = dict(zip("0O1I5S8B2Z6Gilceuvtfmn3749", "O0I1S5B8Z2G6liecvuftnm7394", strict=True))


def region(sheet: Sheet, bbox: Box | None) -> Box | None:
    """The region on the page, None if it has no area there; the whole page without a box."""
    if bbox is None:
        return (0.0, 0.0, sheet.width, sheet.height)
    left, top, right, bottom = bbox
    on_page = (max(0.0, left), max(0.0, top), min(sheet.width, right), min(sheet.height, bottom))
    return on_page if on_page[0] < on_page[2] and on_page[1] < on_page[3] else None


def share(sheet: Sheet, box: Box) -> float:
    """How much of the page a box covers."""
    return (box[2] - box[0]) * (box[3] - box[1]) / (sheet.width * sheet.height)


def within(tokens: Iterable[Token], box: Box) -> tuple[Token, ...]:
    """The tokens whose middle lies in the box."""
    return tuple(token for token in tokens if _holds(box, token.bbox))


def misread(tokens: Iterable[Token], rng: Rng) -> tuple[Token, ...]:
    """The tokens as fast OCR reads them.

    Args:
        rng: The document's own: a token comes out alike whatever was read with it.
    """
    rate = rng.at("rate").uniform(MOST_CORRUPTED / 3, MOST_CORRUPTED)
    read: list[Token] = []
    for token in tokens:
        here = rng.at(token.token_id)
        if here.at("dropped").flip(DROPPED):
            continue
        wrong = here.at("corrupted").flip(rate)
        read.append(token.model_copy(update={"text": _confused(token.text, here)}) if wrong else token)
    return tuple(read)


def text_of(tokens: Iterable[Token]) -> str:
    """The words in the order of the page, a line for each height."""
    lines: dict[float, list[str]] = {}
    for token in tokens:
        lines.setdefault(token.bbox[1], []).append(token.text)
    return "\n".join(" ".join(words) for _, words in sorted(lines.items()))


def _holds(box: Box, inner: Box) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _confused(text: str, rng: Rng) -> str:
    """The word with one letter taken for its twin; without a letter that has one, its last is lost."""
    places = [place for place, letter in enumerate(text) if letter in _TWIN]
    if not places:
        return text[:-1] or "·"
    place = rng.at("place").choice(places)
    return text[:place] + _TWIN[text[place]] + text[place + 1 :]
