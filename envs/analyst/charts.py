"""Charts: what a picture of an answer shows, as facts that a page draws; never code.

Leaves to the page how it looks.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from envs.analyst.results import Cell, Result
from envs.kernel.records import Record

MOST_BARS = 40
MOST_SERIES = 8


class Mark(StrEnum):
    """What stands for a value. `columns` are bars of a histogram, side by side without gaps."""

    BAR = "bar"
    LINE = "line"
    POINT = "point"
    COLUMNS = "columns"
    BAND = "band"


class Chart(Record):
    """A picture of columns of a table that stands beside it.

    Attributes:
        x: The column along the bottom; of `bar` the names, of `line` the time.
        y: Columns whose values are drawn, each a series; of `band` the low end, the value and the high end.
        series: A column that tells series apart instead.
        unit: Of the values; `%` means that 0.07 is 7 %.
        before: Places and values of the middle series before the table begins: what a forecast goes on from.
        unfinished: The last place, where the data do not reach the end of its time; else None.
    """

    mark: Mark
    x: str
    y: tuple[str, ...]
    series: str | None = None
    unit: str | None = None
    # Left out where there is none, so that journals from before there were any replay to their digests.
    before: Annotated[tuple[tuple[Cell, Cell], ...], Field(exclude_if=lambda before: not before)] = ()
    unfinished: Annotated[Cell, Field(exclude_if=lambda place: place is None)] = None


_NUMBERS = ("integer", "number")
_TIMES = ("date", "timestamp")


def fitting(result: Result, dimensions: int, unfinished: Cell = None) -> Chart | None:
    """The picture that fits an answer; None for a single row or a list.

    Args:
        dimensions: How many of the first columns are dimensions; 0 for a list of rows.
        unfinished: The last period, if the data do not reach its end.
    """
    if not 1 <= dimensions <= 2 or result.row_count < 2 or len(result.columns) == dimensions:
        return None
    measures = [column for column in result.columns[dimensions:] if column.type in _NUMBERS]
    if not measures:
        return None
    unit = measures[0].unit
    alike = tuple(column.name for column in measures if column.unit == unit)[:MOST_SERIES]
    timed = [column for column in result.columns[:dimensions] if column.type in _TIMES]
    if dimensions == 1:
        if not timed and result.row_count > MOST_BARS:
            return None
        mark = Mark.LINE if timed else Mark.BAR
        return Chart(mark=mark, x=result.columns[0].name, y=alike, unit=unit, unfinished=unfinished)
    first, second = result.columns[:2]
    x, series = (second, first) if second in timed else (first, second)
    place = result.names.index(series.name)
    if len({row[place] for row in result.rows}) > MOST_SERIES:
        return None
    mark = Mark.LINE if timed else Mark.BAR
    return Chart(mark=mark, x=x.name, y=alike[:1], series=series.name, unit=unit, unfinished=unfinished)
