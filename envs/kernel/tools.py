"""An action as tools: one for each value of its choice, each with the fields that this value uses.

Decides what a model is told it can do. Who lists the tools, and how a call travels, is the door's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from envs.kernel.choices import Choice, choices_of
from envs.kernel.protocol import AnyEnvironment, Refusal
from envs.kernel.records import Action

JsonObject = dict[str, Any]

WHOLE = "act"


class Misuse(Refusal):
    """An argument that a tool does not take, or one that it needs and did not get.

    Attributes:
        argument: Its name, as the caller wrote it.
        kind: `extra_forbidden` or `missing`, pydantic's words.
    """

    def __init__(self, argument: str, message: str, kind: str) -> None:
        super().__init__(message)
        self.argument = argument
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Tool:
    """One thing that a player can do.

    Attributes:
        schema: JSON schema of its arguments, without references.
        sets: What it writes into the action beside its arguments.
    """

    name: str
    description: str
    schema: JsonObject
    sets: Mapping[str, str]

    def action(self, arguments: JsonObject) -> JsonObject:
        """The action that a call of this tool means, not yet validated.

        Raises:
            Misuse: If an argument is missing or is not one of this tool's.
        """
        allowed, needed = self.schema["properties"], self.schema["required"]
        for name in arguments:
            if name not in allowed:
                takes = f"{self.name} takes {', '.join(allowed) or 'no arguments'}"
                raise Misuse(name, takes, "extra_forbidden")
        for name in needed:
            if arguments.get(name) is None:
                raise Misuse(name, f"{self.name} needs {', '.join(needed)}", "missing")
        return {**self.sets, **arguments}


def tools_of(action: type[Action]) -> Mapping[str, Tool]:
    """The tools of an action by name; one that takes the whole action where no field decides.

    Raises:
        ValueError: If the action's schema is recursive.
    """
    schema = schema_of(action)
    found = choices_of(action)
    if found is None:
        return {WHOLE: Tool(WHOLE, (action.__doc__ or "").strip(), schema, {})}
    deciding, choices = found
    fields: JsonObject = schema["properties"]
    return {str(value): _tool(fields, deciding, str(value), choice) for value, choice in choices.items()}


def schema_of(action: type[Action]) -> JsonObject:
    """JSON schema of the whole action, without references.

    Raises:
        ValueError: If it is recursive.
    """
    schema = action.model_json_schema()
    fields: JsonObject = _inlined(schema["properties"], schema.get("$defs", {}), ())
    return _schema(fields, [name for name, field in action.model_fields.items() if field.is_required()])


def brief(env: AnyEnvironment, tools: Iterable[Tool]) -> str:
    """What to do in an environment, for a player who has nothing but the first observation."""
    lines = [f"{env.title}. {env.tagline}", "", "What you can do:"]
    fields: dict[str, str] = {}
    for tool in tools:
        needed, allowed = tool.schema["required"], tool.schema["properties"]
        also = [name for name in allowed if name not in needed]
        uses = [f"needs {', '.join(needed)}"] * bool(needed) + [f"may use {', '.join(also)}"] * bool(also)
        lines.append(f"- {tool.name}: {tool.description}" + f" ({'; '.join(uses)})" * bool(uses))
        fields |= {name: _told(field) for name, field in allowed.items()}
    return "\n".join([*lines, "", "Fields:", *(f"- {name}: {told}" for name, told in fields.items())])


def _told(field: JsonObject) -> str:
    values = [value for branch in (field, *field.get("anyOf", ())) for value in branch.get("enum", ())]
    return field.get("description", "") + f" One of: {', '.join(map(str, values))}." * bool(values)


def _tool(fields: JsonObject, deciding: str, value: str, choice: Choice) -> Tool:
    used = {name: _given(fields[name]) for name in choice.needs}
    used |= {name: fields[name] for name in choice.takes}
    return Tool(value, choice.does, _schema(used, list(choice.needs)), {deciding: value})


def _schema(fields: JsonObject, needed: list[str]) -> JsonObject:
    return {"type": "object", "properties": fields, "required": needed, "additionalProperties": False}


def _given(field: JsonObject) -> JsonObject:
    """The schema of a field that must be given: without null and without a default."""
    kept = {key: value for key, value in field.items() if key != "default"}
    branches = [branch for branch in kept.pop("anyOf", []) if branch.get("type") != "null"]
    match branches:
        case []:
            return kept
        case [only]:
            return {**kept, **only}
        case _:
            return {**kept, "anyOf": branches}


def _inlined(part: Any, definitions: JsonObject, within: tuple[str, ...]) -> Any:
    """A schema with each reference replaced by what it names: many models read no references."""
    match part:
        case {"$ref": str(reference), **rest}:
            name = reference.rpartition("/")[2]
            if name in within:
                raise ValueError(f"an action's schema must not be recursive, {name} is")
            inner = _inlined(definitions[name], definitions, (*within, name))
            return {**inner, **_inlined(rest, definitions, within)}
        case dict():
            fields = cast("JsonObject", part)
            return {key: _inlined(value, definitions, within) for key, value in fields.items()}
        case list():
            return [_inlined(item, definitions, within) for item in cast("list[Any]", part)]
        case _:
            return part
