"""Utilities: what a decision is worth in money, by what is behind the invoice and how large it is.

Decides nothing about belief. Money is counted in the unit of the tools' costs; 0 is the right decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from types import MappingProxyType

from envs.ledgershield.inference.hypotheses import (
    Decision,
    Hypothesis,
    Scenario,
    implied,
    right_decision,
)

LOSSES: Mapping[Decision, Mapping[Decision, float]] = MappingProxyType(
    {
        Decision.PAY: {
            Decision.PAY: 0.0,
            Decision.HOLD: 7.0,
            Decision.NEEDS_REVIEW: 6.0,
            Decision.ESCALATE_FRAUD: 22.0,
        },
        Decision.HOLD: {
            Decision.PAY: 12.0,
            Decision.HOLD: 0.0,
            Decision.NEEDS_REVIEW: 5.0,
            Decision.ESCALATE_FRAUD: 18.0,
        },
        Decision.NEEDS_REVIEW: {
            Decision.PAY: 10.0,
            Decision.HOLD: 6.0,
            Decision.NEEDS_REVIEW: 0.0,
            Decision.ESCALATE_FRAUD: 16.0,
        },
        Decision.ESCALATE_FRAUD: {
            Decision.PAY: 20.0,
            Decision.HOLD: 10.0,
            Decision.NEEDS_REVIEW: 8.5,
            Decision.ESCALATE_FRAUD: 0.0,
        },
    }
)
"""What is lost, by the right decision and then by the one taken.

A paid fraud loses the money, a held one leaves the thief at work, a reviewed one does for as long as the
review takes and costs a reviewer. Accusing an honest vendor costs more than anything, for it ends the supply.
"""


class Band(StrEnum):
    """How large an invoice is, as the desk's insurance counts."""

    SMALL = "small"
    MIDDLING = "middling"
    LARGE = "large"


EXPOSURE: Mapping[Band, float] = MappingProxyType({Band.SMALL: 1.3, Band.MIDDLING: 1.65, Band.LARGE: 2.0})
"""What a loss is multiplied by: it grows with the amount, and slower, because large invoices are insured."""

SMALL_BELOW = 5_000.0
LARGE_FROM = 20_000.0
TYPICAL = 10_000.0
"""EUR: what to reckon with while nobody has read the total."""


def band(amount: float) -> Band:
    """The band of an amount in EUR, whatever its sign."""
    size = abs(amount)
    return Band.SMALL if size < SMALL_BELOW else Band.MIDDLING if size < LARGE_FROM else Band.LARGE


def utility(decision: Decision, hypothesis: Hypothesis, exception: bool, amount: float) -> float:
    """What a decision is worth; 0 for the right one, negative for the others.

    Args:
        amount: The invoice's total in EUR.
    """
    return _worth(decision, implied(hypothesis, exception), band(amount))


def undecided(hypothesis: Hypothesis, exception: bool, amount: float) -> float:
    """What it is worth to leave a case lying: as much as the worst that could have been decided."""
    return min(utility(decision, hypothesis, exception, amount) for decision in Decision)


@cache
def matrix(size: Band) -> tuple[tuple[float, ...], ...]:
    """Utilities by decision and then scenario, in their orders."""
    rights = [right_decision(scenario) for scenario in Scenario]
    return tuple(tuple(_worth(decision, right, size) for right in rights) for decision in Decision)


def _worth(decision: Decision, right: Decision, size: Band) -> float:
    # A difference, as minus nothing would be -0.0.
    return 0.0 - EXPOSURE[size] * LOSSES[right][decision]
