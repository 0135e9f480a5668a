"""Dialects: where the three databases differ in what a date or a number is.

Leaves to `ibis` how everything else is written.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any, assert_never

from agents.analyst.engines.expressions import ibis
from envs.analyst.catalogue import Column, ColumnType, Table
from envs.analyst.ir import Aggregate, Grain

MEDIAN = "exact_median"
"""The name under which SQLite, which has no median, gets one."""

_UNITS = {
    Grain.DAY: "D",
    Grain.WEEK: "W",
    Grain.MONTH: "M",
    Grain.QUARTER: "Q",
    Grain.YEAR: "Y",
}
_TYPES = {
    ColumnType.INTEGER: "int64",
    ColumnType.NUMBER: "float64",
    ColumnType.TEXT: "string",
    ColumnType.BOOLEAN: "boolean",
    ColumnType.DATE: "date",
    ColumnType.TIMESTAMP: "timestamp",
    ColumnType.OTHER: "string",
}


class Dialect(StrEnum):
    """The databases, as sqlglot and ibis call them."""

    DUCKDB = "duckdb"
    SQLITE = "sqlite"
    POSTGRES = "postgres"


@ibis.udf.agg.builtin(name=MEDIAN)
def _exact_median(value: float) -> float:  # pyright: ignore[reportReturnType] - SQLite's own, see `sqlite`
    ...


def unbound(table: Table) -> Any:
    """The table as ibis knows it, with the catalogue's types."""
    return ibis.table({column.name: _TYPES[column.type] for column in table.columns}, name=table.table_id)


def grained(value: Any, kind: ColumnType, grain: Grain, dialect: Dialect) -> Any:
    """A date rounded down to a grain, or the part of it that the grain names."""
    match grain:
        case Grain.HOUR:
            if dialect is Dialect.SQLITE:
                return value.strftime("%Y-%m-%d %H:00:00")
            return value.truncate("h")
        case Grain.HOUR_OF_DAY:
            return value.hour()
        case Grain.WEEKDAY:
            return value.day_of_week.index() + 1
        case Grain.MONTH_OF_YEAR:
            return value.month()
        case Grain.YEAR_NUMBER:
            return value.year()
        case Grain.DAY | Grain.WEEK | Grain.MONTH | Grain.QUARTER | Grain.YEAR:
            cut = value.truncate(_UNITS[grain])
            # SQLite writes a quarter of a timestamp as a day and a month as a second: both become days.
            return cut.date() if kind is ColumnType.TIMESTAMP else cut
        case _:
            assert_never(grain)


def grained_type(kind: ColumnType, grain: Grain | None) -> ColumnType:
    """The type of what `grained` gives."""
    match grain:
        case None:
            return kind
        case Grain.HOUR:
            return ColumnType.TIMESTAMP
        case Grain.DAY | Grain.WEEK | Grain.MONTH | Grain.QUARTER | Grain.YEAR:
            return ColumnType.DATE
        case Grain.HOUR_OF_DAY | Grain.WEEKDAY | Grain.MONTH_OF_YEAR | Grain.YEAR_NUMBER:
            return ColumnType.INTEGER
        case _:
            assert_never(grain)


def moment(text: str, kind: ColumnType, dialect: Dialect) -> Any:
    """A day or a second to compare a column of that type with."""
    if dialect is Dialect.SQLITE:
        # A stored day, `2026-03-01`, is less than the same day's midnight, `2026-03-01 00:00:00`.
        return ibis.literal(text[:10] if text[10:] in ("", "T00:00:00") else text.replace("T", " "))
    if kind is ColumnType.DATE:
        return ibis.date(text[:10])
    return ibis.timestamp(text)


def comparable(value: Any, dialect: Dialect) -> Any:
    """A date column as it compares with `moment`."""
    return value.cast("string") if dialect is Dialect.SQLITE else value


def next_day(text: str) -> str:
    """The day after an ISO day."""
    return (date.fromisoformat(text) + timedelta(days=1)).isoformat()


def between_days(first: Any, second: Any, dialect: Dialect) -> Any:
    """Days from the second to the first."""
    if dialect is Dialect.SQLITE:
        return _julianday(first.cast("string")) - _julianday(second.cast("string"))
    return first.cast("timestamp").delta(second.cast("timestamp"), unit="second") / 86_400


@ibis.udf.scalar.builtin(name="julianday")
def _julianday(value: str) -> float:  # pyright: ignore[reportReturnType] - SQLite's own
    ...


def aggregate(value: Any, agg: Aggregate, where: Any, dialect: Dialect) -> Any:
    """One aggregate of a column over the rows that meet `where`."""
    match agg:
        case Aggregate.COUNT:
            return value.count(where=where)
        case Aggregate.COUNT_DISTINCT:
            return value.nunique(where=where)
        case Aggregate.SUM:
            return value.sum(where=where)
        case Aggregate.AVG:
            return value.mean(where=where)
        case Aggregate.MIN:
            return value.min(where=where)
        case Aggregate.MAX:
            return value.max(where=where)
        case Aggregate.STDDEV:
            return value.std(where=where, how="sample")
        case Aggregate.MEDIAN:
            if dialect is Dialect.SQLITE:
                return _exact_median(value.cast("float64"), where=where)
            # A power is a double in DuckDB, where the median of decimals would be cut to their digits.
            return (value**1.0).median(where=where)
        case _:
            assert_never(agg)


def cell(value: object, kind: ColumnType, longest: int) -> str | int | float | bool | None:
    """A driver's value as a plain one, equal for all three databases."""
    if value is None:
        return None
    match kind:
        case ColumnType.INTEGER | ColumnType.NUMBER:
            return _number(value, kind, longest)
        case ColumnType.BOOLEAN:
            return bool(value)
        case ColumnType.DATE:
            return value.isoformat()[:10] if isinstance(value, date) else str(value)[:10]
        case ColumnType.TIMESTAMP:
            written = value.isoformat() if isinstance(value, datetime) else str(value).replace(" ", "T", 1)
            return written.removesuffix(".000").removesuffix(".000000")
        case ColumnType.TEXT | ColumnType.OTHER:
            return str(value)[:longest]
        case _:
            assert_never(kind)


def _number(value: object, kind: ColumnType, longest: int) -> str | int | float | None:
    if isinstance(value, int):
        return value
    try:
        number = float(value)  # pyright: ignore[reportArgumentType] - whatever a driver hands out
    except (TypeError, ValueError):
        # SQLite keeps a text in a column of numbers when that is what was put there.
        return str(value)[:longest]
    if number != number or number in (float("inf"), float("-inf")):
        return None
    if kind is ColumnType.INTEGER and number.is_integer():
        return int(number)
    # Sums of floats differ in their last digits by the order of the rows, which every engine has for itself.
    return float(f"{number:.12g}")


def type_of(column: Column, agg: Aggregate) -> ColumnType:
    """The type of an aggregate of a column."""
    match agg:
        case Aggregate.COUNT | Aggregate.COUNT_DISTINCT:
            return ColumnType.INTEGER
        case Aggregate.SUM | Aggregate.MIN | Aggregate.MAX:
            return column.type
        case Aggregate.AVG | Aggregate.MEDIAN | Aggregate.STDDEV:
            return ColumnType.NUMBER
        case _:
            assert_never(agg)
