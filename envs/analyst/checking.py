"""Checking: whether an IR is sound for a source, before any engine sees it.

Names, types, units and parts that contradict each other. Pure; leaves to the planner what to do about it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from envs.analyst.catalogue import Column, ColumnType, Source, Table
from envs.analyst.ir import (
    Aggregate,
    AllOf,
    AnyOf,
    Condition,
    Exists,
    Filter,
    Grain,
    Measure,
    Op,
    Operand,
    Order,
    QueryIR,
    Ref,
)
from envs.analyst.paths import home, placed, referral, way
from envs.analyst.problems import (
    FanOut,
    Inexact,
    Malformed,
    MixedUnits,
    NoPath,
    UnknownColumn,
    UnknownTable,
    WrongType,
)
from envs.analyst.shaping import NEEDS_NOTHING, NEEDS_TEXT, NEEDS_VALUES, answer_names, check_shape

NUMBERS = frozenset({ColumnType.INTEGER, ColumnType.NUMBER})
TIMES = frozenset({ColumnType.DATE, ColumnType.TIMESTAMP})
_SUMS = frozenset({Aggregate.SUM, Aggregate.AVG, Aggregate.MEDIAN, Aggregate.STDDEV})
_ENDS = frozenset({Aggregate.MIN, Aggregate.MAX})
_OF_DAYS = frozenset({Grain.HOUR, Grain.HOUR_OF_DAY})


def check(ir: QueryIR, source: Source) -> None:
    """Nothing, if every engine can answer the IR.

    Raises:
        QueryProblem: The first thing that is wrong, with what would be allowed.
    """
    if ir.source_id != source.source_id:
        raise Malformed(f"the query is for {ir.source_id!r} and this source is {source.source_id!r}")
    table_of(source, ir.table_id)
    for ref in ir.select:
        _reached(source, ir.table_id, ref)
    for dimension in ir.group_by:
        _grained(_reached(source, ir.table_id, dimension.column), dimension.grain)
    _filters(source, ir.table_id, ir.table_id, ir.filters)
    for measure in ir.measures:
        _measure(ir, source, measure)
    _times(ir, source)
    check_shape(ir)
    for order in ir.order_by:
        _order(ir, source, order, answer_names(ir))
    if ir.combined is not None:
        check(ir.combined.other, source)


def table_of(source: Source, table_id: str) -> Table:
    """The table of that name.

    Raises:
        UnknownTable: With the tables that there are.
    """
    table = source.table(table_id)
    if table is None:
        known = tuple(each.table_id for each in source.tables)
        raise UnknownTable(f"{source.name} has no table {table_id!r}; it has {', '.join(known)}", known)
    return table


def column_of(source: Source, base: str, ref: Ref) -> Column:
    """The column that is meant, as seen from `base`; whether a way leads there is another question.

    Raises:
        UnknownTable, UnknownColumn: With what there is.
    """
    table = table_of(source, ref.table or base)
    column = table.column(ref.column)
    if column is None:
        known = tuple(each.name for each in table.columns)
        raise UnknownColumn(
            f"table {table.table_id!r} has no column {ref.column!r}; it has {', '.join(known)}", known
        )
    return column


def _reached(source: Source, base: str, ref: Ref, home_table: str | None = None) -> Column:
    column = column_of(source, base, ref)
    try:
        placed(source, home_table or base, base, ref)
    except NoPath as problem:
        if _refers(source, ref.table or base, base):
            raise FanOut(
                f"{ref.table!r} has many rows for each row of {base!r}; count or test them, or ask about"
                f" {ref.table!r} itself",
                (ref.table or base,),
            ) from problem
        raise
    return column


def _refers(source: Source, child: str, base: str) -> bool:
    try:
        return bool(way(source, child, base))
    except NoPath:
        return False


def _measure(ir: QueryIR, source: Source, measure: Measure) -> None:
    for operand in (measure, measure.per):
        if operand is not None:
            _operand(source, ir.table_id, operand)
            _units(ir, source, operand)


def _operand(source: Source, base: str, operand: Operand) -> None:
    if operand.column is None:
        if operand.agg is not Aggregate.COUNT or operand.combine is not None:
            raise Malformed(f"{operand.agg} needs a column; only count goes without")
        table_of(source, operand.table or base)
        rows = home(source, base, operand)
    else:
        column_of(source, base, operand.column)
        rows = home(source, base, operand)
        column = _reached(source, base, operand.column, None if rows.once else rows.table)
        if operand.combine is not None:
            second = _reached(source, base, operand.combine.column, rows.table)
            _combined(column, second, operand.combine.op)
        else:
            _aggregated(column, operand.agg)
    _filters(source, base, base if rows.once else rows.table, operand.where)


def _aggregated(column: Column, agg: Aggregate) -> None:
    if agg in _SUMS | _ENDS and not column.exact:
        raise Inexact(
            f"digits of {column.name!r} were lost before upload, so its {agg} would be wrong; count it"
        )
    if agg in _SUMS and column.type not in NUMBERS:
        raise WrongType(
            f"{agg} needs numbers and {column.name!r} holds {column.type}; count it, or choose a number"
        )
    if agg in _ENDS and column.type in (ColumnType.BOOLEAN, ColumnType.OTHER):
        raise WrongType(f"{agg} needs values with an order and {column.name!r} holds {column.type}")


def _combined(first: Column, second: Column, op: str) -> None:
    dates = first.type in TIMES and second.type in TIMES and op == "minus"
    numbers = first.type in NUMBERS and second.type in NUMBERS
    if not (dates or numbers):
        raise WrongType(f"{first.name!r} ({first.type}) {op} {second.name!r} ({second.type}) gives no number")


def _units(ir: QueryIR, source: Source, operand: Operand) -> None:
    """Unlike amounts are not added up: the unit's column is grouped by or fixed."""
    if operand.column is None or operand.agg not in _SUMS | _ENDS:
        return
    column = column_of(source, ir.table_id, operand.column)
    unit = column.unit_column
    if unit is None:
        return
    grouped = any(each.column.column == unit for each in ir.group_by)
    fixed = any(
        isinstance(each, Condition)
        and each.column.column == unit
        and each.op in (Op.EQ, Op.IN)
        and len(each.values) < 2
        for each in (*ir.filters, *operand.where)
    )
    if not grouped and not fixed:
        raise MixedUnits(
            f"{column.name!r} holds amounts in several currencies; group by {unit!r} or choose one of them",
            (unit,),
        )


def _filters(source: Source, base: str, rows: str, filters: Iterable[Filter | AllOf]) -> None:
    for each in filters:
        match each:
            case Condition():
                _condition(source, base, rows, each)
            case AnyOf():
                _filters(source, base, rows, each.any_of)
            case AllOf():
                _filters(source, base, rows, each.all_of)
            case Exists():
                table_of(source, each.exists)
                referral(source, each.exists, base, each.via)
                _filters(source, each.exists, each.exists, each.where)
            case _:
                assert_never(each)


def _condition(source: Source, base: str, rows: str, condition: Condition) -> None:
    column = _reached(source, base, condition.column, rows)
    _grained(column, condition.grain)
    needed = _given(condition)
    if condition.op in NEEDS_TEXT and column.type is not ColumnType.TEXT:
        raise WrongType(f"{condition.op} needs text and {column.name!r} holds {column.type}")
    if needed == "other" and condition.other is not None:
        _comparable(column, _reached(source, base, condition.other, rows))
    elif needed == "than" and condition.than is not None:
        than = condition.than
        target = Operand(agg=than.agg, column=Ref(column=than.column.column), where=than.where)
        _operand(source, than.column.table or base, target)
    else:
        values = condition.values if condition.op in NEEDS_VALUES else (condition.value,)
        if condition.op not in NEEDS_NOTHING:
            _values(column, condition.grain, values)


def _given(condition: Condition) -> str:
    """Which operand a condition has; exactly the one that its op needs."""
    present = {
        "value": condition.value is not None,
        "values": bool(condition.values),
        "other": condition.other is not None,
        "than": condition.than is not None,
    }
    given = [name for name, there in present.items() if there]
    if condition.op in NEEDS_NOTHING:
        allowed: tuple[str, ...] = ()
    elif condition.op in NEEDS_VALUES:
        allowed = ("values",)
    else:
        allowed = ("value",) if condition.op in NEEDS_TEXT else ("value", "other", "than")
    if len(given) != min(1, len(allowed)) or not set(given) <= set(allowed):
        raise Malformed(
            f"{condition.op} takes {' or '.join(allowed) or 'no value'}; given: {', '.join(given) or 'none'}"
        )
    if condition.op is Op.BETWEEN and len(condition.values) != 2:
        raise Malformed(f"between takes two values, the ends; given: {len(condition.values)}")
    return given[0] if given else ""


def _values(column: Column, grain: Grain | None, values: Iterable[object]) -> None:
    wanted: type | tuple[type, ...]
    if grain in (Grain.HOUR_OF_DAY, Grain.WEEKDAY, Grain.MONTH_OF_YEAR, Grain.YEAR_NUMBER):
        wanted = int
    elif column.type in NUMBERS:
        wanted = (int, float)
    else:
        wanted = bool if column.type is ColumnType.BOOLEAN else str
    for value in values:
        if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
            raise WrongType(f"{column.name!r} holds {column.type} and cannot be compared with {value!r}")


def _comparable(first: Column, second: Column) -> None:
    kinds = [NUMBERS, TIMES, frozenset({ColumnType.TEXT}), frozenset({ColumnType.BOOLEAN})]
    if not any(first.type in kind and second.type in kind for kind in kinds):
        raise WrongType(
            f"{first.name!r} ({first.type}) and {second.name!r} ({second.type}) cannot be compared"
        )


def _grained(column: Column, grain: Grain | None) -> None:
    if grain is None:
        return
    if column.type not in TIMES:
        raise WrongType(f"the grain {grain} needs a date and {column.name!r} holds {column.type}")
    if grain in _OF_DAYS and column.type is ColumnType.DATE:
        raise WrongType(f"{column.name!r} holds days without a time, so it has no {grain}")


def _times(ir: QueryIR, source: Source) -> None:
    if ir.time_range is None:
        if ir.comparison is not None:
            raise Malformed("a comparison needs a time_range to compare with")
        return
    column = _reached(source, ir.table_id, ir.time_range.column)
    if column.type not in TIMES:
        raise WrongType(f"a time range needs a date and {column.name!r} holds {column.type}")
    start, end = ir.time_range.start, ir.time_range.end
    if start and end and start >= end:
        raise Malformed(f"the time range ends ({end}) before it starts ({start}); its end is not part of it")
    if ir.comparison is None:
        return
    if not (start and end):
        raise Malformed("a comparison needs a time_range with both ends")
    if any(each.column == ir.time_range.column and each.grain for each in ir.group_by):
        raise Malformed(
            "a comparison cannot be grouped by its own date; ask for the grain without comparison"
        )


def _order(ir: QueryIR, source: Source, order: Order, names: tuple[str, ...]) -> None:
    if isinstance(order.by, str):
        # What is distinct or combined has only the columns that it shows.
        shown = ir.aggregates or (ir.select and (ir.distinct or ir.combined))
        listed = [] if shown else [column.name for column in table_of(source, ir.table_id).columns]
        if order.by not in (*names, *listed):
            raise Malformed(f"order_by names {order.by!r}; the answer has {', '.join(names)}", names)
    elif ir.aggregates or ir.distinct:
        raise Malformed("order_by takes names of the answer where rows are grouped or made distinct")
    else:
        _reached(source, ir.table_id, order.by)
