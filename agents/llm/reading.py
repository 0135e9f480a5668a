"""Reading an answer: which action a model means, or in words for it what is wrong.

Decides what counts as an action. Whether the rules allow it is the environment's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import islice
from typing import cast

from pydantic import ValidationError
from pydantic_core import from_json, to_json

from agents.llm.completion import Call, Reply
from agents.llm.mask import Mask
from envs.kernel.records import Action
from envs.kernel.tools import JsonObject, Misuse, Tool

LONGEST_NAME = 64
COMPLAINTS = 5
# Text that only opens objects would be read once for each of them.
STARTS = 50


class Unusable(Exception):
    """An answer without an action in it; the text tells the model what is wrong."""


def action_in(reply: Reply, kind: type[Action], tools: Mapping[str, Tool], mask: Mask) -> Action:
    """The action of a reply: of its first call, else of the first JSON object in its words.

    Args:
        mask: For what the reply held escaped: neither the action nor a complaint tells it.
    Raises:
        Unusable: If there is none, or it does not fit.
    """
    try:
        return _validated(kind, _meant(reply, tools, mask))
    except Unusable as unusable:
        if reply.cut:
            raise Unusable(f"the answer was too long and was cut off ({unusable}); think less") from None
        raise


def _meant(reply: Reply, tools: Mapping[str, Tool], mask: Mask) -> object:
    return _called(reply.calls[0], tools, mask) if reply.calls else _written(reply.text, mask)


def _called(call: Call, tools: Mapping[str, Tool], mask: Mask) -> JsonObject:
    tool = tools.get(call.name)
    if tool is None:
        raise Unusable(f"there is no function {call.name[:LONGEST_NAME]!r}; there are {', '.join(tools)}")
    arguments = _decoded(call.arguments or "{}", mask, f"the arguments of {tool.name} are not JSON")
    if not isinstance(arguments, dict):
        raise Unusable(f"the arguments of {tool.name} are no JSON object")
    try:
        return tool.action(cast("JsonObject", arguments))
    except Misuse as misuse:
        raise Unusable(f"{misuse.argument[:LONGEST_NAME]!r}: {misuse}") from None


def _written(text: str, mask: Mask) -> object:
    """The first JSON object in the words: models put them into fences and sentences."""
    decoder = json.JSONDecoder()
    for brace in islice(re.finditer("{", text), STARTS):
        try:
            _, end = decoder.raw_decode(text, brace.start())
        except (ValueError, RecursionError):
            continue
        return _decoded(text[brace.start() : end], mask, "the object in the answer is not JSON")
    raise Unusable("there is neither a function call nor a JSON object in the answer")


def _decoded(text: str, mask: Mask, complaint: str) -> object:
    try:
        return mask.json(from_json(text, allow_inf_nan=False))
    except ValueError:
        raise Unusable(complaint) from None


def _validated(kind: type[Action], meant: object) -> Action:
    try:
        return kind.model_validate_json(to_json(meant))
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        told = [f"{'.'.join(map(str, wrong['loc']))}: {wrong['msg']}" for wrong in found[:COMPLAINTS]]
        raise Unusable("; ".join(told)) from None
