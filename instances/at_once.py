"""Committing at once: on the event loop itself, where a commit waits for nobody.

Decides where and when that is so. What is not committed here, the writer's thread decides: it may wait.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Engine

from instances import sqlite
from instances.inserts import Conflict, Inserts, Rows, Unwritten

# The loop does nothing else meanwhile: some milliseconds at most.
LARGEST = 512
# Then the thread has a turn: its connection also empties SQLite's log, and waits for the disk to do so.
ROWS_UNTIL_EMPTIED = 4_000
# Whoever held the database a moment ago wants it again, and each attempt in vain costs a connection.
TURNS_AFTER_FAILURE = 50


class AtOnce:
    """Inserts that are committed, or given up, without waiting; for one thread at a time."""

    def __init__(self, engine: Engine) -> None:
        self._inserts = Inserts(engine, in_haste=True)
        self._rows = 0
        self._turns_left = 0

    def write(self, batch: Sequence[Rows]) -> bool:
        """Whether these rows are committed; if not, nothing of them was written.

        Raises:
            Lost: Nobody knows.
        """
        if not self._may(batch):
            return False
        try:
            self._inserts.write(batch)
        except (Conflict, Unwritten):
            self._turns_left = TURNS_AFTER_FAILURE
            return False
        return True

    def close(self) -> None:
        """Lets the connection go."""
        self._inserts.close()

    def _may(self, batch: Sequence[Rows]) -> bool:
        if self._turns_left:
            self._turns_left -= 1
            return False
        count = sum(len(mine) for rows in batch for mine in rows)
        self._rows += count
        if count > LARGEST or self._rows > ROWS_UNTIL_EMPTIED:
            self._rows = 0
            return False
        return True


def at_once(engine: Engine) -> AtOnce | None:
    """For a database whose commits go to the operating system and no further; None for any other."""
    waits = engine.dialect.name != "sqlite" or sqlite.waits_for_disk(engine)
    return None if waits else AtOnce(engine)
