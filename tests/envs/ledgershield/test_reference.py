"""The reference is the best that can be done, and who reads and reasons less earns less."""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import cache
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.ledgershield.inference import rules, voi
from envs.ledgershield.inference.belief import posterior
from envs.ledgershield.inference.hypotheses import CHANCES, Decision, Scenario, right_decision
from envs.ledgershield.inference.prices import PARTS, TICK, price, ticks
from envs.ledgershield.inference.reference import solution, solved
from envs.ledgershield.inference.rules import Desk, Rule
from envs.ledgershield.inference.tables import EVIDENCE, FINDINGS, Evidence, Finding, Tables, nominal
from envs.ledgershield.inference.utilities import TYPICAL, Band, matrix
from tests.envs.ledgershield.abstract import AMOUNTS, Expected, best_constant, constant, expected, mean, right
from tests.envs.ledgershield.by_hand import LEVELS, quick

BUDGET = 10.0

some_findings = st.dictionaries(st.sampled_from(Evidence), st.sampled_from(Finding), min_size=7)


@cache
def played(rule: Rule, level: str, amount: float = TYPICAL) -> dict[Scenario, Expected]:
    return dict(expected(rule, Desk(level, amount, BUDGET)))


def skill(rule: Rule, level: str, amount: float = TYPICAL) -> float:
    base = best_constant(Desk(level, amount, BUDGET))
    return (mean(played(rule, level, amount)) - base) / (solved(level, amount).value({}) - base)


def by_hand(of: Tables, findings: dict[Evidence, Finding]) -> float:
    """What the best play expects, by plain recursion."""
    believed = posterior(of, findings)
    best = max(voi.worths(believed.scenarios, matrix(Band.MIDDLING)))
    for tool in Evidence:
        if tool not in findings:
            rows = of.rows[EVIDENCE.index(tool)]
            value = -price(tool, findings)
            for shown, finding in enumerate(FINDINGS):
                chance = math.fsum(
                    share * row[shown] for share, row in zip(believed.scenarios, rows, strict=True)
                )
                value += chance * by_hand(of, {**findings, tool: finding})
            best = max(best, value)
    return best


# Prices


def test_a_tool_comes_to_its_cost_its_reading_and_its_wait():
    assert price(Evidence.EMAIL, ()) == 0.25
    assert price(Evidence.PO, ()) == pytest.approx(0.20 + 0.20)
    assert price(Evidence.BANK, ()) == pytest.approx(0.15 + 0.40)
    assert price(Evidence.BANK, (Evidence.PO,)) == pytest.approx(0.15 + 0.20)
    assert price(Evidence.LEDGER, (Evidence.BANK,)) == pytest.approx(0.35)
    assert price(Evidence.CALLBACK, ()) == pytest.approx(0.40 + TICK)
    assert price(Evidence.CALLBACK, (Evidence.BANK,)) == pytest.approx(0.40 + 2 * TICK)
    assert price(Evidence.APPROVALS, ()) == pytest.approx(0.30 + 2 * TICK)


@quick
@given(st.permutations(EVIDENCE))
def test_the_invoice_is_read_once_in_whatever_order_tools_are_asked(order: list[Evidence]):
    whole = math.fsum(price(tool, order[:place]) for place, tool in enumerate(order))
    waits = math.fsum(TICK * ticks(tool, order[:place]) for place, tool in enumerate(order))
    costs = math.fsum(price(tool, EVIDENCE) - TICK * ticks(tool, EVIDENCE) for tool in Evidence)
    assert whole - waits - costs == pytest.approx(0.20 * max(PARTS.values()))


def test_all_tools_together_come_to_less_than_the_smallest_budget():
    assert math.fsum(price(tool, EVIDENCE[:place]) for place, tool in enumerate(EVIDENCE)) < BUDGET


# Dynamic programming


@quick
@given(findings=some_findings)
def test_the_reference_is_the_plain_recursion(findings: dict[Evidence, Finding]):
    assert solved("medium", TYPICAL).value(findings) == pytest.approx(
        by_hand(nominal("medium"), findings), abs=1e-9
    )


@quick
@given(findings=st.dictionaries(st.sampled_from(Evidence), st.sampled_from(Finding)))
def test_the_best_act_has_no_regret_and_every_other_at_least_none(findings: dict[Evidence, Finding]):
    of = solved("hard", TYPICAL)
    options = of.options(findings)
    assert max(options.values()) == pytest.approx(of.value(findings), abs=1e-9)
    assert of.regret(findings, of.best(findings)) == 0.0
    assert min(of.regret(findings, act) for act in options) >= 0.0
    assert set(options) == {*Decision, *(tool for tool in Evidence if tool not in findings)}


@pytest.mark.parametrize("level", LEVELS)
def test_what_the_reference_expects_is_what_its_play_comes_to(level: str):
    assert mean(played(rules.optimal, level)) == pytest.approx(solved(level, TYPICAL).value({}), abs=1e-9)


def test_regrets_along_a_play_add_up_to_what_it_loses():
    of = solved("medium", TYPICAL)

    def regretted(rule: Rule, findings: dict[Evidence, Finding]) -> float:
        act = rule(Desk("medium", TYPICAL, BUDGET), findings)
        here = of.regret(findings, act)
        if isinstance(act, Decision):
            return here
        believed = posterior(of.tables, findings).scenarios
        rows = of.tables.rows[EVIDENCE.index(act)]
        return here + math.fsum(
            math.fsum(share * row[shown] for share, row in zip(believed, rows, strict=True))
            * regretted(rule, {**findings, act: finding})
            for shown, finding in enumerate(FINDINGS)
        )

    lost = of.value({}) - mean(played(rules.clerk, "medium"))
    assert regretted(rules.clerk, {}) == pytest.approx(lost, abs=1e-9)


def without_waits(tool: Evidence, asked: Collection[Evidence]) -> float:
    return price(tool, asked) - TICK * ticks(tool, asked)


@pytest.mark.parametrize("level", LEVELS)
def test_who_never_waits_is_better_by_a_twenty_fifth_of_the_scale_at_most(level: str):
    of = solved(level, TYPICAL)
    best = solution(of.tables, of.utilities, without_waits).value({})
    width = of.value({}) - best_constant(Desk(level, TYPICAL, BUDGET))
    assert 0.0 <= best - of.value({}) <= width / 25


# The ladder, worked out exactly


def test_no_constant_does_better_than_escalating_and_review_earns_nothing():
    for level, amount in product(LEVELS, AMOUNTS.values()):
        worths = {one: skill(constant(one), level, amount) for one in Decision}
        assert max(worths, key=worths.__getitem__) is Decision.ESCALATE_FRAUD
        assert worths[Decision.NEEDS_REVIEW] < -0.05
        assert worths[Decision.PAY] < -1.0


@pytest.mark.slow
def test_the_ladder_stands_where_it_should_over_the_levels_together():
    bases = {level: best_constant(Desk(level, TYPICAL, BUDGET)) for level in LEVELS}
    whole = math.fsum(solved(level, TYPICAL).value({}) - base for level, base in bases.items())

    def together(rule: Rule) -> float:
        return math.fsum(mean(played(rule, level)) - base for level, base in bases.items()) / whole

    rungs = [together(rule) for rule in (rules.check_list, rules.clerk, rules.myopic, rules.optimal)]
    assert 0.35 <= rungs[0] <= 0.50
    assert 0.75 <= rungs[1] <= 0.88
    assert 0.90 <= rungs[2] <= 0.96
    assert rungs[3] == pytest.approx(1.0)
    assert skill(rules.clerk, "medium") < skill(rules.msprt, "medium") < skill(rules.myopic, "medium")


@pytest.mark.parametrize("level", LEVELS)
def test_the_ladder_rises_on_every_level(level: str):
    rungs = [skill(rule, level) for rule in (rules.check_list, rules.clerk, rules.myopic, rules.optimal)]
    assert rungs == sorted(rungs)
    assert all(high - low > 0.02 for low, high in pairwise(rungs))


def test_one_look_earns_less_than_half_whatever_is_made_of_it():
    for level, tool in product(LEVELS, Evidence):
        of = nominal(level)
        worth = voi.voi(of, posterior(of, {}), tool, matrix(Band.MIDDLING)) - price(tool, ())
        assert worth / (solved(level, TYPICAL).value({}) - best_constant(Desk(level, TYPICAL, BUDGET))) < 0.5


def needs_joint_evidence(level: str) -> list[Scenario]:
    """Scenarios whose right decision no single finding makes the best one."""
    of = nominal(level)
    reached = {
        voi.decided(posterior(of, {tool: finding}), matrix(Band.MIDDLING))
        for tool, finding in product(Evidence, Finding)
    }
    return [scenario for scenario in Scenario if right_decision(scenario) not in reached]


def test_looking_one_step_ahead_loses_most_where_evidence_speaks_only_together():
    lost: list[float] = []
    for level in LEVELS:
        joint = needs_joint_evidence(level)
        assert {Scenario.CLEAN, Scenario.LEGITIMATE_CHANGE} <= set(joint)
        width = solved(level, TYPICAL).value({}) - best_constant(Desk(level, TYPICAL, BUDGET))
        best, myopic = played(rules.optimal, level), played(rules.myopic, level)
        share = math.fsum(CHANCES[scenario] for scenario in joint)
        gap = math.fsum(CHANCES[one] * (best[one].money - myopic[one].money) for one in joint)
        lost.append(gap / share / width)
    assert math.fsum(lost) / len(lost) >= 0.15


def test_harder_levels_leave_less_to_be_right_about():
    rates = [right(played(rules.optimal, level)) for level in LEVELS]
    assert rates == sorted(rates, reverse=True)
    assert rates[0] - rates[-1] > 0.06
