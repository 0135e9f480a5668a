"""What an action form asks: a JSON schema and an environment's hints become a tuple of fields.

Knows nothing of Gradio or HTML. Whether an answer is right is for the action's own model; `complaints` sorts
what that model says by field.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ValidationError

from envs.kernel.choices import Choice, choices_of
from envs.kernel.records import Action, Record
from envs.scene import Hint

# Beyond, a list is quicker to read than a column of buttons; number keys reach 9.
FEW = 8
LONGEST_SLIDER = 1_000
LONG_TEXT = 200
# Stands in a path for the place in a list.
ANY = "*"

Schema = Mapping[str, Any]


class Kind(StrEnum):
    """Which input a field gets."""

    RADIO = "radio"
    SELECT = "select"
    SLIDER = "slider"
    NUMBER = "number"
    CHECK = "check"
    CHECKS = "checks"
    TEXT = "text"
    LONG = "long"
    CONST = "const"
    UNION = "union"
    SHARES = "shares"
    ENTRIES = "entries"
    LIST = "list"
    JSON = "json"


class Option(Record):
    """One choice; `value` is JSON.

    Attributes:
        key: Where the value stands in a mapping, as JSON.
        help: What choosing it does.
        needs, takes: Paths of the fields that it cannot do without, and of those that it may use beside them.
    """

    value: str
    label: str
    key: str = ""
    help: str = ""
    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()


class Field(Record):
    """One input.

    Attributes:
        path: Where the answer stands in the action, keys joined by dots.
        low, high: Bounds, both included, as far as schema and hints tell.
            Of a list, how many records it may hold.
        options: Of a choice; for a constant its only value.
        branches: Of a union, or the one branch of a nested object or of a list's records, whose paths have
            `*` for the place in the list.
    """

    path: str
    label: str
    kind: Kind
    required: bool = False
    help: str = ""
    unit: str = ""
    integer: bool = False
    low: float | None = None
    high: float | None = None
    options: tuple[Option, ...] = ()
    branches: tuple[Branch, ...] = ()

    @property
    def range(self) -> str:
        """The bounds as words, e.g. `0–7`; empty when there are not two."""
        return "" if self.low is None or self.high is None else f"{self.low:g}–{self.high:g}"


class Branch(Record):
    """One way to fill a union."""

    label: str
    fields: tuple[Field, ...]


def fields(model: type[BaseModel], hints: Iterable[Hint] = ()) -> tuple[Field, ...]:
    """The inputs of a model: required ones first, then in the order of the hints, then of the schema."""
    schema = model.model_json_schema()
    by_name = {hint.field: hint for hint in hints}
    rank = {name: place for place, name in enumerate(by_name)}
    asked = _properties(schema, schema.get("$defs", {}), "", by_name)
    found = [field for field in asked if field.path not in by_name or not by_name[field.path].left_out]
    return tuple(sorted(found, key=lambda field: (not field.required, rank.get(field.path, len(rank)))))


def action_fields(model: type[Action], hints: Iterable[Hint] = ()) -> tuple[Field, ...]:
    """The inputs of an action, as `fields`; each value of its deciding field says what it does and uses."""
    found = fields(model, hints)
    deciding = choices_of(model)
    if deciding is None:
        return found
    path, by_value = deciding
    told = {json.dumps(value): choice for value, choice in by_value.items()}
    return tuple(_told(field, told) if field.path == path else field for field in found)


def _told(field: Field, told: Mapping[str, Choice]) -> Field:
    options = tuple(
        option.model_copy(update={"help": choice.does, "needs": choice.needs, "takes": choice.takes})
        if (choice := told.get(option.value))
        else option
        for option in field.options
    )
    return field.model_copy(update={"options": options})


def complaints(error: ValidationError, known: Iterable[Field]) -> dict[str, str]:
    """What is wrong, by field path, with the place for `*`; under "" what belongs to no field.

    Args:
        known: The fields of the form; an error inside a list or a union is told at the field that holds it.
    """
    kinds = dict(_kinds(known))
    paths = sorted(kinds, key=len, reverse=True)
    found: dict[str, str] = {}
    for item in error.errors(include_url=False, include_context=False):
        place = tuple(map(str, item["loc"]))
        path = next((p for p in paths if _leads(p, place)), "")
        words = _needed(kinds.get(path)) if item["type"] == "missing" else f"{item['msg']}."
        at = ".".join(place[: len(path.split("."))]) if path else ""
        found.setdefault(at, words.replace("..", "."))
    return found


def _leads(path: str, place: Sequence[str]) -> bool:
    """Whether a place in an action is that of a field, or lies within it."""
    keys = path.split(".")
    return len(place) >= len(keys) and all(
        key == at or (key == ANY and at.isdecimal()) for key, at in zip(keys, place, strict=False)
    )


def unfilled(action: Action) -> dict[str, str]:
    """What an action lacks that its deciding field's value cannot do without, by field path."""
    deciding = choices_of(type(action))
    if deciding is None:
        return {}
    path, by_value = deciding
    chosen: StrEnum = getattr(action, path)
    lacking = [name for name in by_value[chosen].needs if getattr(action, name) in (None, "")]
    return {name: f"Needed to {_words(chosen).lower()}." for name in lacking}


def _kinds(known: Iterable[Field]) -> Iterable[tuple[str, Kind]]:
    for field in known:
        yield field.path, field.kind
        for branch in field.branches:
            yield from _kinds(branch.fields)


def _needed(kind: Kind | None) -> str:
    return "Choose one." if kind in (Kind.RADIO, Kind.SELECT, Kind.UNION) else "Needed: fill this in."


def _properties(
    schema: Schema, defs: Mapping[str, Schema], prefix: str, hints: Mapping[str, Hint]
) -> tuple[Field, ...]:
    required = schema.get("required", ())
    return tuple(
        _field(_resolved(part, defs), defs, f"{prefix}{name}", name in required, hints)
        for name, part in schema.get("properties", {}).items()
    )


def _field(
    schema: Schema, defs: Mapping[str, Schema], path: str, required: bool, hints: Mapping[str, Hint]
) -> Field:
    hint = hints.get(path)
    part = _unwrapped(schema, defs)
    words = {
        "path": path,
        "label": hint.label if hint else _words(path.rsplit(".", 1)[-1]),
        "help": (hint.help if hint else "") or str(schema.get("description", part.get("description", ""))),
        "unit": hint.unit if hint else "",
        "required": required,
    }
    return Field.model_validate(words | _input(part, defs, path, hint, hints))


def _input(
    part: Schema, defs: Mapping[str, Schema], path: str, hint: Hint | None, hints: Mapping[str, Hint]
) -> dict[str, Any]:
    if "const" in part:
        return {"kind": Kind.CONST, "options": _options([part["const"]])}
    if "enum" in part:
        # A column of buttons in each record of a list would bury the list.
        kind = Kind.RADIO if len(part["enum"]) <= FEW and ANY not in path else Kind.SELECT
        return {"kind": kind, "options": _options(part["enum"])}
    match part.get("type"):
        case "boolean":
            return {"kind": Kind.CHECK}
        case "integer" | "number":
            return _number(part, hint)
        case "string" if hint and hint.entries:
            return {"kind": Kind.SELECT, "options": _entries(hint)}
        case "string" if hint and hint.choices:
            return {"kind": Kind.SELECT, "options": _offered(hint.choices)}
        case "string":
            return {"kind": Kind.LONG if part.get("maxLength", 0) > LONG_TEXT else Kind.TEXT}
        case "array":
            return _array(part, defs, path, hint, hints)
        case "object" if hint and (hint.entries or hint.choices):
            return _mapped(part, defs, path, hint)
        case _:
            branches = _branches(part, defs, path, hints)
            return {"kind": Kind.UNION, "branches": branches} if branches else {"kind": Kind.JSON}


def _array(
    part: Schema, defs: Mapping[str, Schema], path: str, hint: Hint | None, hints: Mapping[str, Hint]
) -> dict[str, Any]:
    """A list: what it can be made of to tick, or records to fill in one after another."""
    if options := _listed(part, defs, hint):
        return {"kind": Kind.CHECKS, "options": options}
    record = _resolved(part.get("items", {}), defs)
    if "properties" not in record:
        return {"kind": Kind.JSON}
    inner = _properties(record, defs, f"{path}.{ANY}.", hints)
    return {"kind": Kind.LIST, "high": part.get("maxItems"), "branches": (Branch(label="", fields=inner),)}


def _listed(part: Schema, defs: Mapping[str, Schema], hint: Hint | None) -> tuple[Option, ...]:
    """What a list can be made of: whole entries, else names, else the values that the schema allows."""
    if hint and hint.entries:
        return _entries(hint)
    if hint and hint.choices:
        return _offered(hint.choices)
    return _options(_resolved(part.get("items", {}), defs).get("enum", ()))


def _entries(hint: Hint) -> tuple[Option, ...]:
    return tuple(
        Option(value=entry.value, label=entry.label, key=json.dumps(entry.key)) for entry in hint.entries
    )


def _keys(hint: Hint) -> tuple[Option, ...]:
    return tuple(Option(value="1", label=_words(name), key=json.dumps(name)) for name in hint.choices)


def _mapped(part: Schema, defs: Mapping[str, Schema], path: str, hint: Hint) -> dict[str, Any]:
    """A mapping: whole entries to tick, numbers against each other, or a field for each of its keys."""
    if hint.entries:
        return {"kind": Kind.ENTRIES, "options": _entries(hint)}
    if hint.shares:
        return {"kind": Kind.SHARES, "options": _keys(hint)}
    return {"kind": Kind.UNION, "branches": (_by_key(part, defs, path, hint),)}


def _by_key(part: Schema, defs: Mapping[str, Schema], path: str, hint: Hint) -> Branch:
    value = _resolved(part.get("additionalProperties", {}), defs)
    keys = {name: _field(value, defs, f"{path}.{name}", False, {}) for name in hint.choices}
    return Branch(
        label=hint.label,
        fields=tuple(field.model_copy(update={"label": _words(name)}) for name, field in keys.items()),
    )


def _number(part: Schema, hint: Hint | None) -> dict[str, Any]:
    integer = part["type"] == "integer"
    low = hint.low if hint and hint.low is not None else part.get("minimum")
    high = hint.high if hint and hint.high is not None else part.get("maximum")
    # A bound like 2**63 guards the wire; it tells a person nothing and no slider reaches it.
    if low is None or high is None or high - low > LONGEST_SLIDER:
        return {"kind": Kind.NUMBER, "integer": integer}
    return {"kind": Kind.SLIDER, "integer": integer, "low": float(low), "high": float(high)}


def _branches(
    part: Schema, defs: Mapping[str, Schema], path: str, hints: Mapping[str, Hint]
) -> tuple[Branch, ...]:
    ways = [_resolved(way, defs) for way in part.get("oneOf", part.get("anyOf", [part]))]
    if not all(way.get("properties") for way in ways):
        return ()
    prefix = f"{path}."
    return tuple(
        Branch(label=str(way.get("title", "")), fields=_properties(way, defs, prefix, hints)) for way in ways
    )


def _unwrapped(schema: Schema, defs: Mapping[str, Schema]) -> Schema:
    """The schema without its "or null"."""
    ways = [_resolved(way, defs) for way in schema.get("anyOf", ())]
    rest = [way for way in ways if way.get("type") != "null"]
    return rest[0] if len(rest) == 1 else schema


def _resolved(schema: Schema, defs: Mapping[str, Schema]) -> Schema:
    name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
    return {**defs[name], **{k: v for k, v in schema.items() if k != "$ref"}} if name else schema


def _options(values: Iterable[Any]) -> tuple[Option, ...]:
    return tuple(
        Option(value=json.dumps(value), label=_words(value) if isinstance(value, str) else json.dumps(value))
        for value in values
    )


def _offered(values: Iterable[str]) -> tuple[Option, ...]:
    """Choices by the names that they have, because a person reads these elsewhere in the case."""
    return tuple(Option(value=json.dumps(value), label=value) for value in values)


def _words(name: str) -> str:
    return name.replace("_", " ").strip().capitalize()
