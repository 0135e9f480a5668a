"""Extraction: the plain way to read an invoice: accurate OCR, then every field where it stands.

Sees what a player sees. Lines that do not read as a quantity, a price and a total are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from envs.ledgershield import paper
from envs.ledgershield.actions import ActionType
from envs.ledgershield.artifacts import Token
from envs.ledgershield.models import Action, EvidenceRef, LineItem, OcrMode
from envs.ledgershield.seen import Observation

Words = tuple[Token, ...]

_TIMES = "×"


def read(observation: Observation) -> Action:
    """Reads the page, then submits what it says."""
    document = observation.visible_documents[0]
    lines = [paper.words(observation, line) for line in document.pages[0].lines]
    if not all(lines):
        return Action(action_type=ActionType.OCR, doc_id=document.doc_id, mode=OcrMode.ACCURATE)
    fields = _fields(lines)
    items = [_item(line) for line in lines[paper.HEAD_LINES : -paper.FOOT_LINES]]
    return Action(
        action_type=ActionType.SUBMIT_DECISION,
        confidence=0.9,
        extracted_fields={name: _text(words) for name, words in fields.items()},
        line_items=tuple(item for item in items if item is not None),
        evidence_map={name: _place(document.doc_id, words) for name, words in fields.items()},
    )


def _fields(lines: Sequence[Words]) -> Mapping[str, Words]:
    name, _, _, numbered, ordered = lines[: paper.HEAD_LINES]
    subtotal, tax, total, account, _ = lines[-paper.FOOT_LINES :]
    return {
        "vendor_name": name,
        "invoice_number": numbered[1:2],
        "invoice_date": numbered[3:4],
        "po_id": ordered[1:2],
        "receipt_id": ordered[3:4],
        "currency": total[1:2],
        "subtotal": subtotal[2:],
        "tax": tax[2:],
        "total": total[2:],
        "bank_account": account[1:],
    }


def _item(words: Words) -> LineItem | None:
    """A line: description, quantity, a sign, price and total."""
    texts = [word.text for word in words]
    if len(texts) < 5 or texts[-3] != _TIMES:
        return None
    quantity, price, total = texts[-4], texts[-2], texts[-1]
    return LineItem(
        description=" ".join(texts[:-4]),
        quantity=float(quantity),
        unit_price=float(price),
        total=float(total),
    )


def _text(words: Words) -> str:
    return " ".join(word.text for word in words)


def _place(doc_id: str, words: Words) -> EvidenceRef:
    lefts, tops, rights, bottoms = zip(*(word.bbox for word in words), strict=True)
    return EvidenceRef(
        doc_id=doc_id,
        page=1,
        bbox=(min(lefts), min(tops), max(rights), max(bottoms)),
        token_ids=tuple(word.token_id for word in words),
    )
