"""Tools by steps: OpenEnv's clients before 0.10 list and call tools with `step` instead of over MCP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from api.errors import bad
from api.openenv.tools import call
from envs.kernel.tools import JsonObject, Tool

LIST, CALL = "list_tools", "call_tool"


def listed(payload: JsonObject, tools: Mapping[str, Tool]) -> JsonObject | None:
    """The answer to a step that only asks for the tools; None for every other step. Nothing is recorded."""
    if payload.get("type") != LIST:
        return None
    told = [
        {"name": tool.name, "description": tool.description, "input_schema": tool.schema}
        for tool in tools.values()
    ]
    return {"observation": {"tools": told}, "reward": 0.0, "done": False}


def called(payload: JsonObject) -> str | None:
    """The name of the tool that a step calls; None for a step that is an action itself."""
    return str(payload["tool_name"]) if payload.get("type") == CALL and "tool_name" in payload else None


def as_action(payload: JsonObject, tools: Mapping[str, Tool]) -> JsonObject:
    """The action that a payload means: itself, or the action of the tool that it calls.

    Raises:
        BadRequest: If there is no such tool, or its arguments do not fit.
    """
    name = called(payload)
    if name is None:
        # OpenEnv's typed actions carry an empty dictionary of notes.
        return {key: value for key, value in payload.items() if key != "metadata"}
    given: object = payload.get("arguments")
    arguments: object = JsonObject() if given is None else given
    if not isinstance(arguments, dict):
        raise bad(("arguments",), "Input should be an object", "dict_type")
    return call(tool_named(name, tools), cast("JsonObject", arguments))


def tool_named(name: object, tools: Mapping[str, Tool]) -> Tool:
    """The tool of that name.

    Raises:
        BadRequest: With the names that there are.
    """
    tool = tools.get(name) if isinstance(name, str) else None
    if tool is None:
        raise bad(("name",), f"there is no tool {str(name)[:64]!r}; there are: {', '.join(tools)}")
    return tool


def as_result(answer: JsonObject, name: str) -> JsonObject:
    """A step's answer as that of the tool that was called."""
    return {**answer, "observation": {"tool_name": name, "result": answer, "error": None}}
