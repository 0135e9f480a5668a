"""Utility, value of information, shaping, marks and stated probabilities: hand-computed numbers and laws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.ledgershield import actions
from envs.ledgershield.actions import ActionType
from envs.ledgershield.inference import belief, machine, scoring, shaping, sprt, tables, voi
from envs.ledgershield.inference.hypotheses import (
    EXCEPTIONS,
    HYPOTHESIS,
    Decision,
    Hypothesis,
    Scenario,
    right_decision,
)
from envs.ledgershield.inference.tables import EVIDENCE, SCENARIOS, Evidence, Finding, Tables
from envs.ledgershield.inference.utilities import (
    EXPOSURE,
    TYPICAL,
    Band,
    band,
    matrix,
    undecided,
    utility,
)
from tests.envs.ledgershield.by_hand import LEVELS, MEDIUM, levels, quick, some_findings, told

COSTS = {tool: actions.COSTS[ActionType(tool)] for tool in Evidence}


# Utilities and the value of information


def test_the_right_decision_loses_nothing_and_every_other_something():
    for scenario, amount in product(Scenario, (900.0, 9000.0, 90_000.0)):
        hypothesis, exception = HYPOTHESIS[scenario], scenario in EXCEPTIONS
        worths = {one: utility(one, hypothesis, exception, amount) for one in Decision}
        assert worths.pop(right_decision(scenario)) == 0.0
        assert max(worths.values()) < 0.0
        assert undecided(hypothesis, exception, amount) == min(worths.values())


def test_larger_invoices_lose_more_and_a_credit_counts_by_its_size():
    sizes = [
        utility(Decision.PAY, Hypothesis.CEO_BEC, False, amount) for amount in (4999.0, 5000.0, 20_000.0)
    ]
    assert sizes == [-26.0, -33.0, -40.0]
    assert band(-300.0) is Band.SMALL
    assert list(EXPOSURE) == list(Band)


def test_the_value_of_a_look_is_the_gain_in_the_best_utility_less_its_cost_by_hand():
    shares = {True: (0.9, 0.1, 0.0), False: (0.2, 0.8, 0.0)}
    one = Tables(
        rows=(
            tuple(shares[HYPOTHESIS[scenario] is Hypothesis.SAFE] for scenario in SCENARIOS),
            *(tuple((1.0, 0.0, 0.0) for _ in SCENARIOS) for _ in EVIDENCE[1:]),
        )
    )
    # Losses of each decision, summed over safe and over the eleven others.
    accuse, others_accused = 0.68 * 22 + 0.32 * 18, 2 * 18 + 16
    review, others_reviewed = 0.68 * 6 + 0.32 * 5, 2 * 5 + 8 * 8.5
    now = accuse + others_accused
    clear = 0.9 * review + 0.2 * others_reviewed
    unlike = 0.1 * accuse + 0.8 * others_accused
    gain = 1.65 * (now - clear - unlike) / 12
    ranked = voi.ranking(one, {}, COSTS, TYPICAL, 16.0)
    assert ranked.recommended_tool == Evidence.BANK
    assert ranked.voi == pytest.approx(gain - 0.15, abs=1e-12)
    assert ranked.voi_cost_ratio == pytest.approx(ranked.voi / 0.15)
    # The other tools say nothing: their value is what they cost.
    assert {round(worth.voi + worth.cost, 12) for worth in ranked.tools[1:]} == {0.0}


@pytest.mark.parametrize("level", LEVELS)
def test_at_the_start_comparing_the_account_is_the_best_tool_and_worth_its_cost(level: str):
    ranked = voi.ranking(tables.nominal(level), {}, COSTS, TYPICAL, 16.0)
    assert ranked.recommended_tool == "compare_bank_account"
    assert ranked.voi > 0.0
    assert ranked.voi_cost_ratio > 1.0
    assert not ranked.should_stop


@quick
@given(level=levels, findings=some_findings)
def test_information_before_its_cost_is_never_worth_less_than_nothing(
    level: str, findings: dict[Evidence, Finding]
):
    ranked = voi.ranking(tables.nominal(level), findings, COSTS, TYPICAL, 16.0)
    assert all(worth.voi + worth.cost >= -1e-9 for worth in ranked.tools)
    assert {worth.tool for worth in ranked.tools} == set(Evidence) - set(findings)
    assert ranked.should_stop == (ranked.recommended_tool == voi.DECIDE)


def test_tools_that_were_asked_or_cost_too_much_are_not_offered():
    ranked = voi.ranking(MEDIUM, {}, COSTS, TYPICAL, 0.2, asked=(Evidence.BANK,))
    assert {worth.tool for worth in ranked.tools} == {Evidence.PO, Evidence.RECEIPT, Evidence.POLICY}
    broke = voi.ranking(MEDIUM, {}, COSTS, TYPICAL, 0.0)
    assert broke.should_stop
    assert broke.recommended_tool == voi.DECIDE
    assert broke.voi == broke.voi_cost_ratio == 0.0


def test_a_decision_by_utility_weighs_what_is_at_stake_and_not_what_is_likeliest():
    believed = belief.posterior(MEDIUM, {Evidence.BANK: Finding.CLEAR})
    assert sprt.likeliest(believed) is not voi.decided(believed, matrix(Band.MIDDLING))
    values = voi.worths(believed.scenarios, matrix(Band.MIDDLING))
    assert values[tuple(Decision).index(voi.decided(believed, matrix(Band.MIDDLING)))] == max(values)


# Shaping


def test_the_potential_is_nothing_at_the_start_and_one_at_any_certainty():
    assert shaping.potential(belief.prior()) == pytest.approx(0.0, abs=1e-12)
    for scenario in (Scenario.CLEAN, Scenario.CAMPAIGN):
        certain = belief.Belief(scenarios=tuple(float(one is scenario) for one in SCENARIOS))
        assert shaping.potential(certain) == pytest.approx(1.0)


def test_the_potential_rises_towards_safe_as_towards_fraud():
    calm = belief.posterior(MEDIUM, dict.fromkeys(Evidence, Finding.CLEAR))
    grave = belief.posterior(MEDIUM, dict.fromkeys(Evidence, Finding.ADVERSE))
    assert shaping.potential(calm) > 0.3
    assert shaping.potential(grave) > 0.1


def test_the_telescoped_sum_of_shaping_does_not_depend_on_the_path():
    tools = (Evidence.BANK, Evidence.EMAIL, Evidence.PO, Evidence.CALLBACK)
    found = dict(zip(tools, (Finding.ADVERSE, Finding.CLEAR, Finding.MIXED, Finding.CLEAR), strict=True))
    sums: list[float] = []
    for order in permutations(tools):
        beliefs = [
            belief.posterior(MEDIUM, {tool: found[tool] for tool in order[:count]})
            for count in range(len(order) + 1)
        ]
        steps = [shaping.shaped(now, then) for now, then in zip(beliefs, [*beliefs[1:], None], strict=True)]
        sums.append(math.fsum(shaping.GAMMA**at * step for at, step in enumerate(steps)))
    assert max(sums) - min(sums) < 1e-9
    assert sums[0] == pytest.approx(-shaping.WEIGHT * shaping.potential(belief.prior()), abs=1e-9)


def test_information_is_the_divergence_of_the_beliefs_by_hand():
    before = belief.prior()
    after = belief.posterior(told(0.8), {Evidence.BANK: Finding.CLEAR})
    safe, other = 0.38 / 1.48, 0.1 / 1.48
    nats = safe * math.log(12 * safe) + 11 * other * math.log(12 * other)
    assert shaping.information_gain(before, after) == pytest.approx(shaping.INFORMATION * nats)
    assert shaping.information_gain(before, before) == 0.0


# The reward machine


@pytest.mark.parametrize("family", machine.MARKS)
def test_marks_in_order_and_then_the_decision_are_accepted(family: str):
    state, earned = machine.Machine(family=family), 0.0
    for mark in (*machine.MARKS[family], machine.DECISION):
        assert not state.accepting
        state, bonus = machine.advanced(state, mark, success=True)
        earned += bonus
    assert state.accepting
    assert not state.rejecting
    assert state.progress_fraction == 1.0
    assert earned == pytest.approx(0.02 * (len(machine.MARKS[family]) + 1))


def test_a_later_mark_earns_half_a_failed_one_costs_and_a_repeated_one_nothing():
    state = machine.Machine(family="task_c")
    assert state.state_id == 0
    state, bonus = machine.advanced(state, "compare_bank_account", success=True)
    assert bonus == 0.01
    assert machine.advanced(state, "compare_bank_account", success=True) == (state, 0.0)
    assert machine.advanced(state, "search_ledger", success=False) == (state, -0.01)
    assert machine.advanced(state, "ocr", success=True) == (state, 0.0)
    state, bonus = machine.advanced(state, "submit_decision", success=True)
    assert bonus == -0.01
    assert state.rejecting
    assert not state.accepting
    assert state.progress_fraction == pytest.approx(1 / 3)


# Stated probabilities

distributions = st.tuples(*[st.integers(0, 1000)] * 11, st.integers(1, 1000))


def expected_score(honest: Sequence[float], stated: Sequence[float]) -> float:
    named = dict(zip(map(str, Hypothesis), stated, strict=True))
    return math.fsum(
        share * scoring.calibration(named, one) for share, one in zip(honest, Hypothesis, strict=True)
    )


# The public version's logarithmic score has its sign turned round: confidence in a wrong answer scores best.
def test_confidence_in_a_wrong_answer_scores_below_uniform_and_in_the_right_one_above():
    uniform = dict.fromkeys(map(str, Hypothesis), 1 / 12)
    wrong = scoring.calibration({"safe": 1.0}, Hypothesis.BANK_FRAUD)
    right = scoring.calibration({"bank_fraud": 1.0}, Hypothesis.BANK_FRAUD)
    assert wrong == 0.0
    assert scoring.calibration(uniform, Hypothesis.BANK_FRAUD) == pytest.approx(13 / 24)
    assert right == 1.0


@quick
@given(honest=distributions, stated=distributions)
def test_honest_probabilities_expect_at_least_as_much_as_any_others(
    honest: tuple[int, ...], stated: tuple[int, ...]
):
    believed = [share / math.fsum(honest) for share in honest]
    scaled = [share / math.fsum(stated) for share in stated]
    shortfall = expected_score(believed, believed) - expected_score(believed, scaled)
    # Closed form: half the squared distance, so only honesty is best.
    apart = math.fsum((one - other) ** 2 for one, other in zip(believed, scaled, strict=True))
    assert shortfall == pytest.approx(apart / 2, abs=1e-9)


def test_shading_an_honest_belief_towards_certainty_or_towards_uniform_costs():
    honest = [0.6, 0.3, 0.1, *[0.0] * 9]
    for power in (0.3, 0.7, 1.5, 3.0):
        shaded = [share**power if share else 0.0 for share in honest]
        assert expected_score(honest, shaded) < expected_score(honest, honest)


def test_what_is_not_stated_counts_as_uniform_and_unknown_names_are_lost():
    for nothing in (None, {}, {"safe": 0.0}):
        assert scoring.calibration(nothing, Hypothesis.SAFE) == pytest.approx(13 / 24)
    assert scoring.calibration({"safe": 0.5, "gremlins": 0.5}, Hypothesis.SAFE) == pytest.approx(0.75)
    assert scoring.calibration({"safe": 3.0}, Hypothesis.SAFE) == 1.0
    with pytest.raises(ValueError, match="negative"):
        scoring.calibration({"safe": -0.1, "ceo_bec": 1.1}, Hypothesis.SAFE)
