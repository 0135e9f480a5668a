"""The shelf: the sources that were uploaded to one analysis, each in a folder of its own.

A file that cannot be read leaves nothing behind; one that can is imported once and only read from then on.
Leaves to others whose analysis it is, which id a source gets, and how much memory and time there is.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePath
from typing import assert_never

from agents.analyst.engines import Database
from agents.analyst.sources.decoding import decoded
from agents.analyst.sources.delimited import read_delimited
from agents.analyst.sources.documents import read_text
from agents.analyst.sources.entry import DUCKDB, SQLITE, Entry, Kind, has_entry, kind_of, looked_at, opened
from agents.analyst.sources.grids import Grid
from agents.analyst.sources.importing import Imported, imported
from agents.analyst.sources.library import Library
from agents.analyst.sources.pdf import read_pdf
from agents.analyst.sources.receiving import Readings, UploadLimits, UploadRefused, too_many
from agents.analyst.sources.sheets import read_workbook
from agents.analyst.sources.tables import imported_parquet
from envs.analyst.catalogue import Note, Source
from envs.analyst.problems import Stopped, Unavailable

_OTHER = re.compile(r"\W+")


class Shelf:
    """The uploads of one analysis, in one folder."""

    def __init__(self, folder: Path, limits: UploadLimits | None = None) -> None:
        self._folder = folder
        self._limits = limits or UploadLimits()

    def receive(
        self, filename: str, content: bytes, source_id: str, readings: Readings | None = None
    ) -> Source:
        """Takes a file as a source.

        Args:
            filename: As the person has it; only its last part counts.
            source_id: A new one.
        Raises:
            UploadRefused: If the file is not taken; nothing of it is kept then.
            MemoryError, duckdb.OutOfMemoryException: If it needs more than there is.
        """
        name = PurePath(filename.replace("\\", "/")).name[:200] or "upload"
        if len(content) > self._limits.size:
            raise too_many("bytes", len(content), self._limits.size)
        if not content.strip():
            raise UploadRefused("empty", f"{name} is empty")
        arriving = self._arriving(source_id)
        arriving.mkdir(parents=True)
        try:
            entry = self._import(arriving, name, content, source_id, readings or Readings())
            source = looked_at(arriving, entry)
            arriving.rename(self._folder / source_id)
        except (Stopped, Unavailable) as error:
            raise UploadRefused("unreadable", f"{name} cannot be read; {error}") from error
        finally:
            self.discard(source_id)
        return source

    def discard(self, source_id: str) -> None:
        """Deletes what is left of a source that was never read in whole."""
        shutil.rmtree(self._arriving(source_id), ignore_errors=True)

    def ids(self) -> tuple[str, ...]:
        """The sources that are there, the newest last."""
        found = [each for each in self._folder.glob("*") if has_entry(each) and each.name[0] != "."]
        return tuple(each.name for each in sorted(found, key=lambda each: each.stat().st_mtime_ns))

    def open(self, source_id: str) -> Database | Library:
        """A source to ask or to search.

        Raises:
            KeyError: If there is none of that id.
        """
        if source_id not in self.ids():
            raise KeyError(source_id)
        return opened(self._folder / source_id)

    def remove(self, source_id: str) -> None:
        """Deletes a source with everything of it.

        Raises:
            KeyError: If there is none of that id.
        """
        if source_id not in self.ids():
            raise KeyError(source_id)
        shutil.rmtree(self._folder / source_id)

    def _arriving(self, source_id: str) -> Path:
        return self._folder / f".arriving-{source_id}"

    def _import(self, folder: Path, name: str, content: bytes, source_id: str, readings: Readings) -> Entry:
        kind = kind_of(name, content)
        entry = Entry(source_id=source_id, filename=name, kind=kind)
        if readings != Readings() and kind not in (Kind.DELIMITED, Kind.WORKBOOK):
            raise UploadRefused(
                "unreadable",
                f"{name} is {kind} and says itself how it is read; how columns are read can be chosen for"
                " delimited text and workbooks",
            )
        match kind:
            case Kind.PDF:
                return entry.model_copy(update={"text": read_pdf(content, source_id, name, self._limits)})
            case Kind.TEXT:
                text = read_text(content, source_id, name, self._limits)
                return entry.model_copy(update={"text": text})
            case Kind.SQLITE:
                (folder / SQLITE).write_bytes(content)
                return entry
            case Kind.PARQUET:
                imported_parquet(content, table_name(name), folder / DUCKDB, self._limits)
                return entry
            case Kind.DELIMITED:
                text, notes = decoded(content)
                grids = [read_delimited(text, table_name(name), self._limits)]
                made = imported(grids, folder / DUCKDB, self._limits, readings)
                return _kept(entry, made, notes)
            case Kind.WORKBOOK:
                grids = list(_distinct(read_workbook(content, self._limits)))
                return _kept(entry, imported(grids, folder / DUCKDB, self._limits, readings), ())
            case _:
                assert_never(kind)


def table_name(filename: str) -> str:
    """A table's name out of a file's: `Sales 2026 (1).csv` is `sales_2026_1`."""
    return _OTHER.sub("_", PurePath(filename).stem).strip("_").lower() or "table"


def _distinct(grids: tuple[Grid, ...]) -> Iterator[Grid]:
    """Sheets under names that are distinct as tables."""
    taken: set[str] = set()
    for grid in grids:
        name, number = table_name(grid.name), 2
        while name in taken:
            name, number = f"{table_name(grid.name)}_{number}", number + 1
        taken.add(name)
        notes = tuple(note.model_copy(update={"table_id": name}) for note in grid.notes)
        yield replace(grid, name=name, notes=notes)


def _kept(entry: Entry, made: Imported, notes: tuple[Note, ...]) -> Entry:
    return entry.model_copy(update={"columns": made.columns, "notes": (*notes, *made.notes)})
