"""Credit notes: what is still due after them, in which currency, and at which rate.

What is due stays in the invoice's currency, and a credit is taken off at the rate at which the invoice was
booked, so that a full one leaves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from envs.ledgershield.matching.arithmetic import rounded

ZERO = Decimal(0)


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in a currency."""

    amount: Decimal
    currency: str


@dataclass(frozen=True, slots=True)
class Credit:
    """A credit note: a positive amount, and what a unit of its currency was in the invoice's when booked."""

    money: Money
    rate: Decimal = Decimal(1)


def due(invoice: Money, notes: Sequence[Credit]) -> Money:
    """What is still due, in the invoice's currency; in one currency a rate changes nothing."""
    taken_off = (
        credit.money.amount
        if credit.money.currency == invoice.currency
        else rounded(credit.money.amount * credit.rate)
        for credit in notes
    )
    return Money(invoice.amount - sum(taken_off, ZERO), invoice.currency)
