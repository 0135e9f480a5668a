"""SQLite: how its file is opened, and whether other processes have it open too.

Knows no table.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable
from pathlib import Path
from sqlite3 import OperationalError
from threading import Event
from typing import Any

from sqlalchemy import URL, Engine, create_engine, event

POLL_S = 0.2


def engine(address: URL, synchronous: str) -> Engine:
    """An engine over the file at this address, made when it is not there."""
    if address.database:
        Path(address.database).parent.mkdir(parents=True, exist_ok=True)
    opened = create_engine(address)

    def tune(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA busy_timeout=10000")
        _to_wal(cursor)
        cursor.execute(f"PRAGMA synchronous={synchronous}")
        cursor.close()

    event.listen(opened, "connect", tune)
    return opened


def _to_wal(cursor: Any) -> None:
    """Switches to write-ahead logging; the driver does not wait for others who switch at the same moment."""
    for pause_s in (0.02, 0.1, 0.5, 2.0, 5.0):
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except OperationalError:
            time.sleep(pause_s)
    cursor.execute("PRAGMA journal_mode=WAL")


def waits_for_disk(opened: Engine) -> bool:
    """Whether each commit waits until it is on the disk."""
    with opened.connect() as connection:
        return connection.exec_driver_sql("PRAGMA synchronous").scalar_one() > 1


def hasten(raw: Any) -> None:
    """Makes a connection wait for nothing: neither for another's lock nor for the disk, to empty the log."""
    for setting in ("busy_timeout", "wal_autocheckpoint"):
        raw.cursor().execute(f"PRAGMA {setting}=0")


class Peers:
    """Whether other processes use the same database file, now or since this one opened it.

    Beside the database stands a file in which every process leaves one byte when it opens the store, and
    which it keeps locked: a later process shows in the length, an earlier one in the lock. Asking costs one
    system call, so that a process that is alone need not ask the database what others have written.
    """

    def __init__(self, opened: Engine) -> None:
        with opened.connect() as connection:
            # Who starts at the same moment waits: between two locks a file is free for an instant.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            self._enter(f"{opened.url.database}-peers")

    @property
    def met(self) -> bool:
        """Once true it stays so: what a process did before it left is to be seen too."""
        return not self._first or os.fstat(self._file.fileno()).st_size != self._length

    def close(self) -> None:
        self._file.close()

    def _enter(self, path: str) -> None:
        self._file = Path(path).open("ab", buffering=0)  # noqa: SIM115 - it holds the lock
        self._file.write(b".")
        self._length = self._file.tell()
        self._first = self._lock(fcntl.LOCK_EX | fcntl.LOCK_NB)
        self._lock(fcntl.LOCK_SH)

    def _lock(self, how: int) -> bool:
        try:
            fcntl.flock(self._file, how)
        except BlockingIOError:
            return False
        return True


def listen(opened: Engine, peers: Peers, closing: Event, told: Callable[[], None]) -> None:
    """Calls `told` whenever another process may have committed something, until `closing` is set."""
    raw = opened.raw_connection()
    seen = None
    while not closing.wait(POLL_S):
        if not peers.met:
            continue
        (version,) = raw.cursor().execute("PRAGMA data_version").fetchone()
        if version != seen:
            told()
        seen = version
    raw.close()
