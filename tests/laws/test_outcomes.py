"""Rewards add up as the environment's page says, and every part of an episode can be graded."""

from __future__ import annotations

import math
import re

import pytest

from envs.kernel.outcome import clipped
from envs.kernel.play import AnyEpisode, grade
from envs.kernel.protocol import AnyEnvironment
from tests.laws.description import sections

Moments = tuple[AnyEpisode, ...]

# Contracts round totals to four decimals.
ROUNDING = 1e-4
HELD = re.compile(r"held within \[(-?[\d.]+), (-?[\d.]+)\]")


@pytest.fixture(scope="session")
def bounds(env: AnyEnvironment) -> tuple[float, float]:
    """What a reward is held within, by the words "held within [low, high]" of the page's Rewards."""
    found = HELD.search(sections(env)["Rewards"])
    return (float(found[1]), float(found[2])) if found else (-math.inf, math.inf)


def test_rewards_and_their_parts_are_finite(episodes: Moments):
    for episode in episodes:
        for step in episode.steps:
            assert math.isfinite(step.reward.total)
            assert all(math.isfinite(value) for _, value in step.reward.parts)


def test_reward_parts_have_names_of_their_own(episodes: Moments):
    for episode in episodes:
        for step in episode.steps:
            names = [name for name, _ in step.reward.parts]
            assert len(set(names)) == len(names)
            assert all(name.isidentifier() for name in names)


def test_the_parts_of_a_reward_sum_to_its_total_within_the_stated_bounds(
    episodes: Moments, bounds: tuple[float, float]
):
    for episode in episodes:
        for step in episode.steps:
            low, high = bounds if step.legal else (-math.inf, math.inf)
            assert step.reward.total == pytest.approx(clipped(step.reward.parts, low, high), abs=ROUNDING)


def test_the_page_names_every_part_of_a_reward(env: AnyEnvironment, episodes: Moments):
    told = sections(env)["Rewards"]
    parts = {name for episode in episodes for step in episode.steps for name, _ in step.reward.parts}
    assert {name for name in parts if not re.search(rf"\b{name}\b", told)} == set()


def test_every_prefix_of_an_episode_has_a_score_between_0_and_1(env: AnyEnvironment, moments: Moments):
    assert all(0.0 <= grade(env, moment).score <= 1.0 for moment in moments)


def test_every_prefix_of_an_episode_has_a_finite_objective(env: AnyEnvironment, moments: Moments):
    assert all(math.isfinite(grade(env, moment).objective) for moment in moments)


def test_the_parts_of_a_grade_are_finite(env: AnyEnvironment, moments: Moments):
    assert all(math.isfinite(value) for moment in moments for _, value in grade(env, moment).parts)


def test_grading_twice_gives_the_same_grade(env: AnyEnvironment, moments: Moments):
    assert all(grade(env, moment) == grade(env, moment) for moment in moments)
