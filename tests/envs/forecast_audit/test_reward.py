"""The reward's parts, one rule each."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.forecast_audit import grader
from envs.forecast_audit.models import Action, Operation, Severity
from envs.forecast_audit.tasks import Task
from tests.envs.forecast_audit.answers import (
    ENV,
    TASKS,
    actions,
    legal_indices,
    played,
    repeated,
    right_answer,
    tasks,
)

EASY = TASKS["easy_ops_missing_001"]
MEDIUM = TASKS["medium_finance_anomaly_001"]
HARD = TASKS["hard_energy_forecast_001"]


def part(name: str, task: Task, step_number: int = 1, **changes: object) -> float:
    """One part of what the right answer earns when some of its fields are changed."""
    action = right_answer(task).model_copy(update=changes)
    return dict(grader.reward(task, action, step_number).parts)[name]


@given(tasks, actions, st.integers(1, 3))
def test_a_score_is_the_clipped_sum_of_tidy_parts(task: Task, action: Action, step_number: int):
    reward = grader.reward(task, action, step_number)
    values = [value for _, value in reward.parts]
    assert reward.total == round(min(1.0, max(0.0, math.fsum(values))), 4)
    assert all(value == round(value, 4) for value in values)
    assert "-0.0," not in json.dumps(values) + ","
    assert reward.message


@given(tasks, actions, st.integers(1, 3))
def test_each_part_stays_within_its_weight(task: Task, action: Action, step_number: int):
    parts = dict(grader.reward(task, action, step_number).parts)
    most = (0.35, 0.15, 0.2, 0.1, 0.1, 0.08, 0.05, 0.0)
    assert list(parts) == [
        "operation", "index", "value", "severity", "constraints", "rationale", "efficiency", "penalty",
    ]  # fmt: skip
    assert all(value <= bound for value, bound in zip(parts.values(), most, strict=True))
    assert min(list(parts.values())[:-1]) >= 0.0
    assert parts["penalty"] >= -0.4


@pytest.mark.parametrize(
    ("task", "operation", "earned"),
    [
        (MEDIUM, Operation.FLAG_ANOMALY, 0.2),
        (HARD, Operation.REPAIR_AND_FINALIZE, 0.15),
        (EASY, Operation.REPAIR_AND_FINALIZE, 0.0),
        (MEDIUM, Operation.ESCALATE, 0.0),
        (HARD, Operation.FLAG_ANOMALY, 0.0),
    ],
)
def test_a_second_best_operation_earns_part_of_the_weight(task: Task, operation: Operation, earned: float):
    assert part("operation", task, operation=operation) == earned


@pytest.mark.parametrize(
    ("tolerances", "earned"), [(-1.0, 0.2), (1.0, 0.2), (1.5, 0.1), (-2.0, 0.1), (2.1, 0.0)]
)
@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_a_value_earns_all_within_the_tolerance_and_half_within_twice_it(
    task: Task, tolerances: float, earned: float
):
    value = task.gold.value + tolerances * task.gold.tolerance
    assert part("value", task, predicted_value=value) == earned


def test_no_value_earns_nothing():
    assert part("value", EASY, predicted_value=None) == 0.0


@pytest.mark.parametrize("severity", [None, Severity.LOW, Severity.MEDIUM])
def test_another_severity_or_none_earns_nothing(severity: Severity | None):
    assert part("severity", HARD, severity=severity) == 0.0


def test_constraints_earn_by_f1():
    broken, kept = MEDIUM.gold.violated_constraints[0], MEDIUM.sentences[0]
    assert part("constraints", MEDIUM, violated_constraints=(broken, kept)) == 0.0667
    assert part("constraints", MEDIUM, violated_constraints=(kept,)) == 0.0
    assert part("constraints", MEDIUM, violated_constraints=()) == 0.0
    assert part("constraints", HARD, violated_constraints=HARD.gold.violated_constraints[:1]) == 0.0667
    assert part("constraints", EASY, violated_constraints=()) == 0.1


@given(tasks, st.integers(2, 10))
def test_citing_a_constraint_twice_is_citing_it_once(task: Task, times: int):
    gold = task.gold.violated_constraints
    assert part("constraints", task, violated_constraints=gold * times) == 0.1


@given(tasks, st.lists(st.text(max_size=20), min_size=1, unique=True, max_size=20))
def test_an_invented_constraint_always_costs(task: Task, invented: list[str]):
    cited = (*task.gold.violated_constraints, *invented)
    assert part("constraints", task, violated_constraints=cited) < 0.1


@pytest.mark.parametrize(("step_number", "earned"), [(1, 0.05), (2, 0.03), (3, 0.01), (4, 0.0)])
def test_each_step_costs_two_hundredths_of_efficiency(step_number: int, earned: float):
    assert part("efficiency", EASY, step_number) == earned


@pytest.mark.parametrize(
    ("task", "changes", "penalty"),
    [
        (EASY, {"operation": Operation.ACCEPT}, -0.25),
        (MEDIUM, {"operation": Operation.ACCEPT}, -0.15),
        (HARD, {"operation": Operation.ACCEPT}, -0.15),
        (EASY, {"predicted_value": None}, -0.2),
        (EASY, {"target_index": None}, -0.15),
        (MEDIUM, {"target_index": None}, -0.15),
        (MEDIUM, {"predicted_value": None}, 0.0),
        (HARD, {"target_index": None}, 0.0),
        (HARD, {"rationale": " \n"}, -0.05),
        (EASY, {"predicted_value": None, "target_index": None, "rationale": ""}, -0.4),
    ],
)
def test_each_omission_has_its_penalty_and_they_add_up(task: Task, changes: dict[str, Any], penalty: float):
    assert part("penalty", task, **changes) == penalty


@given(tasks, actions)
def test_repeating_an_action_never_pays(task: Task, action: Action):
    first = played(task, action)
    last = repeated(task, action)
    assert ENV.grade(task, last.steps).score <= ENV.grade(task, first.steps).score


@given(tasks, legal_indices)
def test_a_grade_is_what_the_last_legal_action_earned(task: Task, index: int | None):
    wrong = Action(operation=Operation.ACCEPT, target_index=index)
    outside = Action(operation=Operation.ACCEPT, target_index=24)
    steps = played(task, outside, wrong, right_answer(task)).steps
    assert ENV.grade(task, ()).score == ENV.grade(task, steps[:1]).score == 0.0
    assert ENV.grade(task, steps[:2]).score == steps[1].reward.total
    assert ENV.grade(task, steps).score == ENV.grade(task, steps).objective == steps[2].reward.total
    assert ENV.grade(task, steps).parts == steps[2].reward.parts
