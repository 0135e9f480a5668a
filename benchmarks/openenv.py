"""OpenEnv's protocol: our server, which commits each step, against the official one, which forgets it.

Both serve the same small environment in processes of their own and meet the same clients.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import orjson

from benchmarks.load import Connection, Script, SocketClient, open_instances, run
from benchmarks.servers import Server, auditorium, free_port, serving
from benchmarks.small import SLUG

MESSAGE = "The quick brown fox jumps over the lazy dog. " * 4
STEP = orjson.dumps({"action": {"message": MESSAGE}})
RESET_FRAME = orjson.dumps({"type": "reset", "data": {}})
STEP_FRAME = orjson.dumps({"type": "step", "data": {"message": MESSAGE}})
STEPS = 50
SESSIONS = 64
BATCH = 256
REPEATS = 3


def report() -> None:
    """Prints what a step and a session cost on both."""
    print(
        f"machine: {os.cpu_count()} processors, {os.getloadavg()[0]:.1f} processes wanting them before this"
    )
    with _server("ours") as ours, _server("theirs") as theirs:
        official = 0.0
        for clients, rounds in ((1, 8), (SESSIONS, 1)):
            official = _compare(
                f"HTTP step, {clients:2d} clients",
                [
                    (_http_us(ours, clients, rounds), _their_http_us(theirs, clients, rounds))
                    for _ in range(REPEATS)
                ],
            )
            _compare(
                f"WS step, {clients:2d} sockets",
                [
                    (
                        _socket_us(ours, f"/openenv/{SLUG}/ws", clients, rounds),
                        _socket_us(theirs, "/ws", clients, rounds),
                    )
                    for _ in range(REPEATS)
                ],
            )
        batched = statistics.median(_batch_us(ours) for _ in range(REPEATS))
        print(
            f"step in a batch of {BATCH}       {batched:8.1f} µs CPU  "
            f"{official / batched:5.1f} × the official HTTP steps per core-second  (aim ≥ 10)"
        )
        for name, server, path in (("ours", ours, f"/openenv/{SLUG}/ws"), ("official", theirs, "/ws")):
            _sessions(name, server, path)
    _start()


def _compare(what: str, figures: Sequence[tuple[float, float]]) -> float:
    """Prints the run with the middle ratio; returns what the official server's step cost in it."""
    ours, theirs = sorted(figures, key=lambda pair: pair[0] / pair[1])[len(figures) // 2]
    print(
        f"{what:24s}  {ours:8.1f} µs CPU  official {theirs:8.1f} µs CPU  "
        f"ratio {ours / theirs:5.2f}  (aim ≤ 0.5)"
    )
    return theirs


def _http_us(server: Server, clients: int, rounds: int) -> float:
    ids = open_instances(server, clients, SLUG)
    resets: list[Script] = [[(f"/openenv/{SLUG}/reset?session_id={i}", b"{}")] for i in ids]
    steps: list[Script] = [[(f"/openenv/{SLUG}/step?session_id={i}", STEP)] * STEPS for i in ids]
    run(server, resets, 1)
    return run(server, steps, rounds).cpu_us


def _their_http_us(server: Server, clients: int, rounds: int) -> float:
    return run(server, [[("/step", STEP)] * STEPS] * clients, rounds).cpu_us


def _socket_us(server: Server, path: str, clients: int, rounds: int) -> float:
    script: Script = [("", RESET_FRAME), *[("", STEP_FRAME)] * STEPS]
    return run(server, [script] * clients, rounds, partial(SocketClient, path=path)).cpu_us


def _batch_us(server: Server) -> float:
    ids = open_instances(server, BATCH, SLUG)
    entries = [{"id": i, "body": {"message": MESSAGE}} for i in ids]
    run(server, [[("/instances/batch/reset", orjson.dumps({"entries": [{"id": i} for i in ids]}))]], 1)
    batch: Script = [("/instances/batch/step", orjson.dumps({"entries": entries}))]
    return run(server, [batch], 20).cpu_us / BATCH


def _sessions(name: str, server: Server, path: str) -> None:
    """Prints what open sessions add to a server."""

    async def hold() -> None:
        before, threads = server.resident_bytes(), server.threads()
        sockets: list[Connection] = [await SocketClient(server.port, path).open() for _ in range(SESSIONS)]
        for socket in sockets:
            await socket.post("", RESET_FRAME)
            await socket.post("", STEP_FRAME)
        each = (server.resident_bytes() - before) / SESSIONS / 1024
        print(f"{name:8s} session, of {SESSIONS}   {each:8.1f} KB  threads {threads} → {server.threads()}")
        for socket in sockets:
            socket.close()

    asyncio.run(hold())


def _start() -> None:
    """Prints how long each server takes until it answers; ours once more as the whole application."""
    for name, started in (
        ("ours", _server("ours")),
        ("official", _server("theirs")),
        ("app.py", auditorium()),
    ):
        began = time.perf_counter()
        with started:
            print(f"{name:8s} start to healthy   {time.perf_counter() - began:8.1f} s")


@contextmanager
def _server(whose: str) -> Iterator[Server]:
    port = free_port()
    with serving([sys.executable, "-m", "benchmarks.small", whose, str(port)], port, {}) as server:
        yield server
