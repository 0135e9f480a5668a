"""What goes wrong between a call and its commit leaves the instance as the journal has it."""

from __future__ import annotations

import asyncio
import time

import pytest

from envs.kernel.records import digest
from instances import errors
from instances.model import Answer
from instances.store import Store
from tests.instances.conftest import StartProcess
from tests.instances.hunt import FOUL, OPEN, SLUG, by, ended, episode_of, journal_of, opened, taken
from tests.instances.trouble import disconnect, hold_up, locked, read_only


async def test_a_caller_cancelled_during_the_commit_leaves_what_was_committed(
    start: StartProcess, archive: Store
):
    process = start()
    service = process.service
    instance_id = await opened(service)
    gate, held_up = await hold_up(process)
    step = asyncio.create_task(service.step(instance_id, FOUL, by("impatient")))
    await asyncio.sleep(0.05)
    step.cancel()
    look = asyncio.create_task(service.look(instance_id))
    await asyncio.sleep(0.05)
    gate.set()
    await held_up
    with pytest.raises(asyncio.CancelledError):
        await step
    held = await look
    entries = journal_of(archive, instance_id)
    assert (held.n, digest(episode_of(held).state)) == (len(entries), entries[-1].digest)
    assert (await service.step(instance_id, FOUL, by())).entry.n == len(entries) + 1


async def test_what_a_cancelled_caller_did_reaches_the_listeners(start: StartProcess, archive: Store):
    process = start()
    service = process.service
    instance_id = await opened(service)
    feed = service.feed(instance_id, None)
    assert await anext(feed) is None
    gate, held_up = await hold_up(process)
    step = asyncio.create_task(service.step(instance_id, FOUL, by("impatient")))
    await asyncio.sleep(0.05)
    step.cancel()
    gate.set()
    await asyncio.wait([step, held_up])
    async with asyncio.timeout(2):
        assert await taken(feed, len(archive.entries(instance_id)) - 1) == [2]
    await feed.aclose()


async def test_an_eraser_cancelled_during_the_commit_erases_all_or_nothing(
    start: StartProcess, archive: Store
):
    process = start()
    instance_id = await opened(process.service)
    gate, held_up = await hold_up(process)
    erasure = asyncio.create_task(process.service.erase(instance_id))
    # It reads before it writes, and a busy machine takes its time.
    await asyncio.sleep(0.5)
    erasure.cancel()
    gate.set()
    await asyncio.wait([erasure, held_up])
    assert ended(archive, instance_id) == "erased"
    with pytest.raises(errors.Gone):
        await process.service.step(instance_id, FOUL, by())
    assert archive.entries(instance_id) == ()


async def test_a_step_that_cannot_be_committed_did_not_happen(start: StartProcess, archive: Store):
    process = start()
    service = process.service
    instance_id = await opened(service, fouls=1)
    before = await service.look(instance_id)
    with read_only(process), pytest.raises(errors.StoreUnavailable, match="did not happen"):
        await service.step(instance_id, FOUL, by(key="k"))
    assert await service.look(instance_id) == before
    assert len(archive.entries(instance_id)) == 2


async def test_a_connection_that_was_lost_meanwhile_costs_nobody_a_call(start: StartProcess, archive: Store):
    process = start()
    instance_id, other = await opened(process.service), await opened(process.service)
    disconnect(process)
    assert (await process.service.step(instance_id, FOUL, by(key="k"))).entry.n == 2
    disconnect(process)
    assert (await process.service.transcript(instance_id, 0, 9))[0] == journal_of(archive, instance_id)
    disconnect(process)
    await process.service.erase(other)
    assert ended(archive, other) == "erased"


async def test_a_database_that_another_process_locks_is_waited_for_once_not_once_for_each_caller(
    start: StartProcess, store_url: str
):
    process = start(busy_ms=300)
    ids = [await opened(process.service) for _ in range(20)]
    with locked(store_url):
        began = time.monotonic()
        results = await asyncio.gather(
            *(process.service.step(instance_id, FOUL, by()) for instance_id in ids), return_exceptions=True
        )
        waited_s = time.monotonic() - began
    assert {type(result) for result in results} == {errors.StoreUnavailable}
    assert waited_s < 2.0
    answers = await asyncio.gather(*(process.service.step(instance_id, FOUL, by()) for instance_id in ids))
    assert {answer.entry.n for answer in answers} == {2}


async def test_a_row_that_the_database_cannot_take_does_not_take_its_neighbours_down(
    start: StartProcess, archive: Store
):
    process = start()
    good, bad = await opened(process.service), await opened(process.service)
    gate, held_up = await hold_up(process)
    steps = asyncio.gather(
        process.service.step(bad, FOUL, by("a lone surrogate \ud800")),
        process.service.step(good, FOUL, by()),
        return_exceptions=True,
    )
    await asyncio.sleep(0.05)
    gate.set()
    await held_up
    refused, answer = await steps
    assert isinstance(refused, errors.StoreUnavailable)
    assert isinstance(answer, Answer)
    assert answer.entry == archive.entries(good)[-1]
    assert len(archive.entries(bad)) == 1


async def test_a_database_that_cannot_be_read_is_told_as_such(start: StartProcess, archive: Store):
    service = start(cached_instances=1).service
    instance_id = await opened(service)
    await opened(service)
    with archive.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE journal RENAME TO elsewhere")
    for attempt in (service.look(instance_id), service.transcript(instance_id, 0, 1), service.tidy()):
        with pytest.raises(errors.StoreUnavailable):
            await attempt
    with archive.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE elsewhere RENAME TO journal")
    assert (await service.look(instance_id)).n == 1


async def test_an_instance_that_could_not_be_committed_is_not_there(start: StartProcess, archive: Store):
    process = start()
    await process.service.create(SLUG)
    with read_only(process), pytest.raises(errors.StoreUnavailable):
        await process.service.create(SLUG)
    assert archive.count() == 1
    instance = await process.service.create(SLUG)
    assert (await process.service.reset(instance.id, OPEN, by())).entry.n == 1
