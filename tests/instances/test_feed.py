"""A listener gets every entry once, in order, from wherever it stopped."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from instances import errors
from instances.slots import RECENT
from tests.instances.conftest import StartProcess
from tests.instances.hunt import FOUL, SLUG, by, opened, taken


@pytest.fixture(autouse=True)
async def _nobody_waits_for_ever():
    async with asyncio.timeout(10):
        yield


async def test_a_listener_who_names_no_entry_gets_only_what_comes(start: StartProcess):
    service = start().service
    instance_id = await opened(service, fouls=2)
    async with aclosing(service.feed(instance_id, None)) as feed:
        assert await anext(feed) is None
        await service.step(instance_id, FOUL, by())
        assert await taken(feed, 1) == [4]


@pytest.mark.parametrize("after", [0, 1, 3, 5])
async def test_a_listener_resumes_behind_the_entry_it_names(start: StartProcess, after: int):
    service = start().service
    instance_id = await opened(service, fouls=3)
    async with aclosing(service.feed(instance_id, after)) as feed:
        assert await anext(feed) is None
        await service.step(instance_id, FOUL, by())
        await service.step(instance_id, FOUL, by())
        assert await taken(feed, 6 - after) == list(range(after + 1, 7))


async def test_a_listener_resumes_after_a_restart(start: StartProcess):
    process = start()
    instance_id = await opened(process.service, fouls=3)
    process.stop()
    service = start().service
    async with aclosing(service.feed(instance_id, 2)) as feed:
        await service.step(instance_id, FOUL, by())
        assert await taken(feed, 3) == [3, 4, 5]


async def test_a_slow_listener_gets_a_burst_whole_and_in_order(start: StartProcess):
    service = start().service
    instance_id = await opened(service)
    burst = 3 * RECENT
    async with aclosing(service.feed(instance_id, None)) as feed:
        assert await anext(feed) is None
        for _ in range(burst):
            await service.step(instance_id, FOUL, by())
        assert await taken(feed, burst) == list(range(2, burst + 2))


async def test_every_listener_gets_every_entry(start: StartProcess):
    service = start(cached_instances=1).service
    instance_id = await opened(service)
    watch_id = (await service.find(instance_id)).watch_id
    feeds = [service.feed(ref, 1) for ref in (instance_id, watch_id) * 10]
    listening = asyncio.gather(*(taken(feed, 20) for feed in feeds))
    for _ in range(20):
        await service.step(instance_id, FOUL, by())
        await service.create(SLUG)
    assert await listening == [list(range(2, 22))] * 20
    for feed in feeds:
        await feed.aclose()


async def test_a_quiet_feed_pulses(start: StartProcess):
    service = start().service
    instance_id = await opened(service)
    async with aclosing(service.feed(instance_id, 1, pulse_s=0.02)) as feed:
        assert [await anext(feed) for _ in range(3)] == [None, None, None]
        await service.step(instance_id, FOUL, by())
        assert await taken(feed, 1) == [2]


async def test_erasing_ends_the_feed(start: StartProcess):
    service = start().service
    instance_id = await opened(service)
    feed = service.feed(instance_id, 1)
    assert await anext(feed) is None
    end = asyncio.ensure_future(anext(feed))
    await asyncio.sleep(0.05)
    await service.erase(instance_id)
    with pytest.raises(StopAsyncIteration):
        await end
    with pytest.raises(errors.Gone):
        await anext(service.feed(instance_id, 1))


async def test_a_listener_who_leaves_is_no_longer_counted(start: StartProcess):
    service = start().service
    instance = await service.find(await opened(service))
    feed = service.feed(instance.watch_id, 1)
    await anext(feed)
    assert service.watchers(instance) == 1
    await feed.aclose()
    assert service.watchers(instance) == 0
