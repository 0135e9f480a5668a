"""The three-way match: whether a bill agrees with its order and with what was received.

Compares quantities and prices exactly, to the last decimal: a tolerance is what the desk allows, never what
rounding makes of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

ZERO = Decimal(0)


class Mismatch(StrEnum):
    """What does not agree."""

    PRICE = "dearer than ordered"
    QUANTITY = "more billed than ordered"
    RECEIPT = "more billed than received"
    OVERDELIVERY = "more received than ordered"


@dataclass(frozen=True, slots=True)
class Line:
    """A quantity at a unit price; a return has a negative quantity."""

    quantity: Decimal
    unit_price: Decimal


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How much more than agreed is let pass, in parts of what was agreed: 0.02 is two per cent."""

    quantity: Decimal = ZERO
    price: Decimal = ZERO


@dataclass(frozen=True, slots=True)
class Excess:
    """A mismatch and by how much, in the unit of what does not agree."""

    mismatch: Mismatch
    by: Decimal


def excess(agreed: Decimal, found: Decimal, tolerance: Decimal) -> Decimal:
    """By how much something exceeds what was agreed; 0 within the tolerance."""
    over = found - agreed
    return over if over > abs(agreed) * tolerance else ZERO


def matched(
    ordered: Line, received: Decimal, billed: Sequence[Line], tolerance: Tolerance
) -> tuple[Excess, ...]:
    """What does not agree between an order's line, its receipt and all bills on it, returns included."""
    return tuple(_mismatches(ordered, received, billed, tolerance))


def net(lines: Sequence[Line]) -> Decimal:
    """What lines come to, returns taken off."""
    return sum((line.quantity * line.unit_price for line in lines), ZERO)


def _mismatches(
    ordered: Line, received: Decimal, billed: Sequence[Line], tolerance: Tolerance
) -> Iterator[Excess]:
    quantity = sum((line.quantity for line in billed), ZERO)
    dearest = max((line.unit_price for line in billed), default=ZERO)
    found = {
        Mismatch.PRICE: excess(ordered.unit_price, dearest, tolerance.price),
        Mismatch.QUANTITY: excess(ordered.quantity, quantity, tolerance.quantity),
        Mismatch.RECEIPT: excess(received, quantity, tolerance.quantity),
        Mismatch.OVERDELIVERY: excess(ordered.quantity, received, tolerance.quantity),
    }
    yield from (Excess(mismatch, by) for mismatch, by in found.items() if by > ZERO)
