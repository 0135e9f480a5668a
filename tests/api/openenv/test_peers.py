"""On a real wire: what a peer's silence does, and frames that no client library would send."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from api.peers import PeerProtocol
from tests.api.openenv.sockets import OPENENV
from tests.conftest import Server

HANDSHAKE = (
    "GET {} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
PING_S = 0.05


async def silence(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers every message with the peer's silence in seconds, as it was before the message came."""
    assert scope["type"] == "websocket"
    await receive()
    await send({"type": "websocket.accept"})
    watched: list[float] = []

    async def watch() -> None:
        while True:
            watched.append(scope["state"]["silence_s"]())
            await asyncio.sleep(PING_S)

    watching = asyncio.create_task(watch())
    while (await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": str(max(watched))})
    watching.cancel()


@asynccontextmanager
async def served() -> AsyncIterator[int]:
    """The port of a server that pings all the time."""
    config = uvicorn.Config(
        silence,
        port=0,
        ws=PeerProtocol,
        ws_ping_interval=PING_S,
        ws_ping_timeout=PING_S,
        lifespan="off",
        log_config=None,
    )
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - it sets no event
        await asyncio.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await running


def masked(payload: bytes, opcode: int = 1) -> bytes:
    """A whole frame from a client, masked with zeros."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else struct.pack("!BH", 0x80 | 126, size)
    return bytes([0x80 | opcode]) + length + bytes(4) + payload


async def test_g04_a_peer_whose_pongs_are_swallowed_is_noticed_and_not_cut():
    async with served() as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HANDSHAKE.format("/").encode())
        await reader.readuntil(b"\r\n\r\n")
        await asyncio.sleep(12 * PING_S)
        writer.write(masked(b"still here"))
        answer = await _text(reader)
        writer.close()
    assert float(answer) > 4 * PING_S


async def test_a_peer_that_answers_pings_is_never_silent_for_long():
    async with served() as port, connect(f"ws://127.0.0.1:{port}/", ping_interval=None, proxy=None) as peer:
        await asyncio.sleep(12 * PING_S)
        await peer.send("still here")
        answer = await peer.recv()
    assert float(answer) < 12 * PING_S


async def test_a_huge_frame_ends_the_socket_and_nothing_else(server: Server):
    address = server.url.replace("http", "ws") + OPENENV + "/ws"
    async with connect(address, proxy=None) as peer, connect(address, proxy=None) as other:
        await other.send('{"type": "reset"}')
        await other.recv()
        with suppress(ConnectionClosed):
            await peer.send("x" * 8_000_000)
        await peer.wait_closed()
        assert peer.close_code in (1006, 1009)
        await other.send('{"type": "state"}')
        assert '"step_count":0' in str(await other.recv())
    assert "Traceback" not in server.log.read_text()


@pytest.mark.parametrize(
    "sent",
    [b"\xff" * 64, masked(b"\xff\xfe"), masked(b"x", opcode=3), masked(b"", opcode=0), masked(b"", opcode=8)],
    ids=["noise", "no UTF-8", "an unknown opcode", "a continuation of nothing", "a close of nothing"],
)
def test_no_bytes_bring_a_socket_server_down(server: Server, sent: bytes):
    logged = len(server.log.read_text())
    port = int(server.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=10.0) as wire:
        wire.sendall(HANDSHAKE.format(f"{OPENENV}/ws").encode())
        assert wire.recv(65_536).startswith(b"HTTP/1.1 101")
        wire.sendall(sent)
        while wire.recv(65_536):
            pass
    assert "Traceback" not in server.log.read_text()[logged:]


async def _text(reader: asyncio.StreamReader) -> str:
    """The first text frame, pings passed over."""
    while True:
        head: Any = await reader.readexactly(2)
        payload = await reader.readexactly(head[1] & 0x7F)
        if head[0] & 0x0F == 1:
            return payload.decode()
