"""Conditions: which rows of a scope count.

Leaves to `scope` where the columns come from. Rows without a value pass a test only where the IR says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import eq, ge, gt, le, lt, ne
from typing import Any, assert_never

from agents.analyst.engines.dialects import (
    Dialect,
    aggregate,
    comparable,
    grained,
    grained_type,
    moment,
    next_day,
)
from agents.analyst.engines.expressions import all_of, any_of
from agents.analyst.engines.scope import Scope
from envs.analyst.catalogue import ColumnType, Source
from envs.analyst.checking import TIMES
from envs.analyst.ir import (
    AllOf,
    AnyOf,
    Benchmark,
    Condition,
    Exists,
    Filter,
    Op,
    Ref,
    Scalar,
    TimeRange,
)
from envs.analyst.paths import referral

_ORDERED: dict[Op, Callable[[Any, Any], Any]] = {
    Op.EQ: eq, Op.NE: ne, Op.LT: lt, Op.LE: le, Op.GT: gt, Op.GE: ge,
}  # fmt: skip


def filtered(scope: Scope, filters: Iterable[Filter], inner: bool = False) -> Any:
    """The scope's joined rows that meet all filters; the scope speaks of these from now on."""
    marks = {exists: referring(scope.source, scope.dialect, scope.base, exists) for exists in scope.exists}
    rows = scope.joined(marks, inner)
    tests = [test(scope, each) for each in filters]
    if tests:
        rows = rows.filter(*tests)
        scope.use(rows)
    return rows


def referring(source: Source, dialect: Dialect, base: str, exists: Exists) -> Any:
    """How many rows refer to each row of `base`: columns `key_0` …, `rows`."""
    *ahead, last = referral(source, exists.exists, base, exists.via)
    scope = Scope(source, dialect, exists.exists)
    end = Ref(column="", table=last.table if ahead else None, via=tuple(hop.key for hop in ahead))
    names = scope.need_way(end, last.columns)
    scope.need(filters=exists.where)
    rows = filtered(scope, exists.where)
    keys = {f"key_{at}": rows[name] for at, name in enumerate(names)}
    return rows.group_by(**keys).agg(rows=rows.count())


def test(scope: Scope, each: Filter | AllOf) -> Any:
    """Whether a row of the scope passes."""
    match each:
        case Condition():
            return _condition(scope, each)
        case AnyOf():
            return any_of([test(scope, one) for one in each.any_of])
        case AllOf():
            return all_of([test(scope, one) for one in each.all_of])
        case Exists():
            count = scope.count_of(each)
            return count < each.at_least if each.negated else count >= each.at_least
        case _:
            assert_never(each)


def within(scope: Scope, column: Ref, start: str | None, end: str | None) -> Any:
    """Whether a row's date lies in a half-open time; None where both ends are open."""
    kind = scope.described(column).type
    value = comparable(scope.column(column), scope.dialect)
    tests = [value >= moment(start, kind, scope.dialect)] if start else []
    tests += [value < moment(end, kind, scope.dialect)] if end else []
    return all_of(tests) if tests else None


def within_range(scope: Scope, times: TimeRange) -> Any:
    """`within` for a time range."""
    return within(scope, times.column, times.start, times.end)


def _condition(scope: Scope, each: Condition) -> Any:
    column = scope.column(each.column)
    kind = scope.described(each.column).type
    value = column if each.grain is None else grained(column, kind, each.grain, scope.dialect)
    passes = _passes(scope, each, value, grained_type(kind, each.grain))
    return passes | column.isnull() if each.missing else passes


def _passes(scope: Scope, each: Condition, value: Any, kind: ColumnType) -> Any:
    match each.op:
        case Op.IS_NULL | Op.NOT_NULL | Op.BLANK | Op.NOT_BLANK:
            return _present(each.op, value, kind)
        case Op.CONTAINS | Op.NOT_CONTAINS | Op.STARTS_WITH | Op.ENDS_WITH:
            return _alike(each.op, value.lower(), str(each.value).lower())
        case Op.IN | Op.NOT_IN:
            found = _among(scope, each, value, kind)
            return found if each.op is Op.IN else ~found
        case Op.BETWEEN:
            low, high = each.values
            return _against(scope, Op.GE, value, kind, low) & _against(scope, Op.LE, value, kind, high)
        case Op.EQ | Op.NE | Op.LT | Op.LE | Op.GT | Op.GE:
            return _ordered(scope, each, value, kind)
        case _:
            assert_never(each.op)


def _present(op: Op, value: Any, kind: ColumnType) -> Any:
    blank = value.isnull()
    if kind is ColumnType.TEXT and op in (Op.BLANK, Op.NOT_BLANK):
        blank |= value.strip() == ""
    return blank if op in (Op.IS_NULL, Op.BLANK) else ~blank


def _alike(op: Op, value: Any, part: str) -> Any:
    match op:
        case Op.STARTS_WITH:
            return value.substr(0, len(part)) == part
        case Op.ENDS_WITH:
            return value.right(len(part)) == part
        case Op.NOT_CONTAINS:
            return ~value.contains(part)
        case _:
            return value.contains(part)


def _ordered(scope: Scope, each: Condition, value: Any, kind: ColumnType) -> Any:
    compare = _ORDERED[each.op]
    if each.other is not None:
        other = scope.column(each.other)
        sides = (value, other)
        return compare(*(comparable(side, scope.dialect) for side in sides) if kind in TIMES else sides)
    if each.than is not None:
        return compare(value, benchmark(scope, each.than))
    if each.fold and kind is ColumnType.TEXT:
        return compare(value.strip().lower(), str(each.value).strip().lower())
    return _against(scope, each.op, value, kind, each.value)


def _against(scope: Scope, op: Op, value: Any, kind: ColumnType, given: Scalar | None) -> Any:
    if kind not in TIMES:
        return _ORDERED[op](value, given)
    text = str(given)
    value = comparable(value, scope.dialect)
    if kind is ColumnType.TIMESTAMP and len(text) == 10:
        return _whole_day(op, value, text, scope.dialect)
    return _ORDERED[op](value, moment(text, kind, scope.dialect))


def _whole_day(op: Op, value: Any, day: str, dialect: Dialect) -> Any:
    """A timestamp compared with a day: all of the day's moments are equal to it."""
    start = moment(day, ColumnType.TIMESTAMP, dialect)
    end = moment(next_day(day), ColumnType.TIMESTAMP, dialect)
    match op:
        case Op.EQ:
            return (value >= start) & (value < end)
        case Op.NE:
            return (value < start) | (value >= end)
        case Op.LT:
            return value < start
        case Op.LE:
            return value < end
        case Op.GT:
            return value >= end
        case _:
            return value >= start


def _among(scope: Scope, each: Condition, value: Any, kind: ColumnType) -> Any:
    if kind in TIMES:
        return any_of([_against(scope, Op.EQ, value, kind, given) for given in each.values])
    if each.fold and kind is ColumnType.TEXT:
        return value.strip().lower().isin([str(given).strip().lower() for given in each.values])
    return value.isin(list(each.values))


def benchmark(scope: Scope, than: Benchmark) -> Any:
    """One number out of a whole table."""
    inner = Scope(scope.source, scope.dialect, than.column.table or scope.base)
    own = Ref(column=than.column.column)
    inner.need([own], than.where)
    rows = filtered(inner, than.where)
    return rows.agg(value=aggregate(inner.column(own), than.agg, None, scope.dialect)).as_scalar()
