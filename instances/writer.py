"""Group commit: whatever is waiting is committed together, at once or by a thread that may wait.

Decides when rows are written, and what is told when it is not certain that they were. How they are written
is in `inserts`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import NamedTuple

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from instances.at_once import at_once
from instances.errors import StoreUnavailable
from instances.inserts import Conflict, Inserts, Lost, Row, Rows, Unwritten

log = logging.getLogger(__name__)

# How long callers are kept waiting whose rows may or may not be there, because the database went away in the
# middle of a commit: most restarts take less, and only an answer keeps a caller from doing everything twice.
DOUBT_S = 20.0
DOUBT_PAUSE_S = 0.2

DOWN = "The database cannot be written to now; nothing was recorded and this did not happen. Try again."
REFUSED = "The database did not take this; nothing was recorded and this did not happen. Try again."
UNKNOWN = (
    "The database went away while this was being recorded, and it is not known whether it was. Look before "
    "you try again, or try again with the same Idempotency-Key."
)
CLOSED = "This server is shutting down; nothing was recorded and this did not happen. Try again."


class Decision(asyncio.Future[None]):
    """Done when it is known what became of rows; who waits and is cancelled leaves then, and not before."""

    def cancel(self, msg: object = None) -> bool:
        return False


class _Waiting(NamedTuple):
    rows: Rows
    work: Callable[[Connection], None] | None
    decision: Decision


@dataclass(frozen=True, slots=True)
class _Batch:
    """What the thread is handed. `lost`: a commit of it was tried, and nobody knows what became of that."""

    items: list[_Waiting]
    loop: asyncio.AbstractEventLoop
    lost: bool = False


Settled = list[tuple[_Waiting, Exception | None]]


class Writer:
    """The only writer of a store in this process; its calls belong to one event loop at a time."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._inserts = Inserts(engine)
        self._at_once = at_once(engine)
        self._queue: SimpleQueue[_Batch | None] = SimpleQueue()
        self._waiting: list[_Waiting] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = Event()
        self._in_doubt = False
        self._thread = Thread(target=self._run, name="journal-writer", daemon=True)
        self._thread.start()

    def write(self, *rows: Sequence[Row]) -> Decision:
        """Appends rows (one sequence per table of `TABLES`); done when they are committed.

        Raises:
            Conflict: If a primary key is taken, or a guard refuses; none of these rows is written.
            StoreUnavailable: If the database did not commit, or it is not known whether it did.
        """
        return self._submit(rows, None)

    def apply(self, work: Callable[[Connection], None]) -> Decision:
        """Runs other statements in a transaction of their own, in turn with the writes."""
        return self._submit((), work)

    def close(self) -> None:
        """Commits what was handed over and ends the thread; what is not, and what comes later, is refused."""
        self._closed.set()
        self._queue.put(None)
        self._thread.join()
        if self._at_once is not None:
            self._at_once.close()

    def _submit(self, rows: Rows, work: Callable[[Connection], None] | None) -> Decision:
        loop = asyncio.get_running_loop()
        decision = Decision(loop=loop)
        if self._closed.is_set() or self._in_doubt:
            decision.set_exception(StoreUnavailable(CLOSED if self._closed.is_set() else DOWN))
            return decision
        self._waiting.append(_Waiting(rows, work, decision))
        # One batch is under way at a time, so that everything that comes meanwhile makes up the next.
        if self._loop is not loop:
            self._loop = loop
            loop.call_soon(self._hand_over, loop)
        return decision

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._closed.is_set():
            self._refuse_waiting(CLOSED)
            return
        batch, self._waiting = self._waiting, []
        try:
            committed = self._commit_at_once(batch)
        except Lost as lost:
            log.warning("a commit was not confirmed: %s", lost)
            self._queue.put(_Batch(batch, loop, lost=True))
            return
        if committed:
            self._settle([(item, None) for item in batch], loop)
        else:
            self._queue.put(_Batch(batch, loop))

    def _commit_at_once(self, batch: list[_Waiting]) -> bool:
        """Whether these are committed without the thread: a hop to it and back costs more than the commit."""
        if self._at_once is None or any(item.work is not None for item in batch):
            return False
        return self._at_once.write([item.rows for item in batch])

    def _refuse_waiting(self, why: str) -> None:
        batch, self._waiting = self._waiting, []
        for item in batch:
            item.decision.set_exception(StoreUnavailable(why))

    def _settle(self, settled: Settled, loop: asyncio.AbstractEventLoop) -> None:
        for item, failure in settled:
            if failure is None:
                item.decision.set_result(None)
            else:
                item.decision.set_exception(failure)
        if self._waiting:
            self._hand_over(loop)
        else:
            self._loop = None

    def _run(self) -> None:
        while (batch := self._queue.get()) is not None:
            settled = self._resolve(batch.items) if batch.lost else self._commit(batch.items)
            if not batch.loop.is_closed():
                batch.loop.call_soon_threadsafe(self._settle, settled, batch.loop)
        self._inserts.close()

    def _commit(self, batch: list[_Waiting]) -> Settled:
        plain = [item for item in batch if item.work is None]
        settled = self._write(plain) if plain else []
        return settled + [(item, self._work(item.work)) for item in batch if item.work is not None]

    def _write(self, items: list[_Waiting]) -> Settled:
        """Commits these together, or those of them that can be."""
        try:
            self._inserts.write([item.rows for item in items])
        except Lost as lost:
            log.warning("the database went away during a commit: %s", lost)
            return self._resolve(items)
        except Unwritten as error:
            # Each would wait as long as they waited together for a database that is down or locked.
            if error.down or len(items) == 1:
                log.warning("rows were not written: %s", error)
                return [(item, StoreUnavailable(DOWN if error.down else REFUSED)) for item in items]
            return self._write_apart(items)
        except Conflict as conflict:
            return [(items[0], conflict)] if len(items) == 1 else self._write_apart(items)
        return [(item, None) for item in items]

    def _write_apart(self, items: list[_Waiting]) -> Settled:
        """One that cannot be written must not take its neighbours down."""
        half = len(items) // 2
        return self._write(items[:half]) + self._write(items[half:])

    def _resolve(self, items: list[_Waiting]) -> Settled:
        """Finds out what became of a transaction whose commit was not confirmed, by writing its rows again.

        If it is still under way, the second one waits for it; if it succeeded, the second one conflicts, and
        these very rows are there.
        """
        self._in_doubt = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._refuse_waiting, DOWN)
        deadline = monotonic() + DOUBT_S
        try:
            while monotonic() < deadline and not self._closed.wait(DOUBT_PAUSE_S):
                with suppress(Lost, Unwritten):
                    if self._write_again(items):
                        return [(item, None) for item in items]
                    return self._write(items)
        finally:
            self._in_doubt = False
        return [(item, StoreUnavailable(UNKNOWN)) for item in items]

    def _write_again(self, items: list[_Waiting]) -> bool:
        """Whether the rows are there now; if not, somebody else's are in their place."""
        try:
            self._inserts.write([item.rows for item in items])
        except Conflict:
            return any(self._inserts.hold(item.rows) for item in items)
        return True

    def _work(self, work: Callable[[Connection], None]) -> Exception | None:
        done = False

        def attempt() -> None:
            nonlocal done
            with self._engine.begin() as connection:
                work(connection)
                done = True

        try:
            try:
                attempt()
            except DBAPIError as error:
                # As with inserts: a stale connection says nothing about the database as it is now.
                if done or not error.connection_invalidated:
                    raise
                attempt()
        except DBAPIError as error:
            log.warning("a change was not recorded: %s", error)
            return StoreUnavailable(UNKNOWN if done else DOWN)
        except Exception as error:
            return error
        return None
