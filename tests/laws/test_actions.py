"""What counts as an action: the schema says it, the type refuses the rest, and the rules take all of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from enum import Enum, StrEnum
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from envs.catalog import Entry
from envs.kernel.play import AnyEpisode, grade, look, open_episode, play
from envs.kernel.protocol import AnyEnvironment
from envs.kernel.records import Record, encode
from envs.scene import to_text
from tests.laws.actions import any_action, malformed, resolved, subschemas
from tests.laws.plays import choice, requests

Episodes = tuple[AnyEpisode, ...]

MOST_ACTIONS = 6


def test_a_malformed_action_is_refused_by_its_type(env: AnyEnvironment, episodes: Episodes):
    for action in {encode(action): action for episode in episodes for action in episode.actions}.values():
        for wrong, body in malformed(env, action):
            with pytest.raises(ValidationError):
                pytest.fail(f"accepted with {wrong}: {env.action_type.model_validate_json(body)}")


def test_a_schema_describes_an_object_without_room_for_other_keys(env: AnyEnvironment):
    schema = env.action_type.model_json_schema()
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False


def test_every_reference_of_a_schema_resolves(env: AnyEnvironment):
    for model in (env.action_type, env.observation_type, env.request_type):
        schema = model.model_json_schema()
        assert all(resolved(part, schema.get("$defs", {})) for part in subschemas(schema))


def test_every_choice_of_a_schema_is_a_list_of_words(env: AnyEnvironment):
    schema = env.action_type.model_json_schema()
    choices = [part["enum"] for part in subschemas(schema) if isinstance(part.get("enum"), list)]
    assert all(isinstance(word, str) for words in choices for word in words)


def test_every_enum_is_a_str_enum(env: AnyEnvironment):
    for model in (env.action_type, env.observation_type, env.request_type, env.state_type):
        assert [kind for kind in _enums(model) if not issubclass(kind, StrEnum)] == []


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(data=st.data())
def test_whatever_the_schema_allows_the_rules_can_take(entry: Entry, slug: str, data: st.DataObject):
    for episode in _improvised(entry, slug, data):
        _holds(entry, episode)


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(data=st.data())
def test_whatever_was_played_before_every_policy_can_play_on(entry: Entry, slug: str, data: st.DataObject):
    for episode in _improvised(entry, slug, data):
        for policy in entry.policies:
            if not episode.done:
                assert type(choice(entry, policy, episode)) is entry.environment.action_type


def _improvised(entry: Entry, slug: str, data: st.DataObject) -> Iterator[AnyEpisode]:
    """An episode after each of some arbitrary actions."""
    env = entry.environment
    request = data.draw(st.sampled_from(requests(slug)))
    episode = open_episode(env, request, env.memory_type(), request.seed or 0)
    for action in data.draw(st.lists(any_action(env), max_size=MOST_ACTIONS)):
        if not episode.done:
            episode = play(env, episode, action)
            yield episode


def _holds(entry: Entry, episode: AnyEpisode) -> None:
    """What must be so after any step at all."""
    env, state, step = entry.environment, episode.state, episode.steps[-1]
    assert env.state_type.model_validate_json(encode(state)) == state
    assert math.isfinite(step.reward.total)
    assert step.legal or step.reward.message
    assert 0.0 <= grade(env, episode).score <= 1.0
    assert to_text(entry.scene(look(env, episode)))
    assert entry.hints(look(env, episode))


def _enums(model: type[BaseModel]) -> set[type[Enum]]:
    found: set[type[Enum]] = set()
    seen: set[object] = set()
    waiting: list[object] = [model]
    while waiting:
        part = waiting.pop()
        if part in seen:
            continue
        seen.add(part)
        waiting += get_args(part)
        if isinstance(part, type) and issubclass(part, Record):
            waiting += [field.annotation for field in part.model_fields.values()]
        if isinstance(part, type) and issubclass(part, Enum):
            found.add(part)
    return found
