"""The gold of every curated case is proven from its constraints."""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations, product

import pytest

from envs.forecast_audit import grader
from envs.forecast_audit.catalogue import ORDER
from envs.forecast_audit.catalogue_easy import EASY
from envs.forecast_audit.catalogue_hard import HARD
from envs.forecast_audit.catalogue_medium import MEDIUM
from envs.forecast_audit.constraints import Season
from envs.forecast_audit.models import Action, Operation, Series, Severity
from envs.forecast_audit.tasks import Task
from envs.kernel.outcome import Status
from tests.envs.forecast_audit.answers import played, right_answer, with_value

every_task = pytest.mark.parametrize("task", ORDER, ids=lambda task: task.task_id)


def broken(task: Task, values: Series) -> tuple[str, ...]:
    return tuple(constraint.sentence for constraint in task.constraints if not constraint.holds(values))


@every_task
def test_the_observed_series_breaks_exactly_the_constraints_listed_as_violated(task: Task):
    assert broken(task, task.values) == task.gold.violated_constraints


@every_task
@pytest.mark.parametrize("share", [-1.0, -0.5, 0.0, 0.5, 1.0])
def test_every_value_within_the_tolerance_keeps_all_constraints(task: Task, share: float):
    assert broken(task, with_value(task, task.gold.value + share * task.gold.tolerance)) == ()


@every_task
def test_the_right_answer_earns_everything_and_ends_the_episode(task: Task):
    step = played(task, right_answer(task)).steps[-1]
    assert step.reward.total == 1.0
    assert step.status is Status.TERMINATED


@every_task
def test_no_other_operation_or_index_scores_as_high(task: Task):
    gold = right_answer(task)
    best = grader.reward(task, gold, 1).total
    subsets = chain.from_iterable(
        combinations(task.sentences, size) for size in range(len(task.sentences) + 1)
    )
    choices = product(
        Operation,
        (None, *range(len(task.values))),
        (None, *Severity),
        subsets,
        (None, task.gold.value, task.gold.value + 1.5 * task.gold.tolerance),
    )
    for operation, index, severity, cited, value in choices:
        if operation is gold.operation and index == gold.target_index:
            continue
        other = Action.model_construct(
            operation=operation,
            target_index=index,
            predicted_value=value,
            severity=severity,
            violated_constraints=cited,
            rationale=gold.rationale,
        )
        assert grader.reward(task, other, 1).total < min(best, grader.DONE_AT)


@every_task
def test_citing_everything_pays_less_than_citing_what_is_broken(task: Task):
    gold = right_answer(task)
    everything = gold.model_copy(update={"violated_constraints": task.sentences})
    parts = [dict(grader.reward(task, action, 1).parts)["constraints"] for action in (gold, everything)]
    assert parts[1] < parts[0]


@pytest.mark.parametrize("task", EASY, ids=lambda task: task.task_id)
def test_an_easy_case_has_one_gap_and_its_constraints_pin_the_value(task: Task):
    assert [index for index, value in enumerate(task.values) if value is None] == [task.gold.target_index]
    assert task.gold.violated_constraints == ()
    for far in (-3.0, 3.0):
        assert broken(task, with_value(task, task.gold.value + far * task.gold.tolerance))


@pytest.mark.parametrize("task", MEDIUM, ids=lambda task: task.task_id)
def test_a_medium_case_breaks_one_constraint_and_has_distractors(task: Task):
    assert len(task.gold.violated_constraints) == 1 < len(task.constraints)


@pytest.mark.parametrize("task", HARD, ids=lambda task: task.task_id)
def test_a_hard_case_breaks_a_limit_and_a_rule_of_change(task: Task):
    kinds = [
        constraint.predicate.kind
        for constraint in task.constraints
        if constraint.predicate and constraint.sentence in task.gold.violated_constraints
    ]
    assert kinds.count("level") == kinds.count("change") == 1


@pytest.mark.parametrize("task", MEDIUM + HARD, ids=lambda task: task.task_id)
def test_a_fault_lies_far_outside_the_tolerance(task: Task):
    observed = task.values[task.gold.target_index]
    assert observed is not None
    assert abs(observed - task.gold.value) > 4 * task.gold.tolerance


@every_task
def test_a_case_is_well_formed(task: Task):
    assert 5 <= len(task.values) == len(task.timestamps) <= 24
    assert len(set(task.timestamps)) == len(task.timestamps)
    assert len(set(task.sentences)) == len(task.sentences) in range(2, 6)
    assert task.max_steps == {"easy": 2, "medium": 2, "hard": 3}[task.level]
    for constraint in task.constraints:
        if constraint.predicate is not None:
            assert all(0 <= position < len(task.values) for position in constraint.predicate.where)
            assert list(constraint.predicate.quantities(with_value(task, task.gold.value)))


def test_no_two_cases_share_their_words():
    for words in ("task_id", "metric_name", "analyst_note", "history_summary"):
        assert len({getattr(task, words) for task in ORDER}) == len(ORDER) == 33


@pytest.mark.parametrize("level", [EASY, MEDIUM, HARD], ids=["easy", "medium", "hard"])
def test_no_constant_index_is_right_in_more_than_three_of_eleven_cases(level: tuple[Task, ...]):
    assert max(Counter(task.gold.target_index for task in level).values()) <= 3


@pytest.mark.parametrize("level", [MEDIUM, HARD], ids=["medium", "hard"])
def test_no_constant_choice_of_constraints_is_right_in_more_than_half_of_the_cases(
    level: tuple[Task, ...],
):
    cited = Counter(
        tuple(task.sentences.index(sentence) for sentence in task.gold.violated_constraints) for task in level
    )
    assert max(cited.values()) <= len(level) // 2


def test_gaps_are_not_judged():
    rule = Season(period=2, low=0.0, high=0.0)
    assert rule.holds((1.0, None, 1.0, 7.0))
    assert not rule.holds((1.0, None, 2.0, 7.0))
