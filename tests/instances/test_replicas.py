"""Several processes over one database: nothing is lost, doubled or out of order, and each sees it all."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from instances import errors
from instances.inserts import Conflict
from instances.rows import entry_row
from instances.slots import RECENT
from instances.store import Store
from tests.instances.conftest import Clock, Databases, Files, StartProcess
from tests.instances.hunt import (
    FOUL,
    GIVE_UP,
    OPEN,
    SLUG,
    assert_recorded,
    by,
    ended,
    episode_of,
    journal_of,
    opened,
    taken,
)


async def test_concurrent_steps_from_two_processes_are_all_recorded_once(start: StartProcess, archive: Store):
    services = [start().service, start().service]
    instance_id = await opened(services[0])
    answers = await asyncio.gather(
        *(services[i % 2].step(instance_id, FOUL, by(f"caller {i}")) for i in range(50))
    )
    entries = journal_of(archive, instance_id)
    assert len(entries) == 51
    assert sorted(entry.actor.label for entry in entries[1:]) == sorted(f"caller {i}" for i in range(50))
    assert_recorded(archive, instance_id, answers)


async def test_sixteen_writers_over_three_processes_lose_and_double_nothing(
    start: StartProcess, archive: Store
):
    services = [start().service for _ in range(3)]
    instance_id = await opened(services[0])

    async def write(writer: int) -> list[int]:
        return [
            (await services[writer % 3].step(instance_id, FOUL, by(f"{writer}"))).entry.n for _ in range(6)
        ]

    numbers = await asyncio.gather(*(write(writer) for writer in range(16)))
    entries = journal_of(archive, instance_id)
    assert sorted(n for mine in numbers for n in mine) == [entry.n for entry in entries[1:]]
    for writer, mine in enumerate(numbers):
        assert mine == sorted(mine)
        assert {entries[n - 1].actor.label for n in mine} == {f"{writer}"}


async def test_processes_that_take_turns_build_on_each_other(start: StartProcess, archive: Store):
    here, there = start().service, start().service
    instance_id = await opened(here)
    for turn in range(6):
        answer = await (here, there)[turn % 2].step(instance_id, FOUL, by())
        assert episode_of(answer.held).state.fouls == turn + 1
    journal_of(archive, instance_id)


async def test_a_reset_in_another_process_carries_the_memory_on(start: StartProcess, archive: Store):
    here, there = start().service, start().service
    instance_id = await opened(here)
    await there.step(instance_id, GIVE_UP, by())
    await here.reset(instance_id, OPEN, by())
    answer = await there.reset(instance_id, OPEN, by())
    assert episode_of(answer.held).task.task_id == "hunt-3"
    journal_of(archive, instance_id)


async def test_one_key_in_two_processes_is_one_step(start: StartProcess, archive: Store):
    here, there = start().service, start().service
    instance_id = await opened(here)
    await there.look(instance_id)
    answers = await asyncio.gather(
        *(service.step(instance_id, FOUL, by(key="once")) for service in (here, there, here, there))
    )
    assert {answer.entry.n for answer in answers} == {2}
    assert sum(not answer.replayed for answer in answers) == 1
    assert len(journal_of(archive, instance_id)) == 2


async def test_an_expectation_that_another_process_made_stale_is_refused(start: StartProcess, archive: Store):
    here, there = start().service, start().service
    instance_id = await opened(here)
    await there.step(instance_id, FOUL, by())
    with pytest.raises(errors.StaleStep):
        await here.step(instance_id, FOUL, by(expected=1))
    assert len(journal_of(archive, instance_id)) == 2


async def test_the_commons_are_one_instance_in_both_processes(start: StartProcess):
    here, there = start().service, start().service
    first, second = await asyncio.gather(here.commons(SLUG), there.commons(SLUG))
    assert first.id == second.id
    assert (await here.find(first.watch_id)).id == first.id
    assert (await there.commons(SLUG)).watch_id == first.watch_id


async def test_whoever_looks_sees_what_another_process_has_committed(start: StartProcess):
    here, there = start().service, start().service
    instance_id = await opened(here)
    assert (await there.look(instance_id)).n == 1
    for turn in range(1, 4):
        answer = await here.step(instance_id, FOUL, by(f"{turn}"))
        assert await there.look(instance_id) == answer.held
        assert await there.entries(instance_id, turn) == (answer.entry,)
        assert (await there.transcript(instance_id, turn, 9))[0] == (answer.entry,)
        assert await there.progress(instance_id) == (turn + 1, turn, False)
        assert len(await there.actors(instance_id)) == turn + 1


async def test_a_listener_hears_what_other_processes_commit(start: StartProcess):
    here, there = start().service, start().service
    instance_id = await opened(here)
    count = 2 * RECENT
    async with asyncio.timeout(20), aclosing(there.feed(instance_id, None)) as feed:
        assert await anext(feed) is None
        for n in range(count):
            await (here, there)[n % 3 == 0].step(instance_id, FOUL, by())
        assert await taken(feed, count) == list(range(2, count + 2))


async def test_an_erasure_ends_the_feeds_of_other_processes(start: StartProcess):
    here, there = start().service, start().service
    instance_id = await opened(here)
    feed = there.feed(instance_id, 1)
    assert await anext(feed) is None
    end = asyncio.ensure_future(anext(feed))
    await here.erase(instance_id)
    async with asyncio.timeout(20):
        with pytest.raises(StopAsyncIteration):
            await end


async def test_what_one_process_has_erased_is_gone_in_every_other(start: StartProcess, archive: Store):
    here, there = start().service, start().service
    calls = [
        there.look,
        there.entries,
        there.progress,
        there.actors,
        there.erase,
        lambda ref: there.transcript(ref, 0, 9),
        lambda ref: there.step(ref, FOUL, by()),
        lambda ref: there.step(ref, FOUL, by(key="k", expected=1)),
        lambda ref: there.reset(ref, OPEN, by()),
        lambda ref: there.fork(ref, 1),
    ]
    for call in calls:
        instance_id = await opened(here)
        await there.look(instance_id)
        await here.erase(instance_id)
        with pytest.raises(errors.Gone):
            await call(instance_id)
        assert archive.entries(instance_id) == ()
        assert ended(archive, instance_id) == "erased"


async def test_the_database_takes_no_entry_for_an_instance_that_has_ended(
    start: StartProcess, archive: Store
):
    here, there = start(), start()
    instance_id = await opened(here.service)
    (entry,) = await here.service.entries(instance_id)
    await there.service.erase(instance_id)
    for ref in (instance_id, "f" * 32):
        with pytest.raises(Conflict):
            await here.store.writer.write((), (entry_row(ref, entry),))
        assert archive.entries(ref) == ()


async def test_steps_and_an_erasure_that_meet_leave_no_entry_behind(start: StartProcess, archive: Store):
    services = [start().service for _ in range(3)]
    for _ in range(5):
        instance_id = await opened(services[0])
        await asyncio.gather(*(service.look(instance_id) for service in services))
        results = await asyncio.gather(
            *(services[i % 2].step(instance_id, FOUL, by()) for i in range(10)),
            services[2].erase(instance_id),
            return_exceptions=True,
        )
        assert all(isinstance(result, errors.Gone) or not isinstance(result, Exception) for result in results)
        assert ended(archive, instance_id) == "erased"
        assert archive.entries(instance_id) == ()


async def test_a_refusal_is_by_what_all_processes_have_done(start: StartProcess, archive: Store):
    here, there = start().service, start().service
    instance_id = await opened(here)
    await here.step(instance_id, GIVE_UP, by())
    await there.look(instance_id)
    await here.reset(instance_id, OPEN, by())
    assert (await there.step(instance_id, FOUL, by(expected=3))).entry.n == 4
    blank = await here.create(SLUG)
    await there.look(blank.id)
    await here.reset(blank.id, OPEN, by())
    assert (await there.step(blank.id, FOUL, by())).entry.n == 2
    journal_of(archive, instance_id)


async def test_an_instance_that_another_process_plays_does_not_expire(start: StartProcess, clock: Clock):
    here, there = start(unfinished_s=60.0).service, start(unfinished_s=60.0).service
    instance_id = await opened(here)
    await there.look(instance_id)
    clock.now += 50.0
    await here.step(instance_id, FOUL, by())
    clock.now += 50.0
    assert await there.tidy() == 0
    assert (await there.look(instance_id)).n == 2


async def test_a_process_that_is_alone_with_its_file_need_not_ask_it(
    start: StartProcess, databases: Databases
):
    if not isinstance(databases, Files):
        pytest.skip("only a file can be had alone")
    process = start()
    instance_id = await opened(process.service)
    asked = len(process.statements)
    held = await process.service.look(instance_id)
    assert len(process.statements) == asked
    other = start()
    other.stop()
    assert await process.service.look(instance_id) == held
    assert len(process.statements) > asked
