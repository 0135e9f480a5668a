"""Tidying ends what was abandoned and shortens what grew too long, and changes nothing that is played."""

from __future__ import annotations

import pytest

from envs.kernel.records import digest
from instances import errors, journal
from instances.store import Store
from tests.instances.conftest import Clock, StartProcess
from tests.instances.hunt import FOUL, GAME, GIVE_UP, OPEN, SLUG, by, ended, episode_of, opened, taken

DAY_S = 86_400.0
WEEK_S = 7 * DAY_S


async def test_an_unfinished_instance_expires_when_nobody_came_back(
    start: StartProcess, archive: Store, clock: Clock
):
    service = start(unfinished_s=WEEK_S).service
    played = await opened(service, fouls=1)
    untouched = (await service.create(SLUG, label="Ada")).id
    clock.now += WEEK_S + 1
    assert await service.tidy() == 2
    for instance_id in (played, untouched):
        with pytest.raises(errors.Gone, match="left unfinished for too long"):
            await service.look(instance_id)
        assert ended(archive, instance_id) == "expired"
        assert archive.entries(instance_id) == ()
    assert await service.tidy() == 0


async def test_an_instance_expires_a_while_after_its_last_entry_not_after_its_first(
    start: StartProcess, clock: Clock
):
    service = start(unfinished_s=WEEK_S).service
    instance_id = await opened(service)
    clock.now += WEEK_S - 1
    await service.step(instance_id, FOUL, by())
    clock.now += WEEK_S - 1
    assert await service.tidy() == 0
    assert (await service.look(instance_id)).n == 2


async def test_a_finished_instance_is_kept_for_good(start: StartProcess, clock: Clock):
    service = start(unfinished_s=WEEK_S).service
    instance_id = await opened(service)
    await service.step(instance_id, GIVE_UP, by())
    clock.now += 100 * WEEK_S
    assert await service.tidy() == 0
    assert episode_of(await service.look(instance_id)).done


async def test_the_commons_never_expire(start: StartProcess, clock: Clock):
    service = start(unfinished_s=WEEK_S).service
    commons = await service.commons(SLUG)
    await service.reset(commons.id, OPEN, by())
    clock.now += 100 * WEEK_S
    assert await service.tidy() == 0
    assert (await service.look(commons.id)).n == 1


async def test_an_overlong_journal_loses_its_oldest_episodes_and_keeps_its_fold(
    start: StartProcess, archive: Store
):
    process = start(instance_entries=10)
    service = process.service
    instance_id = await opened(service)
    for _ in range(7):
        await service.step(instance_id, GIVE_UP, by())
        await service.reset(instance_id, OPEN, by())
    await service.step(instance_id, FOUL, by(key="k"))
    before = await service.look(instance_id)
    await service.tidy()
    kept = archive.entries(instance_id)
    assert (kept[0].kind, kept[0].n, kept[-1].n) == ("reset", 5, 16)
    assert journal.fold(GAME, kept) == before.episode
    process.stop()
    reread = start(instance_entries=10).service
    assert await reread.look(instance_id) == before
    assert (await reread.step(instance_id, FOUL, by(key="k"))).replayed
    answer = await reread.step(instance_id, GIVE_UP, by())
    assert answer.entry.n == 17
    assert answer.entry.digest == digest(episode_of(answer.held).state)


async def test_a_single_overlong_episode_is_not_cut(start: StartProcess, archive: Store):
    service = start(instance_entries=10).service
    instance_id = await opened(service, fouls=14)
    await service.tidy()
    assert len(archive.entries(instance_id)) == 15


async def test_a_key_of_a_forgotten_entry_is_forgotten_with_it(start: StartProcess, archive: Store):
    service = start(instance_entries=10).service
    instance_id = await opened(service)
    await service.step(instance_id, FOUL, by(key="old"))
    for _ in range(12):
        await service.reset(instance_id, OPEN, by())
    await service.tidy()
    assert archive.key(instance_id, "old") is None
    assert not (await service.step(instance_id, FOUL, by(key="old"))).replayed


async def test_an_expired_instance_sends_its_listeners_away(start: StartProcess, clock: Clock):
    service = start(unfinished_s=WEEK_S).service
    instance_id = await opened(service)
    feed = service.feed(instance_id, 0)
    assert await anext(feed) is None
    assert await taken(feed, 1) == [1]
    clock.now += WEEK_S + 1
    await service.tidy()
    with pytest.raises(StopAsyncIteration):
        await anext(feed)
