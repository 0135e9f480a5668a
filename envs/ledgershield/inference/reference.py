"""The exact reference: dynamic programming over all that one can have found.

A state gives each of the nine tools one of four conditions, not asked or one of three findings: 4^9 =
262,144 states, of which 3^9 = 19,683 know everything. What a tool comes to includes the reading that it
needs first and, in full, the wait for its answer: who asks something else meanwhile does better, by at most
two ticks for each of two tools. Budgets do not bind: all nine tools come to less than the smallest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from envs.ledgershield.inference.belief import posterior
from envs.ledgershield.inference.hypotheses import CHANCES, Decision
from envs.ledgershield.inference.prices import price
from envs.ledgershield.inference.tables import (
    EVIDENCE,
    FINDINGS,
    SCENARIOS,
    Evidence,
    Findings,
    Tables,
    nominal,
)
from envs.ledgershield.inference.utilities import Band, band, matrix
from envs.ledgershield.inference.voi import Utilities, worths

Floats = NDArray[np.float64]

Prices = Callable[[Evidence, Collection[Evidence]], float]
"""What a tool comes to after others were asked."""


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """A solved level and band of amounts.

    Attributes:
        values: Expected money from each state on, under the best play; an axis for each tool: 0 is not asked,
            then its findings in their order.
    """

    values: Floats
    tables: Tables
    utilities: Utilities
    prices: Prices

    def value(self, findings: Findings) -> float:
        """Expected money from here on under the best play."""
        return float(self.values[_place(findings)])

    def best(self, findings: Findings) -> Evidence | Decision:
        """The best thing to do: decide, or ask a tool if that is worth more."""
        options = self.options(findings)
        return max(options, key=options.__getitem__)

    def regret(self, findings: Findings, done: Evidence | Decision) -> float:
        """How much less than the best an act expects, at least 0.

        Raises:
            KeyError: If the tool has been asked.
        """
        options = self.options(findings)
        return max(options.values()) - options[done]

    def options(self, findings: Findings) -> dict[Evidence | Decision, float]:
        """What each decision, and each tool that was not asked, is worth."""
        believed = posterior(self.tables, findings).scenarios
        decisions = zip(Decision, worths(believed, self.utilities), strict=True)
        options: dict[Evidence | Decision, float] = dict(decisions)
        place = _place(findings)
        for axis, tool in enumerate(EVIDENCE):
            if tool not in findings:
                rows = self.tables.rows[axis]
                after = self.values[(*place[:axis], slice(1, None), *place[axis + 1 :])]
                chances = [
                    math.fsum(share * row[shown] for share, row in zip(believed, rows, strict=True))
                    for shown in range(len(FINDINGS))
                ]
                options[tool] = float(after @ np.array(chances)) - self.prices(tool, findings)
        return options


def solved(level: str, amount: float) -> Reference:
    """The reference for a level's cases of this amount in EUR; solved once for each band of amounts."""
    return _solved(level, band(amount))


def solution(tables: Tables, utilities: Utilities, prices: Prices = price) -> Reference:
    """The reference for these tables, utilities (by decision, then scenario) and prices."""
    reached, stopping = _joint(tables, utilities)
    values = stopping
    for count in reversed(range(len(EVIDENCE))):
        for asked in combinations(range(len(EVIDENCE)), count):
            here, known = _known(asked), [EVIDENCE[axis] for axis in asked]
            best = values[here]
            for axis, tool in enumerate(EVIDENCE):
                if axis not in asked:
                    # Of the axes that are left in the slice, as many stand before this tool's as were asked.
                    before = sum(other < axis for other in asked)
                    after = values[_known((*asked, axis))].sum(axis=before)
                    best = np.maximum(best, after - prices(tool, known) * reached[here])
            values[here] = best
    return Reference(values / reached, tables, utilities, prices)


@cache
def _solved(level: str, size: Band) -> Reference:
    return solution(nominal(level), matrix(size))


def _joint(tables: Tables, utilities: Utilities) -> tuple[Floats, Floats]:
    """Of each state: how likely it is, and that times the worth of the best decision there."""
    joint: Floats = np.array([[CHANCES[scenario]] for scenario in SCENARIOS])
    for rows in tables.rows:
        conditions = np.column_stack([np.ones(len(SCENARIOS)), np.array(rows)])
        joint = (joint[:, :, None] * conditions[:, None, :]).reshape(len(SCENARIOS), -1)
    shape = (1 + len(FINDINGS),) * len(EVIDENCE)
    stopping: Floats = (np.array(utilities) @ joint).max(axis=0)
    return joint.sum(axis=0).reshape(shape), stopping.reshape(shape)


def _known(asked: Sequence[int]) -> tuple[int | slice, ...]:
    """All states in which these tools have answered and no others."""
    return tuple(slice(1, None) if axis in asked else 0 for axis in range(len(EVIDENCE)))


def _place(findings: Findings) -> tuple[int, ...]:
    return tuple(1 + FINDINGS.index(findings[tool]) if tool in findings else 0 for tool in EVIDENCE)
