"""The picture of an answer as a plotly figure, from a chart's facts and the table beside it.

Colours and sizes are left to `assets/js/answer-chart.js`: each trace carries the number of its series.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, assert_never

import orjson

from envs.analyst.charts import Chart, Mark
from envs.analyst.moments import TIMES, moment
from envs.analyst.results import Cell
from envs.analyst.turns import Language, Shown
from ui.chart import Figure, plain
from ui.plays.analyst.tables import SHARE

FEW = 6
"""So many times are all named below the chart."""
MARKED = 60
"""Of more values a line has no marks."""
BEFORE = "_before"
GREY = 6


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure as JSON, and what it shows in words."""

    figure: str
    label: str


@dataclass(frozen=True, slots=True)
class _Series:
    """Values over their places.

    Attributes:
        ink: Number of its colour.
        band: Its part of a band: `low` is its foot, `high` is filled down to it.
        dashed: It is the way into a time that is not whole.
    """

    name: str
    xs: tuple[Cell, ...]
    ys: tuple[Cell, ...]
    ink: int = 0
    band: Literal["", "low", "high"] = ""
    dashed: bool = False


def picture(chart: Chart, table: Shown, language: Language) -> Picture | None:
    """The picture of a table; None where the table lacks a column of it."""
    names = [column.name for column in table.columns]
    needed = {chart.x, *chart.y, *([chart.series] if chart.series else [])}
    if not table.rows or not chart.y or needed - set(names):
        return None
    figure = build(chart, table, language)
    return Picture(orjson.dumps(figure).decode(), _label(chart, table))


def build(chart: Chart, table: Shown, language: Language) -> Figure:
    """Data and layout; the y axis of bars, the x axis of everything else, has what is compared."""
    series = _drawn(chart, tuple(_series(chart, table, language)), language)
    bars = chart.mark is Mark.BAR
    xs = [_name(x) for each in series for x in each.xs]
    return {
        "data": [_trace(chart, each) for each in series],
        "layout": {
            "xaxis": _value_axis(chart) if bars else _place_axis(chart, table),
            "yaxis": _name_axis() if bars else _value_axis(chart),
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "separators": ",." if language is Language.ID else ".,",
            "showlegend": len({each.name for each in series if not each.band}) > 1,
            "hovermode": "closest",
            "dragmode": False,
            "barmode": "group",
            "bargap": 0.04 if chart.mark is Mark.COLUMNS else 0.3,
            "meta": {
                "mark": chart.mark.value,
                "bars": len(set(xs)) * len(series),
                "names": list(dict.fromkeys(xs)) if bars else [],
                "longest": max(map(len, xs)),
            },
        },
    }


def _label(chart: Chart, table: Shown) -> str:
    kind = {Mark.POINT: "Points", Mark.BAND: "Forecast", Mark.LINE: "Lines"}.get(chart.mark, "Bars")
    what = " and ".join(name.replace("_", " ") for name in chart.y)
    by = f" for each {chart.series.replace('_', ' ')}" if chart.series else ""
    return f"{kind}: {what} by {chart.x.replace('_', ' ')}{by}, {len(table.rows)} rows"


def _series(chart: Chart, table: Shown, language: Language) -> Iterator[_Series]:
    names = [column.name for column in table.columns]
    place = names.index(chart.x)
    column = table.columns[place]
    xs = tuple(row[place] for row in table.rows)
    if column.type not in TIMES:
        xs = tuple(moment(x, column, language) or x for x in xs)
    if chart.series is None:
        for name in chart.y:
            yield _Series(name, xs, tuple(row[names.index(name)] for row in table.rows))
        return
    which, what = names.index(chart.series), names.index(chart.y[0])
    for told in dict.fromkeys(row[which] for row in table.rows):
        own = [(x, row[what]) for x, row in zip(xs, table.rows, strict=True) if row[which] == told]
        name = "–" if told is None else str(told)
        yield _Series(name, tuple(x for x, _ in own), tuple(y for _, y in own))


def _drawn(chart: Chart, series: tuple[_Series, ...], language: Language) -> tuple[_Series, ...]:
    """The series in the order in which they are drawn, each with its ink; what was before stands back."""
    if chart.mark is Mark.BAND and len(series) == 3:
        low, value, high = series
        band = (replace(low, band="low"), replace(high, band="high"), value)
        return (_past(chart, language), *band) if chart.history else band
    if len(series) == 2 and series[0].name.endswith(BEFORE):
        return replace(series[0], ink=GREY), series[1]
    inked = tuple(replace(each, ink=place) for place, each in enumerate(series))
    return tuple(_split(inked)) if chart.mark is Mark.LINE and chart.open_end else inked


def _past(chart: Chart, language: Language) -> _Series:
    name = "sebelumnya" if language is Language.ID else "until now"
    xs, ys = zip(*chart.history, strict=True)
    return _Series(name, xs, ys, ink=GREY)


def _split(series: tuple[_Series, ...]) -> Iterator[_Series]:
    """Each line up to the last time, and its way into that."""
    last = max(str(x) for each in series for x in each.xs)
    for each in series:
        *whole, end = sorted(zip(each.xs, each.ys, strict=True), key=lambda point: str(point[0]))
        if str(end[0]) != last or not whole:
            yield each
            continue
        for points, dashed in ((whole, False), ([whole[-1], end], True)):
            xs, ys = zip(*points, strict=True)
            yield replace(each, xs=xs, ys=ys, dashed=dashed)


def _trace(chart: Chart, series: _Series) -> Figure:
    name = plain(series.name.replace("_", " "))
    xs = [plain(x) if isinstance(x, str) else x for x in series.xs]
    value = "%{VALUE:,.1%}" if chart.unit == SHARE else "%{VALUE:,.6~g}"
    unit = f" {plain(chart.unit)}" if chart.unit not in (None, SHARE) else ""
    over = f"%{{x}}<br>{value.replace('VALUE', 'y')}{unit}<extra>{name}</extra>"
    common: Figure = {
        "name": name,
        "showlegend": not (series.dashed or series.band),
        "meta": {"ink": series.ink, "band": bool(series.band), "dashed": series.dashed},
    }
    upright = common | {"x": xs, "y": list(series.ys), "hovertemplate": over}
    match chart.mark:
        case Mark.BAR:
            # Names down the side are read at any width; the first row comes first.
            hover = f"%{{y}}<br>{value.replace('VALUE', 'x')}{unit}<extra>{name}</extra>"
            sides = {"y": list(map(_name, series.xs)), "x": list(series.ys), "hovertemplate": hover}
            return common | sides | {"type": "bar", "orientation": "h"}
        case Mark.COLUMNS:
            return upright | {"type": "bar"}
        case Mark.LINE | Mark.BAND:
            marked = len(xs) <= MARKED and not series.band
            fill = "tonexty" if series.band == "high" else "none"
            mode = "lines+markers" if marked else "lines"
            return upright | {"type": "scatter", "mode": mode, "connectgaps": False, "fill": fill}
        case Mark.POINT:
            return upright | {"type": "scatter", "mode": "markers"}
        case _:
            assert_never(chart.mark)


def _name(x: Cell) -> str:
    return "–" if x is None else plain(str(x))


def _value_axis(chart: Chart) -> Figure:
    form = {"tickformat": ",.0%"} if chart.unit == SHARE else {"tickformat": "~s"}
    zero = {"rangemode": "tozero"} if chart.mark in (Mark.BAR, Mark.COLUMNS) else {}
    unit = "" if chart.unit in (None, SHARE) else plain(str(chart.unit))
    return form | zero | {"fixedrange": True, "zeroline": True, "nticks": 6, "title": {"text": unit}}


def _name_axis() -> Figure:
    return {"type": "category", "autorange": "reversed", "fixedrange": True, "showgrid": False}


def _place_axis(chart: Chart, table: Shown) -> Figure:
    kind = next(column.type for column in table.columns if column.name == chart.x)
    axis: Figure = {"fixedrange": True, "showgrid": False, "zeroline": False, "nticks": 8}
    if kind in TIMES:
        return axis | {"type": "date"} | _named_times(chart, table)
    if chart.mark is Mark.COLUMNS:
        return axis | {"type": "category"}
    return axis if chart.mark is Mark.POINT else axis | {"type": "category"}


def _named_times(chart: Chart, table: Shown) -> Figure:
    """Ticks where the values are; between three months plotly names days."""
    if chart.history:
        return {}
    place = [column.name for column in table.columns].index(chart.x)
    times = sorted({str(row[place]) for row in table.rows if row[place] is not None})
    if len(times) > FEW:
        return {}
    months = all(time[8:10] == "01" for time in times)
    return {"tickmode": "array", "tickvals": times, "tickformat": "%b %Y" if months else "%d %b %Y"}
