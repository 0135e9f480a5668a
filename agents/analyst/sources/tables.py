"""Tables that say their own types: Parquet, copied as it is."""

from __future__ import annotations

from pathlib import Path

import duckdb

from agents.analyst.engines.profiling import quoted
from agents.analyst.sources import arrow
from agents.analyst.sources.importing import LIMITS, check_lengths
from agents.analyst.sources.receiving import UploadLimits, UploadRefused, too_many

_PLAIN = ("BOOLEAN", "DATE", "TIMESTAMP", "VARCHAR", "DOUBLE", "FLOAT", "DECIMAL", "INT")


def imported_parquet(content: bytes, table: str, path: Path, limits: UploadLimits) -> None:
    """Writes a Parquet file as the one table of a new DuckDB file; nested values become texts.

    Raises:
        UploadRefused: If it cannot be read or passes a limit.
    """
    arrived = path.with_name("arrived.parquet")
    arrived.write_bytes(content)
    try:
        size = arrow.size(arrived)
        for what, found, allowed in (
            ("rows", size.rows, limits.rows),
            ("columns", size.columns, limits.columns),
            ("bytes when it is unpacked", size.unpacked, limits.unpacked),
        ):
            if found > allowed:
                raise too_many(what, found, allowed)
        arriving = arrow.read(arrived)
    except arrow.NotParquet as error:
        raise UploadRefused(
            "unreadable", "the Parquet file is damaged; write it again and send it"
        ) from error
    finally:
        arrived.unlink()
    if not size.rows:
        raise UploadRefused("empty", "the file has no table with rows")
    with duckdb.connect(str(path), config=dict(LIMITS)) as connection:
        connection.register("arriving", arriving)
        described = connection.execute("DESCRIBE arriving").fetchall()
        picked = ", ".join(_picked(str(name), str(kind)) for name, kind, *_ in described)
        connection.execute(f"CREATE TABLE {quoted(table)} AS SELECT {picked} FROM arriving")
        check_lengths(connection, table, limits)


def _picked(name: str, kind: str) -> str:
    plain = (
        any(part in kind for part in _PLAIN)
        and "[" not in kind
        and "STRUCT" not in kind
        and "MAP" not in kind
    )
    return quoted(name) if plain else f"CAST({quoted(name)} AS VARCHAR) AS {quoted(name)}"
