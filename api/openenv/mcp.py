"""The Model Context Protocol on our instances: JSON-RPC messages in, JSON-RPC answers out.

Decides what each method does. A tool is an action of the environment, so a call is a step; a reset is no
tool. How messages travel, and which session they name, is the transport's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from pydantic_core import to_json

from api.errors import STATUS, BadRequest, describe, extra_headers
from api.openenv.calls import tool_named
from api.openenv.system import System
from api.openenv.tools import call as action_of
from envs.kernel.play import EpisodeOver
from envs.kernel.protocol import Refusal
from envs.kernel.records import Request
from envs.kernel.tools import JsonObject
from instances.errors import NotReset
from instances.model import Caller, Held
from instances.service import Service

PROTOCOLS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Versions that we speak; a client that asks for another is offered the last."""

PARSE_ERROR, INVALID_REQUEST, UNKNOWN_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602
SERVER_ERROR = -32000


@dataclass(frozen=True, slots=True)
class Call:
    """Where a message came from.

    Attributes:
        ref: The session that the transport names, None when it names none.
        opens: What the episode is that a new session starts with.
    """

    ref: str | None
    caller: Caller
    opens: Request


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, and the session that it opened or joined. `lost`: the session it names is not there."""

    body: JsonObject
    session: str | None = None
    lost: bool = False


class _RpcError(Exception):
    """A message that is no request of ours."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Mcp:
    """The methods, for one environment."""

    def __init__(self, system: System) -> None:
        self.system = system
        self._tools = [
            {"name": tool.name, "description": tool.description, "inputSchema": tool.schema}
            for tool in system.tools.values()
        ]

    async def answer(self, service: Service, message: object, call: Call) -> Reply | None:
        """What a message is answered; None for a notification."""
        number = _number(message)
        try:
            method, params, silent = _request(message)
            if silent and method.startswith("notifications/"):
                return None
            result, session = await self._result(service, method, params, call)
        except Exception as error:
            body, lost = _failed(error)
            return Reply({"jsonrpc": "2.0", "id": number, "error": body}, lost=lost)
        return Reply({"jsonrpc": "2.0", "id": number, "result": result}, session)

    async def _result(
        self, service: Service, method: str, params: JsonObject, call: Call
    ) -> tuple[JsonObject, str | None]:
        match method:
            case "initialize":
                held, ref = await self._opened(service, call)
                return self._greeting(params, held), ref
            case "ping":
                return {}, None
            case "tools/list":
                return {"tools": self._tools}, None
            case "tools/call":
                return await self._called(service, params, call), None
            case "openenv/session/create":
                _, ref = await self._opened(service, call)
                return {"session_id": ref}, ref
            case "openenv/session/close":
                ref = _session(params, call)
                await self.system.joined(service, ref)
                return {"session_id": ref, "closed": True}, None
            case _:
                raise _RpcError(UNKNOWN_METHOD, f"Method not found: {method[:100]}")

    async def _opened(self, service: Service, call: Call) -> tuple[Held, str]:
        """The session's instance in an episode: the one that was named, or a new one."""
        ref = call.ref
        if ref is None:
            self.system.opens(call.opens)
            ref = (await service.create(self.system.slug)).id
        else:
            await self.system.joined(service, ref)
        held = await service.look(ref)
        if held.episode is None:
            held = (await service.reset(ref, call.opens, call.caller)).held
        return held, ref

    def _greeting(self, params: JsonObject, held: Held) -> JsonObject:
        assert held.episode is not None
        asked = params.get("protocolVersion")
        env = self.system.environment
        return {
            "protocolVersion": asked if asked in PROTOCOLS else PROTOCOLS[-1],
            "capabilities": {"tools": {"listChanged": False}},
            "serverInfo": {"name": env.slug, "title": env.title, "version": str(env.version)},
            "instructions": self.system.told(held.episode),
        }

    async def _called(self, service: Service, params: JsonObject, call: Call) -> JsonObject:
        ref = _session(params, call)
        await self.system.joined(service, ref)
        tool = tool_named(params.get("name"), self.system.tools)
        # OpenEnv's client takes an error for an error; an agent reads it as content and can correct itself.
        theirs = "session_id" in params
        try:
            action = self.system.action(action_of(tool, _object(params, "arguments")), "arguments")
            answer = await service.step(ref, action, call.caller)
        except (BadRequest, Refusal, NotReset) as error:
            if theirs:
                raise
            return {"content": [{"type": "text", "text": _told_agent(error)}], "isError": True}
        return self._told(ref, answer.held, with_data=theirs)

    def _told(self, ref: str, held: Held, *, with_data: bool) -> JsonObject:
        assert held.episode is not None
        answer = self.system.answer(ref, held)
        ended = (
            f"The episode is {answer['metadata']['status']}." if answer["done"] else "The episode goes on."
        )
        text = f"{answer['observation']['text']}\n\nReward: {answer['reward']:g}. {ended}"
        told = {
            "content": [{"type": "text", "text": text}],
            "structuredContent": answer,
            "isError": not held.episode.steps[-1].legal,
        }
        return {**told, "data": answer} if with_data else told


def _told_agent(error: Exception) -> str:
    """What is wrong, in words of this protocol."""
    if isinstance(error, EpisodeOver):
        return "The episode is over. Another episode is another session: initialize anew."
    return describe(error)[1]


def to_bytes(body: JsonObject) -> bytes:
    """A reply's JSON."""
    return to_json(body)


def unreadable(message: str) -> JsonObject:
    """The reply to what is no JSON."""
    return {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": PARSE_ERROR, "message": f"Parse error: {message}"},
    }


def _number(message: object) -> str | int | None:
    """The id of a message, as far as it has a valid one: also a message that is wrong is answered by it."""
    number = cast("JsonObject", message).get("id") if isinstance(message, dict) else None
    return number if isinstance(number, str | int) and not isinstance(number, bool) else None


def _request(message: object) -> tuple[str, JsonObject, bool]:
    """Method and parameters of a message, and whether it has no id.

    Raises:
        _RpcError: If it is no JSON-RPC 2.0 request.
    """
    if not isinstance(message, dict):
        raise _RpcError(INVALID_REQUEST, "Invalid request: send one JSON-RPC 2.0 object at a time")
    request = cast("JsonObject", message)
    method, number = request.get("method"), request.get("id")
    if request.get("jsonrpc") != "2.0" or not isinstance(method, str):
        raise _RpcError(INVALID_REQUEST, 'Invalid request: needs "jsonrpc": "2.0" and a "method"')
    if isinstance(number, bool) or not isinstance(number, str | int | None):
        raise _RpcError(INVALID_REQUEST, "Invalid request: an id is a string or a whole number")
    return method, _object(request, "params"), "id" not in request


def _object(parent: JsonObject, name: str) -> JsonObject:
    value = parent.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _RpcError(INVALID_PARAMS, f"Invalid params: {name!r} must be an object")
    return cast("JsonObject", value)


def _session(params: JsonObject, call: Call) -> str:
    """The session that a call means: the one in its parameters before the transport's.

    Raises:
        NotReset: If it names none.
    """
    ref = params.get("session_id") or call.ref
    if not isinstance(ref, str):
        raise NotReset(
            "This call names no session. Initialize, or call openenv/session/create, and send the session's "
            "id back: in Mcp-Session-Id, as ?session_id=… or as params.session_id."
        )
    return ref


def _failed(error: Exception) -> tuple[JsonObject, bool]:
    if isinstance(error, _RpcError):
        return {"code": error.code, "message": str(error)}, False
    code, message, details = describe(error)
    status = STATUS[code]
    data: JsonObject = {"code": code, "status": status, "details": details}
    retry: Any = extra_headers(code, error, None).get("Retry-After")
    if retry is not None:
        data["retry_after_s"] = int(retry)
    rpc_code = INVALID_PARAMS if isinstance(error, BadRequest) else SERVER_ERROR
    return {"code": rpc_code, "message": message, "data": data}, status in (404, 410)
