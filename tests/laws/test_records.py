"""Records are values: JSON carries them unharmed, and no rule of play changes one in place."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pydantic import ValidationError

from envs.catalog import Entry
from envs.kernel.outcome import Grade, Reward
from envs.kernel.play import AnyEpisode, carry, grade, look
from envs.kernel.protocol import AnyEnvironment
from envs.kernel.records import Record, digest, encode
from envs.kernel.rng import Rng
from instances.effects import recorded_type

Moments = tuple[AnyEpisode, ...]


def test_requests_survive_json(episodes: Moments):
    _survive(episode.request for episode in episodes)


def test_memories_survive_json(env: AnyEnvironment, episodes: Moments):
    _survive(memory for episode in episodes for memory in (episode.memory, carry(env, episode)))


def test_tasks_survive_json(episodes: Moments):
    _survive(episode.task for episode in episodes)


def test_states_survive_json(moments: Moments):
    _survive(moment.state for moment in moments)


def test_actions_survive_json(episodes: Moments):
    _survive(action for episode in episodes for action in episode.actions)


def test_observations_survive_json(env: AnyEnvironment, moments: Moments):
    _survive(look(env, moment) for moment in moments)


def test_rewards_survive_json(episodes: Moments):
    _survive(step.reward for episode in episodes for step in episode.steps)


def test_grades_survive_json(env: AnyEnvironment, moments: Moments):
    _survive(grade(env, moment) for moment in moments)


def test_scenes_and_hints_survive_json(entry: Entry, moments: Moments):
    seen = [look(entry.environment, moment) for moment in moments]
    _survive(entry.scene(observation) for observation in seen)
    _survive(hint for observation in seen for hint in entry.hints(observation))


def test_a_state_that_json_carried_has_the_same_digest(env: AnyEnvironment, moments: Moments):
    for moment in moments:
        assert digest(env.state_type.model_validate_json(encode(moment.state))) == digest(moment.state)


def test_states_have_one_digest_only_if_they_are_equal(moments: Moments):
    by_digest: dict[str, bytes] = {}
    for moment in moments:
        assert by_digest.setdefault(digest(moment.state), encode(moment.state)) == encode(moment.state)


def test_a_state_with_a_changed_copy_of_its_task_has_another_digest(moments: Moments):
    for state in (moment.state for moment in moments):
        before = digest(state)
        changed = state.task.model_copy(update={"task_id": f"not {state.task.task_id}"})
        assert digest(state.model_copy(update={"task": changed})) != before


def test_records_have_the_types_that_the_environment_declares(env: AnyEnvironment, moments: Moments):
    for moment in moments:
        assert type(moment.request) is env.request_type
        assert type(moment.memory) is env.memory_type
        assert type(moment.state) is env.state_type
        assert type(look(env, moment)) is env.observation_type
        assert type(grade(env, moment)) is Grade
        # What an answer came to is recorded with an action of a richer type, which no caller can send.
        assert {type(action) for action in moment.actions} <= {env.action_type, recorded_type(env)}
        assert all(type(step.reward) is Reward for step in moment.steps)


def test_no_record_can_be_assigned_to(env: AnyEnvironment, episodes: Moments):
    episode = episodes[0]
    for record in (episode.request, episode.task, episode.state, episode.actions[0], look(env, episode)):
        for name in type(record).model_fields:
            with pytest.raises(ValidationError, match="frozen"):
                setattr(record, name, None)


def test_a_step_changes_neither_state_nor_action(env: AnyEnvironment, episodes: Moments):
    for episode in episodes:
        for count, action in enumerate(episode.actions):
            state = episode.until(count).state
            before = encode(state), encode(action)
            env.step(state, action, Rng(episode.seed, "step"))
            assert (encode(state), encode(action)) == before


def test_looking_grading_and_remembering_change_nothing(env: AnyEnvironment, moments: Moments):
    for moment in moments:
        before = _bytes(moment)
        look(env, moment)
        grade(env, moment)
        carry(env, moment)
        assert _bytes(moment) == before


def test_opening_changes_neither_request_nor_memory(env: AnyEnvironment, episodes: Moments):
    for episode in episodes:
        before = encode(episode.request), encode(episode.memory)
        task = env.task(episode.request, episode.memory, Rng(episode.seed, "task"))
        env.initial(task, episode.memory)
        assert (encode(episode.request), encode(episode.memory)) == before


def _survive(records: Iterator[Record]) -> None:
    found = 0
    for record in records:
        again = type(record).model_validate_json(encode(record))
        assert again == record
        assert encode(again) == encode(record)
        found += 1
    assert found


def _bytes(episode: AnyEpisode) -> list[bytes]:
    records = (episode.request, episode.memory, episode.task, episode.start, *episode.actions)
    return [encode(record) for record in (*records, *(step.state for step in episode.steps))]
