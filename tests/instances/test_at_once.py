"""On SQLite a commit that waits for nothing is made on the event loop, every other one by the thread."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event

from instances.at_once import LARGEST, ROWS_UNTIL_EMPTIED
from instances.store import Store, open_engine
from tests.instances.conftest import Process, StartProcess
from tests.instances.hunt import FOUL, SLUG, by, journal_of, opened
from tests.instances.trouble import locked

INSTANCE = ("i", "w", SLUG, 1, "", 1.0, False, None, None, None)


@pytest.fixture
def store_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'auditorium.db'}"


async def test_a_step_is_committed_by_the_thread_that_plays_it(start: StartProcess):
    process = start()
    instance_id = await opened(process.service)
    with committers(process) as threads:
        await asyncio.gather(*(process.service.step(instance_id, FOUL, by()) for _ in range(2)))
    assert threads == [threading.current_thread().name] * 2


async def test_steps_of_one_turn_of_the_loop_are_one_commit(start: StartProcess):
    process = start()
    ids = [await opened(process.service) for _ in range(20)]
    with committers(process) as threads:
        await asyncio.gather(*(process.service.step(instance_id, FOUL, by()) for instance_id in ids))
    assert len(threads) == 1


async def test_a_store_that_waits_for_the_disk_is_written_by_the_thread_that_may_wait(store_url: str):
    engine = open_engine(store_url, synchronous="FULL")
    threads: list[str] = []
    event.listen(engine, "connect", lambda connection, _: note_commits(connection, threads))
    store = Store(engine)
    threads.clear()
    await store.writer.write([INSTANCE])
    store.close()
    assert threads == ["journal-writer"]


async def test_the_loop_goes_on_while_another_process_has_the_database(
    start: StartProcess, archive: Store, store_url: str
):
    process = start()
    instance_id = await opened(process.service)
    with locked(store_url):
        step = asyncio.create_task(process.service.step(instance_id, FOUL, by()))
        await asyncio.sleep(0.1)
        assert not step.done()
    assert (await step).entry == journal_of(archive, instance_id)[-1]


async def test_a_commit_that_is_not_confirmed_is_found_out_about(start: StartProcess, archive: Store):
    process = start()
    instance_id = await opened(process.service)
    for connection in process.connections:
        connection.set_authorizer(refuse_to_commit)
    answer = await process.service.step(instance_id, FOUL, by())
    assert journal_of(archive, instance_id)[1:] == (answer.entry,)


async def test_the_log_stops_growing_however_much_is_written(store_url: str, tmp_path: Path):
    store = Store(open_engine(store_url))
    await store.writer.write([INSTANCE])
    sizes: list[int] = []
    for first in range(1, 3 * ROWS_UNTIL_EMPTIED, LARGEST):
        await store.writer.write((), [row(n) for n in range(first, first + LARGEST)])
        sizes.append((tmp_path / "auditorium.db-wal").stat().st_size)
    store.close()
    assert sizes[-1] < 1.2 * sizes[len(sizes) // 2]


def row(n: int) -> tuple[object, ...]:
    """An entry that fills most of a page."""
    return ("i", n, "step", "human", "", "ui", 1.0, "x" * 3_000, None, None, "RUNNING", "{}", "0" * 32)


def refuse_to_commit(action: int, what: str | None, *_: object) -> int:
    """Denies every commit, as a disk does that fails in the middle of one."""
    denied = action == sqlite3.SQLITE_TRANSACTION and what == "COMMIT"
    return sqlite3.SQLITE_DENY if denied else sqlite3.SQLITE_OK


@contextmanager
def committers(process: Process) -> Iterator[list[str]]:
    """The names of the threads that commit meanwhile, one for each commit."""
    threads: list[str] = []
    for connection in process.connections:
        note_commits(connection, threads)
    yield threads


def note_commits(connection: sqlite3.Connection, threads: list[str]) -> None:
    def note(statement: str) -> None:
        if statement.startswith("COMMIT"):
            threads.append(threading.current_thread().name)

    connection.set_trace_callback(note)
