"""Each limit holds, says so, and costs nobody else anything."""

from __future__ import annotations

import asyncio

import pytest

from instances import errors
from instances.store import Store
from tests.instances.conftest import Process, StartProcess
from tests.instances.hunt import FOUL, GIVE_UP, OPEN, SLUG, by, opened


async def test_an_episode_holds_so_many_entries_and_a_reset_makes_room(start: StartProcess, archive: Store):
    service = start(episode_entries=3).service
    instance_id = await opened(service, fouls=3)
    with pytest.raises(errors.JournalFull, match="3 are allowed; call reset"):
        await service.step(instance_id, GIVE_UP, by())
    assert len(archive.entries(instance_id)) == 4
    await service.reset(instance_id, OPEN, by())
    assert (await service.step(instance_id, GIVE_UP, by())).entry.n == 6


async def test_a_server_keeps_so_many_instances_and_an_erasure_makes_room(
    start: StartProcess, archive: Store
):
    service = start(instances=2).service
    first, _ = await opened(service), await opened(service)
    for attempt in (service.create(SLUG), service.fork(first, 1)):
        with pytest.raises(errors.AtCapacity, match="at most 2 instances"):
            await attempt
    assert archive.count() == 2
    await service.erase(first)
    await service.create(SLUG)
    assert archive.count() == 2


async def test_callers_who_come_at_once_do_not_slip_past_the_number_of_instances(
    start: StartProcess, archive: Store
):
    service = start(instances=5).service
    made = await asyncio.gather(*(service.create(SLUG) for _ in range(20)), return_exceptions=True)
    assert sum(isinstance(result, errors.AtCapacity) for result in made) == 15
    assert archive.count() == 5


async def test_an_instance_has_so_many_watchers(start: StartProcess):
    service = start(watchers=2).service
    first, second = await opened(service), await opened(service)
    feeds = [service.feed(first, 0) for _ in range(2)]
    for feed in feeds:
        await anext(feed)
    with pytest.raises(errors.AtCapacity, match="2 watchers"):
        await anext(service.feed(first, 0))
    other = service.feed(second, 0)
    await anext(other)
    await feeds[0].aclose()
    late = service.feed(first, 0)
    await anext(late)
    for feed in (feeds[1], other, late):
        await feed.aclose()


async def test_watchers_who_come_at_once_do_not_slip_past_their_number(start: StartProcess):
    process = start()
    instance_id = await opened(process.service)
    process.stop()
    service = start(watchers=3).service
    feeds = [service.feed(instance_id, None) for _ in range(10)]
    first = await asyncio.gather(*(anext(feed) for feed in feeds), return_exceptions=True)
    assert sum(isinstance(result, errors.AtCapacity) for result in first) == 7
    for feed in feeds:
        await feed.aclose()


async def test_memory_holds_so_many_instances_the_latest_used_ones(start: StartProcess):
    process = start(cached_instances=3)
    ids = [await opened(process.service) for _ in range(5)]
    assert not any([await _is_read(process, instance_id) for instance_id in ids[2:]])
    assert await _is_read(process, ids[0])
    assert not any([await _is_read(process, ids[i]) for i in (3, 4, 0)])
    assert await _is_read(process, ids[2])


async def test_memory_shrinks_again_after_a_rush(start: StartProcess):
    process = start(cached_instances=2)
    ids = [await opened(process.service) for _ in range(30)]
    await asyncio.gather(*(process.service.step(instance_id, FOUL, by()) for instance_id in ids))
    await process.service.create(SLUG)
    forgotten = [await _is_read(process, instance_id) for instance_id in ids]
    assert forgotten.count(False) <= 1


async def _is_read(process: Process, instance_id: str) -> bool:
    """Whether a look at this instance reads its journal."""
    before = len(process.statements)
    await process.service.look(instance_id)
    return any("journal.body" in statement for statement in process.statements[before:])
