"""Inserts: how rows get into the database in one transaction, and what a failure means.

Decides whether rows are certainly there, certainly not, or perhaps. When to write, and what to tell whom, is
the writer's. The rows go to the driver's `executemany`: SQLAlchemy's per-statement layer costs as much as the
whole rest of a step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Engine, Table, insert, select
from sqlalchemy.exc import SQLAlchemyError

from instances import sqlite
from instances.schema import INSTANCES, TABLES

# SQLite's driver lets go of the interpreter for every statement and must win it back from a busy event loop:
# many rows to a statement make few of these waits. On that loop itself there is none to wait for.
BUNDLES = (64, 8, 1)

Row = tuple[Any, ...]
Rows = tuple[Sequence[Row], ...]
"""Rows for each of `TABLES`, in that order."""


class Conflict(Exception):
    """Another writer took this place in the journal first, or it takes no more; nothing was written."""


class Unwritten(Exception):
    """The database did not take the rows. `down`: nor would it take any others."""

    def __init__(self, cause: Exception, *, down: bool) -> None:
        super().__init__(str(cause))
        self.down = down


class Lost(Exception):
    """The database did not confirm the commit; the rows may be there or not."""


class Inserts:
    """One connection for all inserts of a process; not for two threads at once.

    Args:
        in_haste: On SQLite and on the thread that has the interpreter: gives up where others would wait.
    """

    def __init__(self, engine: Engine, *, in_haste: bool = False) -> None:
        self._engine = engine
        self._in_haste = in_haste
        self._driver = engine.dialect.loaded_dbapi
        bundles = BUNDLES[-1:] if in_haste else BUNDLES
        self._statements = [[(size, _statement(table, engine, size)) for size in bundles] for table in TABLES]
        # Rows that two processes insert in different orders would wait for each other in a circle.
        self._ordered = engine.dialect.name != "sqlite"
        self._raw: Any = None

    def write(self, batch: Sequence[Rows]) -> None:
        """Inserts these rows and commits.

        Raises:
            Conflict, Unwritten: Nothing was written.
            Lost: Nobody knows.
        """
        try:
            self._send(batch)
        except self._driver.IntegrityError as error:
            self._abandon()
            raise Conflict(str(error)) from error
        except Exception as error:
            self._abandon()
            down = isinstance(error, self._driver.OperationalError | self._driver.InterfaceError)
            raise Unwritten(error, down=down) from error
        try:
            self._raw.commit()
        except Exception as error:
            self._abandon()
            raise Lost(str(error)) from error

    def hold(self, rows: Rows) -> bool:
        """Whether these very rows are in the database.

        Raises:
            Lost: If it cannot be read.
        """
        try:
            with self._engine.connect() as connection:
                return all(_is_there(connection, table, row) for table, row in _each(rows))
        except SQLAlchemyError as error:
            raise Lost(str(error)) from error

    def close(self) -> None:
        """Lets the connection go."""
        if self._raw is not None:
            self._raw.close()

    def _send(self, batch: Sequence[Rows]) -> None:
        used = self._raw is not None
        try:
            self._insert(batch)
        except Exception as error:
            # A connection that went stale while nobody wrote says nothing about the database as it is now.
            if not (used and self._stale(error)):
                raise
            self._abandon()
            self._insert(batch)

    def _insert(self, batch: Sequence[Rows]) -> None:
        if self._raw is None:
            self._raw = self._connect()
        cursor = self._raw.cursor()
        for index, statements in enumerate(self._statements):
            rows = [row for rows in batch if index < len(rows) for row in rows[index]]
            if rows:
                _send_rows(cursor, statements, sorted(rows, key=_key) if self._ordered else rows)
        cursor.close()

    def _connect(self) -> Any:
        raw: Any = self._engine.raw_connection()
        if self._in_haste:
            # What is set on it must not reach whoever gets a connection of the pool next.
            raw.detach()
            sqlite.hasten(raw)
        return raw

    def _stale(self, error: Exception) -> bool:
        connection = self._raw and self._raw.dbapi_connection
        return isinstance(error, self._driver.Error) and self._engine.dialect.is_disconnect(
            error, connection, None
        )

    def _abandon(self) -> None:
        raw, self._raw = self._raw, None
        if raw is not None:
            # What it is left in is not known, so nobody else gets it.
            with suppress(Exception):
                raw.rollback()
            raw.invalidate()


def _statement(table: Table, engine: Engine, rows: int) -> str:
    """An insert of `rows` rows, its parameters in the driver's positional style."""
    style = "qmark" if engine.dialect.name == "sqlite" else "format"
    dialect = type(engine.dialect)(paramstyle=style)  # pyright: ignore[reportCallIssue]
    head, values = str(insert(table).compile(dialect=dialect)).split(" VALUES ")
    return f"{head} VALUES {', '.join([values] * rows)}"


def _send_rows(cursor: Any, statements: Sequence[tuple[int, str]], rows: Sequence[Row]) -> None:
    for size, statement in statements:
        cut = len(rows) - len(rows) % size
        if size == 1:
            cursor.executemany(statement, rows)
        elif cut:
            cursor.executemany(statement, [tuple(chain(*rows[i : i + size])) for i in range(0, cut, size)])
            rows = rows[cut:]


def _key(row: Row) -> Row:
    return row[:2]


def _each(rows: Rows) -> Iterator[tuple[Table, Row]]:
    return ((table, row) for table, mine in zip(TABLES, rows, strict=False) for row in mine)


def _is_there(connection: Connection, table: Table, row: Row) -> bool:
    key = [column == value for column, value in zip(table.primary_key, row, strict=False)]
    found = connection.execute(select(table).where(*key)).first()
    # An instance's label goes when it ends; its two ids stay, and nobody else drew the same.
    fixed = 2 if table is INSTANCES else len(row)
    return found is not None and tuple(found)[:fixed] == row[:fixed]
