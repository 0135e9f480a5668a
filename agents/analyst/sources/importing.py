"""Importing: grids become typed tables of a DuckDB file, by a connection that is closed before it is asked.

Every value is staged as text first; a column's type is decided by all of them. Leaves to `guessing` which
type and to `noting` how it is told.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from agents.analyst.engines.profiling import quoted
from agents.analyst.engines.roles import identifies
from agents.analyst.sources import arrow
from agents.analyst.sources.casting import cast, counting, currency, fits, marked
from agents.analyst.sources.casting import nothing as stands_for_nothing
from agents.analyst.sources.grids import Grid
from agents.analyst.sources.guessing import Counted, Guess, Reading, guess
from agents.analyst.sources.noting import Faults, note_of, noted_nothing
from agents.analyst.sources.receiving import Readings, UploadLimits, UploadRefused
from envs.analyst.catalogue import Note, NoteCode
from envs.kernel.records import Record

_SHOWN = 5
LIMITS = {"threads": "2", "memory_limit": "768MB", "max_temp_directory_size": "1GB"}
"""Of a database that is being written."""
LINE = " line"
"""The staged column with each row's line; a typed name has no blank before it."""


class Made(Record):
    """What was made of one column.

    Attributes:
        unit: `%`, a currency, or None.
        unit_column: The column beside it with each row's currency.
        exact: False where digits were lost before upload.
    """

    table: str
    name: str
    unit: str | None = None
    unit_column: str | None = None
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Imported:
    """What is not in the database itself."""

    columns: tuple[Made, ...]
    notes: tuple[Note, ...]


def imported(grids: Iterable[Grid], path: Path, limits: UploadLimits, readings: Readings) -> Imported:
    """Writes grids as tables of a new DuckDB file.

    Raises:
        UploadRefused: If there are no rows, or a limit is passed.
    """
    made: list[Made] = []
    notes: list[Note] = []
    wanting = set(readings.columns)
    with duckdb.connect(str(path.with_suffix(".staging")), config=dict(LIMITS)) as connection:
        connection.execute(f"ATTACH '{str(path).replace(chr(39), chr(39) * 2)}' AS kept")
        connection.execute("SET preserve_insertion_order = true")
        for grid in grids:
            wanting.difference_update(grid.columns)
            notes += grid.notes
            _stage(connection, grid, limits)
            columns, told = _typed(connection, grid, readings)
            made += columns
            notes += told
            connection.execute("DROP TABLE staged")
        connection.execute("CHECKPOINT kept")
    path.with_suffix(".staging").unlink()
    if not made:
        raise UploadRefused("empty", "the file has no table with rows")
    if wanting:
        names = ", ".join(repr(each.name) for each in made)
        raise UploadRefused(
            "unreadable",
            f"the file has no column {min(wanting)!r}, for which a reading was chosen; it has {names}",
        )
    return Imported(tuple(made), tuple(notes))


def _stage(connection: duckdb.DuckDBPyConnection, grid: Grid, limits: UploadLimits) -> None:
    columns = ", ".join(f"{quoted(name)} VARCHAR" for name in grid.columns)
    connection.execute(f"CREATE TABLE staged ({columns}, {quoted(LINE)} BIGINT)")
    for lines, values in grid.chunks:
        arriving = arrow.texts(dict(zip(grid.columns, values, strict=True))).append_column(LINE, [lines])
        connection.register("arriving", arriving)
        connection.execute("INSERT INTO staged SELECT * FROM arriving")
        connection.unregister("arriving")
    check_lengths(connection, "staged", limits)


def check_lengths(connection: duckdb.DuckDBPyConnection, table: str, limits: UploadLimits) -> None:
    """Nothing, if no text of a table is too long.

    Raises:
        UploadRefused: If one is.
    """
    described = connection.execute(f"DESCRIBE {quoted(table)}").fetchall()
    for name in (str(column) for column, kind, *_ in described if kind == "VARCHAR"):
        longest = _one(connection, f"SELECT COALESCE(MAX(LENGTH({quoted(name)})), 0) FROM {quoted(table)}")
        if longest > limits.cell_length:
            raise UploadRefused(
                "too_large",
                f"column {name!r} has a value of {longest:,} characters; at most {limits.cell_length:,} are"
                " taken",
            )


def _typed(
    connection: duckdb.DuckDBPyConnection, grid: Grid, readings: Readings
) -> tuple[list[Made], list[Note]]:
    selected: list[str] = []
    made: list[Made] = []
    notes: list[Note] = []
    for name in grid.columns:
        found = connection.execute(counting(name)).fetchone()
        counted = Counted(*(found or ()))
        guessed = _dated(counted) if name in grid.dated else None
        guessed = guessed or guess(counted, identifies(name), readings.of(name))
        numeric = guessed.reading in (Reading.DOT, Reading.COMMA)
        percent = numeric and counted.percent > 0
        selected.append(f"{cast(name, guessed.reading, percent, counted.timed > 0)} AS {quoted(name)}")
        notes += _told(connection, grid.name, name, guessed, counted)
        unit, extra, note = _currency(connection, grid, name) if numeric else (None, None, None)
        notes += [note] if note else []
        if extra is not None:
            selected.append(f"{currency(name)} AS {quoted(extra)}")
            made.append(Made(table=grid.name, name=extra))
        exact = guessed.note is not NoteCode.LOST_DIGITS
        given = "%" if percent else unit
        made.append(Made(table=grid.name, name=name, unit=given, unit_column=extra, exact=exact))
    connection.execute(
        f"CREATE TABLE kept.{quoted(grid.name)} AS SELECT {', '.join(selected)} FROM staged"
        f" ORDER BY {quoted(LINE)}"
    )
    return made, notes


def _dated(counted: Counted) -> Guess | None:
    """A column that a workbook formats as dates is one; what is no date in it is a fault of its cell."""
    if 2 * counted.iso <= counted.there:
        return None
    note = NoteCode.UNREADABLE_VALUE if counted.iso < counted.there else None
    return Guess(Reading.ISO, note, ("date",) if note else ())


def _told(
    connection: duckdb.DuckDBPyConnection, table: str, name: str, guessed: Guess, counted: Counted
) -> list[Note]:
    notes: list[Note] = []
    if guessed.note is not None:
        notes.append(note_of(table, name, guessed, _faults(connection, name, guessed)))
    if counted.nothing and guessed.reading is not Reading.TEXT:
        where = f"{stands_for_nothing(name)}"
        notes.append(noted_nothing(table, name, _lines(connection, name, where)))
    return notes


def _faults(connection: duckdb.DuckDBPyConnection, name: str, guessed: Guess) -> Faults:
    """The values that a note is about."""
    match guessed.note:
        case NoteCode.LOST_DIGITS:
            where = f"NOT {fits(name, Reading.WHOLE)}"
        case NoteCode.CONTRADICTING_DATES:
            day = _lines(connection, name, f"NOT ({fits(name, Reading.DAY_FIRST)})", 1)
            month = _lines(connection, name, f"NOT ({fits(name, Reading.MONTH_FIRST)})", 1)
            return Faults.of([*month.pairs, *day.pairs])
        case NoteCode.UNREADABLE_VALUE:
            best = guessed.reading
            if best is Reading.TEXT:
                best = _closer(connection, name)
            where = f"NOT ({fits(name, best)})"
        case _:
            where = "true"
    return _lines(connection, name, where)


def _closer(connection: duckdb.DuckDBPyConnection, name: str) -> Reading:
    dot = _one(connection, f"SELECT COUNT(*) FROM staged WHERE {fits(name, Reading.DOT)}")
    comma = _one(connection, f"SELECT COUNT(*) FROM staged WHERE {fits(name, Reading.COMMA)}")
    return Reading.DOT if dot >= comma else Reading.COMMA


def _lines(connection: duckdb.DuckDBPyConnection, name: str, where: str, count: int = _SHOWN) -> Faults:
    rows = connection.execute(
        f"SELECT {quoted(LINE)}, {quoted(name)} FROM staged WHERE TRIM({quoted(name)}) <> '' AND ({where})"
        f" ORDER BY {quoted(LINE)} LIMIT {count}"
    ).fetchall()
    return Faults.of([(int(line), str(value)) for line, value in rows])


def _currency(
    connection: duckdb.DuckDBPyConnection, grid: Grid, name: str
) -> tuple[str | None, str | None, Note | None]:
    """The one currency of a column; or the name of a column for each row's, with a note about it."""
    found = connection.execute(
        f"SELECT {currency(name)} AS c, COUNT(*) FROM staged WHERE {marked(name)}"
        " GROUP BY c HAVING c IS NOT NULL"
        " ORDER BY 2 DESC, 1"
    ).fetchall()
    if len(found) < 2:
        return (found[0][0] if found else None), None, None
    extra, number = f"{name} currency", 2
    while extra.lower() in {other.lower() for other in grid.columns}:
        extra, number = f"{name} currency {number}", number + 1
    codes = tuple(str(code) for code, _ in found)
    note = Note(
        code=NoteCode.MIXED_CURRENCIES,
        text=f"Column {name!r} holds {', '.join(codes)}; amounts in unlike currencies are not added up,"
        f" {extra!r} tells them apart.",
        table_id=grid.name,
        column=name,
        values=codes,
    )
    return None, extra, note


def _one(connection: duckdb.DuckDBPyConnection, sql: str) -> int:
    row: Any = connection.execute(sql).fetchone()
    return int(row[0])
