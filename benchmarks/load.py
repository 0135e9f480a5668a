"""A load of clients that cost little themselves: raw sockets, kept alive, one request at a time each."""

from __future__ import annotations

import asyncio
import json
import struct
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

from benchmarks.servers import Server

PING, PONG = 9, 10


@dataclass(frozen=True, slots=True)
class Measured:
    """What a load did to a server.

    Attributes:
        cpu_us: Server CPU per request.
        latencies_ms: Of every request, sorted.
    """

    requests: int
    cpu_us: float
    latencies_ms: tuple[float, ...]

    def quantile_ms(self, q: float) -> float:
        """The latency that a share `q` of the requests stayed below."""
        return self.latencies_ms[min(len(self.latencies_ms) - 1, int(q * len(self.latencies_ms)))]


class Connection(Protocol):
    """One open line on which requests are made one after the other."""

    async def open(self) -> Self: ...

    async def post(self, path: str, body: bytes) -> bytes: ...

    def close(self) -> None: ...


class Client:
    """One kept-alive HTTP connection."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def open(self) -> Self:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        return self

    async def post(self, path: str, body: bytes) -> bytes:
        """The answer's body.

        Raises:
            RuntimeError: If the status is not 2xx.
        """
        head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        self._writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = await self._reader.readuntil(b"\r\n\r\n")
        lower = answer.lower()
        start = lower.index(b"content-length:") + 15
        content = await self._reader.readexactly(int(lower[start : lower.index(b"\r\n", start)]))
        if not answer.startswith((b"HTTP/1.1 2",)):
            raise RuntimeError(f"{path}: {answer.decode()}{content.decode()}")
        return content

    def close(self) -> None:
        self._writer.close()


class SocketClient:
    """One WebSocket; a request is a text frame, its path the socket's own."""

    def __init__(self, port: int, path: str) -> None:
        self._port = port
        self._path = path

    async def open(self) -> Self:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        head = f"GET {self._path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        self._writer.write((head + key).encode())
        answer = await self._reader.readuntil(b"\r\n\r\n")
        if not answer.startswith(b"HTTP/1.1 101"):
            raise RuntimeError(answer.decode())
        return self

    async def post(self, path: str, body: bytes) -> bytes:
        """The next text frame's payload.

        Raises:
            RuntimeError: If it tells an error.
        """
        self._send(1, body)
        while True:
            opcode, payload = await self._frame()
            if opcode == PING:
                self._send(PONG, payload)
            elif b'"error"' in payload[:20]:
                raise RuntimeError(payload.decode())
            else:
                return payload

    def close(self) -> None:
        self._writer.close()

    def _send(self, opcode: int, payload: bytes) -> None:
        size = len(payload)
        length = bytes([0x80 | size]) if size < 126 else struct.pack("!BH", 0x80 | 126, size)
        # Masked with zeros: a client must mask, and nothing is said of the mask.
        self._writer.write(bytes([0x80 | opcode]) + length + bytes(4) + payload)

    async def _frame(self) -> tuple[int, bytes]:
        first, size = await self._reader.readexactly(2)
        if size == 126:
            (size,) = struct.unpack("!H", await self._reader.readexactly(2))
        return first & 0x0F, await self._reader.readexactly(size)


Script = Sequence[tuple[str, bytes]]
"""Requests that one client repeats: path and body."""


def run(
    server: Server, scripts: Sequence[Script], rounds: int, connect: Callable[[int], Connection] = Client
) -> Measured:
    """Every script by a client of its own, all at once, `rounds` times."""
    return asyncio.run(_run(server, scripts, rounds, connect))


async def _run(
    server: Server, scripts: Sequence[Script], rounds: int, connect: Callable[[int], Connection]
) -> Measured:
    clients = [await connect(server.port).open() for _ in scripts]
    latencies: list[float] = []

    async def play(client: Connection, script: Script, times: int, record: Callable[[float], None]) -> None:
        for _ in range(times):
            for path, body in script:
                start = time.perf_counter()
                await client.post(path, body)
                record(time.perf_counter() - start)

    async def all_play(times: int, record: Callable[[float], None]) -> None:
        await asyncio.gather(*(play(c, s, times, record) for c, s in zip(clients, scripts, strict=True)))

    await all_play(max(1, rounds // 10), lambda _: None)
    before = server.cpu_s()
    await all_play(rounds, latencies.append)
    used = server.cpu_s() - before
    for client in clients:
        client.close()
    return Measured(len(latencies), used / len(latencies) * 1e6, tuple(sorted(1e3 * x for x in latencies)))


def open_instances(server: Server, count: int, slug: str = "forecast-audit") -> list[str]:
    """Ids of new instances."""

    async def opened() -> list[str]:
        client = await Client(server.port).open()
        body = json.dumps({"environment": slug}).encode()
        ids = [json.loads(await client.post("/instances", body))["id"] for _ in range(count)]
        client.close()
        return ids

    return asyncio.run(opened())
