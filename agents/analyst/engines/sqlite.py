"""SQLite: a file that is only read, by SELECT alone.

Guards: opened read-only and as a file that does not change, so that nothing is written beside it; a schema
that is not trusted; an authorizer that lets nothing through but reading tables and calling functions that
reach nothing outside.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from statistics import median
from threading import Lock
from typing import Any
from urllib.parse import quote

from agents.analyst.engines.database import Database, Limits, Stop
from agents.analyst.engines.dialects import MEDIAN, Dialect
from agents.analyst.engines.expressions import sqlite_functions
from agents.analyst.engines.patience import TOO_MUCH, NextLimits, Patience
from agents.analyst.engines.profiling import Found, profiled, quoted
from envs.analyst.catalogue import ColumnType, ForeignKey, SourceType
from envs.analyst.problems import QueryProblem, Stopped, Unavailable

_ALLOWED = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION})
_OUTSIDE = frozenset({"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "zipfile"})
_ISO = "[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]"
LONGEST = 10_000_000
"""Bytes of one value or one statement."""
MOST_TABLES = 500
MEMORY = 512 * 2**20
"""Bytes that SQLite may use in this process, over all its databases."""
ANSWER = 64 * 2**20
"""Bytes of texts in one answer, about."""
_BATCH = 256
_SHORT = Limits(elapsed_s=5.0)


def open_sqlite(
    path: Path, source_id: str | None = None, name: str | None = None, patience: Patience | None = None
) -> Database:
    """A SQLite file as a source, read-only; nothing beside it is written.

    Args:
        source_id: Default: the file's name without its ending.
        name: What a person calls it; default as `source_id`.
    Raises:
        Unavailable: If it cannot be read as a SQLite database, or not in time.
    """
    source_id = source_id or path.stem
    name = name or source_id
    engine = SQLite(path, name)
    patience = patience or Patience()
    try:
        found = list(engine.found(patience))
        engine.restrict()
        source, values = profiled(engine, source_id, name, SourceType.SQLITE, found, patience)
    except sqlite3.Error as error:
        engine.close()
        raise Unavailable(f"{name} cannot be read as a SQLite database: {error}") from error
    except QueryProblem:
        engine.close()
        raise
    return Database(source, values, engine)


class SQLite:
    """One file, one connection; one query at a time."""

    dialect = Dialect.SQLITE

    def __init__(self, path: Path, name: str) -> None:
        address = f"file:{quote(str(path.resolve()))}?mode=ro&immutable=1"
        try:
            self._connection = sqlite3.connect(address, uri=True, check_same_thread=False)
        except sqlite3.Error as error:
            raise Unavailable(f"{name} cannot be opened: {error}") from error
        try:
            self._prepare()
        except sqlite3.Error as error:
            self._connection.close()
            raise Unavailable(f"{name} is no SQLite database: {error}") from error
        self._lock = Lock()

    def fetch(self, sql: str, limits: Limits, stop: Stop | None = None) -> list[tuple[Any, ...]]:
        """All rows of a SELECT; see `Engine.fetch`."""
        with self._lock, (stop or Stop()).interrupting(self._connection.interrupt, limits.elapsed_s):
            try:
                with closing(self._connection.execute(sql)) as cursor:
                    return _few(cursor)
            except MemoryError as error:
                raise Stopped("the query needs more memory than it may use; ask for fewer groups") from error

    def restrict(self) -> None:
        """From now on nothing but SELECT on tables passes."""
        self._connection.set_authorizer(_authorize)

    def close(self) -> None:
        self._connection.close()

    def found(self, patience: Patience) -> Iterator[Found]:
        """The tables and views as they are declared, with what their values say about types.

        Raises:
            Unavailable: If there are too many.
        """
        rows = self.fetch(
            "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view')"
            " AND name NOT LIKE 'sqlite_%' ORDER BY type, rowid",
            _SHORT,
        )
        if len(rows) > MOST_TABLES:
            raise Unavailable(f"the database has {len(rows)} tables; at most {MOST_TABLES} are read")
        for name, kind in rows:
            view = kind == "view"
            try:
                with patience.over(view=view) as limits:
                    found = self._table(name, view, limits)
            except Stopped:
                patience.leave_out(name, TOO_MUCH)
            except sqlite3.Error as error:
                # A view may ask for tables and functions that are not there; a table that fails is damaged.
                if not view:
                    raise
                patience.leave_out(name, f"SQLite says of it: {error}")
            else:
                yield found

    def _prepare(self) -> None:
        self._connection.execute("PRAGMA trusted_schema = OFF")
        self._connection.text_factory = _text
        self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
        # What a query sorts and joins would fill the disk otherwise.
        self._connection.execute("PRAGMA temp_store = MEMORY")
        self._connection.execute(f"PRAGMA hard_heap_limit = {MEMORY}")
        sqlite_functions.register_all(self._connection)
        self._connection.create_aggregate(MEDIAN, 1, _Median)  # pyright: ignore[reportArgumentType]
        # SQLite's own lower() knows ASCII alone.
        self._connection.create_function("lower", 1, _lower, deterministic=True)

    def _table(self, name: str, view: bool, limits: NextLimits) -> Found:
        columns = self.fetch(f"PRAGMA table_info({quoted(name)})", limits())
        kinds = {each[1]: self._kind(name, each[1], str(each[2]), limits) for each in columns}
        key = sorted((column[5], column[1]) for column in columns if column[5])
        return Found(name, kinds, tuple(column for _, column in key), self._references(name, limits), view)

    def _references(self, name: str, limits: NextLimits) -> tuple[ForeignKey, ...]:
        listed = self.fetch(f"PRAGMA foreign_key_list({quoted(name)})", limits())
        grouped: dict[int, list[Any]] = {}
        for row in listed:
            grouped.setdefault(row[0], []).append(row)
        return tuple(self._reference(name, sorted(rows), limits) for rows in grouped.values())

    def _reference(self, name: str, rows: list[Any], limits: NextLimits) -> ForeignKey:
        to_columns = tuple(row[4] for row in rows)
        if None in to_columns:
            target = self.fetch(f"PRAGMA table_info({quoted(rows[0][2])})", limits())
            to_columns = tuple(
                column for _, column in sorted((each[5], each[1]) for each in target if each[5])
            )
        columns = tuple(row[3] for row in rows)
        return ForeignKey(table=name, columns=columns, to_table=rows[0][2], to_columns=to_columns)

    def _kind(self, table: str, column: str, declared: str, limits: NextLimits) -> ColumnType:
        """A column's type by what is declared, unless its values say otherwise."""
        cell = quoted(column)
        texts, whole, real, iso, days, flags, there = self.fetch(
            f"SELECT SUM(typeof({cell}) = 'text'), SUM(typeof({cell}) = 'integer'),"
            f" SUM(typeof({cell}) = 'real'), SUM({cell} GLOB '{_ISO}*' AND date({cell}) IS NOT NULL),"
            f" SUM(length({cell}) = 10), SUM(CAST({cell} AS TEXT) IN ('0', '1')), COUNT({cell})"
            f" FROM {quoted(table)}",
            limits(),
        )[0]
        if not there:
            return _declared(declared)
        if iso == there:
            return ColumnType.DATE if days == there else ColumnType.TIMESTAMP
        if "BOOL" in declared.upper() and flags == there == whole:
            return ColumnType.BOOLEAN
        if texts * 20 > there:
            return ColumnType.TEXT
        if whole + real == 0:
            return ColumnType.TEXT if texts else ColumnType.OTHER
        return ColumnType.NUMBER if real or _declared(declared) is ColumnType.NUMBER else ColumnType.INTEGER


def _few(cursor: sqlite3.Cursor) -> list[tuple[Any, ...]]:
    """All rows, if their texts are not longer together than an answer may be.

    Raises:
        Stopped: If they are.
    """
    rows: list[tuple[Any, ...]] = []
    size = 0
    while piece := cursor.fetchmany(_BATCH):
        rows += piece
        size += sum(len(value) for row in piece for value in row if isinstance(value, str | bytes))
        if size > ANSWER:
            raise Stopped(f"the answer has more than {ANSWER:,} characters; ask for fewer rows or columns")
    return rows


def _declared(declared: str) -> ColumnType:
    name = declared.upper()
    if "INT" in name:
        return ColumnType.INTEGER
    if any(part in name for part in ("REAL", "FLOA", "DOUB", "NUM", "DEC")):
        return ColumnType.NUMBER
    if "BOOL" in name:
        return ColumnType.BOOLEAN
    if "TIME" in name:
        return ColumnType.TIMESTAMP
    return ColumnType.DATE if "DATE" in name else ColumnType.TEXT


def _authorize(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    called = action == sqlite3.SQLITE_FUNCTION and second is not None and second.lower() in _OUTSIDE
    internal = action == sqlite3.SQLITE_READ and first is not None and first.lower().startswith("sqlite_")
    return sqlite3.SQLITE_OK if action in _ALLOWED and not called and not internal else sqlite3.SQLITE_DENY


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "replace")


def _lower(value: object) -> str | None:
    return None if value is None else str(value).lower()


class _Median:
    """The middle value, of an even number the mean of the middle two."""

    def __init__(self) -> None:
        self._values: list[float] = []

    def step(self, value: float | None) -> None:
        if value is not None:
            self._values.append(value)

    def finalize(self) -> float | None:
        return median(self._values) if self._values else None
