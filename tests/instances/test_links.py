"""What each link may do: a fork plays on elsewhere, a watch link only looks, an erased instance is gone."""

from __future__ import annotations

import pytest

from instances import errors, journal
from instances.schema import INSTANCES
from instances.store import Store
from tests.instances.conftest import StartProcess
from tests.instances.hunt import (
    FOUL,
    GAME,
    GIVE_UP,
    OPEN,
    SLUG,
    by,
    ended,
    episode_of,
    guess,
    journal_of,
    opened,
)


@pytest.mark.parametrize("at", [1, 2, 3, 4, 5])
async def test_a_fork_stands_where_the_original_stood(start: StartProcess, archive: Store, at: int):
    service = start().service
    origin = await opened(service, fouls=1)
    await service.step(origin, GIVE_UP, by())
    await service.reset(origin, OPEN, by())
    await service.step(origin, guess(1), by())
    fork = await service.fork(origin, at)
    held = await service.look(fork.id)
    assert held.episode == journal.fold(GAME, archive.entries(origin)[:at])
    assert episode_of(held).state.wins == 0
    journal_of(archive, fork.id)


async def test_a_fork_is_assisted_and_so_are_its_forks(start: StartProcess):
    service = start().service
    origin = await opened(service)
    fork = await service.fork(origin, 1)
    assert (await service.find(origin)).assisted is False
    assert fork.assisted
    assert (await service.fork(fork.id, 1)).assisted


async def test_playing_a_fork_never_changes_the_original(start: StartProcess, archive: Store):
    service = start().service
    origin = await opened(service, fouls=2)
    before, entries = await service.look(origin), archive.entries(origin)
    fork = await service.fork(origin, 2)
    await service.step(fork.id, GIVE_UP, by())
    await service.reset(fork.id, OPEN, by())
    await service.erase(fork.id)
    assert await service.look(origin) == before
    assert archive.entries(origin) == entries


@pytest.mark.parametrize("at", [0, 3, 2**31 - 1])
async def test_a_fork_at_an_entry_that_is_not_there_is_refused(start: StartProcess, at: int):
    service = start().service
    origin = await opened(service, fouls=1)
    with pytest.raises(errors.BadFork, match=f"no entry {at}; its last one is 2"):
        await service.fork(origin, at)


async def test_a_watch_link_reads_everything(start: StartProcess):
    service = start().service
    instance = await service.find(await opened(service, fouls=1))
    held = await service.look(instance.watch_id)
    assert held.read_only
    assert held.episode == (await service.look(instance.id)).episode
    assert await service.entries(instance.watch_id) == await service.entries(instance.id)
    assert await service.progress(instance.watch_id) == (2, 1, False)


async def test_a_watch_link_never_writes(start: StartProcess, archive: Store):
    service = start().service
    instance = await service.find(await opened(service))
    for attempt in (
        service.step(instance.watch_id, FOUL, by()),
        service.reset(instance.watch_id, OPEN, by()),
        service.fork(instance.watch_id, 1),
        service.erase(instance.watch_id),
    ):
        with pytest.raises(errors.ReadOnly, match="it may look, not act"):
            await attempt
    assert len(archive.entries(instance.id)) == 1
    assert archive.count() == 1


async def test_an_erased_instance_leaves_a_tombstone_without_label_and_rows(
    start: StartProcess, archive: Store
):
    service = start().service
    instance = await service.create(SLUG, label="Ada's first try")
    await service.reset(instance.id, OPEN, by("Ada", key="Ada-1"))
    await service.erase(instance.id)
    assert ended(archive, instance.id) == "erased"
    assert archive.entries(instance.id) == ()
    assert archive.key(instance.id, "Ada-1") is None


async def test_an_erased_instance_is_gone_for_every_call(start: StartProcess):
    process = start()
    service = process.service
    instance = await service.find(await opened(service))
    await service.erase(instance.id)
    for look_again in (service, start().service):
        for ref in (instance.id, instance.watch_id):
            for attempt in (
                look_again.look(ref),
                look_again.find(ref),
                look_again.step(ref, FOUL, by()),
                look_again.reset(ref, OPEN, by()),
                look_again.fork(ref, 1),
                look_again.erase(ref),
                look_again.entries(ref),
                look_again.transcript(ref, 0, 10),
            ):
                with pytest.raises(errors.Gone, match="was erased"):
                    await attempt


async def test_the_commons_cannot_be_erased(start: StartProcess, archive: Store):
    service = start().service
    commons = await service.commons(SLUG)
    await service.reset(commons.id, OPEN, by())
    with pytest.raises(errors.ReadOnly, match="belongs to everybody"):
        await service.erase(commons.id)
    assert len(archive.entries(commons.id)) == 1


async def test_an_instance_that_does_not_replay_can_still_be_erased(start: StartProcess, archive: Store):
    process = start()
    instance_id = await opened(process.service)
    process.stop()
    with archive.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE journal SET digest = 'tampered'")
    await start().service.erase(instance_id)
    assert archive.entries(instance_id) == ()


async def test_ids_are_128_bit_and_nobody_elses(start: StartProcess, archive: Store):
    service = start().service
    made = [await service.create(SLUG) for _ in range(5)]
    links = {link for instance in made for link in (instance.id, instance.watch_id)}
    assert len(links) == 10
    assert all(len(bytes.fromhex(link)) == 16 for link in links)
    with archive.engine.connect() as connection:
        assert len(connection.execute(INSTANCES.select()).all()) == 5


async def test_an_unknown_link_is_told_where_to_get_one(start: StartProcess):
    service = start().service
    for ref in ("", "nobody", "x" * 100_000, "a\x00b", "%", "'; DROP TABLE journal; --"):
        with pytest.raises(errors.UnknownInstance, match="POST /instances"):
            await service.look(ref)
