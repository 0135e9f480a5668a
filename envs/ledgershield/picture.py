"""The picture of a page: what was read stands in it, everything else is greeked.

Draws from an observation alone, so that people pay for reading as agents do.
"""

from __future__ import annotations

from collections.abc import Iterator

from envs.ledgershield.artifacts import Box, Reading, Token
from envs.ledgershield.seen import Observation, VisibleDocument
from envs.scene import Move, Paper, Word

EXACT = ("zoom", "crop", "ocr_accurate")
"""Ways of reading that make no mistakes; they go over what fast OCR has read."""

SPACE = 5.0


def paper(
    seen: Observation, document: VisibleDocument, items: tuple[Move, ...] = (), drawn: tuple[Move, ...] = ()
) -> Paper:
    """The first page of a document, as far as it was read, with what can be done on it."""
    page = document.pages[0]
    read = _tokens(seen, document.doc_id)
    covered = [token.bbox for token, _ in read]
    return Paper(
        label=f"{document.doc_id}, {document.doc_type}, page 1 of {document.page_count}",
        help="Draw a box on the page to read it there." if drawn else "",
        width=page.width,
        height=page.height,
        unread=tuple(bar for line in page.lines for bar in _unread(line, covered)),
        words=tuple(Word(text=token.text, box=token.bbox, doubtful=not exact) for token, exact in read),
        items=items,
        drawn=drawn,
        takes="bbox",
    )


def _tokens(seen: Observation, doc_id: str) -> list[tuple[Token, bool]]:
    """What was read of a document: each token once, and whether it was read without mistakes."""
    found: dict[str, tuple[Token, bool]] = {}
    for artifact in seen.revealed_artifacts:
        if isinstance(artifact, Reading) and artifact.doc_id == doc_id:
            exact = artifact.source in EXACT
            for token in artifact.tokens:
                if exact or token.token_id not in found:
                    found[token.token_id] = (token, exact)
    return list(found.values())


def _unread(line: Box, covered: list[Box]) -> Iterator[Box]:
    """The parts of a line of writing that no token covers, without the spaces between words."""
    left, top, right, bottom = line
    for box in sorted(box for box in covered if box[1] == top):
        if box[0] - left > SPACE:
            yield (left, top, box[0], bottom)
        left = max(left, box[2])
    if right - left > SPACE:
        yield (left, top, right, bottom)
