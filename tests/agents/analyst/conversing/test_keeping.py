"""What is kept for an hour is kept for an hour, and a Redis that fails costs nobody an answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from agents.analyst.conversing.keeping import KEPT_S, MOST, PREFIX, Kept, KeptInRedis

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


async def test_redis_keeps_a_text_for_all_servers_with_its_hour():
    async with redis() as (url, held):
        here, there = KeptInRedis(url), KeptInRedis(url)
        await here.put("en:hello", "Halo 👋")
        assert await there.get("en:hello") == "Halo 👋"
        assert await there.get("en:bye") is None
        assert held == {PREFIX.encode() + b"en:hello": ("Halo 👋".encode(), KEPT_S)}
        await asyncio.gather(here.close(), there.close())


async def test_a_redis_that_is_away_keeps_nothing_and_raises_nothing(unused_url: str):
    kept = KeptInRedis(unused_url)
    await kept.put("en:hello", "Hello!")
    assert await kept.get("en:hello") is None
    await kept.close()


@pytest.fixture
async def unused_url() -> str:
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()
    return f"redis://127.0.0.1:{port}/0"


@asynccontextmanager
async def redis() -> AsyncIterator[tuple[str, dict[bytes, tuple[bytes, int]]]]:
    """A server that speaks as much of Redis's protocol as keeping texts takes, and what it holds."""
    held: dict[bytes, tuple[bytes, int]] = {}

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readline():
            words = [await _bulk(reader) for _ in range(int(head[1:]))]
            writer.write(_answer(held, words))
            await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0", held


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
        case [b"HELLO", *_]:
            return b"%1\r\n$5\r\nproto\r\n:3\r\n"
        case _:
            return b"+OK\r\n"
