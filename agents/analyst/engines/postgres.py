"""Postgres: a server that the owner names, read in transactions that cannot write.

Guards: read-only transactions and the server's own `statement_timeout`; what the account may read is the
owner's to decide.
"""

from __future__ import annotations

from threading import Lock
from typing import Any

import psycopg

from agents.analyst.engines.database import Database, Limits, Stop
from agents.analyst.engines.dialects import Dialect
from agents.analyst.engines.profiling import Found, profiled
from envs.analyst.catalogue import ColumnType, ForeignKey, SourceType
from envs.analyst.problems import Stopped, Unavailable

_PATIENCE_S = 5
_TYPES = {
    "smallint": ColumnType.INTEGER,
    "integer": ColumnType.INTEGER,
    "bigint": ColumnType.INTEGER,
    "numeric": ColumnType.NUMBER,
    "real": ColumnType.NUMBER,
    "double precision": ColumnType.NUMBER,
    "text": ColumnType.TEXT,
    "character varying": ColumnType.TEXT,
    "character": ColumnType.TEXT,
    "boolean": ColumnType.BOOLEAN,
    "date": ColumnType.DATE,
    "timestamp without time zone": ColumnType.TIMESTAMP,
    "timestamp with time zone": ColumnType.TIMESTAMP,
}
_COLUMNS = """
    SELECT table_name, column_name, data_type, table_type = 'VIEW'
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position
"""
_KEYS = """
    SELECT c.contype::text, t.relname::text, array(
        SELECT a.attname::text FROM unnest(c.conkey) WITH ORDINALITY AS k(n, at)
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.n ORDER BY k.at
    ), f.relname::text, array(
        SELECT a.attname::text FROM unnest(c.confkey) WITH ORDINALITY AS k(n, at)
        JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.n ORDER BY k.at
    )
    FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid LEFT JOIN pg_class f ON f.oid = c.confrelid
    WHERE c.contype IN ('p', 'f') AND c.connamespace = current_schema()::regnamespace
"""


def open_postgres(url: str, source_id: str, name: str) -> Database:
    """The tables of a server's current schema as a source.

    Args:
        url: `postgresql://…`; SQLAlchemy's `postgresql+psycopg://…` is understood too.
    Raises:
        Unavailable: If the server does not answer.
    """
    engine = Postgres(url)
    try:
        source, values = profiled(engine, source_id, name, SourceType.POSTGRES, engine.found())
    except psycopg.Error as error:
        engine.close()
        raise Unavailable(f"the Postgres source {name!r} cannot be read") from error
    return Database(source, values, engine)


class Postgres:
    """One connection; one query at a time."""

    dialect = Dialect.POSTGRES

    def __init__(self, url: str) -> None:
        self._url = url.replace("postgresql+psycopg://", "postgresql://", 1)
        self._lock = Lock()
        self._connection = self._connected()

    def fetch(self, sql: str, limits: Limits, stop: Stop | None = None) -> list[tuple[Any, ...]]:
        """All rows of a SELECT; see `Engine.fetch`."""
        with self._lock:
            if self._connection.closed:
                self._connection = self._connected()
            connection = self._connection
            try:
                with (stop or Stop()).interrupting(connection.cancel, limits.elapsed_s + _PATIENCE_S):
                    return self._answered(connection, sql, limits)
            except psycopg.errors.QueryCanceled as error:
                raise Stopped(
                    f"the query was stopped after {limits.elapsed_s:g} s; ask about a shorter time"
                ) from error
            except psycopg.OperationalError as error:
                raise Unavailable("the Postgres source does not answer; try again later") from error

    def close(self) -> None:
        self._connection.close()

    def found(self) -> tuple[Found, ...]:
        """The tables and views with their declared keys."""
        limits = Limits()
        tables: dict[str, dict[str, ColumnType]] = {}
        views: set[str] = set()
        for table, column, kind, view in self.fetch(_COLUMNS, limits):
            if view:
                views.add(table)
            tables.setdefault(table, {})[column] = _TYPES.get(kind, ColumnType.OTHER)
        keys = self.fetch(_KEYS, limits)
        return tuple(_found(name, columns, keys, name in views) for name, columns in tables.items())

    def _connected(self) -> psycopg.Connection[Any]:
        try:
            connection = psycopg.connect(self._url, connect_timeout=_PATIENCE_S)
        except psycopg.Error as error:
            # The driver's own words may hold the URL, and the URL a password.
            raise Unavailable("the Postgres source does not answer; try again later") from error
        connection.read_only = True
        return connection

    def _answered(
        self, connection: psycopg.Connection[Any], sql: str, limits: Limits
    ) -> list[tuple[Any, ...]]:
        with connection.transaction():
            connection.execute(f"SET LOCAL statement_timeout = {int(limits.elapsed_s * 1000)}".encode())
            return connection.execute(sql.encode()).fetchall()


def _found(name: str, columns: dict[str, ColumnType], keys: list[tuple[Any, ...]], view: bool) -> Found:
    primary = [tuple(key[2]) for key in keys if key[0] == "p" and key[1] == name]
    references = tuple(
        ForeignKey(table=name, columns=tuple(key[2]), to_table=key[3], to_columns=tuple(key[4]))
        for key in keys
        if key[0] == "f" and key[1] == name
    )
    return Found(name, columns, primary[0] if primary else (), references, view)
