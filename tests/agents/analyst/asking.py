"""Files that are uploaded and asked, in a few words."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from openpyxl import Workbook

from agents.analyst.engines import Database, run
from agents.analyst.sources.library import Library
from agents.analyst.sources.receiving import Readings, UploadLimits
from agents.analyst.sources.shelf import Shelf
from envs.analyst.catalogue import Column, Note, NoteCode
from envs.analyst.ir import Aggregate, Condition, Dimension, Filter, Measure, Op, QueryIR, Ref, TimeRange
from envs.analyst.results import Cell, Result, Row


def ref(column: str, table: str | None = None, *via: str) -> Ref:
    return Ref(column=column, table=table, via=via)


def measure(agg: str, column: str | None = None, alias: str = "value", **more: Any) -> Measure:
    return Measure(agg=Aggregate(agg), column=None if column is None else ref(column), alias=alias, **more)


def where(column: str, op: str, value: Any = None, **more: Any) -> Condition:
    many = isinstance(value, tuple)
    given = {"values": value} if many else {"value": value}
    return Condition(column=ref(column), op=Op(op), **given, **more)


class Uploaded:
    """A file of one table that was uploaded, to be asked."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.source = database.source
        self.table = database.source.tables[0]

    @property
    def columns(self) -> list[str]:
        return [column.name for column in self.table.columns]

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows, in the order of their columns."""
        return self.ask().rows

    def column(self, name: str) -> Column:
        found = self.table.column(name)
        assert found is not None
        return found

    def ask(self, **parts: Any) -> Result:
        ir = QueryIR(source_id=self.source.source_id, table_id=self.table.table_id, **parts)
        return run(self.database, ir)

    def value(self, agg: str, column: str | None = None, *filters: Filter) -> Cell:
        """One aggregate."""
        return self.ask(measures=(measure(agg, column),), filters=filters).rows[0][0]

    def by(self, group: str, agg: str, column: str | None = None) -> dict[Cell, Cell]:
        """One aggregate of every group."""
        asked = self.ask(measures=(measure(agg, column),), group_by=(Dimension(column=ref(group)),))
        return {row[0]: row[1] for row in asked.rows}

    def during(self, column: str, start: str, end: str, agg: str, of: str) -> Cell:
        """One aggregate in a half-open time."""
        times = TimeRange(column=ref(column), start=start, end=end)
        return self.ask(measures=(measure(agg, of),), time_range=times).rows[0][0]

    def note(self, code: NoteCode) -> Note:
        """The one note of that code."""
        (found,) = (note for note in self.source.notes if note.code is code)
        return found


def upload(
    folder: Path,
    content: bytes | str,
    name: str = "upload.csv",
    readings: Mapping[str, str] | None = None,
    limits: UploadLimits | None = None,
) -> Uploaded:
    """The file as a source of its own."""
    shelf = Shelf(folder, limits)
    taken = content.encode() if isinstance(content, str) else content
    shelf.receive(name, taken, "src_1", Readings(readings or {}))
    opened = shelf.open("src_1")
    assert isinstance(opened, Database)
    return Uploaded(opened)


def filed(folder: Path, content: bytes, name: str) -> Library:
    """The file as documents."""
    shelf = Shelf(folder)
    shelf.receive(name, content, "src_1")
    opened = shelf.open("src_1")
    assert isinstance(opened, Library)
    return opened


def packed(book: Workbook) -> bytes:
    """A workbook as it is saved."""
    file = BytesIO()
    book.save(file)
    return file.getvalue()
