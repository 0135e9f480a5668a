"""What is kept for an hour is kept for an hour, and a Redis that fails costs nobody an answer."""

from __future__ import annotations

import asyncio
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from redis.asyncio import from_url

from agents.analyst.conversing import keeping
from agents.analyst.conversing.keeping import KEPT_S, LEFT_S, MOST, PREFIX, Kept, KeptInRedis

pytestmark = pytest.mark.anyio


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_a_text_is_kept_for_an_hour():
    clock = Clock()
    kept = Kept(clock)
    await kept.put("hello", "Hello!")
    clock.now = KEPT_S - 1
    assert await kept.get("hello") == "Hello!"
    clock.now = KEPT_S
    assert await kept.get("hello") is None


async def test_the_longest_unused_text_goes_first():
    kept = Kept(Clock())
    for number in range(MOST):
        await kept.put(str(number), "text")
    assert await kept.get("0") == "text"
    await kept.put("one more", "text")
    assert await kept.get("1") is None
    assert await kept.get("0") == "text"


async def test_redis_keeps_a_text_for_all_servers_with_its_hour(tmp_path: Path):
    async with redis(tmp_path) as url:
        here, there = KeptInRedis(url, Clock()), KeptInRedis(url, Clock())
        await here.put("en:hello", "Halo 👋")
        assert await there.get("en:hello") == "Halo 👋"
        assert await there.get("en:bye") is None
        async with from_url(url) as raw:
            assert 0 < await raw.ttl(f"{PREFIX}en:hello") <= KEPT_S
        await asyncio.gather(here.close(), there.close())


@pytest.mark.parametrize(
    "said", ["-WRONGPASS invalid password\r\n", "-LOADING\r\n", "no protocol\r\n", "", None]
)
async def test_a_redis_that_fails_keeps_nothing_and_is_named_in_the_log_once(
    said: str | None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    """It refuses, stumbles, hangs up or (None) never answers."""
    monkeypatch.setattr(keeping, "ANSWER_S", 0.05)
    clock = Clock()
    async with answering(said) as url:
        kept = KeptInRedis(url, clock)
        for _ in range(3):
            await kept.put("en:hello", "Hello!")
            assert await kept.get("en:hello") is None
            clock.now += LEFT_S
        await kept.close()
    assert [record.levelname for record in caplog.records] == ["WARNING"]


async def test_a_redis_that_died_is_asked_again_once_it_is_back(tmp_path: Path):
    clock = Clock()
    async with redis(tmp_path) as url:
        kept = KeptInRedis(url, clock)
        await kept.put("en:hello", "Hello!")
        assert await kept.get("en:hello") == "Hello!"
    assert await kept.get("en:hello") is None
    async with redis(tmp_path, urlsplit(url).port or 0):
        assert await kept.get("en:hello") is None
        clock.now += LEFT_S
        await kept.put("en:hello", "Hello!")
        assert await kept.get("en:hello") == "Hello!"
    await kept.close()


@asynccontextmanager
async def redis(folder: Path, port: int = 0) -> AsyncIterator[str]:
    """A Redis on that port or a free one; where none is installed, as much of one as keeping texts takes."""
    program = shutil.which("redis-server")
    if program is None:
        async with _spoken(port) as url:
            yield url
        return
    port = port or _free_port()
    options = ["--bind", "127.0.0.1", "--port", str(port), "--save", "", "--dir", str(folder)]
    server = await asyncio.create_subprocess_exec(program, *options, stdout=asyncio.subprocess.PIPE)
    assert server.stdout is not None
    while b"Ready to accept" not in await server.stdout.readline():
        assert server.returncode is None
    yield f"redis://127.0.0.1:{port}/0"
    server.terminate()
    await server.communicate()


@asynccontextmanager
async def answering(said: str | None) -> AsyncIterator[str]:
    """A server that says the same to everything and hangs up; None: says nothing."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        if said is None:
            await reader.read()
        writer.write((said or "").encode())
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0"


@asynccontextmanager
async def _spoken(port: int) -> AsyncIterator[str]:
    held: dict[bytes, tuple[bytes, int]] = {}
    open_ones = set[asyncio.StreamWriter]()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        open_ones.add(writer)
        while head := await reader.readline():
            words = [await _bulk(reader) for _ in range(int(head[1:]))]
            writer.write(_answer(held, words))
            await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", port) as server:
        yield f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0"
        for writer in open_ones:
            writer.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def _bulk(reader: asyncio.StreamReader) -> bytes:
    length = int((await reader.readline())[1:])
    return (await reader.readexactly(length + 2))[:-2]


def _answer(held: dict[bytes, tuple[bytes, int]], words: list[bytes]) -> bytes:
    match [words[0].upper(), *words[1:]]:
        case [b"GET", key]:
            found = held.get(key)
            return b"$-1\r\n" if found is None else b"$%d\r\n%b\r\n" % (len(found[0]), found[0])
        case [b"SET", key, text, b"EX", seconds]:
            held[key] = (text, int(seconds))
            return b"+OK\r\n"
        case [b"TTL", key]:
            return b":%d\r\n" % held[key][1]
        case [b"HELLO", *_]:
            return b"%1\r\n$5\r\nproto\r\n:3\r\n"
        case _:
            return b"+OK\r\n"
