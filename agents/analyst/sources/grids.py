"""Grids: rows of texts with named columns, whatever file they come from.

Decides what the columns are called. Leaves to `delimited` and `sheets` how files are cut into rows, and to
`importing` which types the columns have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from envs.analyst.catalogue import Note, NoteCode

Chunk = tuple[list[int], list[list[str | None]]]
"""Line numbers, and as many values of each column."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as a file has it.

    Attributes:
        name: What the table is called.
        columns: Distinct names, as they were typed where that is possible.
        chunks: The rows in pieces; read once.
        dated: Columns of which most cells are formatted as dates, so that a text among them is a fault.
    """

    name: str
    columns: tuple[str, ...]
    chunks: Iterator[Chunk]
    notes: tuple[Note, ...] = ()
    dated: frozenset[str] = frozenset()


def named(table: str, typed: Sequence[str]) -> tuple[tuple[str, ...], tuple[Note, ...]]:
    """Distinct names for columns: as typed, on one line; a repeated name gets a number that is still free."""
    clean = [" ".join(name.split()) or f"column {at + 1}" for at, name in enumerate(typed)]
    taken = {name.lower() for name in clean}
    seen: set[str] = set()
    names: list[str] = []
    notes: list[Note] = []
    for name in clean:
        given = name
        if name.lower() in seen:
            number = 2
            while f"{name}_{number}".lower() in taken:
                number += 1
            given = f"{name}_{number}"
            taken.add(given.lower())
            notes.append(_renamed(table, name, given))
        seen.add(given.lower())
        names.append(given)
    return tuple(names), tuple(notes)


def _renamed(table: str, name: str, given: str) -> Note:
    return Note(
        code=NoteCode.RENAMED_COLUMN,
        text=f"Several columns are called {name!r}; this one is {given!r} here.",
        table_id=table,
        column=given,
        options=(given, name),
    )
