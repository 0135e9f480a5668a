"""The environments for TRL's trainers, used as the trainer uses them, on a real server."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, get_args, get_origin, get_type_hints

import pytest

import clients.trl
from api.openenv.tools import tools_of
from clients.errors import EpisodeOver, Malformed, UnknownEnvironment
from clients.http import Auditorium
from clients.trl import ForecastAudit, Moderation
from clients.trl.rollout import OVER, Rollout
from envs.kernel.play import look, open_episode
from envs.scene import to_text
from tests.laws.plays import CATALOGUE, requests

SYSTEMS = [getattr(clients.trl, name) for name in clients.trl.__all__]
# What makes a tool of a method in transformers' `get_json_schema`.
DESCRIPTION = re.compile(r"^(.*?)[\n\s]*(Args:|Returns:|Raises:|\Z)", re.DOTALL)
ARGS = re.compile(r"\n\s*Args:\n\s*(.*?)[\n\s]*(Returns:|Raises:|\Z)", re.DOTALL)
ARG = re.compile(r"(?:^|\n)\s*(\w+):\s*(.*?)\s*(?=\n\s*\w+:|\Z)", re.DOTALL)
RETURNS = re.compile(r"\n\s*Returns:\n\s*(.*?)[\n\s]*(Raises:|\Z)", re.DOTALL)
CHOICES = re.compile(r"\(choices:\s*(.*?)\)\s*$", re.IGNORECASE)
JSON_TYPES = {int: "integer", float: "number", str: "string", list: "array", dict: "object"}


@pytest.fixture
def audit(url: str) -> Iterator[ForecastAudit]:
    with ForecastAudit(url) as rollout:
        yield rollout


def _tools(rollout: Rollout) -> dict[str, Any]:
    """The methods that the trainer offers to the model."""
    members = inspect.getmembers(rollout, predicate=inspect.ismethod)
    return {
        name: member
        for name, member in members
        if name not in ("reset", "get_reward") and not name.startswith("_")
    }


def _prompted(rollout: Rollout, row: Mapping[str, Any]) -> str:
    """What the model reads first: the trainer adds the observation to the prompt's last message."""
    prompt = [dict(message) for message in row["prompt"]]
    prompt[-1]["content"] += rollout.reset(**row)
    return prompt[-1]["content"]


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.slug)
def test_every_tool_is_typed_and_described_as_the_trainer_demands(system: type[Rollout], url: str):
    with system(url) as rollout:
        tools = _tools(rollout)
    assert tools
    for tool in tools.values():
        text = (inspect.getdoc(tool) or "").strip()
        described = dict(ARG.findall(_section(ARGS, text)))
        hints = get_type_hints(tool)
        parameters = inspect.signature(tool).parameters
        assert _section(DESCRIPTION, text)
        assert _section(RETURNS, text)
        assert hints.pop("return") is str
        assert hints.keys() == parameters.keys() == described.keys()
        assert all(description.strip() for description in described.values())
        assert not inspect.iscoroutinefunction(tool)


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.slug)
def test_the_tools_are_the_actions_of_the_environment(system: type[Rollout], url: str):
    with system(url) as rollout:
        offered = _tools(rollout)
    wanted = tools_of(CATALOGUE[system.slug].environment.action_type)
    assert offered.keys() == wanted.keys()
    for name, tool in offered.items():
        parameters = inspect.signature(tool).parameters
        properties = wanted[name].schema["properties"]
        assert set(parameters) == set(properties)
        required = {key for key, parameter in parameters.items() if parameter.default is parameter.empty}
        assert required == set(wanted[name].schema["required"])
        for key, hint in get_type_hints(tool).items():
            if key != "return":
                assert _json_type(hint) in _types(properties[key])


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.slug)
def test_choices_in_words_are_those_of_the_schema(system: type[Rollout], url: str):
    with system(url) as rollout:
        offered = _tools(rollout)
    wanted = tools_of(CATALOGUE[system.slug].environment.action_type)
    for name, tool in offered.items():
        for key, description in ARG.findall(_section(ARGS, inspect.getdoc(tool) or "")):
            told = CHOICES.search(description)
            assert (json.loads(told[1]) if told else None) == _enum(wanted[name].schema["properties"][key])


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.slug)
def test_a_reset_takes_the_columns_that_its_environment_takes(system: type[Rollout]):
    assert system.columns == set(CATALOGUE[system.slug].environment.request_type.model_fields)
    assert system.defaults.keys() <= system.columns


def test_the_first_observation_alone_holds_the_whole_task(slug: str, url: str):
    entry = CATALOGUE[slug]
    with Auditorium(url) as server:
        for request in requests(slug):
            body = request.model_dump(mode="json", exclude_unset=True)
            text = server.open(slug).reset(**body).text
            opened = open_episode(
                entry.environment, request, entry.environment.memory_type(), request.seed or 0
            )
            assert to_text(entry.scene(look(entry.environment, opened))) in text
            assert all(name in text for name in tools_of(entry.environment.action_type))


def test_an_empty_prompt_becomes_the_whole_task(audit: ForecastAudit):
    content = _prompted(audit, {"prompt": [{"role": "user", "content": ""}], "seed": 4})
    assert "What the desk knows" in content
    assert all(f"- {tool}:" in content for tool in _tools(audit))


def test_an_episode_is_played_through_the_tools(audit: ForecastAudit, url: str):
    tools = _tools(audit)
    audit.reset(seed=4, difficulty="hard")
    assert audit.get_reward() == 0.0
    marked = tools["flag_anomaly"](
        target_index=3, predicted_value=1.5, severity="low", rationale="The value is off."
    )
    assert OVER not in marked
    assert audit.get_reward() == 0.0
    ended = tools["escalate"](target_index=5, severity="medium", violated_constraints=[], rationale="It is.")
    assert ended.endswith(OVER)
    with Auditorium(url) as server:
        equal = server.open(audit.slug)
        equal.reset(seed=4, difficulty="hard", track="audit")
        equal.step(
            {"operation": "flag_anomaly", "target_index": 3, "predicted_value": 1.5, "severity": "low"}
        )
        last = equal.step({"operation": "escalate", "target_index": 5, "severity": "medium"})
    assert audit.get_reward() == last.reward
    with pytest.raises(EpisodeOver):
        tools["accept"]()


def test_a_new_reset_forgets_the_reward(audit: ForecastAudit):
    audit.reset(seed=4)
    audit.accept(severity="low", rationale="Nothing is out of the ordinary here.")
    assert audit.get_reward() > 0.0
    audit.reset(seed=4)
    assert audit.get_reward() == 0.0


def test_an_illegal_call_says_why_and_costs_no_reward(audit: ForecastAudit):
    audit.reset(track="contract", task_id="easy_ops_missing_001")
    audit.flag_anomaly(target_index=3)
    earned = audit.get_reward()
    assert "outside this series" in audit.impute(target_index=99, predicted_value=1.0)
    assert audit.get_reward() == earned > 0.0


def test_a_call_of_wrong_values_says_which(audit: ForecastAudit):
    audit.reset(seed=4)
    with pytest.raises(Malformed, match="severity"):
        audit.accept(severity="catastrophic")


def test_the_rollouts_of_a_group_get_the_same_case(url: str):
    row = {"prompt": [{"role": "user", "content": "Go."}], "seed": 9, "difficulty": "medium", "answer": None}
    texts = set()
    for earlier in range(3):
        with ForecastAudit(url) as rollout:
            for seed in range(earlier):
                rollout.reset(seed=seed)
            texts.add(rollout.reset(**row))
    assert len(texts) == 1


def test_a_row_goes_over_the_options_and_they_over_the_defaults(url: str):
    with ForecastAudit(url, difficulty="hard") as rollout:
        assert "hard · undisclosed" in rollout.reset(seed=1)
        assert "easy · undisclosed" in rollout.reset(seed=1, difficulty="easy")
        assert "hard · undisclosed" in rollout.reset(seed=1, difficulty=None)
        assert "undisclosed" not in rollout.reset(track="contract")


def test_an_option_that_no_reset_takes_is_refused_at_the_start(url: str):
    with pytest.raises(
        TypeError, match="no option level; there are: difficulty, seed, split, task_id, track"
    ):
        ForecastAudit(url, level="hard")


def test_a_system_that_the_server_has_not_is_refused_at_the_start(url: str):
    class Misspelt(ForecastAudit):
        slug = "ledgershieldd"

    with pytest.raises(UnknownEnvironment) as told:
        partial(Misspelt, url)()
    assert all(slug in str(told.value) for slug in CATALOGUE)


def test_a_tool_before_the_reset_says_so(audit: ForecastAudit):
    with pytest.raises(RuntimeError, match="call reset first"):
        audit.accept()


def _section(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1].strip() if found else ""


def _json_type(hint: Any) -> str:
    """The JSON type of a hint, that of the value where it may be left out."""
    given = next((part for part in get_args(hint) if part is not type(None)), hint)
    kind = given if type(None) in get_args(hint) else hint
    return JSON_TYPES[get_origin(kind) or kind]


def _types(schema: Mapping[str, Any]) -> set[str]:
    branches: Sequence[Mapping[str, Any]] = schema.get("anyOf", [schema])
    return {branch["type"] for branch in branches}


def _enum(schema: Mapping[str, Any]) -> list[str] | None:
    branches: Sequence[Mapping[str, Any]] = schema.get("anyOf", [schema])
    return next((list(branch["enum"]) for branch in branches if "enum" in branch), None)


def test_what_earlier_rollouts_escalated_counts_in_no_later_one(url: str):
    with Moderation(url) as busy, Moderation(url) as idle:
        for seed in range(6):
            busy.reset(seed=seed)
            busy.escalate()
        assert busy.reset(seed=9, task="hard") == idle.reset(seed=9, task="hard")
        assert busy.escalate() == idle.escalate()
        assert busy.get_reward() == idle.get_reward()
