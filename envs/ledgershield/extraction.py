"""Extraction: the plain way to read an invoice: accurate OCR, then every field where it stands.

Sees what a player sees. Lines that do not read as a quantity, a price and a total are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation

from envs.ledgershield import paper
from envs.ledgershield.actions import ActionType
from envs.ledgershield.artifacts import Token
from envs.ledgershield.matching import arithmetic
from envs.ledgershield.matching.arithmetic import Product, Sums, Totals
from envs.ledgershield.models import Action, EvidenceRef, LineItem, OcrMode
from envs.ledgershield.seen import Observation

Words = tuple[Token, ...]

FIELDS = (
    "vendor_name",
    "invoice_number",
    "invoice_date",
    "po_id",
    "receipt_id",
    "currency",
    "subtotal",
    "tax",
    "total",
    "bank_account",
)
"""What is written down of an invoice beside its lines."""

_TIMES = "×"

RATES = tuple(map(Decimal, ("0", "0.055", "0.07", "0.08", "0.1", "0.19", "0.2", "0.21")))
"""Rates of tax that a reader knows."""

SURE, DOUBTFUL = 0.95, 0.5
"""How likely a reading is right that adds up, and one that does not."""


def read(observation: Observation) -> Action:
    """Reads the page, then submits what it says."""
    document = observation.visible_documents[0]
    lines = paper.words(observation, document.pages[0].lines)
    if not all(lines):
        return Action(action_type=ActionType.OCR, doc_id=document.doc_id, mode=OcrMode.ACCURATE)
    fields, read_lines = {name: _text(words) for name, words in _fields(lines).items()}, items(observation)
    return Action(
        action_type=ActionType.SUBMIT_DECISION,
        confidence=SURE if adds_up(fields, read_lines) else DOUBTFUL,
        extracted_fields=fields,
        line_items=read_lines,
        evidence_map=places(observation),
    )


def adds_up(fields: Mapping[str, str], lines: Sequence[LineItem]) -> bool:
    """Whether lines, tax and total agree as far as rounding lets them: a page that does is read right."""
    try:
        net, tax, total = (Decimal(fields[name]) for name in ("subtotal", "tax", "total"))
    except InvalidOperation:
        return False
    products = [Product(Decimal(str(line.quantity)), Decimal(str(line.unit_price))) for line in lines]
    _, sums = arithmetic.summed(products, net)
    amounts = [arithmetic.rounded(product.quantity * product.unit_price) for product in products]
    taxed = any(arithmetic.tax_rounding(amounts, rate, tax) for rate in RATES)
    stated = Totals(net, tax, total, rounding=arithmetic.ZERO, due=total)
    return sums is not Sums.DISAGREE and taxed and arithmetic.payable(stated) is not None


def items(observation: Observation) -> tuple[LineItem, ...]:
    """The lines of the invoice, as far as they were read without mistakes."""
    lines = observation.visible_documents[0].pages[0].lines[paper.HEAD_LINES : -paper.FOOT_LINES]
    found = map(_item, paper.words(observation, lines))
    return tuple(item for item in found if item is not None)


def places(observation: Observation) -> dict[str, EvidenceRef]:
    """Where each field stands, as far as it was read without mistakes."""
    document = observation.visible_documents[0]
    lines = paper.words(observation, document.pages[0].lines)
    return {name: _place(document.doc_id, words) for name, words in _fields(lines).items() if words}


def _fields(lines: Sequence[Words]) -> Mapping[str, Words]:
    name, _, _, numbered, ordered = lines[: paper.HEAD_LINES]
    subtotal, tax, total, account, _ = lines[-paper.FOOT_LINES :]
    stand = (
        name,
        *(numbered[1:2], numbered[3:4]),
        *(ordered[1:2], ordered[3:4]),
        *(total[1:2], subtotal[2:], tax[2:], total[2:]),
        account[1:],
    )
    return dict(zip(FIELDS, stand, strict=True))


def _item(words: Words) -> LineItem | None:
    """A line: description, quantity, a sign, price and total; quantity and price may have run together."""
    texts = [word.text for word in words]
    if len(texts) >= 5 and texts[-3] == _TIMES:
        quantity, price, total = texts[-4], texts[-2], texts[-1]
        return _line(texts[:-4], quantity, price, total)
    if len(texts) < 3 or not texts[-1].replace(".", "", 1).isdecimal():
        return None
    ways = arithmetic.split(texts[-2], Decimal(texts[-1]))
    if len(ways) != 1:
        return None
    return _line(texts[:-2], str(ways[0].quantity), str(ways[0].unit_price), texts[-1])


def _line(description: Sequence[str], quantity: str, price: str, total: str) -> LineItem:
    return LineItem(
        description=" ".join(description),
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
