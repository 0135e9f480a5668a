"""Simple rules play, and none of them wins."""

from __future__ import annotations

from itertools import product
from statistics import fmean

import pytest

from envs.forecast_audit import POLICIES
from envs.forecast_audit.baselines import neighbours_mean
from envs.forecast_audit.catalogue import ORDER
from envs.forecast_audit.models import Action, Operation, Severity
from envs.forecast_audit.tasks import Task
from envs.kernel.rng import Rng
from tests.envs.forecast_audit.answers import (
    ENV,
    TASKS,
    finished,
    opened,
    played,
    repeated,
    right_answer,
    seen,
)

every_policy = pytest.mark.parametrize("name", POLICIES)


def score(task: Task, action: Action) -> float:
    return ENV.grade(task, repeated(task, action).steps).score


@every_policy
def test_a_baseline_finishes_every_case_with_legal_actions(name: str):
    for task in ORDER:
        episode = finished(task, name)
        assert all(step.legal for step in episode.steps)


@every_policy
def test_a_baseline_earns_less_than_the_right_answers(name: str):
    assert fmean(ENV.grade(task, finished(task, name).steps).score for task in ORDER) < 0.6


def test_the_random_baseline_depends_on_its_address_alone():
    task = TASKS["hard_energy_forecast_004"]
    assert finished(task, "random", 7) == finished(task, "random", 7)
    assert len({finished(task, "random", seed).actions for seed in range(20)}) == 20


@every_policy
def test_a_baseline_survives_a_series_of_extreme_or_missing_values(name: str):
    observation = seen(opened(TASKS["easy_ops_missing_001"]))
    for values in ((1.7e308, -1.7e308, None, 1.7e308, 1.7e308), (None,) * 5):
        POLICIES[name](observation.model_copy(update={"values": values}), Rng(1))


def test_no_constant_answer_comes_near_the_right_ones():
    answers = product(
        Operation, (None, *Severity), (False, True), (None, 0, 1, 2, 3, 4), ("none", "mean", "last")
    )
    best = max(fmean(score(task, _constant(task, *answer)) for task in ORDER[::3]) for answer in answers)
    assert best < 0.5
    assert all(score(task, right_answer(task)) == 1.0 for task in ORDER)


def test_the_first_gap_and_a_line_through_it_do_not_settle_the_easy_level():
    easy = [task for task in ORDER if task.level == "easy"]
    scores = [ENV.grade(task, finished(task, "issue-type-lookup").steps).score for task in easy]
    assert min(scores) < 0.8 < max(scores)


@pytest.mark.parametrize(
    ("values", "index", "mean"),
    [
        ((1.0, None, 3.0), 1, 2.0),
        ((None, None, 3.0), 0, 3.0),
        ((1.0, None, None), 2, 1.0),
        ((None,), 0, None),
    ],
)
def test_the_neighbours_mean_takes_the_nearest_known_values(
    values: tuple[float | None, ...], index: int, mean: float | None
):
    assert neighbours_mean(values, index) == mean


def test_a_finished_repair_is_not_improved_by_accepting_it():
    task = TASKS["hard_energy_forecast_001"]
    repair = right_answer(task).model_copy(update={"operation": Operation.FLAG_ANOMALY})
    flagged, accepted = played(task, repair), played(task, repair, Action(operation=Operation.ACCEPT))
    assert ENV.grade(task, accepted.steps).score < ENV.grade(task, flagged.steps).score


def _constant(
    task: Task,
    operation: Operation,
    severity: Severity | None,
    all_cited: bool,
    index: int | None,
    value: str,
) -> Action:
    known = [number for number in task.values if number is not None]
    return Action(
        operation=operation,
        severity=severity,
        violated_constraints=task.sentences if all_cited else (),
        target_index=index,
        predicted_value={"none": None, "mean": fmean(known), "last": known[-1]}[value],
        rationale="The report is judged by the same words as every other one.",
    )
