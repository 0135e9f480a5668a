"""Hearing: how a process learns, without asking, that others have committed something.

Decides nothing about it: whoever is told looks at the store, which alone is right.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread

from sqlalchemy import Engine

from instances import guards, postgres, sqlite

Told = Callable[[str | None, int | None], None]
"""Called in another thread with an instance (None: any) and its newest entry's number (None: look for it)."""


class Hearing:
    """A thread that listens to the store until it is closed.

    Args:
        peers: Of a SQLite store.
    """

    def __init__(self, engine: Engine, peers: sqlite.Peers | None, told: Told) -> None:
        self._engine = engine
        self._peers = peers
        self._told = told
        self._closing = Event()
        self._thread = Thread(target=self._run, name="journal-listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the thread."""
        self._closing.set()
        self._thread.join()

    def _run(self) -> None:
        if self._peers is not None:
            sqlite.listen(self._engine, self._peers, self._closing, self._missed)
        else:
            postgres.listen(self._engine, guards.CHANNEL, self._closing, self._missed, self._announced)

    def _missed(self) -> None:
        self._told(None, None)

    def _announced(self, notice: str) -> None:
        instance_id, _, newest = notice.rpartition(" ")
        self._told(instance_id, int(newest) if newest.isdecimal() else None)
