"""Keys: which foreign keys hold, declared or not.

A declared key whose target repeats is no key: joins along it would multiply rows. One that nobody declared
is found by its name, and only where every value has its partner.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Protocol

from agents.analyst.engines.database import Engine
from agents.analyst.engines.patience import Patience
from envs.analyst.catalogue import ColumnType, ForeignKey
from envs.analyst.problems import Stopped

Count = Callable[[ForeignKey, str], int | None]
"""What a query about a key counts; None where there is no time for it."""

_ENDING = re.compile(r"(_|\s)?(id|code|key|no)$", re.IGNORECASE)


class Declared(Protocol):
    """A table with its columns and what is declared of them; see `profiling.Found`."""

    @property
    def name(self) -> str: ...
    @property
    def columns(self) -> Mapping[str, ColumnType]: ...
    @property
    def primary_key(self) -> tuple[str, ...]: ...
    @property
    def references(self) -> tuple[ForeignKey, ...]: ...
    @property
    def view(self) -> bool: ...


def keys_of(
    engine: Engine,
    tables: Sequence[Declared],
    rows: Mapping[str, int],
    distinct: Mapping[str, Mapping[str, int]],
    patience: Patience,
) -> tuple[ForeignKey, ...]:
    """The foreign keys that hold, as far as there is time to see it.

    Args:
        rows: Of each table.
        distinct: Values of each column of each table.
    """
    views = {table.name for table in tables if table.view}

    def count(key: ForeignKey, sql: str) -> int | None:
        with suppress(Stopped), patience.over(view=not views.isdisjoint((key.table, key.to_table))) as limits:
            return int(engine.fetch(sql, limits())[0][0])
        return None

    spelled = [_spelled(key, tables) for table in tables for key in table.references]
    declared = [key for key in spelled if key is not None and _unique(key, rows, distinct, count)]
    taken = {(key.table, column) for key in declared for column in key.columns}
    guessed = [
        key
        for key in _likely(tables, rows, distinct)
        if (key.table, key.columns[0]) not in taken and _contained(key, count)
    ]
    return (*dict.fromkeys(declared), *guessed)


def _spelled(key: ForeignKey, tables: Sequence[Declared]) -> ForeignKey | None:
    """The key with names as the tables have them; SQL does not mind their case. None where one is missing."""
    target = next((table for table in tables if table.name.lower() == key.to_table.lower()), None)
    own = next(table for table in tables if table.name == key.table)
    if target is None or len(key.columns) != len(key.to_columns):
        return None
    ours = {name.lower(): name for name in own.columns}
    theirs = {name.lower(): name for name in target.columns}
    columns = [ours.get(name.lower()) for name in key.columns]
    to_columns = [theirs.get(name.lower()) for name in key.to_columns]
    if None in columns or None in to_columns:
        return None
    found = {"columns": tuple(columns), "to_table": target.name, "to_columns": tuple(to_columns)}
    return key.model_copy(update=found)


def _unique(
    key: ForeignKey, rows: Mapping[str, int], distinct: Mapping[str, Mapping[str, int]], count: Count
) -> bool:
    if len(key.to_columns) == 1:
        return distinct[key.to_table][key.to_columns[0]] == rows[key.to_table]
    columns = ", ".join(_quoted(name) for name in key.to_columns)
    sql = f"SELECT COUNT(*) FROM (SELECT DISTINCT {columns} FROM {_quoted(key.to_table)}) AS t"
    return count(key, sql) == rows[key.to_table]


def _likely(
    tables: Sequence[Declared], rows: Mapping[str, int], distinct: Mapping[str, Mapping[str, int]]
) -> Iterator[ForeignKey]:
    """Columns called like another table's unique one: `customer_id` and `customer.customer_id` or `.id`."""
    for table in tables:
        for column, kind in table.columns.items():
            targets = {
                (other.name, name): None
                for other in tables
                for name, theirs in other.columns.items()
                if other.name != table.name
                and theirs is kind
                and _called_alike(column, other.name, name)
                and rows[other.name] > 0
                and distinct[other.name][name] == rows[other.name]
            }
            own = (column,) == table.primary_key or distinct[table.name][column] == rows[table.name] > 0
            if len(targets) == 1 and not own:
                (to_table, name), *_ = targets
                yield ForeignKey(
                    table=table.name, columns=(column,), to_table=to_table, to_columns=(name,), declared=False
                )


def _called_alike(column: str, table: str, target: str) -> bool:
    if not _ENDING.search(column):
        return False
    stem, theirs = _ENDING.sub("", column).lower(), _ENDING.sub("", target).lower()
    named = {table.lower(), table.lower().removesuffix("s"), table.lower().removesuffix("es")}
    return bool(stem) and stem in named and theirs in ("", *named)


def _contained(key: ForeignKey, count: Count) -> bool:
    ours, theirs = _quoted(key.columns[0]), _quoted(key.to_columns[0])
    sql = (
        f"SELECT COUNT(*) FROM {_quoted(key.table)} WHERE {ours} IS NOT NULL"
        f" AND {ours} NOT IN (SELECT {theirs} FROM {_quoted(key.to_table)} WHERE {theirs} IS NOT NULL)"
    )
    return count(key, sql) == 0


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
