"""Payments: which open invoice a line of a bank statement settles.

Looks for whole numbers in the line's text: one inside a longer one is another number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from envs.ledgershield.matching.numbers import Likeness, likeness

_NUMBER = re.compile(r"[A-Za-z0-9]+(?:[-/.][A-Za-z0-9]+)*")


class Settlement(StrEnum):
    """How sure a match is."""

    SETTLES = "number and amount agree"
    REVIEW = "propose it to a person"
    UNKNOWN = "no match"


@dataclass(frozen=True, slots=True)
class Open:
    """An invoice that is not paid."""

    number: str
    amount: Decimal


@dataclass(frozen=True, slots=True)
class Match:
    """What a line of the statement settles. `invoice` is None where nothing matches."""

    settlement: Settlement
    invoice: Open | None = None


def matched(text: str, amount: Decimal, invoices: Sequence[Open]) -> Match:
    """The invoice that a line of a bank statement settles."""
    words = _NUMBER.findall(text)
    for invoice in invoices:
        if invoice.number in words and invoice.amount == amount:
            return Match(Settlement.SETTLES, invoice)
    for invoice in invoices:
        alike = {likeness(word, invoice.number) for word in words}
        named = Likeness.SAME in alike or (Likeness.ZEROS in alike and invoice.amount == amount)
        if named:
            return Match(Settlement.REVIEW, invoice)
    return Match(Settlement.UNKNOWN)
