"""Profiling: a catalogue out of a database's tables and what is in them.

Counts, extremes, samples, roles, keys that nobody declared, and every text that a question may name. Leaves
to each engine which tables and declared keys there are, and to `patience` how long a look may take.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from agents.analyst.engines.database import Engine
from agents.analyst.engines.dialects import cell
from agents.analyst.engines.keys import keys_of
from agents.analyst.engines.patience import TOO_MUCH, NextLimits, Patience
from agents.analyst.engines.roles import label_column, role_of, time_column
from envs.analyst.catalogue import Column, ColumnType, ForeignKey, Source, SourceType, Table
from envs.analyst.problems import Stopped, Unavailable
from envs.analyst.results import Cell
from envs.analyst.values import Values

SAMPLES = 5
MOST_VALUES = 50_000
"""Values of one column that are indexed; a column with more is not named value by value."""
MOST_OF_ALL = 250_000
"""Values of a source that are indexed; of its columns those with the fewest are, until there are so many."""
LONGEST_VALUE = 100
"""Characters of a value that a question may name."""

_AT_ONCE = 16
"""Columns that one query counts: each distinct count holds memory of its own."""
_EXTREMES = frozenset({ColumnType.INTEGER, ColumnType.NUMBER, ColumnType.DATE, ColumnType.TIMESTAMP})
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Found:
    """A table as an engine finds it.

    Attributes:
        columns: Name to type, in order.
        references: Declared foreign keys.
        view: Whether its rows are made when they are asked for.
    """

    name: str
    columns: Mapping[str, ColumnType]
    primary_key: tuple[str, ...] = ()
    references: tuple[ForeignKey, ...] = ()
    view: bool = False


@dataclass(frozen=True, slots=True)
class Counts:
    """What one pass over a column counts."""

    there: int
    distinct: int
    low: Cell
    high: Cell


@dataclass(frozen=True, slots=True)
class Looked:
    """What was seen of one table.

    Attributes:
        counts, samples: By column.
    """

    found: Found
    rows: int
    counts: Mapping[str, Counts]
    samples: Mapping[str, tuple[Cell, ...]]


def profiled(
    engine: Engine,
    source_id: str,
    name: str,
    source_type: SourceType,
    tables: Iterable[Found],
    patience: Patience | None = None,
) -> tuple[Source, Values]:
    """The catalogue of a source and the index of its values; what takes too long is left out with a note.

    Raises:
        Unavailable: If there are tables and none can be read in time.
    """
    patience = patience or Patience()
    seen = list(_looked(engine, tables, patience))
    if patience.notes and not seen:
        raise Unavailable(f"{name} has no table that can be read in time: {patience.notes[0].text}")
    rows = {each.found.name: each.rows for each in seen}
    distinct = {each.found.name: {c: n.distinct for c, n in each.counts.items()} for each in seen}
    keys = keys_of(engine, [each.found for each in seen], rows, distinct, patience)
    made = tuple(_table(each, keys) for each in seen)
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
        notes=patience.notes,
    )
    return source, _values(engine, seen, patience)


def words_of(name: str) -> str:
    """A column's name as words: `unitPrice` and `unit_price` are `unit price`."""
    return " ".join(_HUMP.sub(" ", name).replace("_", " ").split()).lower()


def quoted(name: str) -> str:
    """A name as an identifier of SQL, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def _looked(engine: Engine, tables: Iterable[Found], patience: Patience) -> Iterator[Looked]:
    for table in tables:
        try:
            with patience.over(view=table.view) as limits:
                rows, counts = _counted(engine, table, limits)
                samples = {
                    name: _samples(engine, table.name, name, kind, counts[name].distinct, limits)
                    for name, kind in table.columns.items()
                }
        except Stopped:
            patience.leave_out(table.name, TOO_MUCH)
        else:
            yield Looked(table, rows, counts, samples)


def _counted(engine: Engine, table: Found, limits: NextLimits) -> tuple[int, dict[str, Counts]]:
    """The rows of a table, and what each of its columns counts."""
    rows = 0
    columns: dict[str, Counts] = {}
    names = list(table.columns)
    for first in range(0, max(1, len(names)), _AT_ONCE):
        asked = names[first : first + _AT_ONCE]
        parts = ["COUNT(*)", *(_counting(name, table.columns[name]) for name in asked)]
        sql = f"SELECT {', '.join(parts)} FROM {quoted(table.name)}"
        rows, *found = engine.fetch(sql, limits())[0]
        for at, name in enumerate(asked):
            kind, (there, distinct, low, high) = table.columns[name], found[4 * at : 4 * at + 4]
            ends = cell(low, kind, LONGEST_VALUE), cell(high, kind, LONGEST_VALUE)
            columns[name] = Counts(int(there), int(distinct), *ends)
    return int(rows), columns


def _counting(name: str, kind: ColumnType) -> str:
    """A SELECT list of what `Counts` holds, in its order."""
    column = quoted(name)
    distinct = f"COUNT(DISTINCT {column})" if kind is not ColumnType.OTHER else "0"
    ends = f"MIN({column}), MAX({column})" if kind in _EXTREMES else "NULL, NULL"
    return f"COUNT({column}), {distinct}, {ends}"


def _table(seen: Looked, keys: tuple[ForeignKey, ...]) -> Table:
    table, rows = seen.found, seen.rows
    refers = {column for key in keys if key.table == table.name for column in key.columns}
    columns: list[Column] = []
    for name, kind in table.columns.items():
        number = seen.counts[name]
        role = role_of(name, kind, number.distinct, rows, name in table.primary_key, name in refers)
        column = Column(
            name=name,
            label=words_of(name),
            type=kind,
            role=role,
            samples=seen.samples[name],
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


def _samples(
    engine: Engine, table: str, name: str, kind: ColumnType, distinct: int, limits: NextLimits
) -> tuple[Cell, ...]:
    if kind is ColumnType.OTHER or not distinct:
        return ()
    column = quoted(name)
    if kind is ColumnType.TEXT and distinct <= MOST_VALUES:
        order = f"GROUP BY {column} ORDER BY COUNT(*) DESC, {column}"
    else:
        order = f"GROUP BY {column} ORDER BY {column}"
    sql = f"SELECT {column} FROM {quoted(table)} WHERE {column} IS NOT NULL {order} LIMIT {SAMPLES}"
    return tuple(cell(row[0], kind, LONGEST_VALUE) for row in engine.fetch(sql, limits()))


def _values(engine: Engine, seen: Iterable[Looked], patience: Patience) -> Values:
    """The texts of every column that has few enough, as far as there is time for them."""
    counted = sorted(
        (each.counts[name].distinct, each.found.name, name, each.found.view)
        for each in seen
        for name, kind in each.found.columns.items()
        if kind is ColumnType.TEXT and 0 < each.counts[name].distinct <= MOST_VALUES
    )
    found: dict[tuple[str, str], list[str]] = {}
    total = 0
    for distinct, table, column, view in counted:
        total += distinct
        if total > MOST_OF_ALL:
            break
        with suppress(Stopped), patience.over(view=view) as limits:
            found[table, column] = _distinct(engine, table, column, limits)
    return Values(found)


def _distinct(engine: Engine, table: str, column: str, limits: NextLimits) -> list[str]:
    name = quoted(column)
    # LENGTH works on texts alone in Postgres, and only texts come here.
    sql = (
        f"SELECT DISTINCT {name} FROM {quoted(table)}"
        f" WHERE {name} IS NOT NULL AND LENGTH({name}) <= {LONGEST_VALUE} ORDER BY {name}"
    )
    return [str(row[0]) for row in engine.fetch(sql, limits())]
