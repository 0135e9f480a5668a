"""A load of HTTP clients that cost little themselves: raw sockets, kept alive, one request at a time each."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.servers import Server


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


class Client:
    """One kept-alive connection."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def open(self) -> Client:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        return self

    async def post(self, path: str, body: bytes) -> bytes:
        """The answer's body.

        Raises:
            RuntimeError: If the status is not 2xx.
        """
        head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
        self._writer.write(head.encode() + body)
        answer = await self._reader.readuntil(b"\r\n\r\n")
        lower = answer.lower()
        start = lower.index(b"content-length:") + 15
        content = await self._reader.readexactly(int(lower[start : lower.index(b"\r\n", start)]))
        if not answer.startswith((b"HTTP/1.1 2",)):
            raise RuntimeError(f"{path}: {answer.decode()}{content.decode()}")
        return content

    def close(self) -> None:
        self._writer.close()


Script = Sequence[tuple[str, bytes]]
"""Requests that one client repeats: path and body."""


def run(server: Server, scripts: Sequence[Script], rounds: int) -> Measured:
    """Every script by a client of its own, all at once, `rounds` times."""
    return asyncio.run(_run(server, scripts, rounds))


async def _run(server: Server, scripts: Sequence[Script], rounds: int) -> Measured:
    clients = [await Client(server.port).open() for _ in scripts]
    latencies: list[float] = []

    async def play(client: Client, script: Script, times: int, record: Callable[[float], None]) -> None:
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


def open_instances(server: Server, count: int) -> list[str]:
    """Ids of new Forecast-Audit instances."""

    async def opened() -> list[str]:
        client = await Client(server.port).open()
        body = b'{"environment":"forecast-audit"}'
        ids = [json.loads(await client.post("/instances", body))["id"] for _ in range(count)]
        client.close()
        return ids

    return asyncio.run(opened())
