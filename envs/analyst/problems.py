"""What can be wrong with a query: named errors with what was found, what is allowed and what to do next.

Pure; leaves to the planner whether to ask back, repair or refuse.
"""

from __future__ import annotations

from collections.abc import Mapping


class QueryProblem(ValueError):
    """A query that cannot be answered as it stands.

    Attributes:
        options: What would be allowed instead, the likeliest first; at most ten.
    """

    code = "query_problem"

    def __init__(self, message: str, options: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.options = options[:10]


class UnknownTable(QueryProblem):
    """The source has no table of that name."""

    code = "unknown_table"


class UnknownColumn(QueryProblem):
    """The table has no column of that name."""

    code = "unknown_column"


class NoPath(QueryProblem):
    """No foreign keys lead from one table to the other."""

    code = "no_path"


class AmbiguousPath(QueryProblem):
    """Several equally short ways lead to the table; `options` are their `via`, joined by commas."""

    code = "ambiguous_path"


class FanOut(QueryProblem):
    """A column of a table that has many rows for each row: it can be counted or tested, not listed."""

    code = "fan_out"


class WrongType(QueryProblem):
    """An aggregate, grain or comparison that the column's type does not allow."""

    code = "wrong_type"


class MixedUnits(QueryProblem):
    """A total over unlike units, such as several currencies; group or filter by the unit's column."""

    code = "mixed_units"


class Inexact(QueryProblem):
    """A column whose digits were lost before upload, so that no sum, least or greatest is right."""

    code = "inexact"


class Malformed(QueryProblem):
    """Parts of the IR that contradict each other."""

    code = "malformed"


class Stopped(QueryProblem):
    """The query ran into its limit of time, memory or result size."""

    code = "stopped"


class Cancelled(QueryProblem):
    """The query was cancelled because nobody waits for it any more."""

    code = "cancelled"


class Unavailable(QueryProblem):
    """The source does not answer."""

    code = "unavailable"


PROBLEMS: Mapping[str, type[QueryProblem]] = {
    problem.code: problem
    for problem in (
        UnknownTable, UnknownColumn, NoPath, AmbiguousPath, FanOut, WrongType, MixedUnits, Inexact, Malformed,
        Stopped, Cancelled, Unavailable,
    )
}  # fmt: skip
"""Every problem by its code."""
