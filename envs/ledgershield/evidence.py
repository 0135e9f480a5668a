"""How well a submission says where it saw what it claims, and what it read.

Decides by tokens and boxes of the page and by artifacts that this episode revealed.
"""

from __future__ import annotations

from math import fsum

from envs.ledgershield.artifacts import Box, Reading
from envs.ledgershield.documents.layout import printed
from envs.ledgershield.inference.tables import Finding
from envs.ledgershield.meaning import SIGNALS, finding_of, signals_of
from envs.ledgershield.models import Action, EvidenceRef, Family, LineItem
from envs.ledgershield.names import compact
from envs.ledgershield.state import State
from envs.ledgershield.tasks import Document, Line, Task

DOCUMENT, PAGE, BOX, TOKENS = 0.35, 0.15, 0.30, 0.20
CENT = 0.005


def cited(state: State, action: Action) -> float:
    """Share of what the episode found that the evidence map shows, from 0 to 1."""
    if state.task.family is Family.A:
        return _fields_cited(state, action)
    shown = {a.artifact_id: found for a in state.revealed if (found := finding_of(a)) is not None}
    right = signals_of(state.findings)
    if not right:
        clear = {name for name, (_, finding) in shown.items() if finding is Finding.CLEAR}
        return float(any(ref.artifact_id in clear for ref in action.evidence_map.values()))
    return sum(_shows(action.evidence_map.get(name), name, state) for name in right) / len(right)


def extracted(task: Task, action: Action) -> float:
    """Share of the invoice's fields that were read right, whatever their spaces and case."""
    right = printed(task.invoice)
    return sum(
        compact(action.extracted_fields.get(name, "")) == compact(text) for name, text in right.items()
    ) / len(right)


def lines_read(task: Task, action: Action) -> float:
    """F1 of the lines: each of the invoice's counts once, and its four values must be right."""
    left = list(task.invoice.lines)
    hits = 0
    for item in action.line_items:
        match = next((line for line in left if _same(item, line)), None)
        if match is not None:
            left.remove(match)
            hits += 1
    said = len(action.line_items) + len(task.invoice.lines)
    return 2.0 * hits / said


def placed(ref: EvidenceRef, document: Document, field: str, read: frozenset[str]) -> float:
    """How well a reference points to a field: document, page, overlap of the boxes, and tokens.

    Args:
        read: Tokens that the episode has read; citing others counts for nothing.
    """
    if ref.doc_id != document.doc_id:
        return 0.0
    there = document.fields[field]
    tokens = frozenset(there)
    score = [DOCUMENT, PAGE if ref.page == 1 else 0.0]
    if tokens <= read:
        boxes = [token.bbox for token in document.sheet.tokens if token.token_id in tokens]
        score.append(BOX * overlap(ref.bbox, around(boxes)) if ref.bbox else 0.0)
        said = frozenset(ref.token_ids)
        score.append(TOKENS * 2.0 * len(said & tokens) / (len(said) + len(tokens)))
    return fsum(score)


def overlap(one: Box, other: Box) -> float:
    """Intersection over union of two boxes; 0 where either has no area."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    return width * height / (_area(one) + _area(other) - width * height)


def around(boxes: list[Box]) -> Box:
    """The smallest box around some boxes."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _fields_cited(state: State, action: Action) -> float:
    document = state.task.documents[0]
    read = frozenset(
        token.token_id for shown in state.revealed if isinstance(shown, Reading) for token in shown.tokens
    )
    names = list(printed(state.task.invoice))
    found = (action.evidence_map.get(name) for name in names)
    return fsum(
        placed(ref, document, name, read) for name, ref in zip(names, found, strict=True) if ref is not None
    ) / len(names)


def _shows(ref: EvidenceRef | None, signal: str, state: State) -> bool:
    """Whether a reference names a revealed artifact that shows this signal."""
    if ref is None or ref.artifact_id is None:
        return False
    artifact = next((own for own in state.revealed if own.artifact_id == ref.artifact_id), None)
    found = None if artifact is None else finding_of(artifact)
    return found is not None and SIGNALS[found[0]].get(found[1]) == signal


def _same(item: LineItem, line: Line) -> bool:
    return (
        item.description.strip().casefold() == line.description.casefold()
        and abs(item.quantity - line.quantity) < CENT
        and abs(item.unit_price - line.unit_price) < CENT
        and abs(item.total - line.total) < CENT
    )


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])
