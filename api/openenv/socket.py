"""OpenEnv's WebSocket: a conversation of frames about one instance.

A socket that names no instance gets a new one; `?session_id=` joins one. Whoever holds the instance's id may
write when no other socket does, and takes the writer's place by writing; who holds the watch link looks on.
People on the page and callers over HTTP act beside the writer: each answer says how many entries were theirs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, cast
from urllib.parse import parse_qsl

from pydantic_core import to_json
from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from api.deps import caller_of
from api.hub_models import entry_answer
from api.openenv.calls import as_result, called, listed
from api.openenv.frames import BadFrame, Code, failure, read
from api.openenv.mcp import Call, Mcp
from api.openenv.sessions import Seat, Sessions
from api.openenv.system import System
from envs.kernel.tools import JsonObject
from instances.buckets import CLIENT
from instances.errors import Gone, UnknownEnvironment
from instances.looking import is_commons
from instances.model import Caller, Held, Instance, Surface
from instances.service import Service

NORMAL, GOING_AWAY, REFUSED, TRY_LATER = 1000, 1001, 1008, 1013

Turn = Callable[[str], Awaitable[None]]
"""Waits until a client may make another request."""


class Socket:
    """The two directions of an accepted WebSocket."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send

    async def accept(self) -> None:
        await self._receive()
        await self._send({"type": "websocket.accept"})

    async def next(self) -> str | bytes | None:
        """The next message; None when the peer is gone."""
        message = await self._receive()
        if message["type"] != "websocket.receive":
            return None
        text: str | None = message.get("text")
        return message["bytes"] if text is None else text

    async def send(self, frame: JsonObject) -> None:
        """Sends a frame; one for a peer that is gone goes nowhere."""
        with suppress(OSError):
            await self._send({"type": "websocket.send", "text": to_json(frame).decode()})

    async def close(self, code: int) -> None:
        with suppress(OSError, RuntimeError):
            await self._send({"type": "websocket.close", "code": code})

    async def refuse(self, error: Exception, code: int) -> None:
        """Tells why and closes."""
        await self.send(failure(error))
        await self.close(code)


class SocketDoor:
    """The WebSocket address of one environment.

    Args:
        frame_bytes: The largest frame.
    """

    def __init__(
        self, system: System, service: Service, sessions: Sessions, turn: Turn, frame_bytes: int
    ) -> None:
        self.system = system
        self.service = service
        self.sessions = sessions
        self.turn = turn
        self.frame_bytes = frame_bytes
        self.mcp = Mcp(system)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Talks until the peer or the server closes."""
        socket = Socket(receive, send)
        await socket.accept()
        seat = Seat(CLIENT.get(), _silence(scope), _hang_up(socket))
        try:
            await self.sessions.open(seat)
        except Exception as error:
            await self._full(socket, error)
            return
        try:
            await self._talk(scope, socket, seat)
        finally:
            self.sessions.close(seat)

    async def _full(self, socket: Socket, error: Exception) -> None:
        frame = failure(error)
        frame["data"] |= {"active_sessions": len(self.sessions), "max_sessions": self.sessions.most}
        await socket.send(frame)
        await socket.close(TRY_LATER)

    async def _talk(self, scope: Scope, socket: Socket, seat: Seat) -> None:
        query = dict(parse_qsl(scope["query_string"].decode("latin-1")))
        ref = scope["path_params"].get("instance_id") or query.get("session_id")
        try:
            caller = replace(
                caller_of(HTTPConnection(scope), Surface.WS), idempotency_key=None, expected_step=None
            )
            if ref is None:
                instance, seen = await self.service.create(self.system.slug), 0
                ref = instance.id
            else:
                instance = await self.system.joined(self.service, ref)
                seen = (await self.service.look(ref)).n
        except Exception as error:
            await socket.refuse(error, REFUSED)
            return
        talk = Talk(self, socket, seat, ref, instance, caller, seen)
        await talk.run(with_events=query.get("events") == "1")


class Talk:
    """One conversation."""

    def __init__(
        self,
        door: SocketDoor,
        socket: Socket,
        seat: Seat,
        ref: str,
        instance: Instance,
        caller: Caller,
        seen: int,
    ) -> None:
        self._door = door
        self._socket = socket
        self._seat = seat
        self._ref = ref
        self._instance = instance
        self._caller = caller
        self._seen = seen

    async def run(self, *, with_events: bool) -> None:
        """Answers frame by frame; with events, also tells each entry as it is committed."""
        telling = asyncio.create_task(self._tell(self._seen)) if with_events else None
        try:
            while (raw := await self._socket.next()) is not None:
                self._door.sessions.heard(self._seat)
                await self._door.turn(self._seat.client)
                frame = await self._answer(raw)
                if frame is None:
                    await self._socket.close(NORMAL)
                    return
                await self._socket.send(frame)
        finally:
            if telling is not None:
                telling.cancel()

    async def _answer(self, raw: str | bytes) -> JsonObject | None:
        try:
            kind, data = read(raw, self._door.frame_bytes)
            match kind:
                case "close":
                    return None
                case "reset":
                    return await self._reset(data)
                case "step":
                    return await self._step(data)
                case "mcp":
                    return await self._mcp(data)
                case _:
                    return await self._state()
        except Exception as error:
            return failure(error)

    async def _reset(self, options: JsonObject) -> JsonObject:
        request, episode_id = self._door.system.request(options)
        self._claim()
        held = (await self._door.service.reset(self._ref, request, self._caller)).held
        self._door.system.name_episode(held, episode_id)
        return self._observed(held)

    async def _step(self, payload: JsonObject) -> JsonObject:
        tools = listed(payload, self._door.system.tools)
        if tools is not None:
            return {"type": "observation", "data": tools}
        action = self._door.system.action(payload, "data")
        self._claim()
        answer = await self._door.service.step(self._ref, action, self._caller)
        return self._observed(answer.held, called(payload))

    async def _state(self) -> JsonObject:
        held = await self._door.service.look(self._ref)
        self._seen = held.n
        return {"type": "state", "data": self._door.system.state(held)}

    async def _mcp(self, message: JsonObject) -> JsonObject:
        params = message.get("params")
        if isinstance(params, dict) or params is None:
            # As OpenEnv's client over HTTP does: errors are errors, and results have `data`.
            message = {**message, "params": {**cast("JsonObject", params or {}), "session_id": self._ref}}
        if message.get("method") == "tools/call":
            self._claim()
        system = self._door.system
        opens = system.environment.request_type()
        call = Call(self._ref, replace(self._caller, surface=Surface.MCP), opens)
        reply = await self._door.mcp.answer(self._door.service, message, call)
        self._seen = (await self._door.service.look(self._ref)).n
        return {"type": "mcp", "data": {} if reply is None else reply.body}

    def _claim(self) -> None:
        # A watch link is refused where it acts, and the commons have as many writers as come.
        if self._ref == self._instance.id and not is_commons(self._instance):
            self._door.sessions.claim(self._seat, self._ref)

    def _observed(self, held: Held, tool: str | None = None) -> JsonObject:
        others, self._seen = held.n - self._seen - 1, held.n
        answer = self._door.system.answer(self._ref, held, others)
        return {"type": "observation", "data": answer if tool is None else as_result(answer, tool)}

    async def _tell(self, after: int) -> None:
        """Every entry after this one as it is committed, whoever made it."""
        try:
            async for entry in self._door.service.feed(self._ref, after):
                if entry is not None:
                    # Whether the episode still runs is not known here, so no digest goes out.
                    await self._socket.send({"type": "event", "data": entry_answer(entry, 0)})
            await self._socket.refuse(Gone("This instance has ended; open another."), GOING_AWAY)
        except Exception as error:
            await self._socket.refuse(error, REFUSED)


async def refuse_unknown(service: Service, scope: Scope, receive: Receive, send: Send) -> None:
    """Answers a socket whose address names no environment: with the names that there are."""
    socket = Socket(receive, send)
    await socket.accept()
    try:
        service.environment(scope["path"].split("/")[2])
        raise BadFrame(Code.SESSION_ERROR, "No socket is opened here; the address ends in /ws.")
    except (UnknownEnvironment, BadFrame) as error:
        await socket.refuse(error, REFUSED)


def _silence(scope: Scope) -> Callable[[], float]:
    """How long the peer has been silent, as the server underneath knows it (`api.peers`)."""
    state: dict[str, Any] = scope.get("state", {})
    return state.get("silence_s", lambda: 0.0)


def _hang_up(socket: Socket) -> Callable[[str], Awaitable[None]]:
    async def hang_up(why: str) -> None:
        await socket.refuse(Gone(why), GOING_AWAY)

    return hang_up
