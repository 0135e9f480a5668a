"""Every statistic gives the numbers that are printed where it comes from."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.regression.linear_model import OLS

from evals.statistics.calibration import brier_score, brier_skill, calibration_error, log_score
from evals.statistics.clusters import (
    bootstrap_error,
    clustered_errors,
    grouped,
    mean_interval,
    upper_bounds,
)
from evals.statistics.comparisons import cases_needed, holm, paired_difference
from evals.statistics.rates import Tries, pass_all, pass_any, wilson_interval

frugal = settings(max_examples=60, deadline=None, derandomize=True, database=None)

# Student (1908): additional hours of sleep under two drugs, the ten patients of Cushny and Peebles.
FIRST_DRUG = (0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0)
SECOND_DRUG = (1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4)
# Efron and Tibshirani (1993), table 2.1: survival of the treated mice in days.
TREATED_MICE = (94.0, 197.0, 16.0, 38.0, 99.0, 141.0, 23.0)
# Brier (1950), table 1: probability of rain on ten occasions, and whether it rained.
RAIN = ((0.7, 0), (0.9, 1), (0.8, 1), (0.4, 1), (0.2, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0.1, 0))


@pytest.mark.parametrize(("k", "printed"), [(1, 0.75), (2, 0.536), (4, 0.214)])
def test_six_of_eight_passes_k_times_in_a_row_as_printed(k: int, printed: float):
    assert pass_all([Tries(6, 8)], k) == pytest.approx(printed, abs=5e-4)


def test_one_try_passes_alike_in_both_measures():
    cases = [Tries(6, 8), Tries(1, 3), Tries(0, 5)]
    assert pass_all(cases, 1) == pytest.approx(pass_any(cases, 1))


@frugal
@given(st.integers(1, 12), st.data())
def test_any_of_k_passes_where_not_all_of_k_fail(n: int, data: st.DataObject):
    successes, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    failing = Tries(n - successes, n)
    assert pass_any([Tries(successes, n)], k) == pytest.approx(1 - pass_all([failing], k))


def test_a_case_tried_less_than_k_times_is_refused():
    with pytest.raises(ValueError, match="each case needs 3"):
        pass_all([Tries(2, 2)], 3)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_intervals_are_those_of_newcombe(successes: int, n: int, low: float, high: float):
    interval = wilson_interval(successes, n)
    assert interval.low == pytest.approx(low, abs=5e-5)
    assert interval.high == pytest.approx(high, abs=5e-5)


@frugal
@given(st.integers(1, 500), st.data())
def test_a_wilson_interval_holds_its_rate(n: int, data: st.DataObject):
    successes = data.draw(st.integers(0, n))
    rate, low, high = wilson_interval(successes, n)
    assert 0 <= low <= rate == successes / n <= high <= 1


def test_a_rate_of_nothing_is_refused():
    with pytest.raises(ValueError, match="n must be at least 1"):
        wilson_interval(0, 0)


def test_the_paired_test_is_students_on_his_sleep_data():
    found = paired_difference(SECOND_DRUG, FIRST_DRUG, range(10))
    assert found.estimate == pytest.approx(1.58)
    assert found.p == pytest.approx(0.00283, abs=5e-6)
    assert 0 < found.low < found.estimate < found.high


def test_agents_that_did_the_same_do_not_differ():
    assert paired_difference(FIRST_DRUG, FIRST_DRUG, range(10)) == (0.0, 0.0, 0.0, 1.0)


def test_a_difference_that_is_everywhere_the_same_is_certain():
    found = paired_difference([x + 0.1 for x in FIRST_DRUG], FIRST_DRUG, range(10))
    assert (found.low, found.high, found.p) == (found.estimate, found.estimate, 0.0)


def test_one_cluster_shows_nothing():
    found = paired_difference(SECOND_DRUG, FIRST_DRUG, ["one"] * 10)
    assert (found.low, found.high, found.p) == (-math.inf, math.inf, 1.0)


def test_unlike_cases_are_no_pairs():
    with pytest.raises(ValueError, match="same cases"):
        paired_difference(FIRST_DRUG, SECOND_DRUG[:9], range(10))


def test_the_bootstrap_error_of_the_mice_is_that_of_endless_resamples():
    assert bootstrap_error(TREATED_MICE, range(7), resamples=20_000) == pytest.approx(23.36, rel=0.02)


def test_the_formula_error_of_the_mice_is_the_printed_one():
    errors = clustered_errors(grouped(np.array(TREATED_MICE).reshape(-1, 1), range(7)))
    assert errors[0] == pytest.approx(25.24, abs=5e-3)


def test_clustered_errors_are_those_of_statsmodels():
    source = np.random.default_rng(1)
    clusters = source.integers(0, 14, 200)
    values = source.normal(size=14)[clusters] + source.normal(size=200)
    fitted = OLS(values, np.ones(200)).fit(
        cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": False}
    )
    errors = clustered_errors(grouped(values.reshape(-1, 1), list(clusters)))
    assert errors[0] == pytest.approx(float(fitted.bse[0]) * math.sqrt(14 / 13), rel=1e-9)


def test_copies_of_cases_in_their_clusters_add_no_certainty():
    once = mean_interval(TREATED_MICE, range(7))
    twice = mean_interval(TREATED_MICE * 5, list(range(7)) * 5)
    assert twice == pytest.approx(once)


@pytest.mark.slow
def test_cluster_intervals_hold_the_truth_as_often_as_they_say():
    source, held = np.random.default_rng(2), 0
    for _ in range(300):
        clusters = np.repeat(np.arange(14), 10)
        values = source.normal(size=14)[clusters] + source.normal(size=140)
        interval = mean_interval(list(values), list(clusters))
        held += interval.low <= 0 <= interval.high
    assert 0.92 <= held / 300 <= 0.98


def test_the_same_cases_always_get_the_same_interval():
    assert mean_interval(TREATED_MICE, range(7)) == mean_interval(TREATED_MICE, range(7))


@pytest.mark.parametrize(("treatments", "printed"), [(1, 1.64), (3, 2.06), (6, 2.29), (9, 2.42)])
def test_simultaneous_bounds_use_dunnetts_factor(treatments: int, printed: float):
    source = np.random.default_rng(3)
    groups = source.normal(size=(800, treatments + 1))
    columns = groups[:, 1:] - groups[:, :1]
    bounds = upper_bounds(columns, range(len(columns)))
    errors = clustered_errors(grouped(columns, range(len(columns))))
    factors = [(b.high - b.estimate) / e for b, e in zip(bounds, errors, strict=True)]
    assert factors == pytest.approx([printed] * treatments, abs=0.09)


def test_more_policies_make_wider_bounds():
    columns = np.random.default_rng(4).normal(size=(200, 8))
    (alone,), many = upper_bounds(columns[:, :1], range(200)), upper_bounds(columns, range(200))
    assert alone.high < many[0].high


def test_a_column_without_spread_is_its_own_bound():
    columns = np.column_stack([np.full(50, 0.3), np.arange(50.0)])
    constant, varied = upper_bounds(columns, range(50))
    assert constant.high == pytest.approx(0.3)
    assert varied.high > varied.estimate


def test_holm_adjusts_as_printed():
    # The example of R's documentation and of most textbooks: .01, .04, .03 and .005.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_no_hypotheses_are_adjusted_to_none():
    assert holm([]) == ()


def test_the_published_example_needs_969_cases():
    assert cases_needed(omega2=1 / 9, delta=0.03, power=0.8) == 969


def test_trials_of_noisy_agents_save_cases():
    once = cases_needed(1 / 9, 0.03, noise2=(1 / 6, 1 / 6))
    often = cases_needed(1 / 9, 0.03, noise2=(1 / 6, 1 / 6), trials=(10, 10))
    assert 969 < often < once


def test_briers_own_table_comes_to_19_hundredths():
    forecasts = [(p, 1 - p) for p, _ in RAIN]
    outcomes = [1 - rained for _, rained in RAIN]
    assert brier_score(forecasts, outcomes) == pytest.approx(0.19)


def test_stating_the_base_rates_is_no_skill_and_knowing_is_all():
    outcomes = [0, 1, 1, 2]
    assert brier_skill([(0.25, 0.5, 0.25)] * 4, outcomes) == pytest.approx(0.0)
    known = [tuple(float(k == outcome) for k in range(3)) for outcome in outcomes]
    assert brier_skill(known, outcomes) == 1.0
    assert brier_skill([(1.0, 0.0)] * 3, [0, 0, 0]) is None


def test_a_certain_error_costs_no_more_than_the_floor_allows():
    assert log_score([(1.0, 0.0)], [1]) == pytest.approx(-math.log(0.001 / 1.001))
    assert log_score([(0.5, 0.5)], [0]) == pytest.approx(math.log(2))


def test_a_forecast_that_is_no_distribution_is_refused():
    with pytest.raises(ValueError, match="sum to 1"):
        log_score([(0.5, 0.4)], [0])


def test_the_calibration_error_is_the_mean_gap_between_said_and_right():
    said = [0.95, 0.95, 0.95, 0.95, 0.55, 0.55]
    right = [True, True, True, False, True, False]
    assert calibration_error(said, right) == pytest.approx((4 * 0.2 + 2 * 0.05) / 6)
    assert calibration_error([1.0, 0.0], [True, False]) == 0.0
