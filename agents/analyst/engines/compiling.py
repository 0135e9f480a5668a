"""Compiling: an IR as one SELECT of a database's own dialect.

Deterministic: equals are sorted by their keys and then by the answer's columns from the left, so every engine
cuts the same rows.
Leaves to `checking` whether the IR is sound and to the engines what a query may use.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from agents.analyst.engines.aggregating import BEFORE, groups, kept, parts_of, scope_of, value
from agents.analyst.engines.dialects import Dialect, aggregate, grained_type, type_of
from agents.analyst.engines.expressions import ibis
from agents.analyst.engines.scope import Scope
from envs.analyst.catalogue import ColumnType, Role, Source
from envs.analyst.checking import column_of, table_of
from envs.analyst.ir import Aggregate, Having, Measure, Op, Operand, Overall, QueryIR, Ref
from envs.analyst.paths import Home
from envs.analyst.results import ResultColumn

_RANK = "a rank"
_OF = "of ranks"
PERCENT = "percent"
"""The unit of shares that are written as percentages: 7 is 7 %."""
_FRACTIONS = (Aggregate.AVG, Aggregate.MEDIAN, Aggregate.STDDEV)
_NAMING = frozenset({Role.KEY, Role.REFERENCE, Role.DIMENSION})


@dataclass(frozen=True, slots=True)
class Compiled:
    """A query to run.

    Attributes:
        columns: Of its answer, in order.
    """

    sql: str
    columns: tuple[ResultColumn, ...]


def compiled(ir: QueryIR, source: Source, dialect: Dialect) -> Compiled:
    """The one SELECT that answers a sound IR."""
    shown = _columns(ir, source)
    table = _answered(ir, source, dialect, shown)
    return Compiled(str(ibis.to_sql(table, dialect=dialect.value)), shown)


def counted_ties(ir: QueryIR, source: Source, dialect: Dialect) -> str:
    """How many rows a limit would let through if rows that equal the last one came too: one number."""
    tied = ir.model_copy(update={"ties": True})
    table = _answered(tied, source, dialect, _columns(ir, source))
    return str(ibis.to_sql(table.agg(rows=table.count()), dialect=dialect.value))


def _answered(ir: QueryIR, source: Source, dialect: Dialect, shown: tuple[ResultColumn, ...]) -> Any:
    rows, names = _grouped(ir, source, dialect) if ir.aggregates else _listed(ir, source, dialect)
    visible = [column.name for column in shown]
    if ir.combined is not None:
        other = ir.combined.other.model_copy(update={"order_by": ()})
        theirs = _answered(other, source, dialect, _columns(other, source))
        rows = _combined(ir.combined.op, rows.select(*visible), theirs, visible)
        names = visible
    elif ir.distinct:
        rows, names = rows.select(*visible).distinct(), visible
    if ir.spread:
        rows = _spread(ir, rows, table_of(source, ir.table_id).primary_key or tuple(names))
    cut = _cut(ir, rows, names)
    return cut if list(cut.columns) == visible else cut.select(*visible)


def _combined(op: str, ours: Any, theirs: Any, names: list[str]) -> Any:
    theirs = theirs.rename(dict(zip(names, theirs.columns, strict=True)))
    match op:
        case "intersect":
            return ours.intersect(theirs, distinct=True)
        case "except":
            return ours.difference(theirs, distinct=True)
        case _:
            return ours.union(theirs, distinct=True)


def _grouped(ir: QueryIR, source: Source, dialect: Dialect) -> tuple[Any, list[str]]:
    parts = parts_of(ir, source)
    table = groups(ir, source, dialect, parts)
    endings = ["", BEFORE] if ir.comparison else [""]
    columns = {
        f"{measure.alias}{ending}": value(measure, table, ending)
        for measure in ir.measures
        for ending in endings
    }
    table = table.select(*ir.names(), **columns)
    for having in ir.having:
        table = table.filter(_passes(table, having, dialect))
    if ir.overall is not None:
        return _folded(ir.overall, table, dialect), [*ir.overall.keep, ir.overall.alias]
    return table, [*_group_keys(ir, source), *ir.names(), *columns]


def _group_keys(ir: QueryIR, source: Source) -> list[str]:
    """Of sorted groups the dimensions that are keys: they come first where the order leaves equals."""
    if not ir.order_by:
        return []
    each = zip(ir.names(), ir.group_by, strict=True)
    return [name for name, by in each if column_of(source, ir.table_id, by.column).role is Role.KEY]


def _folded(overall: Overall, table: Any, dialect: Dialect) -> Any:
    """The groups as one number, or one for each group of the dimensions that stay."""
    of = None if overall.of is None else table[overall.of]
    number = table.count() if of is None else aggregate(of, overall.agg, None, dialect)
    column = {overall.alias: number}
    return table.group_by(*overall.keep).agg(**column) if overall.keep else table.agg(**column)


def _sides(table: Any, having: Having, dialect: Dialect) -> tuple[Any, Any]:
    """What is tested, and what it is compared with."""
    column = table[having.alias]
    if having.than is None:
        return column, having.value
    if having.than == "before":
        # What was sold in one of the two times alone grew from nothing, or fell to it.
        return column.fill_null(0), table[f"{having.alias}{BEFORE}"].fill_null(0)
    return column, table.agg(value=aggregate(column, Aggregate(having.than), None, dialect)).as_scalar()


def _passes(table: Any, having: Having, dialect: Dialect) -> Any:
    column, against = _sides(table, having, dialect)
    match having.op:
        case Op.EQ:
            return column == against
        case Op.NE:
            return column != against
        case Op.LT:
            return column < against
        case Op.LE:
            return column <= against
        case Op.GT:
            return column > against
        case Op.GE:
            return column >= against
        case Op.BETWEEN:
            return column.between(*having.values)
        case Op.IS_NULL:
            return column.isnull()
        case _:
            return column.notnull()


def _listed(ir: QueryIR, source: Source, dialect: Dialect) -> tuple[Any, list[str]]:
    """The rows to list; columns that only sort them are there as well, under names of their own."""
    ir = _spelled(ir, source)
    scope = Scope(source, dialect, ir.table_id)
    sorters = {_sorter(order.by): order.by for order in ir.order_by if isinstance(order.by, Ref)}
    sorters |= {
        order.by: Ref(column=order.by)
        for order in ir.order_by
        if isinstance(order.by, str) and order.by not in ir.names()
    }
    if ir.spread:
        keys = table_of(source, ir.table_id).primary_key
        sorters |= {name: Ref(column=name) for name in keys if name not in ir.names()}
    equals = _row_keys(ir, source)
    sorters |= equals
    scope.need([*ir.select, *sorters.values()], ir.filters)
    if ir.time_range is not None:
        scope.need([ir.time_range.column])
    rows = kept(ir, scope)
    columns = {name: scope.column(ref) for name, ref in zip(ir.names(), ir.select, strict=True)}
    extra = {name: scope.column(ref) for name, ref in sorters.items()}
    return rows.select(**columns, **extra), [*equals, *columns]


def _row_keys(ir: QueryIR, source: Source) -> dict[str, Ref]:
    """Of rows that are sorted the key of their table: it comes first where the order leaves equals."""
    refs = [Ref(column=name) for name in table_of(source, ir.table_id).primary_key]
    return {_sorter(ref): ref for ref in refs} if ir.order_by else {}


def _spelled(ir: QueryIR, source: Source) -> QueryIR:
    """The IR with the columns named that an empty `select` stands for."""
    if ir.select or ir.aggregates:
        return ir
    table = table_of(source, ir.table_id)
    return ir.model_copy(update={"select": tuple(Ref(column=each.name) for each in table.columns)})


def _sorter(ref: Ref) -> str:
    return f"by {ref.table or ''}.{ref.column}"


def _spread(ir: QueryIR, rows: Any, keys: tuple[str, ...]) -> Any:
    """As many rows as the limit lets through, from all over; all where there are no more."""
    place = ibis.row_number().over(order_by=[rows[name] for name in keys])
    rows = rows.mutate(**{_RANK: place, _OF: rows.count()})
    return rows.filter(rows[_RANK] * ir.limit % rows[_OF] < ir.limit)


def _cut(ir: QueryIR, rows: Any, names: list[str]) -> Any:
    """The rows in order, as many as the limit lets through."""
    asked = {
        order.by if isinstance(order.by, str) else _sorter(order.by): order.descending
        for order in ir.order_by
    }
    # Of groups the equals follow in the direction of the order, as SQLite has them.
    descending = ir.aggregates and bool(ir.order_by) and ir.order_by[0].descending
    order = {**asked, **{name: descending for name in names if name not in asked}}
    if not (ir.ties or ir.limit_within or ir.limit_percent):
        return rows.order_by(*_keys(rows, order)).limit(ir.limit, offset=ir.skip)
    ranked, keys = (ibis.rank(), asked or order) if ir.ties else (ibis.row_number(), order)
    over = ranked.over(group_by=[rows[name] for name in ir.limit_within], order_by=_keys(rows, keys))
    of = rows.count().over(group_by=[rows[name] for name in ir.limit_within])
    rows = rows.mutate(**{_RANK: over, _OF: of})
    within = {name: asked.get(name, False) for name in ir.limit_within}
    shown = (rows[_RANK] >= ir.skip) & (rows[_RANK] < ir.skip + ir.limit)
    if ir.limit_percent is not None:
        shown &= (rows[_RANK] - ir.skip) * 100.0 < rows[_OF] * ir.limit_percent
    return rows.filter(shown).order_by(*_keys(rows, {**within, **order}))


def _keys(rows: Any, order: Mapping[str, bool]) -> list[Any]:
    """Names and whether they descend, as keys of sorting."""
    return [
        rows[name].desc(nulls_first=False) if descending else rows[name].asc(nulls_first=False)
        for name, descending in order.items()
    ]


def _columns(ir: QueryIR, source: Source) -> tuple[ResultColumn, ...]:
    if not ir.aggregates:
        ir = _spelled(ir, source)
        described = [column_of(source, ir.table_id, ref) for ref in ir.select]
        return tuple(
            ResultColumn(name=name, type=column.type, unit=column.unit, named=column.role in _NAMING)
            for name, column in zip(ir.names(), described, strict=True)
        )
    found: list[ResultColumn] = []
    for name, each in zip(ir.names(), ir.group_by, strict=True):
        column = column_of(source, ir.table_id, each.column)
        if each.shown:
            kind = grained_type(column.type, each.grain)
            named = each.grain is not None or column.role in _NAMING
            found.append(ResultColumn(name=name, type=kind, unit=column.unit, named=named))
    for measure in ir.measures:
        if measure.shown or ir.overall is not None:
            found += _measured(ir, source, measure)
    return tuple(found) if ir.overall is None else _overall(ir.overall, found)


def _overall(overall: Overall, columns: Iterable[ResultColumn]) -> tuple[ResultColumn, ...]:
    described = {column.name: column for column in columns}
    of = described[overall.of] if overall.of is not None else None
    whole = of is None or (of.type == ColumnType.INTEGER and overall.agg not in _FRACTIONS)
    kind = ColumnType.INTEGER if whole else ColumnType.NUMBER
    folded = ResultColumn(name=overall.alias, type=kind, unit=of.unit if of else None)
    return (*(described[name] for name in overall.keep), folded)


def _measured(ir: QueryIR, source: Source, measure: Measure) -> list[ResultColumn]:
    kind, unit = _kind(ir, source, measure)
    if measure.per is not None:
        below = _kind(ir, source, measure.per)[1]
        kind, unit = ColumnType.NUMBER, unit if below is None else None
    if measure.times != 1.0:
        kind, unit = ColumnType.NUMBER, PERCENT if measure.times == 100.0 else None
    endings = ["", BEFORE] if ir.comparison else [""]
    return [ResultColumn(name=f"{measure.alias}{ending}", type=kind, unit=unit) for ending in endings]


def _kind(ir: QueryIR, source: Source, operand: Operand) -> tuple[ColumnType, str | None]:
    if operand.column is None:
        return ColumnType.INTEGER, None
    column = column_of(source, ir.table_id, operand.column)
    kind = type_of(column, operand.agg)
    if operand.combine is None:
        return kind, None if kind is ColumnType.INTEGER and operand.agg.startswith("count") else column.unit
    second = column_of(source, ir.table_id, operand.combine.column)
    whole = {column.type, second.type} == {ColumnType.INTEGER} and operand.combine.op != "divide"
    exact = whole and kind is ColumnType.INTEGER
    return (ColumnType.INTEGER if exact else ColumnType.NUMBER), column.unit or second.unit


def own_scope(ir: QueryIR, source: Source, dialect: Dialect) -> tuple[Scope, Any]:
    """The IR's own rows that it keeps, with every column that it uses of them."""
    own = Home(ir.table_id, False)
    parts = [part for part in parts_of(ir, source) if part.home == own]
    scope = scope_of(ir, source, dialect, own, parts)
    scope.need(ir.select)
    return scope, kept(ir, scope)
