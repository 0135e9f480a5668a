"""Backups: a whole store as one portable file, whatever database it came from.

A backup is gzipped JSON lines: a head with the schema version, then one row a line.
"""

from __future__ import annotations

import gzip
from base64 import b64decode, b64encode
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import Connection, Engine, LargeBinary, Table, func, insert, select

from instances import guards
from instances.schema import INSTANCES, META, METADATA, MIGRATIONS, migrate

FORMAT = "auditorium-backup"
ROWS = 500
KEPT = tuple(table for table in METADATA.sorted_tables if table is not META)


class BadBackup(Exception):
    """A file that is no backup of this version, or a store that is not empty."""


def backup(engine: Engine, path: Path) -> int:
    """Writes every row as it stands at one moment; returns how many.

    The file appears under its name only when it is whole.
    """
    unfinished = path.with_name(path.name + ".part")
    try:
        with gzip.open(unfinished, "wb") as file, _snapshot(engine) as connection:
            head = {"format": FORMAT, "schema_version": len(MIGRATIONS), "at": datetime.now(UTC).isoformat()}
            file.write(orjson.dumps(head) + b"\n")
            count = sum(_dump(connection, table, file) for table in KEPT)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return count


def restore(engine: Engine, path: Path) -> int:
    """Fills an empty store from a backup, all or nothing; returns the number of rows.

    Raises:
        BadBackup: If the file is not a backup that this version reads, or the store has instances already.
    """
    migrate(engine)
    count = 0
    with engine.begin() as connection:
        if connection.execute(select(func.count()).select_from(INSTANCES)).scalar_one():
            raise BadBackup("the store already has instances; restore into an empty one (another DATA_DIR)")
        # The rows were in order where they come from, whatever order they come in.
        guards.lift(connection)
        for rows in _batches(path):
            for table in KEPT:
                mine = [_row(table, row["row"]) for row in rows if row["table"] == table.name]
                if mine:
                    connection.execute(insert(METADATA.tables[table.name]), mine)
            count += len(rows)
        guards.put(connection)
    return count


@contextmanager
def _snapshot(engine: Engine) -> Generator[Connection]:
    """A connection whose reads all see one moment."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            # The driver begins a transaction with the first write only.
            connection.exec_driver_sql("BEGIN")
            yield connection
        else:
            yield connection.execution_options(isolation_level="REPEATABLE READ")


def _dump(connection: Connection, table: Table, file: gzip.GzipFile) -> int:
    names = [str(column.name) for column in table.columns]
    count = 0
    # Row by row: a server would otherwise send the whole table at once.
    rows = connection.execution_options(yield_per=ROWS)
    for row in rows.execute(select(table).order_by(*table.primary_key)):
        values = [b64encode(v).decode() if isinstance(v, bytes) else v for v in row]
        file.write(orjson.dumps({"table": table.name, "row": dict(zip(names, values, strict=True))}) + b"\n")
        count += 1
    return count


def _row(table: Table, values: dict[str, Any]) -> dict[str, Any]:
    """The values as the table takes them: what is binary there is base64 in a backup."""
    binary = [str(column.name) for column in table.columns if isinstance(column.type, LargeBinary)]
    return values | {name: b64decode(values[name]) for name in binary}


def _batches(path: Path) -> Iterator[list[dict[str, Any]]]:
    try:
        with gzip.open(path, "rb") as file:
            head = orjson.loads(file.readline())
            if not isinstance(head, dict) or head.get("format") != FORMAT:  # pyright: ignore[reportUnknownMemberType]
                raise BadBackup(f"{path} is not a backup of Auditorium")
            if head["schema_version"] != len(MIGRATIONS):
                raise BadBackup(
                    f"{path} has schema version {head['schema_version']}, this Auditorium reads "
                    f"version {len(MIGRATIONS)}"
                )
            rows: list[dict[str, Any]] = []
            for line in file:
                rows.append(orjson.loads(line))
                if len(rows) == ROWS:
                    yield rows
                    rows = []
            yield rows
    except (OSError, EOFError, orjson.JSONDecodeError) as error:
        raise BadBackup(f"{path} cannot be read as a backup: {error}") from error
