"""Every value of an environment is a member of its space, and every member a well-formed value."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from gymnasium.spaces import Space
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from clients.own_spaces import LONGEST_SAMPLE, AnyText, JsonText, Row
from clients.space_codecs import (
    Choice,
    Codec,
    Either,
    Fields,
    Free,
    Items,
    Number,
    Pairs,
    Places,
    Whole,
    Words,
)
from clients.spaces import LARGEST_NUMBER, LARGEST_WHOLE, codec_of
from envs.catalog import Entry
from envs.kernel.play import look
from envs.scene import to_text
from tests.laws.actions import any_action
from tests.laws.plays import CATALOGUE, moments

SAMPLES = 1_000


@pytest.fixture(scope="session")
def entry(slug: str) -> Entry:
    return CATALOGUE[slug]


@pytest.fixture(scope="session")
def actions(entry: Entry) -> Codec:
    return codec_of(entry.environment.action_type.model_json_schema())


def test_no_sample_of_an_action_space_is_malformed(entry: Entry, actions: Codec):
    actions.space.seed(7)
    refused: list[tuple[object, str]] = []
    for _ in range(SAMPLES):
        member = actions.space.sample()
        assert member in actions.space
        action = actions.decode(member)
        try:
            entry.environment.action_type.model_validate_json(json.dumps(action))
        except ValidationError as error:
            refused.append((action, str(error)))
    assert refused == []


@given(data=st.data())
def test_every_action_that_json_keeps_exact_is_a_member_and_comes_back(
    entry: Entry, actions: Codec, data: st.DataObject
):
    action = json.loads(data.draw(any_action(entry.environment)).model_dump_json())
    if not _exact(action):
        return
    member = actions.encode(action)
    assert member in actions.space
    assert actions.decode(member) == action


def test_every_observation_that_is_played_is_a_member_and_comes_back(slug: str, entry: Entry):
    env = entry.environment
    codec = codec_of(env.observation_type.model_json_schema())
    texts = AnyText()
    for moment in moments(slug):
        observation = look(env, moment)
        shown = json.loads(observation.model_dump_json())
        member = codec.encode(shown)
        assert member in codec.space
        assert codec.decode(member) == shown
        assert to_text(entry.scene(observation)) in texts


def test_members_come_back_as_they_were_sampled(actions: Codec):
    actions.space.seed(3)
    for _ in range(100):
        action = actions.decode(actions.space.sample())
        assert actions.decode(actions.encode(action)) == action


FORMS: Mapping[str, tuple[dict[str, Any], type[Codec], list[Any], list[Any]]] = {
    "enum": ({"enum": ["low", "high"]}, Choice, ["low", "high"], ["mid", None, 0]),
    "const": ({"const": "guess"}, Choice, ["guess"], ["other"]),
    "boolean": ({"type": "boolean"}, Choice, [True, False], [0, 1, None]),
    "null": ({"type": "null"}, Choice, [None], [False, 0]),
    "few whole numbers": (
        {"type": "integer", "minimum": -2, "exclusiveMaximum": 3},
        Whole,
        [-2, 2],
        [3, -3, 1.5, True],
    ),
    "any whole number": ({"type": "integer"}, Whole, [0, LARGEST_WHOLE, -LARGEST_WHOLE], [2**53, 0.5]),
    "a count": ({"type": "integer", "minimum": 0}, Whole, [0, 12], [-1]),
    "any number": ({"type": "number"}, Number, [0, -1.5, 1e300, LARGEST_NUMBER], [float("nan"), "1", True]),
    "a share": ({"type": "number", "minimum": 0, "maximum": 1}, Number, [0.0, 0.1, 1.0], [-0.1, 1.1]),
    "an open share": (
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        Number,
        [5e-324, 0.5],
        [0.0, 1.0],
    ),
    "text": (
        {"type": "string", "minLength": 1, "maxLength": 3},
        Words,
        ["a", "日本語", "🦉\u0000\n", "\u202e"],
        ["", "four", 3, None],
    ),
    "list": (
        {"type": "array", "items": {"type": "boolean"}, "maxItems": 2},
        Items,
        [[], [True, False]],
        [[1], [True] * 3, "x"],
    ),
    "list of at least one": ({"type": "array", "items": {}, "minItems": 1}, Items, [[1], [{}, None]], [[]]),
    "places": (
        {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]},
        Places,
        [[1, "a"]],
        [[1], ["a", 1], [1, "a", 2]],
    ),
    "object": (
        {"type": "object", "properties": {"a": {"type": "boolean"}, "b": {"enum": [1, 2]}}},
        Fields,
        [{"a": True, "b": 2}],
        [{"a": True}, {"a": True, "b": 2, "c": 3}, []],
    ),
    "map": (
        {"type": "object", "additionalProperties": {"type": "number", "minimum": 0}},
        Pairs,
        [{}, {"a": 0.25, "b": 0.75}],
        [{"a": -1}, []],
    ),
    "nullable": (
        {"anyOf": [{"type": "number"}, {"type": "null"}]},
        Either,
        [None, 1.5],
        ["x"],
    ),
    "several types": ({"type": ["string", "null"]}, Either, [None, ""], [1]),
    "one of two objects": (
        {
            "oneOf": [
                {"type": "object", "properties": {"kind": {"const": "a"}, "x": {"type": "integer"}}},
                {"type": "object", "properties": {"kind": {"const": "b"}, "x": {"type": "string"}}},
            ]
        },
        Either,
        [{"kind": "a", "x": 1}, {"kind": "b", "x": "1"}],
        [{"kind": "a", "x": "1"}, {"kind": "c", "x": 1}],
    ),
    "reference": (
        {"$ref": "#/$defs/Side", "$defs": {"Side": {"enum": ["left", "right"]}}},
        Choice,
        ["left"],
        ["up"],
    ),
    "anything": ({}, Free, [None, 1, "a", [1, {"b": None}], {"a": [True]}], [float("nan")]),
    "any object": ({"type": "object"}, Free, [{"a": {"b": [1]}}], []),
}


@pytest.mark.parametrize(("schema", "kind", "fitting", "unfit"), FORMS.values(), ids=FORMS)
def test_each_form_of_a_schema_admits_what_it_says(
    schema: dict[str, Any], kind: type[Codec], fitting: list[Any], unfit: list[Any]
):
    codec = codec_of(schema)
    assert type(codec) is kind
    for value in fitting:
        member = codec.encode(value)
        assert member in codec.space
        assert codec.decode(member) == value
    for value in unfit:
        with pytest.raises(ValueError, match=r" not | lacks | has "):
            codec.encode(value)


@pytest.mark.parametrize(("schema", "kind", "fitting", "unfit"), FORMS.values(), ids=FORMS)
def test_each_form_samples_members_that_json_can_carry(
    schema: dict[str, Any], kind: type[Codec], fitting: list[Any], unfit: list[Any]
):
    codec = codec_of(schema)
    codec.space.seed(1)
    first = [codec.space.sample() for _ in range(50)]
    assert all(member in codec.space for member in first)
    decoded = [codec.decode(member) for member in first]
    json.dumps(decoded, allow_nan=False)
    codec.space.seed(1)
    assert [codec.decode(codec.space.sample()) for _ in range(50)] == decoded


def test_a_schema_within_itself_is_free_there():
    tree = {
        "$ref": "#/$defs/Node",
        "$defs": {
            "Node": {
                "type": "object",
                "properties": {"below": {"type": "array", "items": {"$ref": "#/$defs/Node"}}},
            }
        },
    }
    codec = codec_of(tree)
    value = {"below": [{"below": [{"below": []}]}]}
    assert codec.decode(codec.encode(value)) == value


def test_what_an_action_leaves_out_is_the_default_of_its_schema():
    codec = codec_of(CATALOGUE["forecast-audit"].environment.action_type.model_json_schema())
    whole = codec.decode(codec.encode({"operation": "accept"}))
    assert whole == {
        "operation": "accept",
        "target_index": None,
        "predicted_value": None,
        "severity": None,
        "violated_constraints": [],
        "rationale": "",
    }
    with pytest.raises(ValueError, match="lacks operation"):
        codec.encode({})


@pytest.mark.parametrize("space", [AnyText(9, 2), JsonText(), Row(AnyText(3), 1, 4)], ids=str)
def test_our_spaces_are_equal_by_what_they_admit(space: Space[Any]):
    assert space == space
    assert space != AnyText(9, 3)
    assert space != Row(AnyText(4), 1, 4)


def test_a_sample_of_text_is_short_and_printable():
    space = AnyText(max_length=1_000_000)
    space.seed(0)
    samples = [space.sample() for _ in range(200)]
    assert max(map(len, samples)) <= LONGEST_SAMPLE
    assert all(sample.isprintable() and sample.isascii() for sample in samples)


def _exact(value: Any) -> bool:
    """Whether every number in it is within what our spaces admit."""
    match value:
        case dict():
            return all(map(_exact, value.values()))
        case list():
            return all(map(_exact, value))
        case bool():
            return True
        case int():
            return abs(value) <= LARGEST_WHOLE
        case float():
            return abs(value) <= LARGEST_NUMBER
        case _:
            return True
