"""Drawing: rows put into tables, days and names drawn at random."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from random import Random

from evals.nl2sql.development import names


def insert(connection: sqlite3.Connection, table: str, rows: Iterable[tuple[object, ...]]) -> None:
    """Puts rows into a table; there is at least one."""
    rows = list(rows)
    marks = ", ".join("?" * len(rows[0]))
    connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def day(rng: Random, first: int, last: int) -> str:
    """An ISO date in one of these years."""
    return f"{rng.randint(first, last)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"


def people(rng: Random, count: int) -> list[str]:
    """So many different names of people."""
    pairs = [f"{first} {last}" for first in names.FIRST for last in names.LAST]
    return rng.sample(pairs, count)
