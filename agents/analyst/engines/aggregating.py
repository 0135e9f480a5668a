"""Aggregating: the measures of an IR, each over the rows that it is about.

An operand of the IR's own rows, of a table that refers to them, and of one that they refer to are three
different sets of rows; each set is grouped by itself and the groups are put side by side. Leaves to
`compiling` what is tested, sorted and shown of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Any

from agents.analyst.engines.conditions import filtered, test, within, within_range
from agents.analyst.engines.dialects import Dialect, aggregate, between_days, grained
from agents.analyst.engines.expressions import all_of
from agents.analyst.engines.scope import Scope
from envs.analyst.catalogue import Source
from envs.analyst.checking import TIMES
from envs.analyst.ir import Aggregate, Measure, Operand, QueryIR, Ref
from envs.analyst.paths import Home, home

BEFORE = "_before"
"""What is added to a measure's alias for the time that is compared with."""

_COUNTS = (Aggregate.COUNT, Aggregate.COUNT_DISTINCT)


@dataclass(frozen=True, slots=True)
class Part:
    """One operand in one time, as a column of the groups.

    Attributes:
        name: What the column is called.
        times: Half-open, None where all rows of the query are meant.
    """

    name: str
    operand: Operand
    home: Home
    times: tuple[str, str] | None


def parts_of(ir: QueryIR, source: Source) -> tuple[Part, ...]:
    """All operands of all measures, for both times where two are compared."""
    return tuple(part for measure in ir.measures for part in _parts(ir, source, measure))


def groups(ir: QueryIR, source: Source, dialect: Dialect, parts: tuple[Part, ...]) -> Any:
    """One row a group: the dimensions by their names, then a column for every part."""
    own = Home(ir.table_id, False)
    homes = list(dict.fromkeys(part.home for part in parts))
    if ir.group_by and own not in homes:
        homes.insert(0, own)
    homes.sort(key=lambda each: each != own)
    tables = [_grouped(ir, source, dialect, each, [p for p in parts if p.home == each]) for each in homes]
    joined = reduce(lambda left, right: _beside(left, right, ir.names()), tables)
    none = {part.name: joined[part.name].fill_null(0) for part in parts if part.operand.agg in _COUNTS}
    return joined.mutate(**none) if len(tables) > 1 and none else joined


def value(measure: Measure, table: Any, ending: str = "") -> Any:
    """A measure out of its parts."""
    whole = table[f"{measure.alias}{ending}"]
    if measure.per is not None:
        whole = whole.cast("float64") / table[f"{measure.alias}{ending} per"].cast("float64").nullif(0)
    return whole if measure.times == 1.0 else whole * measure.times


def scope_of(ir: QueryIR, source: Source, dialect: Dialect, rows: Home, parts: list[Part]) -> Scope:
    """The scope of a set of rows with everything that the IR and the parts need of it."""
    scope = Scope(source, dialect, ir.table_id if rows.once else rows.table, ir.table_id)
    scope.need([each.column for each in ir.group_by], ir.filters)
    if ir.time_range is not None:
        scope.need([ir.time_range.column])
    for part in parts:
        operand = part.operand
        scope.need(filters=operand.where)
        if operand.column is not None:
            scope.need([operand.column])
        if operand.combine is not None:
            scope.need([operand.combine.column])
        if rows.once:
            scope.need_way(_end(operand), scope.key_of(_end(operand)))
    return scope


def kept(ir: QueryIR, scope: Scope) -> Any:
    """The scope's rows that pass the IR's filters and lie in its time or the one that it compares with."""
    rows = filtered(scope, ir.filters, ir.unmatched == "drop")
    if ir.time_range is None:
        return rows
    inside = within_range(scope, ir.time_range)
    if ir.comparison is not None:
        inside |= within(scope, ir.time_range.column, ir.comparison.start, ir.comparison.end)
    if inside is not None:
        rows = rows.filter(inside)
        scope.use(rows)
    return rows


def _parts(ir: QueryIR, source: Source, measure: Measure) -> Iterator[Part]:
    operands = [("", measure), *([(" per", measure.per)] if measure.per else [])]
    spans: list[tuple[str, tuple[str, str] | None]] = [("", None)]
    if ir.comparison and ir.time_range and ir.time_range.start and ir.time_range.end:
        now = (ir.time_range.start, ir.time_range.end)
        spans = [("", now), (BEFORE, (ir.comparison.start, ir.comparison.end))]
    for ending, times in spans:
        for role, operand in operands:
            rows = home(source, ir.table_id, operand)
            yield Part(f"{measure.alias}{ending}{role}", operand, rows, times)


def _grouped(ir: QueryIR, source: Source, dialect: Dialect, rows: Home, parts: list[Part]) -> Any:
    scope = scope_of(ir, source, dialect, rows, parts)
    table = kept(ir, scope)
    keys = {
        name: scope.column(each.column)
        if each.grain is None
        else grained(scope.column(each.column), scope.described(each.column).type, each.grain, dialect)
        for name, each in zip(ir.names(), ir.group_by, strict=True)
    }
    if rows.once:
        tables = [_once(ir, scope, table, keys, part) for part in parts]
        return reduce(lambda left, right: _beside(left, right, ir.names()), tables)
    columns = {part.name: _column(ir, scope, part) for part in parts}
    if not keys:
        return table.agg(**columns)
    return table.group_by(**keys).agg(**columns) if columns else table.select(**keys).distinct()


def _column(ir: QueryIR, scope: Scope, part: Part) -> Any:
    operand = part.operand
    where = _where(ir, scope, part)
    if operand.column is None:
        return scope.rows.count(where=where)
    return aggregate(_operand(scope, operand, operand.column), operand.agg, where, scope.dialect)


def _operand(scope: Scope, operand: Operand, first: Ref) -> Any:
    left = scope.column(first)
    if operand.combine is None:
        return left
    right = scope.column(operand.combine.column)
    match operand.combine.op:
        case "plus":
            return left + right
        case "times":
            return left * right
        case "divide":
            return left.cast("float64") / right.cast("float64").nullif(0)
        case "minus":
            if scope.described(first).type in TIMES:
                return between_days(left, right, scope.dialect)
            return left - right


def _where(ir: QueryIR, scope: Scope, part: Part) -> Any:
    tests = [test(scope, each) for each in part.operand.where]
    if part.times is not None and ir.time_range is not None:
        tests.append(within(scope, ir.time_range.column, *part.times))
    return all_of(tests) if tests else None


def _once(ir: QueryIR, scope: Scope, table: Any, keys: dict[str, Any], part: Part) -> Any:
    """A part over rows that the IR's own refer to, each of them once a group."""
    operand = part.operand
    end = _end(operand)
    names = scope.need_way(end, scope.key_of(end))
    where = _where(ir, scope, part)
    picked = {f"key {at}": table[name] for at, name in enumerate(names)}
    if operand.column is not None:
        picked["value"] = scope.column(operand.column)
    rows = table if where is None else table.filter(where)
    distinct = rows.select(**keys, **picked).distinct()
    counted = distinct["value" if operand.column is not None else "key 0"]
    column = {part.name: aggregate(counted, operand.agg, None, scope.dialect)}
    return distinct.group_by(*keys).agg(**column) if keys else distinct.agg(**column)


def _end(operand: Operand) -> Ref:
    return operand.column or Ref(column="", table=operand.table)


def _beside(left: Any, right: Any, keys: tuple[str, ...]) -> Any:
    """Two tables of groups as one; groups of the right one alone are left out."""
    if not keys:
        return left.cross_join(right)
    renamed = right.rename({f"{name} again": name for name in keys})
    equal = [left[name].identical_to(renamed[f"{name} again"]) for name in keys]
    joined = left.left_join(renamed, equal)
    return joined.drop(*(f"{name} again" for name in keys))
