"""A WebSocket client without a wire, and what the tests of this folder send."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, MutableMapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from starlette.types import ASGIApp

from tests.api.calls import SLUG
from tests.api.inside import CLIENT

OPENENV = f"/openenv/{SLUG}"
SOCKET = f"{OPENENV}/ws"
MCP = f"{OPENENV}/mcp"
PATIENCE_S = 10.0


class Socket:
    """One socket into an application in this process."""

    def __init__(self, app: ASGIApp, scope: dict[str, Any]) -> None:
        self._to_app: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._from_app: asyncio.Queue[MutableMapping[str, Any]] = asyncio.Queue()
        self._to_app.put_nowait({"type": "websocket.connect"})
        self.task = asyncio.ensure_future(app(scope, self._to_app.get, self._from_app.put))

    async def message(self) -> MutableMapping[str, Any]:
        """The next message of the application, whatever it is."""
        async with asyncio.timeout(PATIENCE_S):
            return await self._from_app.get()

    async def heard(self) -> dict[str, Any]:
        """The next frame."""
        message = await self.message()
        assert message["type"] == "websocket.send", message
        return json.loads(message["text"])

    async def closed(self) -> int:
        """The code with which the application closes."""
        message = await self.message()
        assert message["type"] == "websocket.close", message
        self.leave()
        await asyncio.wait_for(self.task, PATIENCE_S)
        return message["code"]

    def say(self, frame: object) -> None:
        """Sends text as it is, bytes as a binary frame, and anything else as JSON."""
        match frame:
            case bytes():
                self._to_app.put_nowait({"type": "websocket.receive", "bytes": frame, "text": None})
            case str():
                self._to_app.put_nowait({"type": "websocket.receive", "text": frame})
            case _:
                self.say(json.dumps(frame))

    async def ask(self, kind: str, data: object = None) -> dict[str, Any]:
        """The answer to a frame."""
        self.say({"type": kind} if data is None else {"type": kind, "data": data})
        return await self.heard()

    def leave(self) -> None:
        """Goes away without a word."""
        self._to_app.put_nowait({"type": "websocket.disconnect", "code": 1006})


@asynccontextmanager
async def connected(
    app: ASGIApp,
    path: str = SOCKET,
    query: str = "",
    *,
    headers: Iterable[tuple[bytes, bytes]] = (),
    client: str = CLIENT,
    silence_s: Callable[[], float] = lambda: 0.0,
) -> AsyncIterator[Socket]:
    """A socket that the application has accepted.

    Args:
        silence_s: What the server underneath says of the peer's last sign of life.
    """
    scope: dict[str, Any] = {
        "type": "websocket",
        "scheme": "ws",
        "path": path,
        "root_path": "",
        "query_string": query.encode(),
        "headers": list(headers),
        "client": (client, 50_000),
        "server": ("test", 80),
        "subprotocols": [],
        "state": {"silence_s": silence_s},
        "extensions": {"websocket.http.response": {}},
    }
    socket = Socket(app, scope)
    assert (await socket.message())["type"] == "websocket.accept"
    try:
        yield socket
    finally:
        socket.leave()
        with suppress(TimeoutError):
            await asyncio.wait_for(socket.task, PATIENCE_S)
        assert socket.task.done()


def error_of(frame: dict[str, Any]) -> tuple[str, str]:
    """Code and message of an error frame."""
    assert frame["type"] == "error", frame
    assert frame["data"]["message"]
    return frame["data"]["code"], frame["data"]["message"]
