"""Belief: how likely each scenario is after the findings so far.

Exact Bayes from equal chances of all hypotheses. Knows nothing of worth.
"""

from __future__ import annotations

import math

from envs.kernel.records import Record
from envs.ledgershield.inference.hypotheses import (
    CHANCES,
    EXCEPTIONS,
    HYPOTHESIS,
    Decision,
    Hypothesis,
    Scenario,
    right_decision,
)
from envs.ledgershield.inference.tables import EVIDENCE, FINDINGS, SCENARIOS, Findings, Tables

_PRIOR = tuple(CHANCES[scenario] for scenario in SCENARIOS)
_HYPOTHESES = tuple(HYPOTHESIS[scenario] for scenario in SCENARIOS)
_DECISIONS = tuple(right_decision(scenario) for scenario in SCENARIOS)


class Belief(Record):
    """Probabilities of the scenarios, in the order of `Scenario`: joint over hypothesis and exception."""

    scenarios: tuple[float, ...]

    def probability(self, scenario: Scenario) -> float:
        """Probability of one scenario."""
        return self.scenarios[SCENARIOS.index(scenario)]

    def hypotheses(self) -> dict[Hypothesis, float]:
        """Probability of each hypothesis, in their order; 1/12 each before anything is found."""
        sums = dict.fromkeys(Hypothesis, 0.0)
        for hypothesis, share in zip(_HYPOTHESES, self.scenarios, strict=True):
            sums[hypothesis] += share
        return sums

    def decisions(self) -> dict[Decision, float]:
        """Probability that each decision is the right one."""
        sums = dict.fromkeys(Decision, 0.0)
        for decision, share in zip(_DECISIONS, self.scenarios, strict=True):
            sums[decision] += share
        return sums

    def exception(self) -> float:
        """Probability that nobody cheats and the match fails."""
        return math.fsum(self.probability(scenario) for scenario in EXCEPTIONS)


def prior() -> Belief:
    """Each hypothesis equally likely, and within it each of its scenarios by its share."""
    return Belief(scenarios=_PRIOR)


def posterior(tables: Tables, findings: Findings) -> Belief:
    """What to believe after findings; their order does not matter.

    Args:
        tables: `nominal` of the case's level, as no player knows the case's own. The belief is exact all the
            same: each tool speaks once, and the mean of the cases' tables is the nominal one.
    """
    weights = [
        chance * likelihood for chance, likelihood in zip(_PRIOR, likelihoods(tables, findings), strict=True)
    ]
    total = math.fsum(weights)
    return Belief(scenarios=tuple(weight / total for weight in weights))


def likelihoods(tables: Tables, findings: Findings) -> list[float]:
    """How likely the findings are in each scenario, in the order of `Scenario`."""
    products = [1.0] * len(SCENARIOS)
    # In the tools' order, whatever order they were found in: the same findings, the same bits.
    for place, evidence in enumerate(EVIDENCE):
        if evidence in findings:
            shown = FINDINGS.index(findings[evidence])
            products = [
                product * row[shown] for product, row in zip(products, tables.rows[place], strict=True)
            ]
    return products


def by_hypothesis(tables: Tables, findings: Findings) -> dict[Hypothesis, float]:
    """How likely the findings are under each hypothesis, over the ways in which it comes about."""
    sums = dict.fromkeys(Hypothesis, 0.0)
    for hypothesis, chance, likelihood in zip(
        _HYPOTHESES, _PRIOR, likelihoods(tables, findings), strict=True
    ):
        sums[hypothesis] += chance * len(Hypothesis) * likelihood
    return sums
