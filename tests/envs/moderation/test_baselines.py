"""Who reads more decides better; who looks an answer up, or reads the post alone, does not."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from statistics import fmean

import pytest

from envs.kernel.play import play
from envs.moderation import grader
from envs.moderation.battery import BATTERY, CONSTANTS
from envs.moderation.cases import generator
from envs.moderation.models import LEVELS, SPLITS, Decision, Violation
from envs.moderation.tasks import Task
from tests.envs.moderation.plays import ENV, case, decide, finished, mark, objective, opened, played, right

SEEDS = range(8000, 8060)


def mean(policy: str, level: str, split: str = "public") -> float:
    return fmean(objective(finished(case(seed, level, split), policy, seed)) for seed in SEEDS)


@pytest.mark.parametrize("level", ["easy", "medium"])
def test_the_ladder_rises_from_rung_to_rung(level: str):
    rungs = [mean(name, level) for name in ("random", "read-post", "read-post-and-policy", "reference")]
    assert rungs == sorted(rungs)
    assert rungs[1] - rungs[0] > 0.2


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("level", LEVELS)
def test_the_reference_is_right_in_every_case(level: str, split: str):
    for seed in SEEDS[:25]:
        task = case(seed, level, split)
        assert objective(finished(task, "reference", seed)) == pytest.approx(grader.best(task))


@pytest.mark.parametrize("name", ["keyword", "read-post"])
def test_who_sees_the_post_alone_is_right_in_no_pair_and_the_reference_in_all(name: str):
    for level in LEVELS:
        found = list(generator.pairs(level, "public", SEEDS))
        assert found
        blind = [all(right(finished(task, name)) for task in pair) for pair in found]
        whole = [all(right(finished(task, "reference")) for task in pair) for pair in found[:15]]
        assert fmean(blind) <= 0.30
        assert fmean(whole) >= 0.97


def test_the_battery_holds_every_decision_with_every_type_with_and_without_a_look():
    assert len(CONSTANTS) == 2 * len(Decision) * len(Violation)
    assert set(CONSTANTS) < set(BATTERY)


@pytest.mark.parametrize("name", BATTERY)
def test_a_trivial_policy_plays_on_and_stays_far_below_the_reference(name: str):
    values = [objective(finished(case(seed, "easy"), BATTERY[name], seed)) for seed in SEEDS[:24]]
    assert fmean(values) < 0.6


# The public version of this contract pays .84 to whoever looks the answer up by the difficulty's name.
@pytest.mark.parametrize(
    "surrounding",
    [
        lambda task: task.level,
        lambda task: task.geo,
        lambda task: task.engagement,
        lambda task: task.reports // 8,
        lambda task: (task.level, task.geo, task.engagement),
        lambda task: len(task.post_content) // 30,
    ],
    ids=["difficulty", "geo", "engagement", "reports", "all three", "length"],
)
@pytest.mark.slow
def test_an_answer_looked_up_by_what_surrounds_a_post_earns_no_more_than_a_constant(
    surrounding: Callable[[Task], object],
):
    learned, met = drawn(0), drawn(1)
    table: dict[object, list[Decision]] = {}
    for task in learned:
        table.setdefault(surrounding(task), []).append(task.truth.ruling.decision)
    answers = {
        value: max(Decision, key=lambda d: fmean(grader.price(r, d) for r in found))
        for value, found in table.items()
    }
    looked_up = fmean(_worth(task, answers.get(surrounding(task), Decision.FLAG)) for task in met)
    constant = max(fmean(_worth(task, decision) for task in met) for decision in Decision)
    assert (looked_up - constant) / (1.0 - constant) <= 0.06


@cache
def drawn(half: int) -> tuple[Task, ...]:
    return tuple(case(seed, level) for level in LEVELS for seed in range(300 * half, 300 * half + 300))


def _best(found: list[Decision]) -> Decision:
    """The decision that is worth most where these are right."""
    worth = {decision: fmean(grader.price(right, decision) for right in found) for decision in Decision}
    return max(worth, key=worth.__getitem__)


def _worth(task: Task, decision: Decision) -> float:
    return grader.price(task.truth.ruling.decision, decision)


# It pays .88 to whoever tries one label after the other until one is rewarded.
def test_trying_labels_until_one_pays_is_worth_less_than_marking_none():
    for seed in SEEDS[:20]:
        task = case(seed, "hard")
        episode = opened(task)
        for violation in Violation:
            episode = play(ENV, episode, mark(violation))
            if episode.steps[-1].reward.total > 0:
                break
        right_decision = decide(task.truth.ruling.decision)
        tried = objective(played(task, *episode.actions, right_decision))
        assert all(step.reward.total <= 0 for step in episode.steps)
        assert tried <= objective(played(task, mark(task.truth.ruling.violation), right_decision))
