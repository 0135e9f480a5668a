"""Credit notes: what is still due after them, in which currency, and at which rate.

What is due stays in the invoice's currency; a credit is booked at the rate of what it takes back, and what
the rate has done since stands apart.
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
    """A credit note: a positive amount, and what one unit of its currency is in the invoice's."""

    money: Money
    rate: Decimal = Decimal(1)


@dataclass(frozen=True, slots=True)
class Booked:
    """A credit in the books' currency, and apart from it what the change of the rate comes to."""

    credit: Decimal
    rate_difference: Decimal


def due(invoice: Money, notes: Sequence[Credit]) -> Money:
    """What is still due, in the invoice's currency; in one currency a rate changes nothing."""
    taken_off = (
        credit.money.amount
        if credit.money.currency == invoice.currency
        else rounded(credit.money.amount * credit.rate)
        for credit in notes
    )
    return Money(invoice.amount - sum(taken_off, ZERO), invoice.currency)


def booked(credit: Decimal, rate_then: Decimal, rate_now: Decimal) -> Booked:
    """A credit on an invoice that was booked at an earlier rate: never more than that booking."""
    then, now = rounded(credit * rate_then), rounded(credit * rate_now)
    return Booked(then, now - then)
