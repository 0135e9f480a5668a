"""The audit track's rules: what a reset takes, what steps tell, what ends a report and what it loses."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.forecast_audit.audit.cases import Family
from envs.forecast_audit.catalogue import Memory
from envs.forecast_audit.models import TRACKS, Action, Operation, Request, Severity
from envs.kernel.outcome import Status
from envs.kernel.play import carry, grade, open_episode
from envs.kernel.protocol import Refusal
from envs.kernel.rng import Rng
from tests.envs.forecast_audit.answers import actions
from tests.envs.forecast_audit.audit_answers import ENV, case, opened, oracle, played, score, seen

GOING_ON = (Operation.IMPUTE, Operation.FLAG_ANOMALY)
CASES = tuple(case(seed, level) for level in ("easy", "hard") for seed in range(25))
a_case = st.sampled_from(CASES)


@pytest.mark.parametrize(
    ("request_fields", "says"),
    [
        ({"track": "blind"}, "Unknown track: blind; use contract or audit"),
        ({"track": "audit", "split": "test"}, "Unknown split: test; use public or held-out"),
        (
            {"track": "audit", "difficulty": "extreme"},
            "Unknown difficulty: extreme; use easy, medium or hard",
        ),
        (
            {"track": "audit", "task_id": "easy_ops_missing_001"},
            "The audit track has no named cases; leave task_id out and choose a seed instead",
        ),
        ({"split": "held-out"}, 'The contract track has no held-out cases; add "track": "audit" for them'),
    ],
)
def test_a_reset_that_names_nothing_there_is_refused_with_what_is_allowed(request_fields: dict, says: str):
    with pytest.raises(Refusal) as caught:
        ENV.task(Request(**request_fields), Memory(), Rng(1))
    assert str(caught.value) == says


def test_a_reset_chooses_track_level_and_split_and_is_easy_and_public_unless_it_says_so():
    assert ENV.tracks == TRACKS == ("contract", "audit")
    bare = open_episode(ENV, Request(track="audit"), Memory(), seed=3)
    assert ENV.track(bare.request) == "audit"
    assert bare.task == case(3, "easy", "public")
    request = Request(track="audit", difficulty="hard", split="held-out")
    assert open_episode(ENV, request, Memory(), seed=3).task == case(3, "hard", "held-out")


def test_an_audit_moves_no_turn_of_the_catalogue():
    assert carry(ENV, opened(CASES[0])) == Memory()


@settings(max_examples=60, deadline=None)
@given(a_case, st.lists(actions, min_size=1, max_size=5))
def test_until_the_end_every_reward_is_zero_and_says_the_same(task, chosen: list[Action]):
    chosen = [action.model_copy(update={"operation": GOING_ON[0]}) for action in chosen[: task.max_steps - 1]]
    episode = played(task, *chosen)
    rewards = {(step.reward.total, step.reward.parts, step.reward.message) for step in episode.steps}
    assert rewards == {(0.0, (), "Recorded. The report is judged when it is ended.")}
    assert grade(ENV, episode).score == 0.0
    assert grade(ENV, episode).objective == -1.0


@settings(max_examples=60, deadline=None)
@given(a_case, a_case, actions)
def test_before_the_end_nothing_shown_or_earned_depends_on_the_truth(task, other, action: Action):
    action = action.model_copy(update={"operation": GOING_ON[1]})
    swapped = task.model_copy(update={"truth": other.truth, "gold": other.gold})
    mine, theirs = played(task, action), played(swapped, action)
    assert seen(mine) == seen(theirs)
    assert mine.steps[0].reward == theirs.steps[0].reward


@pytest.mark.parametrize("operation", [Operation.ACCEPT, Operation.REPAIR_AND_FINALIZE, Operation.ESCALATE])
def test_three_operations_end_a_report(operation: Operation):
    episode = played(CASES[0], Action(operation=operation))
    assert episode.status is Status.TERMINATED


@settings(max_examples=60, deadline=None)
@given(a_case, actions)
def test_repeating_an_action_earns_no_more_than_doing_it_once(task, action: Action):
    once = played(task, action)
    repeated = once
    while not repeated.done:
        repeated = played(task, *(action,) * (len(repeated.steps) + 1))
    assert score(repeated) <= score(once)
    assert sum(step.reward.total for step in repeated.steps) <= sum(step.reward.total for step in once.steps)


def test_a_report_that_nobody_ends_loses_everything():
    task = CASES[0]
    episode = played(task, *(Action(operation=Operation.FLAG_ANOMALY, target_index=1),) * task.max_steps)
    assert episode.status is Status.TRUNCATED
    assert grade(ENV, episode).objective == -1.0


@settings(max_examples=60, deadline=None)
@given(a_case, actions)
def test_the_objective_is_minus_the_loss(task, action: Action):
    judged = grade(ENV, played(task, action))
    assert judged.objective == pytest.approx(judged.score - 1.0)


def test_the_note_keeps_the_analysts_words_and_tells_what_was_done():
    task = CASES[0]
    flag = Action(operation=Operation.FLAG_ANOMALY, target_index=4)
    fill = Action(operation=Operation.IMPUTE, target_index=2, predicted_value=1.0)
    note = seen(played(task, flag, fill)).analyst_note
    assert note == f"{task.analyst_note} Done so far: flag_anomaly at 4; impute at 2."


def _clean():
    return next(task for task in CASES if task.truth.family is Family.CLEAN)


def test_accepting_a_sound_report_loses_nothing():
    assert score(played(_clean(), Action(operation=Operation.ACCEPT, severity=Severity.LOW))) == 1.0


@pytest.mark.parametrize(
    ("action", "part", "value"),
    [
        (Action(operation=Operation.ESCALATE, severity=Severity.LOW), "operation", 0.0),
        (Action(operation=Operation.REPAIR_AND_FINALIZE, severity=Severity.LOW), "operation", 0.05),
        (Action(operation=Operation.ACCEPT, severity=Severity.HIGH), "severity", 0.0),
        (Action(operation=Operation.ACCEPT), "severity", 0.0),
        (Action(operation=Operation.ESCALATE, target_index=9), "penalty", -0.15),
        (Action(operation=Operation.ESCALATE, target_index=9, predicted_value=0.5), "penalty", -0.2),
    ],
)
def test_needless_alarm_repair_and_severity_cost_what_the_page_says(action: Action, part: str, value: float):
    parts = dict(grade(ENV, played(_clean(), action)).parts)
    assert parts[part] == value


def test_every_wrong_end_loses_more_than_the_right_one():
    for task in CASES:
        right = oracle(task)
        for operation in (Operation.ACCEPT, Operation.REPAIR_AND_FINALIZE, Operation.ESCALATE):
            wrong = (*right[:-1], right[-1].model_copy(update={"operation": operation}))
            if operation is not task.truth.operation:
                assert score(played(task, *wrong)) < score(played(task, *right)) - 0.1


def test_citing_everything_pays_less_than_citing_what_is_broken():
    for task in CASES:
        right = oracle(task)
        all_cited = (*right[:-1], right[-1].model_copy(update={"violated_constraints": task.sentences}))
        assert score(played(task, *all_cited)) < score(played(task, *right))
