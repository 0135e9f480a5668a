"""Patience: how long a source is looked at when it is opened, and what is left out where that is too short.

A view is a program that somebody else wrote: all views together get a few seconds, each of them fewer. Leaves
to `profiling` what is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import monotonic

from agents.analyst.engines.database import Limits
from envs.analyst.catalogue import Note, NoteCode
from envs.analyst.problems import Stopped

TABLES_S = 40.0
VIEWS_S = 8.0
VIEW_S = 3.0
TOO_MUCH = "it takes more time or memory to read than there is"

NextLimits = Callable[[], Limits]
"""What the next query may use.

Raises:
    Stopped: If nothing is left.
"""


class Patience:
    """What is left of the time for one source.

    Args:
        tables_s: For all tables.
        views_s, view_s: For all views, and for one.
    """

    def __init__(self, tables_s: float = TABLES_S, views_s: float = VIEWS_S, view_s: float = VIEW_S) -> None:
        self._left = {False: tables_s, True: views_s}
        self._view_s = view_s
        self._notes: list[Note] = []

    @contextmanager
    def over(self, *, view: bool) -> Generator[NextLimits]:
        """Looks at one table or view; the time that it takes is gone for the others."""
        allowed = min(self._view_s, self._left[True]) if view else self._left[False]
        began = monotonic()

        def limits() -> Limits:
            left = began + allowed - monotonic()
            if left <= 0:
                raise Stopped(f"it took longer than {allowed:.3g} s")
            return Limits(elapsed_s=left)

        try:
            yield limits
        finally:
            self._left[view] -= monotonic() - began

    def leave_out(self, table: str, why: str) -> None:
        """Says that a table or view is not in the catalogue."""
        text = f"{table!r} is left out, because {why}; save its rows as a table to ask about them."
        self._notes.append(Note(code=NoteCode.LEFT_OUT, text=text, table_id=table))

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was left out."""
        return tuple(self._notes)
