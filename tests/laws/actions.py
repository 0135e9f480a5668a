"""Actions that nobody would think of: any that the schema allows, and bodies that it does not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from math import inf, nan
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st
from pydantic import ValidationError

from envs.kernel.protocol import AnyEnvironment
from envs.kernel.records import Action

Schema = Mapping[str, Any]
Json = st.SearchStrategy[Any]

LONGEST_TEXT = 60
LONGEST_LIST = 4


def any_action(env: AnyEnvironment) -> st.SearchStrategy[Action]:
    """Whatever the action's JSON schema allows, as far as its model accepts it."""
    schema = env.action_type.model_json_schema()
    return _values(schema, schema.get("$defs", {})).map(lambda body: _accepted(env, body))


def malformed(env: AnyEnvironment, action: Action) -> Iterator[tuple[str, bytes]]:
    """Bodies that are no action: what is wrong with each, and its bytes."""
    body = json.loads(action.model_dump_json())
    for text in ("", "{", "null", "[]", '"text"', "12", "NaN", "\ufeff{}"):
        yield f"the body {text!r}", text.encode()
    yield "a key that nobody declared", _encoded({**body, "no_such_key": 1})
    for name, field in env.action_type.model_fields.items():
        if field.is_required():
            yield f"no {name}", _encoded({key: value for key, value in body.items() if key != name})
        for wrong in ([[{}]], inf, -inf, nan):
            yield f"{name} = {wrong}", _encoded({**body, name: wrong})
        if type(number := body[name]) in (int, float):
            yield f"{name} = {number} as text", _encoded({**body, name: str(number)})


def resolved(schema: Schema, defs: Mapping[str, Schema]) -> Schema:
    """The schema itself, or what its reference stands for.

    Raises:
        KeyError: If the reference leads nowhere.
    """
    reference = schema.get("$ref")
    return schema if reference is None else resolved(defs[reference.removeprefix("#/$defs/")], defs)


def subschemas(schema: Schema) -> Iterator[Schema]:
    """A schema and every schema in it."""
    yield schema
    for value in schema.values():
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                yield from subschemas(item)


def _accepted(env: AnyEnvironment, body: object) -> Action:
    try:
        action: Action = env.action_type.model_validate_json(_encoded(body))
    except ValidationError:
        reject()
    return action


def _encoded(body: object) -> bytes:
    return json.dumps(body).encode()


def _values(schema: Schema, defs: Mapping[str, Schema]) -> Json:
    schema = resolved(schema, defs)
    if choices := schema.get("anyOf", schema.get("oneOf")):
        return st.one_of([_values(choice, defs) for choice in choices])
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "type" not in schema:
        return st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=9)
    if schema["type"] in ("object", "array"):
        return (_objects if schema["type"] == "object" else _arrays)(schema, defs)
    return _SCALARS[schema["type"]](schema)


def _objects(schema: Schema, defs: Mapping[str, Schema]) -> Json:
    fields = {name: _values(field, defs) for name, field in schema.get("properties", {}).items()}
    if not fields and isinstance(extra := schema.get("additionalProperties"), dict | bool) and extra:
        return st.dictionaries(
            st.text(max_size=9), _values(extra if isinstance(extra, dict) else {}, defs), max_size=3
        )
    required = {name: fields[name] for name in schema.get("required", ())}
    return st.fixed_dictionaries(required, optional={n: s for n, s in fields.items() if n not in required})


def _arrays(schema: Schema, defs: Mapping[str, Schema]) -> Json:
    if "prefixItems" in schema:
        return st.tuples(*(_values(item, defs) for item in schema["prefixItems"])).map(list)
    fewest = schema.get("minItems", 0)
    most = min(schema.get("maxItems", LONGEST_LIST), max(fewest, LONGEST_LIST))
    return st.lists(_values(schema.get("items", {}), defs), min_size=fewest, max_size=most)


def _texts(schema: Schema) -> Json:
    if "pattern" in schema:
        return st.from_regex(schema["pattern"])
    fewest = schema.get("minLength", 0)
    # A lone surrogate is no JSON text.
    letters = st.characters(codec="utf-8")
    return st.text(
        letters, min_size=fewest, max_size=min(schema.get("maxLength", inf), fewest + LONGEST_TEXT)
    )


def _integers(schema: Schema) -> Json:
    low = schema.get("minimum", schema.get("exclusiveMinimum", -(2**53)) + ("minimum" not in schema))
    high = schema.get("maximum", schema.get("exclusiveMaximum", 2**53) - ("maximum" not in schema))
    near = st.integers(max(low, -3), min(high, 40)) if low <= 40 and high >= -3 else st.nothing()
    return near | st.integers(low, high)


def _numbers(schema: Schema) -> Json:
    return st.floats(
        schema.get("minimum", schema.get("exclusiveMinimum")),
        schema.get("maximum", schema.get("exclusiveMaximum")),
        exclude_min="exclusiveMinimum" in schema,
        exclude_max="exclusiveMaximum" in schema,
        allow_nan=False,
        allow_infinity=False,
    )


_SCALARS: Mapping[str, Callable[[Schema], Json]] = {
    "string": _texts,
    "integer": _integers,
    "number": _numbers,
    "boolean": lambda schema: st.booleans(),
    "null": lambda schema: st.none(),
}
