"""Hypotheses, tables, belief and Wald's test: hand-computed numbers, closed forms and laws."""

from __future__ import annotations

import math
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.kernel.rng import Rng
from envs.ledgershield.inference import belief, hypotheses, sprt, tables
from envs.ledgershield.inference.hypotheses import (
    CHANCES,
    EXCEPTIONS,
    HYPOTHESIS,
    Decision,
    Hypothesis,
    Scenario,
    implied,
)
from envs.ledgershield.inference.rows import ROWS
from envs.ledgershield.inference.tables import EVIDENCE, Evidence, Finding
from tests.envs.ledgershield.by_hand import LEVELS, MEDIUM, levels, quick, some_findings, told

# Hypotheses


def test_every_hypothesis_asks_for_the_decision_that_the_contract_implies():
    held = {Hypothesis.DUPLICATE_BILLING, Hypothesis.SPLIT_PAYMENT}
    for hypothesis in Hypothesis:
        right = implied(hypothesis, exception=False)
        match hypothesis:
            case Hypothesis.SAFE:
                assert right is Decision.PAY
            case Hypothesis.THRESHOLD_EVASION:
                assert right is Decision.NEEDS_REVIEW
            case _:
                assert right is (Decision.HOLD if hypothesis in held else Decision.ESCALATE_FRAUD)


def test_a_match_exception_holds_a_safe_invoice_and_changes_no_other_decision():
    assert implied(Hypothesis.SAFE, exception=True) is Decision.HOLD
    for hypothesis in set(Hypothesis) - {Hypothesis.SAFE}:
        assert implied(hypothesis, exception=True) is implied(hypothesis, exception=False)
    assert {HYPOTHESIS[scenario] for scenario in EXCEPTIONS} == {Hypothesis.SAFE}


def test_hypotheses_are_equally_likely_and_draws_follow_the_chances():
    for hypothesis in Hypothesis:
        own = math.fsum(CHANCES[scenario] for scenario in Scenario if HYPOTHESIS[scenario] is hypothesis)
        assert own == pytest.approx(1 / 12)
    drawn = [hypotheses.drawn(Rng(seed, "case")) for seed in range(6_000)]
    for scenario in Scenario:
        spread = 5 * math.sqrt(6_000 * CHANCES[scenario])
        assert abs(drawn.count(scenario) - 6_000 * CHANCES[scenario]) < spread


# Tables


@quick
@given(level=levels, seed=st.integers(0, 10**6))
def test_every_row_of_a_case_sums_to_one_and_leaves_no_finding_impossible(level: str, seed: int):
    for row in (row for own in tables.jittered(level, Rng(seed)).rows for row in own):
        assert math.fsum(row) == pytest.approx(1.0, abs=1e-12)
        assert min(row) > 0.0


def test_the_mean_of_the_cases_tables_is_the_nominal_one():
    cases = [tables.jittered("medium", Rng(seed)) for seed in range(800)]
    for evidence, scenario in ((Evidence.BANK, Scenario.SLEEPER_VENDOR), (Evidence.PO, Scenario.LAYERING)):
        for finding in Finding:
            values = [case.likelihood(evidence, finding, scenario) for case in cases]
            nominal = MEDIUM.likelihood(evidence, finding, scenario)
            assert math.fsum(values) / len(values) == pytest.approx(nominal, abs=0.015)
            assert max(values) - min(values) > 0.05


def test_a_clean_vendor_fails_to_answer_one_call_in_twenty_on_every_level():
    for level, scenario in product(LEVELS, Scenario):
        if HYPOTHESIS[scenario] is Hypothesis.SAFE:
            unanswered = tables.nominal(level).likelihood(Evidence.CALLBACK, Finding.MIXED, scenario)
            assert unanswered == pytest.approx(0.05)


def test_a_compromised_vendor_sometimes_confirms_falsely():
    confirmed = MEDIUM.likelihood(Evidence.CALLBACK, Finding.CLEAR, Scenario.VENDOR_TAKEOVER)
    assert 0.1 < confirmed < 0.5


def test_harder_levels_say_less_with_each_finding():
    def most(level: str) -> float:
        return math.fsum(max(row) for own in tables.nominal(level).rows for row in own)

    assert most("easy") > most("medium") > most("hard")


def test_rows_stand_in_the_order_of_the_tools():
    assert set(ROWS) == set(Scenario)
    assert ROWS[Scenario.EXACT_DUPLICATE][EVIDENCE.index(Evidence.LEDGER)] == (0.02, 0.08, 0.9)
    assert ROWS[Scenario.CLEAN][EVIDENCE.index(Evidence.CALLBACK)] == (0.94, 0.05, 0.01)
    assert ROWS[Scenario.UNDER_THRESHOLD][EVIDENCE.index(Evidence.APPROVALS)] == (0.22, 0.72, 0.06)


def test_findings_are_drawn_as_the_tables_say():
    count = 1500
    drawn = [tables.drawn(MEDIUM, Scenario.CAMPAIGN, Rng(seed)) for seed in range(count)]
    for evidence, finding in product(Evidence, Finding):
        share = sum(found[evidence] is finding for found in drawn) / count
        assert share == pytest.approx(MEDIUM.likelihood(evidence, finding, Scenario.CAMPAIGN), abs=0.05)


# Belief


def test_before_anything_is_found_each_hypothesis_has_one_chance_in_twelve():
    for believed in (belief.prior(), belief.posterior(MEDIUM, {})):
        assert list(believed.hypotheses()) == list(Hypothesis)
        for share in believed.hypotheses().values():
            assert round(share, 4) == 0.0833


def test_the_posterior_is_bayes_by_hand():
    # P(clean) = .4/12; clear: .4/12·.8 + (1 - .4/12)·.1 = .12333…; posterior .026667/.123333 = .216216.
    found = belief.posterior(told(0.8), {Evidence.BANK: Finding.CLEAR})
    assert found.probability(Scenario.CLEAN) == pytest.approx(0.21621621621621623, abs=1e-12)
    assert found.hypotheses()[Hypothesis.CEO_BEC] == pytest.approx(0.1 / 12 / (0.37 / 3), abs=1e-12)
    assert found.decisions()[Decision.PAY] == pytest.approx((0.4 * 0.8 + 0.28 * 0.1) / 12 / (0.37 / 3))
    assert found.exception() == pytest.approx(0.32 * 0.1 / 12 / (0.37 / 3))


@quick
@given(level=levels, findings=some_findings)
def test_a_belief_sums_to_one_however_it_is_counted(level: str, findings: dict[Evidence, Finding]):
    believed = belief.posterior(tables.nominal(level), findings)
    for parts in (believed.scenarios, believed.hypotheses().values(), believed.decisions().values()):
        assert math.fsum(parts) == pytest.approx(1.0, abs=1e-12)


def test_the_order_of_the_findings_changes_no_bit_of_the_belief():
    found = {Evidence.PO: Finding.ADVERSE, Evidence.BANK: Finding.CLEAR, Evidence.EMAIL: Finding.MIXED}
    beliefs = {belief.posterior(MEDIUM, dict(order)).scenarios for order in permutations(found.items())}
    assert len(beliefs) == 1


@pytest.mark.slow
def test_a_belief_of_p_comes_true_in_p_of_the_cases_though_no_player_knows_their_tables():
    sums = [[0.0, 0.0, 0] for _ in range(10)]
    for seed in range(2000):
        rng = Rng(seed, "calibration")
        scenario = hypotheses.drawn(rng)
        drawn = tables.drawn(tables.jittered("medium", rng.at("tables")), scenario, rng.at("findings"))
        shown = {tool: drawn[tool] for tool in EVIDENCE[seed % 5 : seed % 9 + 1]}
        for hypothesis, share in belief.posterior(MEDIUM, shown).hypotheses().items():
            cell = sums[min(9, int(10 * share))]
            cell[0] += share
            cell[1] += hypothesis is HYPOTHESIS[scenario]
            cell[2] += 1
    for stated, true, count in sums:
        assert abs(stated - true) < 4 * math.sqrt(max(1.0, stated * (1 - stated / count)))


# In the public version one clue decides every case.
@pytest.mark.parametrize("level", LEVELS)
def test_no_single_finding_decides_a_case(level: str):
    for evidence, finding in product(Evidence, Finding):
        chances = belief.posterior(tables.nominal(level), {evidence: finding}).decisions()
        assert max(chances.values()) < 0.985
        assert chances[Decision.PAY] < 0.25


# Wald's test


def test_the_bounds_are_walds():
    assert round(sprt.UPPER, 4) == 2.8904
    assert round(sprt.LOWER, 4) == -2.2513


def test_the_ratio_against_safe_is_the_quotient_of_the_mixtures_by_hand():
    # safe: .4·.8 + .6·.1 = .38 of clear accounts, all others .1: ln(.1/.38) = -1.335001.
    ratios = sprt.log_likelihood_ratios(told(0.8), {Evidence.BANK: Finding.CLEAR})
    assert ratios[Hypothesis.SAFE] == 0.0
    for hypothesis in set(Hypothesis) - {Hypothesis.SAFE}:
        assert ratios[hypothesis] == pytest.approx(-1.3350010667, abs=1e-9)


def test_at_the_start_nothing_is_decided_and_review_is_recommended():
    state = sprt.state(MEDIUM, {})
    assert state.recommended_decision is Decision.NEEDS_REVIEW
    assert not state.decision_ready
    assert not state.optimal_stopping_reached
    assert all(ratio == pytest.approx(0.0, abs=1e-12) for ratio in state.log_likelihood_ratios.values())


def test_signs_of_one_fraud_cross_the_upper_bound_and_clear_ones_the_lower():
    phantom = {
        Evidence.HISTORY: Finding.ADVERSE,
        Evidence.PO: Finding.ADVERSE,
        Evidence.RECEIPT: Finding.ADVERSE,
    }
    state = sprt.state(MEDIUM, phantom)
    assert state.log_likelihood_ratios[Hypothesis.PHANTOM_VENDOR] >= sprt.UPPER
    assert state.optimal_stopping_reached
    assert state.decision_ready
    assert state.recommended_decision is Decision.ESCALATE_FRAUD
    calm = sprt.state(MEDIUM, dict.fromkeys(Evidence, Finding.CLEAR))
    others = [ratio for one, ratio in calm.log_likelihood_ratios.items() if one is not Hypothesis.SAFE]
    assert max(others) <= sprt.LOWER
    assert calm.recommended_decision is Decision.PAY


@quick
@given(level=levels, findings=some_findings)
def test_readiness_follows_from_the_bounds(level: str, findings: dict[Evidence, Finding]):
    state = sprt.state(tables.nominal(level), findings)
    others = [ratio for one, ratio in state.log_likelihood_ratios.items() if one is not Hypothesis.SAFE]
    crossed = max(others) >= sprt.UPPER or max(others) <= sprt.LOWER
    assert state.optimal_stopping_reached == crossed
    assert not state.decision_ready or crossed
    assert crossed or state.recommended_decision is Decision.NEEDS_REVIEW
