"""Entries: what is kept of an upload beside its data, so that nobody has to look at it twice.

A folder holds `entry.json`, and of tables `values.json` and their database. Leaves to `shelf` which folders
there are.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path, PurePath

from pydantic import TypeAdapter

from agents.analyst.engines import Database
from agents.analyst.engines.duckdb import DuckDB, open_duckdb
from agents.analyst.engines.sqlite import SQLite, open_sqlite
from agents.analyst.sources.documents import Text
from agents.analyst.sources.importing import Made
from agents.analyst.sources.library import Library
from envs.analyst.catalogue import Column, Note, Source
from envs.analyst.values import Values
from envs.kernel.records import Record

_SUFFIXES = {".md", ".markdown", ".txt"}
_ENTRY = "entry.json"
_VALUES = "values.json"
DUCKDB = "data.duckdb"
SQLITE = "data.sqlite"

_values: TypeAdapter[dict[str, dict[str, list[str]]]] = TypeAdapter(dict[str, dict[str, list[str]]])


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
    """What is kept of an upload.

    Attributes:
        source: As it was read; of documents None, because their library says it.
    """

    source_id: str
    filename: str
    kind: Kind
    columns: tuple[Made, ...] = ()
    notes: tuple[Note, ...] = ()
    text: Text | None = None
    source: Source | None = None


def kind_of(name: str, content: bytes) -> Kind:
    """What a file is."""
    for sign, kind in _SIGNS.items():
        if content.startswith(sign):
            return kind
    suffix = PurePath(name).suffix.lower()
    if suffix in (".xlsx", ".xls"):
        return Kind.WORKBOOK
    return Kind.TEXT if suffix in _SUFFIXES else Kind.DELIMITED


def has_entry(folder: Path) -> bool:
    """Whether a folder holds an upload that was read in whole."""
    return (folder / _ENTRY).exists()


def looked_at(folder: Path, entry: Entry) -> Source:
    """Looks at what was read in, once, and keeps what is seen.

    Raises:
        Unavailable: If it cannot be read.
    """
    if entry.text is not None:
        source = Library(entry.source_id, entry.filename, [entry.text]).source
    else:
        with _profiled(folder, entry) as database:
            source = _described(database.source, entry)
            found = {
                table.table_id: {
                    column.name: list(database.values.of(table.table_id, column.name))
                    for column in table.columns
                }
                for table in source.tables
            }
        (folder / _VALUES).write_bytes(_values.dump_json(found))
        entry = entry.model_copy(update={"source": source})
    (folder / _ENTRY).write_text(entry.model_dump_json(), encoding="utf-8")
    return source


def opened(folder: Path) -> Database | Library:
    """An upload as it was looked at, to ask or to search."""
    entry = Entry.model_validate_json((folder / _ENTRY).read_bytes())
    if entry.text is not None:
        return Library(entry.source_id, entry.filename, [entry.text])
    assert entry.source is not None, "what has tables was looked at"
    found = _values.validate_json((folder / _VALUES).read_bytes())
    values = Values({(table, name): texts for table, of in found.items() for name, texts in of.items()})
    if entry.kind is not Kind.SQLITE:
        return Database(entry.source, values, DuckDB(folder / DUCKDB))
    engine = SQLite(folder / SQLITE, entry.filename)
    engine.restrict()
    return Database(entry.source, values, engine)


def _profiled(folder: Path, entry: Entry) -> Database:
    if entry.kind is Kind.SQLITE:
        return open_sqlite(folder / SQLITE, entry.source_id, entry.filename)
    return open_duckdb(folder / DUCKDB, entry.source_id, entry.filename)


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
    return source.model_copy(update={"tables": tables, "notes": (*entry.notes, *source.notes)})


def _column(column: Column, made: Made | None) -> Column:
    if made is None:
        return column
    found = {"label": made.name, "unit": made.unit, "unit_column": made.unit_column, "exact": made.exact}
    return column.model_copy(update=found)
