"""Running: an IR in, rows of plain values with their caveats out.

Leaves to `checking` what is sound, to `compiling` the SQL and to each engine its limits.
"""

from __future__ import annotations

from agents.analyst.engines.caveats import caveats
from agents.analyst.engines.compiling import compiled
from agents.analyst.engines.database import Database, Limits, Stop
from agents.analyst.engines.dialects import cell
from agents.analyst.engines.guard import guard
from envs.analyst.catalogue import ColumnType
from envs.analyst.checking import check
from envs.analyst.ir import QueryIR
from envs.analyst.results import Result


def run(database: Database, ir: QueryIR, limits: Limits | None = None, stop: Stop | None = None) -> Result:
    """The answer to an IR.

    Args:
        stop: By which somebody else ends the query.
    Raises:
        QueryProblem: If the IR is not sound for the source, or the query was stopped or cancelled.
    """
    limits = limits or Limits()
    check(ir, database.source)
    query = compiled(ir, database.source, database.engine.dialect)
    guard(query.sql, database.engine.dialect, [table.table_id for table in database.source.tables])
    found = database.engine.fetch(query.sql, limits, stop)
    kinds = [ColumnType(column.type) for column in query.columns]
    rows = tuple(
        tuple(cell(value, kind, limits.cell_length) for value, kind in zip(row, kinds, strict=True))
        for row in found
    )
    told = caveats(database, ir, rows, limits, stop)
    return Result(columns=query.columns, rows=rows, row_count=len(rows), sql=query.sql, caveats=told)
