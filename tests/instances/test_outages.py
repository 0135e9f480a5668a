"""When the database goes away, callers are told the truth at once, and nothing is lost or done twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import aclosing

import pytest
from sqlalchemy import make_url

from instances import errors, writer
from instances.model import Answer
from instances.service import Service
from instances.store import Store
from tests.instances.conftest import Clock, Process, StartProcess, start_on
from tests.instances.hunt import FOUL, OPEN, SLUG, by, episode_of, journal_of, opened, taken
from tests.instances.postgres import Postgres
from tests.instances.trouble import hold_up
from tests.instances.wire import Wire


@pytest.fixture(autouse=True)
async def _nobody_waits_for_ever():
    async with asyncio.timeout(30):
        yield


@pytest.fixture
def url(postgres: Postgres) -> Iterator[str]:
    url = postgres.new()
    yield url
    postgres.release(url)


@pytest.fixture
def wire(postgres: Postgres) -> Iterator[Wire]:
    wire = Wire(postgres.folder)
    yield wire
    wire.close()


@pytest.fixture
def wired(url: str, wire: Wire, postgres: Postgres) -> Iterator[Process]:
    """A process that reaches its database over the wire."""
    process = start_on(postgres.url(make_url(url).database or "", wire.folder), Clock())
    yield process
    process.stop()


@pytest.fixture
def witness(url: str) -> Iterator[Process]:
    """Another process on the same database, which needs no wire."""
    process = start_on(url, Clock())
    yield process
    process.stop()


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_step_whose_commit_is_not_confirmed_is_played_once_and_answered(
    wired: Process, wire: Wire, witness: Process, when: str
):
    instance_id = await opened(wired.service)
    wire.cut_next_commit(when)
    answer = await wired.service.step(instance_id, FOUL, by("keyless"))
    assert wire.cut.is_set()
    assert answer.entry == journal_of(witness.store, instance_id)[-1]
    assert answer.entry.n == 2
    assert await wired.service.look(instance_id) == answer.held
    assert (await wired.service.step(instance_id, FOUL, by())).entry.n == 3


@pytest.mark.parametrize("when", ["before", "after"])
async def test_whoever_waits_for_certainty_gets_it_and_all_others_are_refused_at_once(
    wired: Process, wire: Wire, witness: Process, when: str
):
    service = wired.service
    doubtful, other = await opened(service), await opened(service)
    wire.cut_next_commit(when, stay_down=True)
    step = asyncio.create_task(service.step(doubtful, FOUL, by("keyless")))
    await asyncio.to_thread(wire.cut.wait, 10)
    for attempt in (service.step(other, FOUL, by()), service.create(SLUG), service.erase(other)):
        with pytest.raises(errors.StoreUnavailable):
            await attempt
    assert not step.done()
    wire.restore()
    answer = await step
    assert answer.entry == journal_of(witness.store, doubtful)[-1]
    assert [len(journal_of(witness.store, ref)) for ref in (doubtful, other)] == [2, 1]
    assert (await service.step(other, FOUL, by())).entry.n == 2


@pytest.mark.parametrize(("when", "entries"), [("before", 1), ("after", 2)])
async def test_who_waited_too_long_for_certainty_is_told_that_there_is_none(
    wired: Process,
    wire: Wire,
    witness: Process,
    monkeypatch: pytest.MonkeyPatch,
    when: str,
    entries: int,
):
    monkeypatch.setattr(writer, "DOUBT_S", 0.5)
    instance_id = await opened(wired.service)
    wire.cut_next_commit(when, stay_down=True)
    with pytest.raises(errors.StoreUnavailable, match="not known whether"):
        await wired.service.step(instance_id, FOUL, by(key="k"))
    wire.restore()
    assert len(journal_of(witness.store, instance_id)) == entries
    assert (await wired.service.look(instance_id)).n == entries
    retried = await wired.service.step(instance_id, FOUL, by(key="k"))
    assert (retried.entry.n, retried.replayed) == (2, entries == 2)
    assert len(journal_of(witness.store, instance_id)) == 2


async def test_a_place_that_another_process_took_meanwhile_is_not_taken_for_ones_own(
    wired: Process, wire: Wire, witness: Process
):
    instance_id = await opened(wired.service)
    wire.cut_next_commit("before", stay_down=True)
    step = asyncio.create_task(wired.service.step(instance_id, FOUL, by("late")))
    await asyncio.to_thread(wire.cut.wait, 10)
    await witness.service.step(instance_id, FOUL, by("early"))
    wire.restore()
    assert (await step).entry.n == 3
    labels = [entry.actor.label for entry in journal_of(witness.store, instance_id)]
    assert labels == ["", "early", "late"]


async def test_a_group_whose_commit_is_not_confirmed_is_played_once_each(
    wired: Process, wire: Wire, witness: Process
):
    ids = [await opened(wired.service) for _ in range(20)]
    gate, held_up = await hold_up(wired)
    steps = asyncio.gather(*(wired.service.step(instance_id, FOUL, by()) for instance_id in ids))
    await asyncio.sleep(0.05)
    gate.set()
    await held_up
    wire.cut_next_commit("after")
    assert {answer.entry.n for answer in await steps} == {2}
    assert wire.cut.is_set()
    assert all(len(journal_of(witness.store, instance_id)) == 2 for instance_id in ids)


@pytest.mark.parametrize("end", [Postgres.stop, Postgres.crash], ids=["stopped", "crashed"])
async def test_while_the_database_is_gone_calls_are_refused_and_afterwards_they_work_again(
    postgres: Postgres, url: str, end: Callable[[Postgres], None]
):
    process = start_on(url, Clock())
    try:
        instance_id = await opened(process.service, fouls=1)
        await asyncio.to_thread(end, postgres)
        await _assert_refused(process.service, instance_id)
        await asyncio.to_thread(postgres.start)
        assert (await process.service.look(instance_id)).n == 2
        assert (await process.service.step(instance_id, FOUL, by())).entry.n == 3
        assert (await process.service.create(SLUG)).environment == SLUG
        assert len(journal_of(process.store, instance_id)) == 3
    finally:
        process.stop()


async def _assert_refused(service: Service, instance_id: str) -> None:
    calls = (
        service.look(instance_id),
        service.step(instance_id, FOUL, by()),
        service.reset(instance_id, OPEN, by()),
        service.create(SLUG),
        service.transcript(instance_id, 0, 9),
        service.erase(instance_id),
        service.tidy(),
        service.find("f" * 32),
    )
    for call in calls:
        with pytest.raises(errors.StoreUnavailable, match=r"[Tt]ry again"):
            async with asyncio.timeout(5):
                await call


async def test_steps_during_a_crash_are_all_there_or_refused(postgres: Postgres, url: str):
    process, service = (started := start_on(url, Clock())), started.service
    try:
        ids = [await opened(service) for _ in range(8)]
        done: dict[str, list[Answer]] = {instance_id: [] for instance_id in ids}
        ending = asyncio.Event()

        async def play(instance_id: str) -> None:
            while not ending.is_set():
                try:
                    done[instance_id].append(await service.step(instance_id, FOUL, by()))
                except errors.StoreUnavailable:
                    await asyncio.sleep(0.02)

        players = asyncio.gather(*map(play, ids))
        await asyncio.sleep(0.3)
        await asyncio.to_thread(postgres.crash)
        await asyncio.sleep(0.5)
        await asyncio.to_thread(postgres.start)
        await asyncio.sleep(0.8)
        ending.set()
        await players
        for instance_id in ids:
            entries = journal_of(process.store, instance_id)
            assert list(entries[1:]) == [answer.entry for answer in done[instance_id]]
            assert episode_of(await service.look(instance_id)).state.fouls == len(entries) - 1
    finally:
        process.stop()


async def test_a_listener_outlasts_the_database(postgres: Postgres, url: str):
    here, there = start_on(url, Clock()), start_on(url, Clock())
    try:
        instance_id = await opened(here.service)
        async with aclosing(there.service.feed(instance_id, 1)) as feed:
            assert await anext(feed) is None
            coming = asyncio.create_task(taken(feed, 3))
            await here.service.step(instance_id, FOUL, by())
            await asyncio.to_thread(postgres.crash)
            await asyncio.to_thread(postgres.start)
            await here.service.step(instance_id, FOUL, by())
            await here.service.step(instance_id, FOUL, by())
            assert await coming == [2, 3, 4]
    finally:
        there.stop()
        here.stop()


async def test_a_store_that_is_closed_decides_what_waits_and_refuses_what_comes(
    start: StartProcess, archive: Store
):
    process = start()
    first, second, third = [await opened(process.service) for _ in range(3)]
    gate, held_up = await hold_up(process)
    waiting = asyncio.create_task(process.service.step(first, FOUL, by()))
    await asyncio.sleep(0.05)
    closing = asyncio.create_task(asyncio.to_thread(process.store.close))
    await asyncio.sleep(0.05)
    gate.set()
    await asyncio.gather(held_up, closing)
    for step in (waiting, process.service.step(second, FOUL, by()), process.service.erase(third)):
        with pytest.raises(errors.StoreUnavailable, match="shutting down"):
            await step
    assert [len(journal_of(archive, ref)) for ref in (first, second, third)] == [1, 1, 1]
