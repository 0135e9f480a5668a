"""Caveats: what an answer leaves out, counted on the rows that it is made of.

Leaves to the wording how a caveat reads.
"""

from __future__ import annotations

from typing import Any

from agents.analyst.engines.aggregating import parts_of
from agents.analyst.engines.compiling import counted_ties, own_scope
from agents.analyst.engines.conditions import test
from agents.analyst.engines.database import Database, Limits, Stop
from agents.analyst.engines.expressions import ibis
from agents.analyst.engines.scope import Scope
from envs.analyst.catalogue import Source
from envs.analyst.ir import MOST_ROWS, Aggregate, Condition, QueryIR
from envs.analyst.results import Caveat, CaveatCode, Row

_OF_VALUES = frozenset(Aggregate) - {Aggregate.COUNT, Aggregate.COUNT_DISTINCT}


def caveats(
    database: Database, ir: QueryIR, rows: tuple[Row, ...], limits: Limits, stop: Stop | None
) -> tuple[Caveat, ...]:
    """The caveats of an answer, in the order in which they matter."""
    return (*_edge(database, ir, rows, limits, stop), *_nothing(database, ir, limits, stop))


def _edge(
    database: Database, ir: QueryIR, rows: tuple[Row, ...], limits: Limits, stop: Stop | None
) -> tuple[Caveat, ...]:
    """What a limit cuts off, or keeps because it equals the last row."""
    if ir.ties and len(rows) > ir.limit and not (ir.limit_within or ir.limit_percent):
        return (Caveat(code=CaveatCode.TIES_KEPT, count=len(rows) - ir.limit),)
    if len(rows) < ir.limit or ir.limit_within or ir.limit_percent or ir.ties:
        return ()
    if ir.limit == MOST_ROWS:
        code = CaveatCode.SAMPLED if ir.spread else CaveatCode.CUT_AT_LIMIT
        return (Caveat(code=code, count=ir.limit),)
    if not ir.order_by:
        return ()
    counted = database.engine.fetch(counted_ties(ir, database.source, database.engine.dialect), limits, stop)
    beyond = int(counted[0][0]) - ir.limit
    return (Caveat(code=CaveatCode.TIES_CUT, count=beyond),) if beyond > 0 else ()


def _nothing(database: Database, ir: QueryIR, limits: Limits, stop: Stop | None) -> tuple[Caveat, ...]:
    """Rows without a value or without a partner."""
    scope, rows = own_scope(ir, database.source, database.engine.dialect)
    asked = {**_partners(ir, scope), **_values(ir, database.source, scope), **_kept(ir, scope)}
    if not asked:
        return ()
    counts = {f"n{at}": rows.count(where=where) for at, where in enumerate(asked.values())}
    query = rows.agg(of=rows.count(), **counts)
    sql = str(ibis.to_sql(query, dialect=database.engine.dialect.value))
    of, *found = (int(value) for value in database.engine.fetch(sql, limits, stop)[0])
    return tuple(
        Caveat(code=code, count=count, of=of, table=table, column=column)
        for (code, table, column), count in zip(asked, found, strict=True)
        if count
    )


Asked = dict[tuple[CaveatCode, str, str], Any]


def _partners(ir: QueryIR, scope: Scope) -> Asked:
    if ir.unmatched == "drop":
        return {}
    return {
        (CaveatCode.UNMATCHED_ROWS, hop.table, hop.to_table): scope.rows[name].isnull()
        for hop, name in scope.partners()
    }


def _values(ir: QueryIR, source: Source, scope: Scope) -> Asked:
    asked: Asked = {}
    for part in parts_of(ir, source):
        column = part.operand.column
        if column is None or part.operand.agg not in _OF_VALUES or part.home.table != ir.table_id:
            continue
        nothing = scope.column(column).isnull()
        for each in part.operand.where:
            nothing &= test(scope, each)
        asked.setdefault((CaveatCode.MISSING_VALUES, column.table or ir.table_id, column.column), nothing)
    return asked


def _kept(ir: QueryIR, scope: Scope) -> Asked:
    return {
        (CaveatCode.MISSING_KEPT, each.column.table or ir.table_id, each.column.column): scope.column(
            each.column
        ).isnull()
        for each in ir.filters
        if isinstance(each, Condition) and each.missing
    }
