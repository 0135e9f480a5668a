"""The game without documents: what a rule expects, worked out exactly over everything that it can find."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from envs.ledgershield.inference.hypotheses import (
    CHANCES,
    EXCEPTIONS,
    HYPOTHESIS,
    Decision,
    Scenario,
    right_decision,
)
from envs.ledgershield.inference.prices import price
from envs.ledgershield.inference.rules import Desk, Rule
from envs.ledgershield.inference.tables import (
    EVIDENCE,
    FINDINGS,
    SCENARIOS,
    Evidence,
    Finding,
    nominal,
)
from envs.ledgershield.inference.utilities import EXPOSURE, LARGE_FROM, SMALL_BELOW, Band, utility

AMOUNTS: Mapping[Band, float] = {
    Band.SMALL: SMALL_BELOW / 2,
    Band.MIDDLING: (SMALL_BELOW + LARGE_FROM) / 2,
    Band.LARGE: 2 * LARGE_FROM,
}
assert set(AMOUNTS) == set(EXPOSURE)


class Expected(NamedTuple):
    """Expectations in one scenario: money, decisions taken, and tools asked."""

    money: float
    decisions: Mapping[Decision, float]
    looks: float


def expected(rule: Rule, desk: Desk) -> Mapping[Scenario, Expected]:
    """What a rule expects in each scenario; exact, over the level's nominal tables."""
    tables = nominal(desk.level)
    money, looks = [0.0] * len(SCENARIOS), [0.0] * len(SCENARIOS)
    taken = [dict.fromkeys(Decision, 0.0) for _ in SCENARIOS]
    left: list[tuple[dict[Evidence, Finding], list[float]]] = [({}, [1.0] * len(SCENARIOS))]
    while left:
        findings, chances = left.pop()
        answer = rule(desk, findings)
        if isinstance(answer, Decision):
            for place, scenario in enumerate(SCENARIOS):
                worth = utility(answer, HYPOTHESIS[scenario], scenario in EXCEPTIONS, desk.amount)
                money[place] += chances[place] * worth
                taken[place][answer] += chances[place]
            continue
        rows = tables.rows[EVIDENCE.index(answer)]
        for place, chance in enumerate(chances):
            money[place] -= chance * price(answer, findings)
            looks[place] += chance
        for shown, finding in enumerate(FINDINGS):
            reached = [chance * row[shown] for chance, row in zip(chances, rows, strict=True)]
            left.append(({**findings, answer: finding}, reached))
    return {
        scenario: Expected(money[place], taken[place], looks[place])
        for place, scenario in enumerate(SCENARIOS)
    }


def mean(values: Mapping[Scenario, Expected]) -> float:
    """Expected money over the scenarios as they are drawn."""
    return math.fsum(CHANCES[scenario] * each.money for scenario, each in values.items())


def constant(decision: Decision) -> Rule:
    """The same decision always."""
    return lambda desk, findings: decision


@cache
def best_constant(desk: Desk) -> float:
    return max(mean(expected(constant(decision), desk)) for decision in Decision)


def right(values: Mapping[Scenario, Expected]) -> float:
    """How often the right decision is taken."""
    return math.fsum(
        CHANCES[scenario] * each.decisions[right_decision(scenario)] for scenario, each in values.items()
    )
