"""Skill is 0 for the best constant and 1 for the reference, whatever the environment's unit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.skill import (
    NoScale,
    best_constant,
    case_skills,
    scale_of,
    skill,
    skill_lower_bounds,
    skill_upper_bounds,
)

frugal = settings(max_examples=40, deadline=None, derandomize=True, database=None)

SOURCE = np.random.default_rng(7)
CONSTANT = SOURCE.uniform(-1, 0, 120)
REFERENCE = CONSTANT + SOURCE.uniform(0, 1, 120)
AGENT = CONSTANT + SOURCE.uniform(-0.2, 0.8, 120)
CLUSTERS = [index % 15 for index in range(120)]
SCALE = scale_of(CONSTANT, REFERENCE, CLUSTERS)


def test_the_best_constant_has_skill_0_and_the_reference_1():
    assert tuple(skill(CONSTANT, SCALE)) == pytest.approx((0, 0, 0), abs=1e-9)
    assert tuple(skill(REFERENCE, SCALE)) == pytest.approx((1, 1, 1), abs=1e-9)


def test_worse_than_the_best_constant_is_below_0():
    assert skill(CONSTANT - 0.3, SCALE).estimate < 0


@frugal
@given(st.floats(0.01, 1e4), st.floats(-1e4, 1e4))
def test_skill_does_not_depend_on_the_unit_or_the_origin(unit: float, origin: float):
    scale = scale_of(unit * CONSTANT + origin, unit * REFERENCE + origin, CLUSTERS)
    found, plain = skill(unit * AGENT + origin, scale), skill(AGENT, SCALE)
    assert tuple(found) == pytest.approx(tuple(plain), rel=1e-5, abs=1e-6)


def test_the_shares_of_the_cases_have_skill_as_their_mean():
    assert case_skills(AGENT, SCALE).mean() == pytest.approx(skill(AGENT, SCALE).estimate)


def test_an_interval_of_skill_holds_its_estimate():
    found = skill(AGENT, SCALE)
    assert found.low < found.estimate < found.high


def test_bounds_lie_on_both_sides_of_the_estimate():
    (upper,), (lower,) = skill_upper_bounds([AGENT], SCALE), skill_lower_bounds([AGENT], SCALE)
    assert lower.low < lower.estimate == pytest.approx(upper.estimate)
    assert upper.estimate < upper.high


def test_without_a_better_reference_there_is_no_skill():
    with pytest.raises(NoScale, match="the best constant"):
        skill(AGENT, scale_of(REFERENCE, CONSTANT, CLUSTERS))


def test_the_best_constant_is_the_one_with_the_highest_mean_the_first_of_equals():
    assert best_constant({"a": [0.0, 1.0], "b": [0.5, 0.5], "c": [0.0, 0.0]}) == "a"
