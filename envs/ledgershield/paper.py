"""Paper: what an invoice says, as far as somebody has read it.

Knows how invoices are laid out: three lines of sender, one of number and date, one of order and receipt; then
what was delivered; at the foot three lines of sums, one of the account and one of the term.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from envs.ledgershield.artifacts import Box, Reading, Token
from envs.ledgershield.names import vendor_key
from envs.ledgershield.seen import Observation, VisibleDocument

HEAD_LINES, FOOT_LINES = 5, 5


@dataclass(frozen=True, slots=True)
class Head:
    """What stands above the lines."""

    vendor_key: str
    number: str
    po_id: str
    receipt_id: str


@dataclass(frozen=True, slots=True)
class Foot:
    """What stands below the lines."""

    total: float
    account: str


def head_box(document: VisibleDocument) -> Box:
    """The region of a page that holds its head."""
    return _around(document.pages[0].lines[:HEAD_LINES])


def foot_box(document: VisibleDocument) -> Box:
    """The region of a page that holds its foot."""
    return _around(document.pages[0].lines[-FOOT_LINES:])


def head(observation: Observation) -> Head | None:
    """The head of the invoice that the case is about, None while it was not read exactly."""
    lines = _read(observation, observation.visible_documents[0].pages[0].lines[:HEAD_LINES])
    if lines is None:
        return None
    name, *_, numbered, ordered = lines
    return Head(vendor_key(" ".join(name)), numbered[1], ordered[1], ordered[3])


def foot(observation: Observation) -> Foot | None:
    """The foot of the invoice that the case is about, None while it was not read exactly."""
    lines = _read(observation, observation.visible_documents[0].pages[0].lines[-FOOT_LINES:])
    if lines is None:
        return None
    *_, summed, account, _ = lines
    return Foot(float(summed[-1]), " ".join(account[1:]))


def words(observation: Observation, lines: Sequence[Box]) -> list[tuple[Token, ...]]:
    """Of each of these lines the words that were read exactly, from left to right."""
    first = observation.visible_documents[0].doc_id
    found: dict[float, dict[str, Token]] = {top: {} for _, top, _, _ in lines}
    for shown in observation.revealed_artifacts:
        if isinstance(shown, Reading) and shown.doc_id == first and shown.source != "ocr_fast":
            for token in shown.tokens:
                if token.bbox[1] in found:
                    found[token.bbox[1]][token.token_id] = token
    return [tuple(sorted(found[top].values(), key=lambda token: token.bbox[0])) for _, top, _, _ in lines]


def _read(observation: Observation, lines: Sequence[Box]) -> list[list[str]] | None:
    """The words of some lines; None unless each was read from its first word to its last."""
    read = words(observation, lines)
    if not all(found and found[-1].bbox[2] == line[2] for found, line in zip(read, lines, strict=True)):
        return None
    return [[token.text for token in found] for found in read]


def _around(lines: Sequence[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*lines, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
