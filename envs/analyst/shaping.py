"""Shaping: whether the parts of an IR fit together, whatever the source holds.

Leaves names and types of columns to `checking`.
"""

from __future__ import annotations

from envs.analyst.ir import Aggregate, Having, Op, QueryIR
from envs.analyst.problems import Malformed

NEEDS_TEXT = frozenset({Op.CONTAINS, Op.NOT_CONTAINS, Op.STARTS_WITH, Op.ENDS_WITH})
NEEDS_NOTHING = frozenset({Op.IS_NULL, Op.NOT_NULL, Op.BLANK, Op.NOT_BLANK})
NEEDS_VALUES = frozenset({Op.IN, Op.NOT_IN, Op.BETWEEN})
_UNTESTED = NEEDS_TEXT | {Op.IN, Op.NOT_IN, Op.BLANK, Op.NOT_BLANK}


def check_shape(ir: QueryIR) -> None:
    """Nothing, if no part of the IR contradicts another.

    Raises:
        Malformed: The first contradiction, with what would be allowed.
    """
    if ir.spread and (ir.aggregates or ir.distinct or ir.combined or ir.order_by):
        raise Malformed("spread is for plain lists of rows; leave out grouping, order_by and distinct")
    if ir.aggregates and ir.select:
        raise Malformed("select lists rows and cannot stand beside measures or group_by; use group_by")
    if ir.having and not ir.measures:
        raise Malformed("having tests measures and there are none; use filters")
    if ir.comparison and not ir.measures:
        raise Malformed("a comparison needs measures")
    for having in ir.having:
        _having(ir, having)
    if ir.combined and len(ir.combined.other.select) != len(ir.select) and not ir.combined.other.aggregates:
        raise Malformed("the two queries that are combined need as many columns as each other")
    _overall(ir)
    _names(ir)


def answer_names(ir: QueryIR) -> tuple[str, ...]:
    """What `order_by` and `limit_within` can name of an answer."""
    if ir.overall is not None:
        return (*ir.overall.keep, ir.overall.alias)
    befores = [f"{measure.alias}_before" for measure in ir.measures if ir.comparison]
    return (*ir.names(), *(measure.alias for measure in ir.measures), *befores)


def _having(ir: QueryIR, having: Having) -> None:
    if having.alias not in {measure.alias for measure in ir.measures}:
        raise Malformed(f"having tests {having.alias!r}, which no measure is called")
    if having.op in _UNTESTED:
        raise Malformed(f"having cannot test by {having.op}; use a comparison of numbers")
    if having.than == "before" and ir.comparison is None:
        raise Malformed("having compares with the time before, which needs a comparison")


def _overall(ir: QueryIR) -> None:
    overall = ir.overall
    if overall is None:
        return
    if not ir.group_by or ir.comparison is not None:
        raise Malformed("overall makes groups one number; it needs group_by and goes without comparison")
    if (overall.of is None) != (overall.agg is Aggregate.COUNT):
        raise Malformed("overall takes a measure in `of`, but for count, which counts the groups")
    if overall.of is not None and overall.of not in {measure.alias for measure in ir.measures}:
        raise Malformed(f"overall is of {overall.of!r}, which no measure is called")
    unknown = [name for name in overall.keep if name not in ir.names()]
    if unknown or overall.alias in overall.keep:
        raise Malformed(f"overall keeps dimensions ({', '.join(ir.names())}) and has a name of its own")


def _names(ir: QueryIR) -> None:
    named = [*ir.names(), *(measure.alias for measure in ir.measures)]
    twice = [name for at, name in enumerate(named) if name in named[:at]]
    if twice:
        raise Malformed(f"two columns of the answer are called {twice[0]!r}; give one another alias")
    names = answer_names(ir)
    for name in ir.limit_within:
        if name not in names:
            raise Malformed(f"limit_within names {name!r}; the answer has {', '.join(names)}", names)
