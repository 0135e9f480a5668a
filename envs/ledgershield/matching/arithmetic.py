"""Arithmetic of an invoice: whether its sums agree, as far as rounding lets them.

A cent that rounding explains is no discrepancy and no sign of anything; a missing rounding amount is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum

CENT = Decimal("0.01")
ZERO = Decimal(0)


class Rounding(StrEnum):
    """Where a sum was rounded."""

    PER_LINE = "each line"
    ON_TOTAL = "the total"
    EXACT = "nowhere: both ways agree"


class Sums(StrEnum):
    """How a sum in the header stands to its lines."""

    AGREE = "agree"
    ROUNDING = "differ by no more than rounding; accept with a note"
    DISAGREE = "disagree"


@dataclass(frozen=True, slots=True)
class Totals:
    """What stands at the foot of an invoice."""

    net: Decimal
    tax: Decimal
    total: Decimal
    rounding: Decimal
    due: Decimal


@dataclass(frozen=True, slots=True)
class Product:
    """A quantity and a unit price that multiply to a line's total."""

    quantity: Decimal
    unit_price: Decimal


def rounded(value: Decimal) -> Decimal:
    """To the cent, half a cent up."""
    return value.quantize(CENT, ROUND_HALF_UP)


def payable(totals: Totals) -> Decimal | None:
    """What is to be paid: the amount due, once rounding is counted in; None if the sums do not agree."""
    agree = totals.net + totals.tax == totals.total and totals.total + totals.rounding == totals.due
    return totals.due if agree else None


def tax_rounding(lines: Sequence[Decimal], rate: Decimal, stated: Decimal) -> Rounding | None:
    """Which way of rounding explains a stated tax; None if neither does.

    Args:
        lines: Net amounts.
        rate: 0.21 is 21 per cent.
    """
    per_line = sum((rounded(line * rate) for line in lines), ZERO)
    on_total = rounded(sum(lines, ZERO) * rate)
    if stated == per_line == on_total:
        return Rounding.EXACT
    return {on_total: Rounding.ON_TOTAL, per_line: Rounding.PER_LINE}.get(stated)


def summed(lines: Sequence[Product], header: Decimal) -> tuple[Decimal, Sums]:
    """The sum of lines that are rounded each, and how it stands to the header's."""
    total = sum((rounded(line.quantity * line.unit_price) for line in lines), ZERO)
    off = abs(total - header)
    if off == ZERO:
        return total, Sums.AGREE
    # Each line is off by half a cent at most.
    return total, Sums.ROUNDING if off <= CENT / 2 * len(lines) else Sums.DISAGREE


def split(run_together: str, total: Decimal) -> tuple[Product, ...]:
    """The ways to read digits that ran together as a quantity and a price that multiply to the total."""
    return tuple(product for product in _splits(run_together) if _multiplies(product, total))


def _splits(text: str) -> Iterator[Product]:
    for place in range(1, len(text)):
        quantity, price = text[:place], text[place:]
        if quantity.isdecimal() and price.replace(".", "", 1).isdecimal():
            yield Product(Decimal(quantity), Decimal(price))


def _multiplies(product: Product, total: Decimal) -> bool:
    return product.quantity > 0 and rounded(product.quantity * product.unit_price) == total
