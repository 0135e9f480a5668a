"""Earlier: the other time that an IR is held against, and the time it is about where nobody named one.

Leaves to the tools what a difference is.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from agents.analyst.planning.calendar import Window
from agents.analyst.planning.fitting import Fitting
from agents.analyst.planning.fittings import NotFitting
from agents.analyst.planning.months import add_months
from agents.analyst.planning.phrases import Unit
from agents.analyst.planning.reading import Reading
from agents.analyst.planning.steps import floor, shift
from envs.analyst.ir import Comparison, QueryIR, Ref, TimeRange

_STEP = {"previous_period": Unit.QUARTER, "same_period_last_year": Unit.YEAR}


def compare_times(ir: QueryIR, kind: str, against: Window | None = None) -> QueryIR:
    """The IR against the time before, the same time a year before, or a time that was named.

    Args:
        against: The time that was named, with both ends.
    Raises:
        NotFitting: If it has no time, one that is open to a side, or one that no time comes before.
    """
    span = ir.time_range
    if span is None or span.start is None or span.end is None:
        raise NotFitting("a comparison of times needs a time with both ends")
    start, end = datetime.fromisoformat(span.start), datetime.fromisoformat(span.end)
    if against is not None and against.start is not None and against.end is not None:
        return _held_against(ir, "custom", (against.start, against.end))
    try:
        if kind == "same_period_last_year":
            return _held_against(ir, kind, _year_before(start, end))
        return _held_against(ir, "previous_period", _period_before(start, end))
    except (ValueError, OverflowError) as error:
        raise NotFitting("no calendar has the time before it") from error


def _held_against(
    ir: QueryIR,
    kind: Literal["previous_period", "same_period_last_year", "custom"],
    before: tuple[datetime, datetime],
) -> QueryIR:
    start, end = (day.date().isoformat() for day in before)
    return ir.model_copy(update={"comparison": Comparison(kind=kind, start=start, end=end)})


def dates_of(reading: Reading, ir: QueryIR) -> Ref:
    """The usual date of an IR's rows.

    Raises:
        NotFitting: If they have none.
    """
    pick = Fitting(reading, ir.table_id).time_column()
    if pick is None:
        raise NotFitting(f"{ir.table_id} has no dates to compare")
    return Ref(column=pick.column, table=pick.table if pick.table != ir.table_id else None)


def last_whole(column: Ref, kind: str, anchor: datetime) -> TimeRange:
    """The last whole quarter, or year, before the anchor."""
    unit = _STEP[kind]
    end = floor(anchor, unit)
    return TimeRange(column=column, start=shift(end, unit, -1).date().isoformat(), end=end.date().isoformat())


def year_so_far(column: Ref, anchor: datetime) -> TimeRange:
    """From the first of January to the anchor's day, which is in it."""
    end = shift(floor(anchor, Unit.DAY), Unit.DAY, 1)
    start = floor(anchor, Unit.YEAR)
    return TimeRange(column=column, start=start.date().isoformat(), end=end.date().isoformat())


def _year_before(start: datetime, end: datetime) -> tuple[datetime, datetime]:
    return _minus_year(start), _minus_year(end)


def _minus_year(day: datetime) -> datetime:
    return day.replace(year=day.year - 1, day=min(day.day, 28) if day.month == 2 else day.day)


def _period_before(start: datetime, end: datetime) -> tuple[datetime, datetime]:
    if start.day == end.day == 1:
        months = (end.year - start.year) * 12 + end.month - start.month
        return add_months(start, -months), start
    return start - (end - start), start
