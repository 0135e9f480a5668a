"""Suggesting: questions that fit a source, for somebody who has not asked anything yet.

Made of the names in the catalogue alone, in words that the planner reads. Where they stand is for others to
say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from envs.analyst.catalogue import Column, Role, Source, Table

RATES = frozenset({"price", "rate", "discount", "margin", "age", "score", "harga", "diskon"})
"""Nobody adds these up."""
FEW = 12
"""More groups than that are ranked, and fewer compared."""


class _Group(NamedTuple):
    """What rows can be grouped by, as a person calls it, and how many groups that makes."""

    name: str
    size: int


def suggested(source: Source) -> tuple[str, ...]:
    """Up to four questions on the source's greatest table; none where it has no tables."""
    if not source.tables:
        return ()
    return tuple(_questions(source, max(source.tables, key=lambda table: table.row_count)))


def _questions(source: Source, table: Table) -> Iterator[str]:
    groups = tuple(_groups(source, table))
    few = next((group for group in groups if 1 < group.size <= FEW), None)
    many = min((group for group in groups if group.size > FEW), key=lambda group: group.size, default=None)
    measure = _measure(table)
    what = f"total {measure.label}" if measure else f"number of {table.label}"
    if few:
        yield f"What was {what} by {few.name}?"
    if table.time_column:
        yield f"{what.capitalize()} by month"
    if many and measure:
        yield f"Top 5 {many.name} by {measure.label}"
    if few and measure and table.time_column:
        yield f"How did {what} change by {few.name} last quarter?"


def _measure(table: Table) -> Column | None:
    """The first sum of money, else the first thing that is measured."""
    measures = [column for column in table.columns if column.role is Role.MEASURE and column.exact]
    summable = [each for each in measures if each.unit != "%" and not RATES & set(each.label.lower().split())]
    return min(summable, key=lambda column: column.unit is None, default=None)


def _groups(source: Source, table: Table) -> Iterator[_Group]:
    """Things that its rows refer to and that have names, then its own columns of few values."""
    for key in source.foreign_keys:
        other = source.table(key.to_table)
        if key.table == table.table_id and other is not None and other.label_column:
            yield _Group(other.label, other.row_count)
    for column in table.columns:
        if column.role in (Role.DIMENSION, Role.LABEL) and column.distinct > 1:
            yield _Group(column.label, column.distinct)
