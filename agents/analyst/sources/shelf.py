"""The shelf: the sources that were uploaded to one analysis, each in a folder of its own.

A file that cannot be read leaves nothing behind; one that can is imported once and only read from then on.
Leaves to others whose analysis it is and which id a source gets.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from pathlib import Path, PurePath
from tempfile import mkdtemp
from typing import assert_never

from agents.analyst.engines import Database, open_sqlite
from agents.analyst.engines.duckdb import open_duckdb
from agents.analyst.sources.decoding import decoded
from agents.analyst.sources.delimited import read_delimited
from agents.analyst.sources.documents import Text, read_text
from agents.analyst.sources.grids import Grid
from agents.analyst.sources.importing import Imported, Made, imported
from agents.analyst.sources.library import Library
from agents.analyst.sources.pdf import read_pdf
from agents.analyst.sources.receiving import Readings, UploadLimits, UploadRefused, too_many
from agents.analyst.sources.sheets import read_workbook
from agents.analyst.sources.tables import imported_parquet
from envs.analyst.catalogue import Column, Note, Source
from envs.analyst.problems import Stopped, Unavailable
from envs.kernel.records import Record

_SUFFIXES = {".md", ".markdown", ".txt"}
_OTHER = re.compile(r"\W+")


class Kind(StrEnum):
    """What an upload is, by its first bytes and only then by its name."""

    DELIMITED = "delimited"
    WORKBOOK = "workbook"
    PARQUET = "parquet"
    SQLITE = "sqlite"
    PDF = "pdf"
    TEXT = "text"


_SIGNS = {
    b"%PDF": Kind.PDF,
    b"PAR1": Kind.PARQUET,
    b"SQLite format 3\x00": Kind.SQLITE,
    b"PK\x03\x04": Kind.WORKBOOK,
}


class Entry(Record):
    """What is kept of an upload beside its data."""

    source_id: str
    filename: str
    kind: Kind
    columns: tuple[Made, ...] = ()
    notes: tuple[Note, ...] = ()
    text: Text | None = None


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
        """
        name = PurePath(filename.replace("\\", "/")).name[:200] or "upload"
        if len(content) > self._limits.size:
            raise too_many("bytes", len(content), self._limits.size)
        if not content.strip():
            raise UploadRefused("empty", f"{name} is empty")
        self._folder.mkdir(parents=True, exist_ok=True)
        arriving = Path(mkdtemp(prefix=".arriving-", dir=self._folder))
        try:
            entry = self._import(arriving, name, content, source_id, readings or Readings())
            (arriving / "entry.json").write_text(entry.model_dump_json(), encoding="utf-8")
            with _opened(arriving, entry) as opened:
                source = opened.source
            arriving.rename(self._folder / source_id)
        except (Stopped, Unavailable) as error:
            raise UploadRefused("unreadable", f"{name} cannot be read; {error}") from error
        finally:
            shutil.rmtree(arriving, ignore_errors=True)
        return source

    def ids(self) -> tuple[str, ...]:
        """The sources that are there, the newest last."""
        found = [path for path in self._folder.glob("*/entry.json") if not path.parent.name.startswith(".")]
        return tuple(path.parent.name for path in sorted(found, key=lambda path: path.stat().st_mtime_ns))

    def open(self, source_id: str) -> Database | Library:
        """A source to ask or to search.

        Raises:
            KeyError: If there is none of that id.
        """
        if source_id not in self.ids():
            raise KeyError(source_id)
        folder = self._folder / source_id
        return _opened(folder, Entry.model_validate_json((folder / "entry.json").read_bytes()))

    def remove(self, source_id: str) -> None:
        """Deletes a source with everything of it.

        Raises:
            KeyError: If there is none of that id.
        """
        if source_id not in self.ids():
            raise KeyError(source_id)
        shutil.rmtree(self._folder / source_id)

    def _import(self, folder: Path, name: str, content: bytes, source_id: str, readings: Readings) -> Entry:
        kind = kind_of(name, content)
        entry = Entry(source_id=source_id, filename=name, kind=kind)
        match kind:
            case Kind.PDF:
                return entry.model_copy(update={"text": read_pdf(content, source_id, name, self._limits)})
            case Kind.TEXT:
                return entry.model_copy(update={"text": read_text(content, source_id, name)})
            case Kind.SQLITE:
                (folder / "data.sqlite").write_bytes(content)
                return entry
            case Kind.PARQUET:
                imported_parquet(content, table_name(name), folder / "data.duckdb", self._limits)
                return entry
            case Kind.DELIMITED:
                text, notes = decoded(content)
                grids = [read_delimited(text, table_name(name), self._limits)]
                made = imported(grids, folder / "data.duckdb", self._limits, readings)
                return _kept(entry, made, notes)
            case Kind.WORKBOOK:
                grids = list(_distinct(read_workbook(content, self._limits)))
                return _kept(entry, imported(grids, folder / "data.duckdb", self._limits, readings), ())
            case _:
                assert_never(kind)


def kind_of(name: str, content: bytes) -> Kind:
    """What a file is."""
    for sign, kind in _SIGNS.items():
        if content.startswith(sign):
            return kind
    suffix = PurePath(name).suffix.lower()
    if suffix in (".xlsx", ".xls"):
        return Kind.WORKBOOK
    return Kind.TEXT if suffix in _SUFFIXES else Kind.DELIMITED


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


def _opened(folder: Path, entry: Entry) -> Database | Library:
    if entry.text is not None:
        return Library(entry.source_id, entry.filename, [entry.text])
    if entry.kind is Kind.SQLITE:
        return open_sqlite(folder / "data.sqlite", entry.source_id, entry.filename)
    database = open_duckdb(folder / "data.duckdb", entry.source_id, entry.filename)
    return replace(database, source=_described(database.source, entry))


def _described(source: Source, entry: Entry) -> Source:
    """A catalogue with what was noticed when the file was read."""
    made = {(column.table, column.name): column for column in entry.columns}
    tables = tuple(
        table.model_copy(
            update={
                "columns": tuple(
                    _column(each, made.get((table.table_id, each.name))) for each in table.columns
                )
            }
        )
        for table in source.tables
    )
    return source.model_copy(update={"tables": tables, "notes": entry.notes})


def _column(column: Column, made: Made | None) -> Column:
    if made is None:
        return column
    found = {"label": made.name, "unit": made.unit, "unit_column": made.unit_column, "exact": made.exact}
    return column.model_copy(update=found)
