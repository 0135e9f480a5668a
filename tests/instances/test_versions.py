"""An instance of an older version can be read and not continued; one that does not replay is told apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy import Connection, insert, select, update

from instances import errors
from instances.schema import JOURNAL
from instances.service import Service
from instances.store import Store
from tests.instances.conftest import StartProcess
from tests.instances.hunt import FOUL, GIVE_UP, OPEN, SLUG, by, guess, opened
from tests.tiny import TINY, NumberHunt


class NextNumberHunt(NumberHunt):
    """The same game after a change that makes scores incomparable."""

    version = 2


NEXT = {SLUG: replace(TINY[SLUG], environment=NextNumberHunt())}


@pytest.fixture
async def retired(start: StartProcess) -> str:
    """The id of an instance that was played on version 1."""
    process = start()
    instance_id = await opened(process.service, fouls=1)
    process.stop()
    return instance_id


async def test_a_retired_instance_can_be_read(start: StartProcess, retired: str):
    service = start(NEXT).service
    instance = await service.find(retired)
    assert instance.version == 1
    entries, _ = await service.transcript(retired, 0, 10)
    assert [entry.n for entry in entries] == [1, 2]
    assert await service.entries(instance.watch_id) == entries
    assert await service.progress(retired) == (2, 1, False)
    assert await service.actors(retired) == ((by().actor, 2),)
    feed = service.feed(retired, 0)
    assert [await anext(feed) for _ in range(3)] == [None, *entries]
    await feed.aclose()


async def test_a_retired_instance_is_not_continued(start: StartProcess, archive: Store, retired: str):
    service = start(NEXT).service
    for attempt in (
        service.look(retired),
        service.step(retired, FOUL, by()),
        service.reset(retired, OPEN, by()),
        service.fork(retired, 1),
    ):
        with pytest.raises(errors.Retired, match="version 1; version 2 runs now"):
            await attempt
    assert len(archive.entries(retired)) == 2


async def test_a_retired_instance_can_be_erased(start: StartProcess, archive: Store, retired: str):
    service = start(NEXT).service
    await service.erase(retired)
    assert archive.entries(retired) == ()
    with pytest.raises(errors.Gone):
        await service.find(retired)


async def test_a_new_version_has_commons_of_its_own(start: StartProcess):
    process = start()
    old = await process.service.commons(SLUG)
    process.stop()
    service = start(NEXT).service
    new = await service.commons(SLUG)
    assert (old.id, new.id) == ("default-number-hunt-v1", "default-number-hunt-v2")
    with pytest.raises(errors.ReadOnly):
        await service.erase(old.id)


def _another_action(connection: Connection) -> None:
    _change(connection, 2, body='{"move":"guess","number":2}')


def _an_unreadable_action(connection: Connection) -> None:
    _change(connection, 2, body='{"move":')


def _an_unknown_action(connection: Connection) -> None:
    _change(connection, 2, body='{"move":"dance"}')


def _another_digest(connection: Connection) -> None:
    _change(connection, 2, digest="0" * 32)


def _another_seed(connection: Connection) -> None:
    _change(connection, 1, seed=99)


def _another_memory(connection: Connection) -> None:
    _change(connection, 1, memory='{"hunts":7,"wins":7}')


def _no_reset(connection: Connection) -> None:
    connection.execute(JOURNAL.delete().where(JOURNAL.c.n == 1))


def _a_missing_step(connection: Connection) -> None:
    connection.execute(JOURNAL.delete().where(JOURNAL.c.n == 2))


def _a_step_after_the_end(connection: Connection) -> None:
    last = connection.execute(JOURNAL.select().where(JOURNAL.c.n == 4)).one()
    connection.execute(insert(JOURNAL).values({**last._asdict(), "n": 5}))


def _another_outcome(connection: Connection) -> None:
    outcome = connection.execute(select(JOURNAL.c.outcome).where(JOURNAL.c.n == 2)).scalar_one()
    _change(connection, 2, outcome=outcome.replace("-0.1", "1.0"))


def _another_status(connection: Connection) -> None:
    _change(connection, 2, status="TERMINATED")


def _an_unknown_kind(connection: Connection) -> None:
    _change(connection, 2, kind="dream")


def _an_unknown_status(connection: Connection) -> None:
    _change(connection, 2, status="DREAMING")


def _an_unknown_actor(connection: Connection) -> None:
    _change(connection, 2, actor_kind="ghost")


TAMPERINGS = [
    _another_action,
    _an_unreadable_action,
    _an_unknown_action,
    _another_digest,
    _another_seed,
    _another_memory,
    _no_reset,
    _a_missing_step,
    _a_step_after_the_end,
    _another_outcome,
    _another_status,
    _an_unknown_kind,
    _an_unknown_status,
    _an_unknown_actor,
]


@pytest.mark.parametrize(
    "tamper", TAMPERINGS, ids=lambda tamper: tamper.__name__.strip("_").replace("_", "-")
)
async def test_a_journal_that_was_tampered_with_is_not_continued(
    start: StartProcess, archive: Store, tamper: Callable[[Connection], None]
):
    process = start()
    instance_id, neighbour = await _finished(process.service), await opened(process.service)
    process.stop()
    with archive.engine.begin() as connection:
        connection.execute(JOURNAL.delete().where(JOURNAL.c.instance_id == neighbour))
        tamper(connection)
    service = start().service
    for attempt in (service.look(instance_id), service.step(instance_id, FOUL, by())):
        with pytest.raises(errors.Diverged, match="cannot be continued"):
            await attempt
    assert (await service.look(neighbour)).n == 0


async def test_a_retry_of_an_entry_that_was_tampered_with_is_told_so(start: StartProcess, archive: Store):
    service = start().service
    instance_id = await opened(service)
    await service.step(instance_id, FOUL, by(key="k"))
    await service.reset(instance_id, OPEN, by())
    with archive.engine.begin() as connection:
        _change(connection, 2, digest="0" * 32)
    with pytest.raises(errors.Diverged):
        await service.step(instance_id, FOUL, by(key="k"))


async def _finished(service: Service) -> str:
    instance_id = await opened(service, fouls=1)
    await service.step(instance_id, guess(1), by())
    await service.step(instance_id, GIVE_UP, by())
    return instance_id


def _change(connection: Connection, n: int, **values: object) -> None:
    connection.execute(update(JOURNAL).where(JOURNAL.c.n == n).values(**values))
