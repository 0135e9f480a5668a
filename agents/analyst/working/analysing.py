"""Analysing: which tool a plan's rows go through, and with which of their columns.

What a tool cannot be given (a trend without time) is told as the aggregates it came from. Leaves the
statistics to `agents.analyst.analysing`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from agents.analyst.analysing import (
    aggregate,
    compare,
    correlation,
    distribution,
    forecast,
    growth,
    outliers,
    share,
    trend,
)
from agents.analyst.analysing.forecasting import periods_after
from agents.analyst.engines.dialects import next_day
from agents.analyst.planning.outcome import AnalysisKind, Planned
from envs.analyst.analyses import Analysis, Tool
from envs.analyst.ir import Grain, QueryIR
from envs.analyst.results import Caveat, CaveatCode, Cell, Result
from envs.analyst.turns import JsonObject

BEFORE = "_before"
PERIODS = 3


@dataclass(frozen=True, slots=True)
class Tooled:
    """A tool made ready.

    Attributes:
        given: What the trace shows as its input.
        caveats: On the rows that it was given.
    """

    tool: Tool
    given: JsonObject
    work: Callable[[], Analysis]
    caveats: tuple[Caveat, ...] = ()


def tooled(planned: Planned, result: Result, newest: str | None) -> Tooled:
    """The tool for a plan's rows.

    Args:
        newest: The newest day in the source; a last period that it lies within is not whole.
    """
    kind, label, value = planned.analysis.kind, planned.analysis.label, planned.analysis.value
    if value is None or value not in result.names:
        return _aggregated(planned.ir, result, newest)
    match kind:
        case AnalysisKind.GROWTH | AnalysisKind.COMPARE if planned.ir.comparison is not None:
            return _compared(result, label, value)
        case AnalysisKind.SHARE if label is not None:
            return Tooled(Tool.SHARE, {"by": label, "value": value}, partial(share, result, label, value))
        case AnalysisKind.OUTLIERS if label is not None:
            return Tooled(
                Tool.OUTLIERS, {"by": label, "value": value}, partial(outliers, result, label, value)
            )
        case AnalysisKind.DISTRIBUTION:
            return Tooled(Tool.DISTRIBUTION, {"value": value}, partial(distribution, result, value))
        case AnalysisKind.CORRELATION if planned.analysis.other is not None:
            other = planned.analysis.other
            given: JsonObject = {"first": value, "second": other}
            return Tooled(Tool.CORRELATION, given, partial(correlation, result, value, other))
        case AnalysisKind.GROWTH | AnalysisKind.TREND | AnalysisKind.FORECAST if label is not None:
            grain = _grain(planned.ir, label)
            if grain is not None:
                return _of_series(planned, _in_order(result, label), label, value, grain, newest)
        case _:
            pass
    return _aggregated(planned.ir, result, newest)


def _aggregated(ir: QueryIR, result: Result, newest: str | None) -> Tooled:
    dimensions = sum(each.shown for each in ir.group_by)
    given: JsonObject = {
        "by": [column.name for column in result.columns[:dimensions]],
        "values": [column.name for column in result.columns[dimensions:]],
    }
    # The result's caveats come with it: they are told once.
    return Tooled(
        Tool.AGGREGATE, given, partial(aggregate, result, dimensions, _unfinished(ir, result, newest))
    )


def _compared(result: Result, label: str | None, value: str) -> Tooled:
    by = label if label in result.names else None
    given: JsonObject = {"by": by, "after": value, "before": f"{value}{BEFORE}"}
    return Tooled(Tool.COMPARE, given, partial(compare, result, by, value, f"{value}{BEFORE}"))


def _of_series(
    planned: Planned, result: Result, label: str, value: str, grain: Grain, newest: str | None
) -> Tooled:
    given: JsonObject = {"time": label, "value": value}
    whole = _whole(result, label, grain, newest)
    left_out = result.row_count - whole.row_count
    caveats = (Caveat(code=CaveatCode.INCOMPLETE_PERIOD, count=left_out),) if left_out else ()
    if planned.analysis.kind is AnalysisKind.GROWTH:
        return Tooled(Tool.GROWTH, given, partial(growth, whole, label, value), caveats)
    if planned.analysis.kind is AnalysisKind.TREND:
        return Tooled(Tool.TREND, given, partial(trend, whole, label, value), caveats)
    ahead = planned.analysis.periods or PERIODS
    work = partial(forecast, whole, label, value, grain, ahead)
    return Tooled(Tool.FORECAST, {**given, "grain": grain.value, "ahead": ahead}, work, caveats)


def _grain(ir: QueryIR, label: str) -> Grain | None:
    """The step of time of the only column that rows are grouped by; None where they are no series."""
    shown = [each for each in ir.group_by if each.shown]
    if len(ir.group_by) != 1 or not shown or ir.names() != (label,):
        return None
    return _step(shown[0].grain)


def _step(grain: Grain | None) -> Grain | None:
    """A grain whose periods follow each other; hours of the day do not."""
    return grain if grain in (Grain.DAY, Grain.WEEK, Grain.MONTH, Grain.QUARTER, Grain.YEAR) else None


def _unfinished(ir: QueryIR, result: Result, newest: str | None) -> Cell:
    """The last period of the rows, if the data do not reach its end; None where they are not in periods."""
    grains = [_step(each.grain) for each in ir.group_by if each.shown]
    place = next((place for place, grain in enumerate(grains) if grain is not None), None)
    if place is None or newest is None:
        return None
    last = max((str(row[place]) for row in result.rows if row[place] is not None), default=None)
    grain = grains[place]
    return last if last is not None and grain is not None and not _reached(last, grain, newest) else None


def _reached(period: str, grain: Grain, newest: str) -> bool:
    """Whether the data go on to the end of a period."""
    return periods_after(period, grain, 1)[0] <= next_day(newest[:10])


def _in_order(result: Result, label: str) -> Result:
    """The rows in the order of time; those without a time are no part of a series."""
    place = result.names.index(label)
    timed = [row for row in result.rows if row[place] is not None]
    rows = tuple(sorted(timed, key=lambda row: str(row[place])))
    return result.model_copy(update={"rows": rows, "row_count": len(rows)})


def _whole(result: Result, label: str, grain: Grain, newest: str | None) -> Result:
    """Without a last period whose end the data do not reach."""
    if newest is None or not result.rows:
        return result
    last = str(result.rows[-1][result.names.index(label)])
    if _reached(last, grain, newest):
        return result
    return result.model_copy(update={"rows": result.rows[:-1], "row_count": result.row_count - 1})
