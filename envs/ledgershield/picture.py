"""The picture of a page: what was read stands in it, everything else is greeked.

Draws from an observation alone, so that people pay for reading as agents do.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from envs.ledgershield.artifacts import Box, Reading, Token
from envs.ledgershield.seen import Observation, Page

EXACT = ("zoom", "crop", "ocr_accurate")
"""Ways of reading that make no mistakes; they go over what fast OCR has read."""

SPACE = 5.0
PAPER, GREEK, INK, DOUBTFUL = "#ffffff", "#d9d9d9", "#1a1a1a", "#8a5a00"


def tokens_of(seen: Observation, doc_id: str) -> dict[str, tuple[Token, bool]]:
    """What was read of a document: by its id each token, and whether it was read without mistakes."""
    found: dict[str, tuple[Token, bool]] = {}
    for artifact in seen.revealed_artifacts:
        if isinstance(artifact, Reading) and artifact.doc_id == doc_id:
            exact = artifact.source in EXACT
            for token in artifact.tokens:
                if exact or token.token_id not in found:
                    found[token.token_id] = (token, exact)
    return found


def lines_of(seen: Observation, doc_id: str) -> tuple[str, ...]:
    """What was read of a document, as lines from top to bottom."""
    rows: dict[float, list[Token]] = {}
    for token, _ in tokens_of(seen, doc_id).values():
        rows.setdefault(token.bbox[1], []).append(token)
    return tuple(
        " ".join(token.text for token in sorted(row, key=lambda token: token.bbox[0]))
        for _, row in sorted(rows.items())
    )


def svg(seen: Observation, doc_id: str) -> str:
    """The first page of a document as SVG; every token that was read carries its id.

    Raises:
        KeyError: If there is no such document on the desk.
    """
    pages = {document.doc_id: document.pages[0] for document in seen.visible_documents}
    page = pages[doc_id]
    return "".join(_drawn(page, doc_id, tokens_of(seen, doc_id)))


def _drawn(page: Page, doc_id: str, read: dict[str, tuple[Token, bool]]) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {page.width:g} {page.height:g}" role="img" '
        f'aria-label="{escape(doc_id)}, page {page.page}">'
        f'<rect width="{page.width:g}" height="{page.height:g}" fill="{PAPER}"/>'
    )
    covered = [token.bbox for token, _ in read.values()]
    for line in page.lines:
        yield from (_bar(bar) for bar in _unread(line, covered))
    for token, exact in read.values():
        left, _, _, bottom = token.bbox
        yield (
            f'<text x="{left:g}" y="{bottom - 1.5:g}" font-size="9" fill="{INK if exact else DOUBTFUL}" '
            f'data-token="{escape(token.token_id)}">{escape(token.text)}</text>'
        )
    yield "</svg>"


def _unread(line: Box, covered: list[Box]) -> Iterator[Box]:
    """The parts of a line of writing that no token covers, without the spaces between words."""
    left, top, right, bottom = line
    for box in sorted(box for box in covered if box[1] == top):
        if box[0] - left > SPACE:
            yield (left, top, box[0], bottom)
        left = max(left, box[2])
    if right - left > SPACE:
        yield (left, top, right, bottom)


def _bar(box: Box) -> str:
    left, top, right, bottom = box
    return (
        f'<rect x="{left:g}" y="{top + 2:g}" width="{right - left:g}" height="{bottom - top - 4:g}" '
        f'fill="{GREEK}"/>'
    )
