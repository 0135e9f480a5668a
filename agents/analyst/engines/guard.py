"""The guard: what is executed is one SELECT over tables of the catalogue, whatever compiled it."""

from __future__ import annotations

from collections.abc import Iterable

import sqlglot
from sqlglot import exp

from agents.analyst.engines.dialects import MEDIAN, Dialect

_OURS = frozenset(
    {MEDIAN, "_ibis_var_sample", "date", "datetime", "julianday", "make_date", "make_timestamp", "strftime"}
)
"""Functions of one database alone that a compiled query may call."""


class Refused(ValueError):
    """A statement that is not one SELECT over known tables; the fault is ours and not the caller's."""


def guard(sql: str, dialect: Dialect, tables: Iterable[str]) -> None:
    """Nothing, if the statement may run.

    Raises:
        Refused: If it is not exactly one query, reads what the catalogue does not have, or calls a function
            that a compiled query does not.
    """
    statements = sqlglot.parse(sql, dialect=dialect.value)
    if len(statements) != 1 or not isinstance(statements[0], exp.Query):
        raise Refused(f"{len(statements)} statements, of which the first is no SELECT")
    known = {*tables, *(each.alias_or_name for each in statements[0].find_all(exp.CTE))}
    for table in statements[0].find_all(exp.Table):
        if table.name not in known or not isinstance(table.this, exp.Identifier):
            raise Refused(f"it reads {table.sql()!r}, which the catalogue does not have")
    for call in statements[0].find_all(exp.Anonymous):
        if call.name.lower() not in _OURS:
            raise Refused(f"it calls {call.name!r}, which no compiled query does")
