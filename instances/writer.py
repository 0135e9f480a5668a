"""Group commit: one thread that commits together whatever is waiting.

The rows go to the driver's `executemany`: SQLAlchemy's per-statement layer costs as
much as the whole rest of a step.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from queue import SimpleQueue
from threading import Thread
from typing import Any

from sqlalchemy import Connection, Engine, Table, insert
from sqlalchemy.exc import DBAPIError

from instances.errors import StoreUnavailable
from instances.schema import TABLES

# SQLite's driver lets go of the interpreter for every statement and must win it back from a busy event loop:
# many rows to a statement make few of these waits.
BUNDLES = (64, 8, 1)

Row = tuple[Any, ...]
Rows = tuple[Sequence[Row], ...]
"""Rows for each of `TABLES`, in that order."""


class Conflict(Exception):
    """Another writer took this place in the journal first; nothing was written."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    rows: Rows
    work: Callable[[Connection], None] | None
    future: asyncio.Future[None]


Settled = list[tuple[_Waiting, Exception | None]]


class Writer:
    """The only writer of a store in this process; its calls belong to one event loop at a time."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        driver = engine.dialect.loaded_dbapi
        self._integrity_error: type[Exception] = driver.IntegrityError
        self._down: tuple[type[Exception], ...] = (driver.OperationalError, driver.InterfaceError)
        self._statements = [[(size, _statement(table, engine, size)) for size in BUNDLES] for table in TABLES]
        self._queue: SimpleQueue[tuple[list[_Waiting], asyncio.AbstractEventLoop] | None] = SimpleQueue()
        self._waiting: list[_Waiting] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._raw: Any = None
        self._thread = Thread(target=self._run, name="journal-writer", daemon=True)
        self._thread.start()

    def write(self, *rows: Sequence[Row]) -> asyncio.Future[None]:
        """Appends rows (one sequence per table of `TABLES`); done when they are committed.

        Raises:
            Conflict: If a primary key is taken; none of these rows is written.
            StoreUnavailable: If the database did not commit.
        """
        return self._submit(rows, None)

    def apply(self, work: Callable[[Connection], None]) -> asyncio.Future[None]:
        """Runs other statements in a transaction of their own, in turn with the writes."""
        return self._submit((), work)

    def close(self) -> None:
        """Commits what was handed over and ends the thread."""
        self._queue.put(None)
        self._thread.join()

    def _submit(self, rows: Rows, work: Callable[[Connection], None] | None) -> asyncio.Future[None]:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()
        self._waiting.append(_Waiting(rows, work, future))
        # One batch is under way at a time, so that everything that comes meanwhile makes up the next.
        if self._loop is not loop:
            self._loop = loop
            loop.call_soon(self._hand_over, loop)
        return future

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        batch, self._waiting = self._waiting, []
        self._queue.put((batch, loop))

    def _settle(self, settled: Settled, loop: asyncio.AbstractEventLoop) -> None:
        for item, failure in settled:
            if item.future.cancelled():
                continue
            if failure is None:
                item.future.set_result(None)
            else:
                item.future.set_exception(failure)
        if self._waiting:
            self._hand_over(loop)
        else:
            self._loop = None

    def _run(self) -> None:
        while (handed := self._queue.get()) is not None:
            batch, loop = handed
            settled = self._commit(batch)
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._settle, settled, loop)
        if self._raw is not None:
            self._raw.close()

    def _commit(self, batch: list[_Waiting]) -> Settled:
        plain = [item for item in batch if item.work is None]
        settled: Settled = []
        if plain:
            failure = self._insert([item.rows for item in plain])
            # Each would wait as long as they waited together for a database that is down or locked.
            if failure is None or len(plain) == 1 or isinstance(failure.__cause__, self._down):
                settled = [(item, failure) for item in plain]
            else:
                # One conflict must not take its neighbours down: each gets its own transaction.
                settled = [(item, self._insert([item.rows])) for item in plain]
        settled += [(item, self._work(item.work)) for item in batch if item.work is not None]
        return settled

    def _insert(self, batch: Sequence[Rows]) -> Exception | None:
        try:
            if self._raw is None:
                self._raw = self._engine.raw_connection()
            cursor = self._raw.cursor()
            for index, statements in enumerate(self._statements):
                rows = [row for rows in batch if index < len(rows) for row in rows[index]]
                for size, statement in statements:
                    cut = len(rows) - len(rows) % size
                    if cut:
                        bundles = [tuple(chain(*rows[i : i + size])) for i in range(0, cut, size)]
                        cursor.executemany(statement, bundles)
                        rows = rows[cut:]
            self._raw.commit()
            cursor.close()
            return None
        except self._integrity_error as error:
            self._abandon()
            return Conflict(str(error))
        except Exception as error:
            self._abandon()
            failure = StoreUnavailable(f"The step was not recorded and did not happen ({error}); try again.")
            failure.__cause__ = error
            return failure

    def _abandon(self) -> None:
        raw, self._raw = self._raw, None
        if raw is not None:
            # A connection that is lost cannot be closed in good order either.
            with suppress(Exception):
                raw.close()

    def _work(self, work: Callable[[Connection], None]) -> Exception | None:
        try:
            with self._engine.begin() as connection:
                work(connection)
            return None
        except DBAPIError as error:
            return StoreUnavailable(f"The change was not recorded and did not happen ({error}); try again.")
        except Exception as error:
            return error


def _statement(table: Table, engine: Engine, rows: int) -> str:
    """An insert of `rows` rows, its parameters in the driver's positional style."""
    style = "qmark" if engine.dialect.name == "sqlite" else "format"
    dialect = type(engine.dialect)(paramstyle=style)  # pyright: ignore[reportCallIssue]
    head, values = str(insert(table).compile(dialect=dialect)).split(" VALUES ")
    return f"{head} VALUES {', '.join([values] * rows)}"
