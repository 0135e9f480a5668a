"""What an action does to the report, and what a player may see of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from envs.forecast_audit.catalogue import Memory
from envs.forecast_audit.models import Action, Operation, Request
from envs.forecast_audit.tasks import Task
from envs.kernel.outcome import Status
from envs.kernel.play import EpisodeOver, play
from envs.kernel.records import digest
from envs.kernel.rng import Rng
from tests.envs.forecast_audit.answers import ENV, TASKS, actions, opened, played, right_answer, seen, tasks

EASY = TASKS["easy_ops_missing_001"]


@pytest.mark.parametrize("index", [9, 5, -1, 2**63 - 1, -(2**63)])
def test_an_index_outside_the_series_is_illegal_and_changes_nothing(index: int):
    start = opened(EASY)
    step = play(
        ENV, start, Action(operation=Operation.IMPUTE, target_index=index, predicted_value=1.0)
    ).steps[0]
    assert not step.legal
    assert step.reward.message == (f"target_index {index} is outside this series of 5 values; use 0 to 4")
    assert step.status is Status.RUNNING
    assert digest(step.state) == digest(start.state)


@given(tasks, st.sampled_from(Operation), st.integers(0, 4), st.floats(allow_nan=False, allow_infinity=False))
def test_a_value_with_an_index_is_written_right_or_wrong_whatever_the_operation(
    task: Task, operation: Operation, index: int, value: float
):
    values = seen(played(task, Action(operation=operation, target_index=index, predicted_value=value))).values
    assert values == (*task.values[:index], value, *task.values[index + 1 :])


@pytest.mark.parametrize("given_fields", [{"target_index": 3}, {"predicted_value": 135.0}, {}])
def test_without_both_index_and_value_nothing_is_written(given_fields: dict[str, float]):
    episode = played(EASY, Action.model_validate({"operation": Operation.ESCALATE, **given_fields}))
    assert seen(episode).values == EASY.values


@given(tasks, actions)
def test_the_note_tells_what_the_last_action_earned(task: Task, action: Action):
    episode = played(task, action)
    reward = episode.steps[-1].reward
    assert seen(episode).analyst_note == (
        f"Previous action: {action.operation.value}. Reward={reward.total:.2f}. {reward.message}"
    )


@given(tasks, st.lists(actions, min_size=3, max_size=3))
def test_an_episode_ends_at_success_or_when_its_steps_are_spent_and_then_absorbs(
    task: Task, chosen: list[Action]
):
    episode = opened(task)
    for action in chosen[: task.max_steps]:
        if not episode.done:
            episode = play(ENV, episode, action)
    assert episode.done
    expected = Status.TERMINATED if episode.steps[-1].reward.total >= 0.95 else Status.TRUNCATED
    assert episode.status is expected
    with pytest.raises(EpisodeOver):
        play(ENV, episode, chosen[0])


@given(tasks, actions, actions)
def test_the_total_is_the_sum_of_the_steps(task: Task, one: Action, other: Action):
    episode = played(task, one)
    if not episode.done:
        episode = play(ENV, episode, other)
    total = sum(step.reward.total for step in episode.steps)
    assert episode.state.total_reward == pytest.approx(total, abs=1e-4)


@given(tasks, tasks, actions)
def test_no_player_can_tell_the_gold_from_what_is_shown(task: Task, other: Task, action: Action):
    blinded = task.model_copy(update={"gold": other.gold})
    for episode in (opened(task), played(task, action)):
        swapped = episode.state.model_copy(update={"task": blinded})
        assert ENV.observe(swapped, "contract") == seen(episode)


@given(tasks, actions)
def test_the_same_action_always_leads_to_the_same_state(task: Task, action: Action):
    start = ENV.initial(task, Memory())
    before = digest(start)
    results = [ENV.step(start, action, Rng(seed, "step")).state for seed in (1, 2)]
    assert digest(results[0]) == digest(results[1])
    assert digest(start) == before


@given(tasks, actions)
def test_state_action_and_observation_survive_their_own_json(task: Task, action: Action):
    episode = played(task, action)
    assert ENV.state_type.model_validate_json(episode.state.model_dump_json()) == episode.state
    assert ENV.action_type.model_validate_json(action.model_dump_json()) == action
    assert ENV.observation_type.model_validate_json(seen(episode).model_dump_json()) == seen(episode)


@pytest.mark.parametrize(
    "body",
    [
        "{}",
        '{"operation": "impute", "target_index": 1.5}',
        '{"operation": "impute", "target_index": 9223372036854775808}',
        '{"operation": "impute", "predicted_value": NaN}',
        '{"operation": "impute", "predicted_value": 1e999}',
        '{"operation": "impute", "predicted_value": "135"}',
        '{"operation": "impute", "severity": "fatal"}',
        '{"operation": "impute", "rationale": null}',
        f'{{"operation": "impute", "rationale": "{"a" * 4001}"}}',
        f'{{"operation": "impute", "violated_constraints": ["{"a" * 501}"]}}',
        f'{{"operation": "impute", "violated_constraints": [{",".join(["1"] * 3)}]}}',
        f'{{"operation": "impute", "violated_constraints": [{",".join([chr(34) * 2] * 65)}]}}',
    ],
    ids=lambda body: body[:60],
)
def test_a_malformed_action_is_refused(body: str):
    with pytest.raises(ValidationError):
        Action.model_validate_json(body)


def test_an_action_needs_only_an_operation():
    assert Action.model_validate_json('{"operation": "accept"}') == Action(operation=Operation.ACCEPT)


def test_the_track_is_the_contracts():
    assert ENV.track(Request()) == "contract" == ENV.tracks[0]


def test_a_second_attempt_can_still_succeed():
    wrong = Action(operation=Operation.ACCEPT)
    episode = played(EASY, wrong, right_answer(EASY))
    assert episode.status is Status.TERMINATED
    assert episode.steps[-1].reward.total == 1.0
