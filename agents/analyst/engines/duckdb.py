"""DuckDB: the embedded database of everything that is imported.

Guards: a file that is opened read-only, no access outside it, no extensions, a configuration that is locked,
and limits of memory and time.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb

from agents.analyst.engines.database import Database, Limits, Stop
from agents.analyst.engines.dialects import Dialect
from agents.analyst.engines.profiling import Found, profiled
from envs.analyst.catalogue import ColumnType, ForeignKey, SourceType
from envs.analyst.problems import Stopped, Unavailable

MEMORY = "512MB"

_GUARDS = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "threads": "2",
    "memory_limit": MEMORY,
    "lock_configuration": "true",
}
_TYPES = {
    "BOOLEAN": ColumnType.BOOLEAN,
    "DATE": ColumnType.DATE,
    "VARCHAR": ColumnType.TEXT,
    "DOUBLE": ColumnType.NUMBER,
    "FLOAT": ColumnType.NUMBER,
}
_WHOLE = frozenset(
    "TINYINT SMALLINT INTEGER BIGINT HUGEINT UTINYINT USMALLINT UINTEGER UBIGINT UHUGEINT".split()
)


def open_duckdb(path: Path, source_id: str, name: str) -> Database:
    """A DuckDB file as a source, read-only.

    Raises:
        Unavailable: If it cannot be read as a DuckDB database.
    """
    engine = DuckDB(path)
    try:
        source, values = profiled(engine, source_id, name, SourceType.SCHEMA, engine.found())
    except duckdb.Error as error:
        engine.close()
        raise Unavailable(f"{path.name} cannot be read as a DuckDB database: {error}") from error
    return Database(source, values, engine)


class DuckDB:
    """One file; each query has a cursor of its own, so that several may run at once."""

    dialect = Dialect.DUCKDB

    def __init__(self, path: Path) -> None:
        try:
            self._connection = duckdb.connect(str(path), read_only=True, config=dict(_GUARDS))
        except duckdb.Error as error:
            raise Unavailable(f"{path.name} cannot be opened: {error}") from error

    def fetch(self, sql: str, limits: Limits, stop: Stop | None = None) -> list[tuple[Any, ...]]:
        """All rows of a SELECT; see `Engine.fetch`."""
        with self._connection.cursor() as cursor:
            try:
                with (stop or Stop()).interrupting(cursor.interrupt, limits.elapsed_s):
                    return cursor.execute(sql).fetchall()
            except duckdb.OutOfMemoryException as error:
                raise Stopped(
                    f"the query needs more than {MEMORY}; ask for fewer groups or a shorter time"
                ) from error

    def close(self) -> None:
        self._connection.close()

    def found(self) -> tuple[Found, ...]:
        """The tables and views with their declared keys."""
        columns = self._connection.execute(
            "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal"
            " ORDER BY table_oid, column_index"
        ).fetchall()
        keys = self._connection.execute(
            "SELECT table_name, constraint_type, constraint_column_names, referenced_table,"
            " referenced_column_names FROM duckdb_constraints()"
            " WHERE constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')"
        ).fetchall()
        tables: dict[str, dict[str, ColumnType]] = {}
        for table, column, kind in columns:
            tables.setdefault(table, {})[column] = _kind(kind)
        return tuple(_found(name, of, [key for key in keys if key[0] == name]) for name, of in tables.items())


def _found(name: str, columns: dict[str, ColumnType], keys: list[Any]) -> Found:
    primary = [tuple(key[2]) for key in keys if key[1] == "PRIMARY KEY"]
    references = tuple(
        ForeignKey(table=name, columns=tuple(key[2]), to_table=key[3], to_columns=tuple(key[4]))
        for key in keys
        if key[1] == "FOREIGN KEY"
    )
    return Found(name, columns, primary[0] if primary else (), references)


def _kind(declared: str) -> ColumnType:
    name = declared.split("(", maxsplit=1)[0]
    if name in _WHOLE:
        return ColumnType.INTEGER
    if name == "DECIMAL":
        return ColumnType.NUMBER
    if name.startswith("TIMESTAMP"):
        return ColumnType.TIMESTAMP
    return _TYPES.get(name, ColumnType.OTHER)
