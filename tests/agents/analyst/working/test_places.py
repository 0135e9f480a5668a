"""A place for each of few, in order, and nobody holds two."""

from __future__ import annotations

import asyncio

import pytest

from agents.analyst.working.places import Busy, Places

pytestmark = pytest.mark.anyio


async def test_one_caller_holds_one_place_while_others_pass() -> None:
    places = Places(2)
    async with places.place("a"):
        again = asyncio.ensure_future(_held(places, "a"))
        await _held(places, "b")
        assert not again.done()
    await again


async def test_who_waits_too_long_is_told_how_many_come_before() -> None:
    places = Places(1)
    async with places.place("a"):
        first = asyncio.ensure_future(_held(places, "b"))
        await asyncio.sleep(0)
        with pytest.raises(Busy, match="2 uploads are before yours; send it again in 5 s"):
            async with places.place("c", 0.01):
                raise AssertionError("there is no place")
    await first
    await _held(places, "c")


async def test_who_leaves_the_queue_takes_no_place() -> None:
    places = Places(1)
    async with places.place("a"):
        left = asyncio.ensure_future(_held(places, "b"))
        await asyncio.sleep(0)
        left.cancel()
        with pytest.raises(asyncio.CancelledError):
            await left
    await _held(places, "c")


async def _held(places: Places, caller: str) -> None:
    async with places.place(caller):
        await asyncio.sleep(0)
