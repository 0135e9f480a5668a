"""Value of information: what one more look is worth, after its cost.

Looks one step ahead and no further: evidence that speaks only together is beyond it (`reference` is not).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from envs.kernel.records import Record
from envs.ledgershield.actions import ActionType
from envs.ledgershield.inference.belief import Belief, posterior
from envs.ledgershield.inference.hypotheses import Decision
from envs.ledgershield.inference.tables import EVIDENCE, Evidence, Findings, Tables
from envs.ledgershield.inference.utilities import band, matrix

Utilities = Sequence[Sequence[float]]
"""By decision, then scenario."""

DECIDE = ActionType.SUBMIT_DECISION.value


class Worth(Record):
    """A tool and what it is worth: E[best utility after] - best utility now - cost."""

    tool: Evidence
    voi: float
    cost: float


class Ranking(Record):
    """The tools by what they are worth.

    Attributes:
        recommended_tool: The best tool that is left, or `submit_decision` where none is worth its cost.
        voi: Of the recommended tool; 0 for the decision.
        voi_cost_ratio: `voi` by cost.
        should_stop: No tool that is left and affordable is worth its cost.
        tools: Every tool that is left, best first.
    """

    recommended_tool: str
    voi: float
    voi_cost_ratio: float
    should_stop: bool
    tools: tuple[Worth, ...]


def ranking(
    tables: Tables,
    findings: Findings,
    costs: Mapping[Evidence, float],
    amount: float,
    budget: float,
    asked: Collection[Evidence] = (),
) -> Ranking:
    """What each tool is worth now.

    Args:
        costs: What each tool costs, above 0.
        amount: The invoice's total in EUR, or `utilities.TYPICAL` while nobody has read it.
        budget: What is left to spend; dearer tools are left out.
        asked: Requested, and not answered yet: left out.
    """
    left = [tool for tool in Evidence if tool not in findings and tool not in asked and costs[tool] <= budget]
    ranked = by_worth(tables, findings, {tool: costs[tool] for tool in left}, matrix(band(amount)))
    if not ranked or ranked[0].voi <= 0.0:
        return Ranking(recommended_tool=DECIDE, voi=0.0, voi_cost_ratio=0.0, should_stop=True, tools=ranked)
    best = ranked[0]
    return Ranking(
        recommended_tool=best.tool,
        voi=best.voi,
        voi_cost_ratio=best.voi / best.cost,
        should_stop=False,
        tools=ranked,
    )


def by_worth(
    tables: Tables, findings: Findings, costs: Mapping[Evidence, float], utilities: Utilities
) -> tuple[Worth, ...]:
    """The tools that have a cost by what they are worth, best first."""
    believed = posterior(tables, findings)
    found = (
        Worth(tool=tool, voi=voi(tables, believed, tool, utilities) - cost, cost=cost)
        for tool, cost in costs.items()
    )
    return tuple(sorted(found, key=lambda worth: -worth.voi))


def decided(belief: Belief, utilities: Utilities) -> Decision:
    """The decision that is worth most now; the first of equals."""
    values = worths(belief.scenarios, utilities)
    return tuple(Decision)[values.index(max(values))]


def voi(tables: Tables, belief: Belief, tool: Evidence, utilities: Utilities) -> float:
    """E[best utility after] - best utility now, before cost; never below 0 but for rounding."""
    rows = tables.rows[EVIDENCE.index(tool)]
    after = math.fsum(
        max(
            worths([share * row[shown] for share, row in zip(belief.scenarios, rows, strict=True)], utilities)
        )
        for shown in range(3)
    )
    return after - max(worths(belief.scenarios, utilities))


def worths(weights: Sequence[float], utilities: Utilities) -> list[float]:
    """Each decision's utility, weighted over the scenarios."""
    return [math.fsum(map(float.__mul__, weights, own)) for own in utilities]
