"""Duplicates: whether a bill was entered before.

Decides from vendor, number and amount; another date excuses nothing. What is merely likely goes to a
person, with both numbers as they stand.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from envs.ledgershield.matching.numbers import Likeness, likeness
from envs.ledgershield.matching.vendors import Kinship, Vendor, kinship


class Verdict(StrEnum):
    """What a check for duplicates comes to."""

    DUPLICATE = "hold: it is there already"
    LIKELY = "review: it is probably there already"
    NEW = "new"
    UNCHECKED = "set the vendor; without one nothing can be compared"


@dataclass(frozen=True, slots=True)
class Bill:
    """A bill as it was entered.

    Attributes:
        amount: Negative on a credit note.
    """

    vendor: Vendor | None
    number: str
    amount: Decimal


@dataclass(frozen=True, slots=True)
class Finding:
    """What the check found: the entry that comes closest, and what else is to be put right.

    Attributes:
        vendor_twice: The other entry is in the name of a second record of the same vendor.
    """

    verdict: Verdict
    entry: Bill | None = None
    vendor_twice: bool = False


def checked(bill: Bill, entries: Iterable[Bill]) -> Finding:
    """The bill against all entries on file; to be called again when its vendor is set or changed."""
    if bill.vendor is None:
        return Finding(Verdict.UNCHECKED)
    found = [_compared(bill, bill.vendor, entry) for entry in entries]
    for verdict in (Verdict.DUPLICATE, Verdict.LIKELY):
        first = next((finding for finding in found if finding.verdict is verdict), None)
        if first is not None:
            return first
    return Finding(Verdict.NEW)


def _compared(bill: Bill, vendor: Vendor, entry: Bill) -> Finding:
    if entry.vendor is None:
        return Finding(Verdict.NEW)
    kin = kinship(vendor, entry.vendor)
    # A credit note carries the number of what it takes back.
    if kin is Kinship.APART or bill.amount * entry.amount < 0:
        return Finding(Verdict.NEW)
    return Finding(
        _verdict(likeness(bill.number, entry.number), same_amount=bill.amount == entry.amount),
        entry,
        vendor_twice=kin is Kinship.DUPLICATE_RECORD,
    )


def _verdict(alike: Likeness, *, same_amount: bool) -> Verdict:
    match alike:
        case Likeness.SAME | Likeness.ZEROS:
            return Verdict.DUPLICATE if same_amount else Verdict.LIKELY
        case Likeness.LOOK_ALIKE | Likeness.SUFFIXED | Likeness.SWAPPED:
            return Verdict.LIKELY if same_amount else Verdict.NEW
        case Likeness.OTHER:
            return Verdict.NEW
