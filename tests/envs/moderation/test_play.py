"""The rules of an episode: what steps show and earn, what is put off to the end, and no farming."""

from __future__ import annotations

from math import fsum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.kernel.outcome import Status
from envs.kernel.play import carry, grade
from envs.kernel.protocol import Refusal
from envs.kernel.rng import Rng
from envs.moderation import grader
from envs.moderation.dynamics import QUOTA, WINDOW, Memory
from envs.moderation.models import LEVELS, Act, Action, Decision, Request, Violation
from envs.moderation.policy.clauses import CLAUSES
from envs.moderation.tasks import Task
from tests.envs.moderation.plays import (
    ENV,
    HISTORY,
    THREAD,
    case,
    check,
    decide,
    mark,
    objective,
    opened,
    played,
    seen,
)

CASES = tuple(case(seed, level) for level in LEVELS for seed in range(12))
LOOKING = tuple(act for act in Act if act not in tuple(Decision))
a_case = st.sampled_from(CASES)
looks = st.builds(
    Action,
    action=st.sampled_from(LOOKING),
    violation_type=st.sampled_from(Violation),
    clause_id=st.sampled_from((*CLAUSES, "no-such-clause")),
)
anything = looks | st.sampled_from(Decision).map(decide)
quick = settings(max_examples=40, deadline=None, derandomize=True, database=None)


def earned(*actions: Action, task: Task = CASES[0], memory: Memory = Memory()) -> dict[str, float]:  # noqa: B008
    """The parts of the last step's reward."""
    return dict(played(task, *actions, memory=memory).steps[-1].reward.parts)


def of(decision: Decision) -> Task:
    return next(task for task in CASES if task.truth.ruling.decision is decision)


@pytest.mark.parametrize(
    ("fields", "level"),
    [
        ({}, "easy"),
        ({"task": "hard"}, "hard"),
        ({"task_id": "hard"}, "hard"),
        ({"task": "medium_ambiguous"}, "medium"),
        ({"task_id": "hard_misinformation"}, "hard"),
        ({"task": "easy", "task_id": "easy_harassment"}, "easy"),
    ],
)
def test_a_task_goes_by_both_names_in_both_fields(fields: dict[str, str], level: str):
    task = ENV.task(Request.model_validate(fields), Memory(), Rng(1, "task"))
    assert task.level == level
    assert task == case(1, level)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"task": "extreme"}, "Unknown task: extreme; use easy, easy_harassment,"),
        ({"task_id": ""}, "Unknown task: ; use"),
        ({"task": "easy", "task_id": "hard"}, "task easy and task_id hard are two tasks"),
        ({"split": "test"}, "Unknown split: test; use public or held-out"),
    ],
)
def test_a_reset_that_names_nothing_there_is_refused(fields: dict[str, str], says: str):
    with pytest.raises(Refusal, match="^" + says):
        ENV.task(Request.model_validate(fields), Memory(), Rng(1))


def test_looking_shows_what_was_fetched_and_nothing_else():
    task = CASES[0]
    assert (seen(opened(task)).user_history, seen(opened(task)).thread_context) == (None, None)
    looked = seen(played(task, HISTORY))
    assert (looked.user_history, looked.thread_context) == (task.user_history, None)
    assert seen(played(task, THREAD)).thread_context == task.thread_context
    clauses = seen(played(task, check("repeat"), check("news"))).policy_context
    assert clauses is not None
    assert [block.partition(":")[0] for block in clauses.split("\n\n")] == ["repeat", "news"]


def test_a_first_look_earns_and_a_second_costs():
    assert earned(HISTORY) == {"investigation": 0.2}
    assert earned(THREAD) == {"investigation": 0.2}
    assert earned(HISTORY, HISTORY) == {"repetition": -0.1}
    assert earned(check("news"), check("news")) == {"repetition": -0.1}


def test_an_invented_clause_is_illegal_spends_a_step_and_costs():
    episode = played(CASES[0], check("rule-34"))
    assert not episode.steps[-1].legal
    assert episode.state.step_count == 1
    assert earned(check("rule-34")) == {"invented": -0.1}
    assert "use one of: insults" in episode.steps[-1].reward.message


@pytest.mark.parametrize(
    ("act", "name"), [(Act.CHECK_POLICY_CLAUSE, "clause_id"), (Act.MARK_VIOLATION_TYPE, "violation_type")]
)
def test_a_missing_parameter_changes_nothing_and_spends_no_step(act: Act, name: str):
    episode = played(CASES[0], Action(action=act))
    assert episode.state == episode.start
    assert episode.steps[-1].reward.message == f"Missing required parameter: {name}"


@quick
@given(a_case, a_case, st.lists(looks, min_size=1, max_size=5))
def test_before_the_decision_nothing_shown_earned_or_said_depends_on_the_truth(
    task: Task, other: Task, actions: list[Action]
):
    swapped = task.model_copy(update={"truth": other.truth})
    mine, theirs = played(task, *actions), played(swapped, *actions)
    assert seen(mine) == seen(theirs)
    assert [step.reward for step in mine.steps] == [step.reward for step in theirs.steps]


def test_only_the_first_mark_counts_so_that_trying_labels_until_one_pays_earns_nothing():
    for task in CASES:
        right = task.truth.ruling.violation
        wrong = next(violation for violation in Violation if violation is not right)
        first = played(task, mark(right), decide(task.truth.ruling.decision))
        second = played(task, mark(wrong), mark(right), decide(task.truth.ruling.decision))
        assert dict(first.steps[-1].reward.parts)["classification"] == grader.CLASSIFIED
        assert dict(second.steps[-1].reward.parts)["classification"] == 0.0
        assert objective(second) < objective(first)
        tries = [step.reward for step in played(task, *map(mark, list(Violation)[:5])).steps]
        assert {reward.total for reward in tries[1:]} <= {-0.1, -0.15}


def test_a_deciding_clause_that_was_read_is_paid_with_the_decision():
    for task in CASES:
        deciding, *_ = task.truth.ruling.clause_ids
        idle = next(name for name in CLAUSES if name not in task.truth.ruling.clause_ids)
        assert earned(check(deciding), task=task) == earned(check(idle), task=task)
        assert earned(check(deciding), decide(Decision.FLAG), task=task)["investigation"] == 0.2
        assert earned(check(idle), decide(Decision.FLAG), task=task)["investigation"] == 0.0


@quick
@given(a_case, st.lists(anything, min_size=1, max_size=4), st.integers(0, 3), st.integers(2, 5))
def test_repeating_an_action_never_earns_more_than_doing_it_once(
    task: Task, actions: list[Action], place: int, times: int
):
    place %= len(actions)
    again = [*actions[:place], *[actions[place]] * times, *actions[place + 1 :]]
    once, often = _played_out(task, actions), _played_out(task, again)
    assert objective(often) <= objective(once) + 1e-9
    assert _return(often) <= _return(once) + 1e-9


def _played_out(task: Task, actions: list[Action]):
    """The actions as far as they go, and then a flag."""
    episode = opened(task)
    for action in (*actions, decide(Decision.FLAG)):
        if not episode.done:
            episode = played(task, *episode.actions, action)
    return episode


def _return(episode) -> float:
    return fsum(step.reward.total for step in episode.steps)


@pytest.mark.parametrize("right", Decision)
def test_the_right_decision_is_worth_1_and_every_other_less(right: Decision):
    worth = {decision: grader.price(right, decision) for decision in Decision}
    assert worth[right] == 1.0
    assert all(value <= 0.0 for decision, value in worth.items() if decision is not right)
    assert earned(decide(right), task=of(right))["decision"] == 1.0


def test_silencing_costs_most_where_speech_is_allowed_and_letting_pass_where_people_are_in_danger():
    assert min(Decision, key=lambda d: grader.price(Decision.ALLOW, d)) is Decision.REMOVE
    assert min(Decision, key=lambda d: grader.price(Decision.ESCALATE, d)) is Decision.ALLOW
    assert grader.price(Decision.ALLOW, Decision.ESCALATE) < 0


@pytest.mark.parametrize("right", [d for d in Decision if d is not Decision.ESCALATE])
def test_a_needless_escalation_beyond_the_quota_costs_more(right: Decision):
    spent = Memory(escalated=(True,) * QUOTA)
    assert "quota" not in earned(decide(Decision.ESCALATE), task=of(right))
    beyond = played(of(right), decide(Decision.ESCALATE), memory=spent)
    assert dict(beyond.steps[-1].reward.parts)["quota"] == grader.OVER_QUOTA
    assert objective(beyond) == pytest.approx(
        objective(played(of(right), decide(Decision.ESCALATE))) + grader.OVER_QUOTA
    )


def test_a_right_escalation_never_costs_the_quota():
    spent = Memory(escalated=(True,) * WINDOW)
    assert "quota" not in earned(decide(Decision.ESCALATE), task=of(Decision.ESCALATE), memory=spent)


def test_an_instance_remembers_its_last_ten_decisions_and_no_more():
    memory = Memory()
    for turn in range(WINDOW + 3):
        decision = Decision.ESCALATE if turn % 3 == 0 else Decision.FLAG
        memory = carry(ENV, played(CASES[0], decide(decision), memory=memory))
    assert len(memory.escalated) == WINDOW
    assert memory.escalated[-1] is True
    assert carry(ENV, played(CASES[0], HISTORY, memory=memory)) == memory
    assert seen(opened(CASES[0], memory)).escalations_left == 0


@pytest.mark.parametrize("level", LEVELS)
def test_steps_beyond_the_free_ones_cost(level: str):
    task = case(0, level)
    parts = [dict(step.reward.parts) for step in played(task, *[HISTORY] * task.max_steps).steps]
    assert ["late" in part for part in parts] == [n >= task.free_steps for n in range(task.max_steps)]


@pytest.mark.parametrize("level", LEVELS)
def test_a_case_that_nobody_decides_ends_with_its_steps_and_is_worth_least(level: str):
    task = case(0, level)
    episode = played(task, *[THREAD] * task.max_steps)
    assert episode.status is Status.TRUNCATED
    assert objective(episode) < min(objective(played(task, decide(decision))) for decision in Decision) + 0.01
    assert grade(ENV, episode).score <= grader.WEIGHTS["investigation"]
    assert dict(episode.steps[-1].reward.parts)["undecided"] == grader.UNDECIDED


def test_the_grade_weighs_its_parts_as_the_contract_says():
    task = of(Decision.REMOVE)
    clauses = map(check, task.truth.ruling.clause_ids[:1])
    actions = (HISTORY, THREAD, *clauses, mark(task.truth.ruling.violation), decide(Decision.REMOVE))
    judged = grade(ENV, played(task, *actions))
    assert len(task.truth.ruling.clause_ids) == 1
    assert dict(judged.parts) == {
        "final_action": 1.0,
        "violation": 1.0,
        "investigation": 1.0,
        "efficiency": round(1 - 5 / task.max_steps, 4),
    }
    weighed = fsum(grader.WEIGHTS[name] * value for name, value in judged.parts)
    assert judged.score == pytest.approx(weighed, abs=1e-4)
    assert fsum(grader.WEIGHTS.values()) == pytest.approx(1.0)


def test_a_label_alone_is_worth_nothing_in_the_objective():
    task = of(Decision.REMOVE)
    labelled = played(task, mark(task.truth.ruling.violation), decide(Decision.FLAG))
    assert objective(labelled) == objective(played(task, mark(Violation.NONE), decide(Decision.FLAG)))


def test_after_the_decision_the_ruling_is_told_with_its_clauses_and_sealed_cases_conceal_it():
    for task in CASES:
        episode = played(task, decide(Decision.ALLOW))
        told = seen(episode).ruling
        assert told is not None
        assert all(name in told for name in task.truth.ruling.clauses)
        assert ENV.observe(ENV.conceal(episode.state), "blind").ruling is None
