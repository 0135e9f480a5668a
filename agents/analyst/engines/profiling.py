"""Profiling: a catalogue out of a database's tables and what is in them.

Counts, extremes, samples, roles, keys that nobody declared, and every text that a question may name. Leaves
to each engine which tables and declared keys there are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agents.analyst.engines.database import Engine, Limits
from agents.analyst.engines.dialects import cell
from agents.analyst.engines.keys import keys_of
from agents.analyst.engines.roles import label_column, role_of, time_column
from envs.analyst.catalogue import Column, ColumnType, ForeignKey, Source, SourceType, Table
from envs.analyst.results import Cell
from envs.analyst.values import Values

SAMPLES = 5
MOST_VALUES = 50_000
"""Values of one column that are indexed; a column with more is not named value by value."""
LONGEST_VALUE = 100
"""Characters of a value that a question may name."""

_LIMITS = Limits(elapsed_s=60.0)
_EXTREMES = frozenset({ColumnType.INTEGER, ColumnType.NUMBER, ColumnType.DATE, ColumnType.TIMESTAMP})
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Found:
    """A table as an engine finds it.

    Attributes:
        columns: Name to type, in order.
        references: Declared foreign keys.
    """

    name: str
    columns: Mapping[str, ColumnType]
    primary_key: tuple[str, ...] = ()
    references: tuple[ForeignKey, ...] = ()


@dataclass(frozen=True, slots=True)
class Counts:
    """What one pass over a column counts."""

    there: int
    distinct: int
    low: Cell
    high: Cell


def profiled(
    engine: Engine, source_id: str, name: str, source_type: SourceType, tables: tuple[Found, ...]
) -> tuple[Source, Values]:
    """The catalogue of a source and the index of its values."""
    counted = {table.name: _counted(engine, table) for table in tables}
    rows = {table: found[0] for table, found in counted.items()}
    columns = {table: found[1] for table, found in counted.items()}
    keys = keys_of(
        engine, tables, rows, {t: {c: n.distinct for c, n in of.items()} for t, of in columns.items()}
    )
    made = tuple(_table(engine, table, rows[table.name], columns[table.name], keys) for table in tables)
    days = [
        str(column.high)[:10]
        for table in made
        for column in table.columns
        if column.name == table.time_column and column.high is not None
    ]
    source = Source(
        source_id=source_id,
        name=name,
        source_type=source_type,
        tables=made,
        foreign_keys=keys,
        newest_date=max(days, default=None),
    )
    return source, _values(engine, made)


def words_of(name: str) -> str:
    """A column's name as words: `unitPrice` and `unit_price` are `unit price`."""
    return " ".join(_HUMP.sub(" ", name).replace("_", " ").split()).lower()


def quoted(name: str) -> str:
    """A name as an identifier of SQL, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def _counted(engine: Engine, table: Found) -> tuple[int, dict[str, Counts]]:
    """The rows of a table, and what each of its columns counts."""
    parts = ["COUNT(*)"]
    for name, kind in table.columns.items():
        column = quoted(name)
        distinct = f"COUNT(DISTINCT {column})" if kind is not ColumnType.OTHER else "0"
        ends = f"MIN({column}), MAX({column})" if kind in _EXTREMES else "NULL, NULL"
        parts.append(f"COUNT({column}), {distinct}, {ends}")
    rows, *found = engine.fetch(f"SELECT {', '.join(parts)} FROM {quoted(table.name)}", _LIMITS)[0]
    columns = {
        name: Counts(
            int(found[4 * at]),
            int(found[4 * at + 1]),
            cell(found[4 * at + 2], kind, LONGEST_VALUE),
            cell(found[4 * at + 3], kind, LONGEST_VALUE),
        )
        for at, (name, kind) in enumerate(table.columns.items())
    }
    return int(rows), columns


def _table(
    engine: Engine, table: Found, rows: int, counts: Mapping[str, Counts], keys: tuple[ForeignKey, ...]
) -> Table:
    refers = {column for key in keys if key.table == table.name for column in key.columns}
    columns: list[Column] = []
    for name, kind in table.columns.items():
        number = counts[name]
        role = role_of(name, kind, number.distinct, rows, name in table.primary_key, name in refers)
        column = Column(
            name=name,
            label=words_of(name),
            type=kind,
            role=role,
            samples=_samples(engine, table.name, name, kind, number.distinct),
            distinct=number.distinct,
            missing=rows - number.there,
            low=number.low,
            high=number.high,
        )
        columns.append(column)
    return Table(
        table_id=table.name,
        label=words_of(table.name),
        columns=tuple(columns),
        row_count=rows,
        primary_key=table.primary_key,
        time_column=time_column(columns),
        label_column=label_column(table.name, columns, rows),
    )


def _samples(engine: Engine, table: str, name: str, kind: ColumnType, distinct: int) -> tuple[Cell, ...]:
    if kind is ColumnType.OTHER or not distinct:
        return ()
    column = quoted(name)
    if kind is ColumnType.TEXT and distinct <= MOST_VALUES:
        order = f"GROUP BY {column} ORDER BY COUNT(*) DESC, {column}"
    else:
        order = f"GROUP BY {column} ORDER BY {column}"
    sql = f"SELECT {column} FROM {quoted(table)} WHERE {column} IS NOT NULL {order} LIMIT {SAMPLES}"
    return tuple(cell(row[0], kind, LONGEST_VALUE) for row in engine.fetch(sql, _LIMITS))


def _values(engine: Engine, tables: tuple[Table, ...]) -> Values:
    found: dict[tuple[str, str], list[str]] = {}
    for table in tables:
        for column in table.columns:
            if column.type is ColumnType.TEXT and 0 < column.distinct <= MOST_VALUES:
                found[table.table_id, column.name] = _distinct(engine, table.table_id, column.name)
    return Values(found)


def _distinct(engine: Engine, table: str, column: str) -> list[str]:
    name = quoted(column)
    # LENGTH works on texts alone in Postgres, and only texts come here.
    sql = (
        f"SELECT DISTINCT {name} FROM {quoted(table)}"
        f" WHERE {name} IS NOT NULL AND LENGTH({name}) <= {LONGEST_VALUE} ORDER BY {name}"
    )
    rows: list[tuple[Any, ...]] = engine.fetch(sql, _LIMITS)
    return [str(row[0]) for row in rows]
