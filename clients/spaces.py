"""JSON schemas as Gymnasium spaces, with the way between JSON values and members of the spaces.

| JSON schema | space | its members |
|---|---|---|
| enum, const, boolean, null | Discrete | position in the list of values |
| integer with close bounds | Discrete | the number |
| any other integer, number | Scalar | the number |
| string | AnyText | the text |
| array | Row; Tuple if each place has its own schema | a tuple |
| object | Dict | a dict |
| object of any keys | Row of (AnyText, value) | pairs |
| one of several, also what may be null | OneOf | (which, a member of it) |
| anything else | JsonText | its JSON |
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from clients.own_spaces import LONGEST_TEXT
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

Schema = Mapping[str, Any]

# Beyond it a reader in JavaScript rounds.
LARGEST_WHOLE = 2**53 - 1
# Half of a double's largest, so that the width of the box is still a double.
LARGEST_NUMBER = float(np.finfo(np.float64).max) / 2


def codec_of(schema: Schema) -> Codec:
    """The codec of a JSON schema as pydantic writes them; a schema within itself is free-form there."""
    return _codec(schema, schema.get("$defs", {}), ())


def _codec(schema: Schema, definitions: Schema, within: tuple[str, ...]) -> Codec:
    match schema:
        case {"$ref": str(reference)}:
            name = reference.rpartition("/")[2]
            return Free() if name in within else _codec(definitions[name], definitions, (*within, name))
        case {"enum": values}:
            return Choice(tuple(values))
        case {"const": value}:
            return Choice((value,))
        case {"allOf": [only]}:
            return _codec(only, definitions, within)
        case {"anyOf": branches} | {"oneOf": branches}:
            return Either(tuple(_codec(branch, definitions, within) for branch in branches))
        case {"type": [*kinds]}:
            return Either(tuple(_codec({**schema, "type": kind}, definitions, within) for kind in kinds))
        case {"type": "array"}:
            return _array(schema, definitions, within)
        case {"type": "object"}:
            return _object(schema, definitions, within)
        case _:
            return _plain(schema)


def _plain(schema: Schema) -> Codec:
    match schema.get("type"):
        case "null":
            return Choice((None,))
        case "boolean":
            return Choice((False, True))
        case "integer":
            low, high = _bounds(schema, 1)
            return Whole(max(math.ceil(low), -LARGEST_WHOLE), min(math.floor(high), LARGEST_WHOLE))
        case "number":
            low, high = _bounds(schema, 0)
            return Number(low, high)
        case "string":
            return Words(schema.get("minLength", 0), schema.get("maxLength", LONGEST_TEXT))
        case _:
            return Free()


def _array(schema: Schema, definitions: Schema, within: tuple[str, ...]) -> Codec:
    if "prefixItems" in schema:
        return Places(tuple(_codec(place, definitions, within) for place in schema["prefixItems"]))
    item = _codec(schema.get("items", {}), definitions, within)
    return Items(item, schema.get("minItems", 0), schema.get("maxItems"))


def _object(schema: Schema, definitions: Schema, within: tuple[str, ...]) -> Codec:
    properties: Schema = schema.get("properties", {})
    others = schema.get("additionalProperties")
    if properties:
        fields = {name: _codec(part, definitions, within) for name, part in properties.items()}
        defaults = {name: part["default"] for name, part in properties.items() if "default" in part}
        return Fields(fields, defaults)
    if not isinstance(others, Mapping):
        return Free()
    return Pairs(_codec(cast("Schema", others), definitions, within))


def _bounds(schema: Schema, width: int) -> tuple[float, float]:
    """Least and largest value.

    Args:
        width: How far within an exclusive bound the next value lies; 0 for the next double.
    """
    low, high = schema.get("minimum", -LARGEST_NUMBER), schema.get("maximum", LARGEST_NUMBER)
    if "exclusiveMinimum" in schema:
        bound = schema["exclusiveMinimum"]
        low = bound + width if width else math.nextafter(bound, math.inf)
    if "exclusiveMaximum" in schema:
        bound = schema["exclusiveMaximum"]
        high = bound - width if width else math.nextafter(bound, -math.inf)
    return low, high
