"""The tools of an action as OpenEnv and MCP offer them, and how a wrong call of one is answered."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from api.errors import bad
from envs.kernel import tools
from envs.kernel.records import Action
from envs.kernel.tools import JsonObject, Misuse, Tool

RESERVED = frozenset({"reset", "step", "state", "close"})
"""Names that OpenEnv keeps for itself."""


@cache
def tools_of(action: type[Action]) -> Mapping[str, Tool]:
    """The tools of an action by name.

    Raises:
        ValueError: If OpenEnv keeps a tool's name for itself, or the action's schema is recursive.
    """
    found = tools.tools_of(action)
    taken = RESERVED & found.keys()
    if taken:
        raise ValueError(f"OpenEnv keeps these names for itself: {', '.join(sorted(taken))}")
    return found


def call(tool: Tool, arguments: JsonObject) -> JsonObject:
    """The action that a call of a tool means, not yet validated.

    Raises:
        BadRequest: If an argument is missing or is not one of this tool's.
    """
    try:
        return tool.action(arguments)
    except Misuse as misuse:
        name = misuse.argument[:100].encode("utf-8", "replace").decode()
        raise bad(("arguments", name), str(misuse), misuse.kind) from misuse
