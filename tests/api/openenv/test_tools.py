"""Tools and texts of every catalogued environment: whole, described, and taken by the environment."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from api.errors import BadRequest, describe
from api.openenv.system import System
from api.openenv.tools import RESERVED, tools_of
from envs.catalog import ENVIRONMENTS
from envs.kernel import records
from envs.kernel.choices import choices_of
from envs.kernel.play import open_episode, play
from envs.kernel.records import LARGEST_SEED
from envs.kernel.rng import Rng
from envs.moderation import models as moderation
from envs.scene import to_text
from instances.model import Held, Instance
from tests.tiny import TINY

CATALOG = {**ENVIRONMENTS, **TINY}
SYSTEMS = [pytest.param(System(entry), id=slug) for slug, entry in CATALOG.items()]


def references(schema: Any) -> Iterator[str]:
    match schema:
        case dict():
            if "$ref" in schema:
                yield schema["$ref"]
            for inner in schema.values():
                yield from references(inner)
        case list():
            for inner in schema:
                yield from references(inner)
        case _:
            pass


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_tool_is_described_and_typed(system: System):
    assert system.tools
    for tool in system.tools.values():
        assert tool.name not in RESERVED
        assert len(tool.description.split()) >= 4
        Draft202012Validator.check_schema(tool.schema)
        assert list(references(tool.schema)) == []
        for name, field in tool.schema["properties"].items():
            assert field.get("description"), f"{tool.name}.{name}"
            assert "type" in field or "anyOf" in field, f"{tool.name}.{name}"


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_fields_that_a_choice_names_are_the_actions(system: System):
    found = choices_of(system.environment.action_type)
    if found is None:
        return
    deciding, choices = found
    kind = system.environment.action_type.model_fields[deciding].annotation
    # LedgerShield's contract takes any text and plays what is no action; an enum has no other values.
    assert kind is str or set(choices) == set(kind)
    others = set(system.environment.action_type.model_fields) - {deciding}
    named = [{*choice.needs, *choice.takes} for choice in choices.values()]
    assert all(fields <= others for fields in named)
    assert set().union(*named) == others
    assert all(not set(choice.needs) & set(choice.takes) for choice in choices.values())


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_a_policy_plays_can_be_said_by_tools(system: System):
    entry = CATALOG[system.slug]
    env = system.environment
    found = choices_of(env.action_type)
    for name, policy in entry.policies.items():
        episode = open_episode(env, env.request_type(), env.memory_type(), 7)
        action = policy(env.observe(episode.state, env.track(episode.request)), Rng(7, name))
        given = json.loads(action.model_dump_json(exclude_defaults=True))
        tool = system.tools[given.pop(found[0]) if found else "act"]
        if set(tool.schema["required"]) <= set(given):
            assert system.action(tool.action(given)) == action


@pytest.mark.parametrize("system", SYSTEMS)
def test_g07_the_first_observation_alone_holds_the_whole_task_as_text(system: System):
    env = system.environment
    for track in env.tracks:
        fields = {"track": track} if "track" in env.request_type.model_fields else {}
        episode = open_episode(env, env.request_type(**fields), env.memory_type(), 3)
        instance = Instance("i", "w", env.slug, env.version, "", 0.0, assisted=False)
        text = system.answer("i", Held(instance, episode, 1))["observation"]["text"]
        scene = to_text(CATALOG[env.slug].scene(env.observe(episode.state, track)))
        assert env.tagline in text
        assert scene in text
        for tool in system.tools.values():
            assert f"- {tool.name}: {tool.description}" in text
            assert all(f"- {name}: " in text for name in tool.schema["properties"])


def test_every_later_text_has_what_the_environment_says_of_the_action_and_how_many_steps_are_taken():
    system = System(TINY["number-hunt"])
    env = system.environment
    episode = open_episode(env, env.request_type(), env.memory_type(), 3)
    episode = play(env, episode, env.action_type.model_validate_json('{"move": "guess", "number": 0}'))
    instance = Instance("i", "w", env.slug, env.version, "", 0.0, assisted=False)
    text = system.answer("i", Held(instance, episode, 2))["observation"]["text"]
    assert text.startswith("The guess was 0; use 1 to 31.")
    taken, allowed = episode.state.step_count, episode.task.max_steps
    assert text.endswith(f"{taken} of {allowed} steps taken.")
    assert env.tagline in system.told(episode)
    assert text in system.told(episode)


@pytest.mark.parametrize(
    ("options", "level"), [({"level": "hard"}, "hard"), ({"difficulty": "medium"}, "medium")]
)
def test_a_level_may_be_named_as_other_environments_name_it(options: dict[str, str], level: str):
    system = System(ENVIRONMENTS["moderation"])
    assert system.request(options)[0] == system.queried(options) == moderation.Request(task=level)


def test_two_names_for_the_same_option_are_refused():
    for ask in (
        System(ENVIRONMENTS["forecast-audit"]).request,
        System(ENVIRONMENTS["forecast-audit"]).queried,
    ):
        with pytest.raises(BadRequest) as refused:
            ask({"level": "hard", "difficulty": "easy"})
        assert "says the same as 'difficulty'" in str(describe(refused.value))


def test_an_action_that_nothing_decides_is_one_tool():
    class Turn(records.Action):
        """Turn the dial."""

        degrees: float

    tools = tools_of(Turn)
    assert list(tools) == ["act"]
    assert tools["act"].description == "Turn the dial."
    assert tools["act"].action({"degrees": 3.0}) == {"degrees": 3.0}


def test_the_largest_seed_that_a_request_takes_comes_through():
    system = System(TINY["number-hunt"])
    assert system.request({"seed": LARGEST_SEED})[0].seed == LARGEST_SEED
    assert system.queried({"seed": str(LARGEST_SEED)}).seed == LARGEST_SEED
