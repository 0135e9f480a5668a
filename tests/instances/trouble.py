"""What tests do to a process and its database, and how they see what came of it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from typing import Any

import psycopg
from sqlalchemy import event, make_url

from tests.instances.conftest import Process


def commits(process: Process) -> int:
    """How many transactions that wrote something have been committed so far."""
    if process.store.engine.dialect.name == "sqlite":
        return sum(statement.startswith("COMMIT") for statement in process.statements)
    # Only who writes gets a number, and the tests' server does nothing by itself.
    with process.store.engine.connect() as connection:
        return int(connection.exec_driver_sql("SELECT pg_snapshot_xmax(pg_current_snapshot())").scalar_one())


async def hold_up(process: Process) -> tuple[Event, asyncio.Future[None]]:
    """Makes the writer wait until the event is set, so that calls can be caught before their commit."""
    gate, reached = Event(), Event()

    def wait(_connection: object) -> None:
        reached.set()
        gate.wait(10)

    held_up = process.store.writer.apply(wait)
    await asyncio.to_thread(reached.wait, 10)
    return gate, held_up


def disconnect(process: Process) -> None:
    """Breaks every connection that the process has opened."""
    for connection in process.connections:
        connection.close()


@contextmanager
def read_only(process: Process) -> Iterator[None]:
    """Makes every connection that the process has opened, or opens meanwhile, refuse to write."""
    for connection in process.connections:
        _refuse_writes(connection, None)
    event.listen(process.store.engine, "connect", _refuse_writes)
    yield
    event.remove(process.store.engine, "connect", _refuse_writes)


def _refuse_writes(connection: Any, _record: object) -> None:
    if isinstance(connection, sqlite3.Connection):
        connection.execute("PRAGMA query_only=ON")
    elif not connection.closed:
        connection.execute("SET default_transaction_read_only = on")
        connection.commit()


@contextmanager
def locked(url: str) -> Iterator[None]:
    """Keeps everybody from writing to the journal meanwhile."""
    if url.startswith("sqlite"):
        with sqlite3.connect(make_url(url).database or "", isolation_level=None) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")
        other.close()
    else:
        with psycopg.connect(url.replace("+psycopg", "")) as server:
            server.execute("LOCK TABLE journal IN EXCLUSIVE MODE")
            yield
            server.rollback()
