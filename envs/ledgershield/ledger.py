"""The ledger's search: which invoices on file resemble the one that is asked for, and how much.

Vendor .20; number .55 exact or .30 near; amount .25 exact, .18 within half a per cent, .10 within two. A hit
needs .45, so that the vendor alone is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Literal

from envs.ledgershield.artifacts import Hit
from envs.ledgershield.matching import payments
from envs.ledgershield.matching.credit_notes import Credit, Money, due
from envs.ledgershield.matching.numbers import Likeness, likeness
from envs.ledgershield.matching.payments import Open, Settlement
from envs.ledgershield.tasks import LedgerEntry

VENDOR, NUMBER_EXACT, NUMBER_NEAR = 0.20, 0.55, 0.30
AMOUNTS = ((0.0, 0.25), (0.005, 0.18), (0.02, 0.10))
"""How far an amount may be off, in parts of the entry's, and what it scores."""

HIT, EXACT = 0.45, 0.80

BOOKS = "EUR"
"""What the ledger is kept in."""

STATUS: Mapping[Settlement, Literal["paid", "to confirm", "open"]] = MappingProxyType(
    {Settlement.SETTLES: "paid", Settlement.REVIEW: "to confirm", Settlement.UNKNOWN: "open"}
)


def search(
    entries: Iterable[LedgerEntry],
    vendor_key: str | None,
    invoice_number: str | None,
    amount: float | None,
) -> tuple[Hit, ...]:
    """The hits, best first; what is None scores nothing."""
    scored = ((_score(entry, vendor_key, invoice_number, amount), entry) for entry in entries)
    hits = sorted(
        ((score, entry) for score, entry in scored if score >= HIT),
        key=lambda hit: (-hit[0], hit[1].entry_id),
    )
    return tuple(_hit(entry, score) for score, entry in hits)


def _score(
    entry: LedgerEntry, vendor_key: str | None, invoice_number: str | None, amount: float | None
) -> float:
    if amount is not None and amount * entry.amount < 0:
        # A credit note carries the number of what it takes back.
        return 0.0
    score = VENDOR if vendor_key == entry.vendor_key else 0.0
    if invoice_number is not None:
        score += _number(invoice_number, entry.invoice_number)
    if amount is not None:
        off = abs(amount - entry.amount)
        score += next((worth for part, worth in AMOUNTS if off <= part * abs(entry.amount) + 0.005), 0.0)
    return round(score, 2)


def _number(asked: str, filed: str) -> float:
    match likeness(asked, filed):
        case Likeness.SAME | Likeness.ZEROS:
            return NUMBER_EXACT
        case Likeness.OTHER:
            return 0.0
        case Likeness.LOOK_ALIKE | Likeness.SUFFIXED | Likeness.SWAPPED:
            return NUMBER_NEAR


def _hit(entry: LedgerEntry, score: float) -> Hit:
    credit = Credit(Money(Decimal(str(entry.credited)), BOOKS))
    left = due(Money(Decimal(str(entry.amount)), BOOKS), [credit]).amount
    paid = payments.matched(entry.bank_line, left, [Open(entry.invoice_number, left)])
    return Hit(
        entry_id=entry.entry_id,
        vendor_key=entry.vendor_key,
        invoice_number=entry.invoice_number,
        invoice_date=entry.invoice_date,
        amount=entry.amount,
        due=float(left),
        status=STATUS[paid.settlement],
        score=score,
    )
