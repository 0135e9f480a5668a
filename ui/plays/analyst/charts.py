"""The picture of an answer as a plotly figure, from a chart's facts and the table beside it.

Colours and sizes are left to `assets/js/answer-chart.js`: each trace carries the number of its series.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

import orjson

from envs.analyst.charts import Chart, Mark
from envs.analyst.results import Cell
from envs.analyst.turns import Language, Shown
from ui.chart import Figure, plain
from ui.plays.analyst.tables import SHARE, TIMES

FEW = 12
"""So many times are all named below the chart."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure as JSON, and what it shows in words."""

    figure: str
    label: str


@dataclass(frozen=True, slots=True)
class _Series:
    name: str
    xs: tuple[Cell, ...]
    ys: tuple[Cell, ...]


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
    series = tuple(_series(chart, table))
    bars = chart.mark is Mark.BAR
    xs = [_name(x) for each in series for x in each.xs]
    return {
        "data": [trace for place, each in enumerate(series) for trace in _traces(chart, place, each)],
        "layout": {
            "xaxis": _value_axis(chart) if bars else _place_axis(chart, table),
            "yaxis": _name_axis() if bars else _value_axis(chart),
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "separators": ",." if language is Language.ID else ".,",
            "showlegend": len(series) > 1 and chart.mark is not Mark.BAND,
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


def _series(chart: Chart, table: Shown) -> Iterator[_Series]:
    names = [column.name for column in table.columns]
    xs = tuple(row[names.index(chart.x)] for row in table.rows)
    if chart.series is None:
        for name in chart.y:
            yield _Series(name, xs, tuple(row[names.index(name)] for row in table.rows))
        return
    which, what = names.index(chart.series), names.index(chart.y[0])
    for told in dict.fromkeys(row[which] for row in table.rows):
        own = [(x, row[what]) for x, row in zip(xs, table.rows, strict=True) if row[which] == told]
        yield _Series("–" if told is None else str(told), *map(tuple, zip(*own, strict=True)))


def _traces(chart: Chart, place: int, series: _Series) -> Iterator[Figure]:
    name = plain(series.name.replace("_", " "))
    xs = [plain(x) if isinstance(x, str) else x for x in series.xs]
    value = "%{VALUE:,.1%}" if chart.unit == SHARE else "%{VALUE:,.6~g}"
    unit = f" {plain(chart.unit)}" if chart.unit not in (None, SHARE) else ""
    common: Figure = {"name": name, "meta": {"series": place}}
    match chart.mark:
        case Mark.BAR:
            # Names down the side are read at any width; the first row comes first.
            hover = f"%{{y}}<br>{value.replace('VALUE', 'x')}{unit}<extra>{name}</extra>"
            names = list(map(_name, xs))
            yield common | {
                "type": "bar",
                "orientation": "h",
                "y": names,
                "x": list(series.ys),
                "hovertemplate": hover,
            }
        case Mark.COLUMNS:
            yield common | {
                "type": "bar",
                "x": xs,
                "y": list(series.ys),
                "hovertemplate": _over(value, unit, name),
            }
        case Mark.LINE | Mark.BAND:
            yield common | {
                "type": "scatter",
                "mode": "lines+markers" if len(xs) <= 60 and chart.mark is Mark.LINE else "lines",
                "x": xs,
                "y": list(series.ys),
                "connectgaps": False,
                "hovertemplate": _over(value, unit, name),
                "fill": "tonexty" if chart.mark is Mark.BAND and place == 2 else "none",
                "meta": {"series": place, "band": chart.mark is Mark.BAND and place != 1},
            }
        case Mark.POINT:
            yield common | {
                "type": "scatter",
                "mode": "markers",
                "x": xs,
                "y": list(series.ys),
                "hovertemplate": _over(value, unit, name),
            }
        case _:
            assert_never(chart.mark)


def _name(x: Cell) -> str:
    return "–" if x is None else plain(str(x))


def _over(value: str, unit: str, name: str) -> str:
    return f"%{{x}}<br>{value.replace('VALUE', 'y')}{unit}<extra>{name}</extra>"


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
    place = [column.name for column in table.columns].index(chart.x)
    times = sorted({str(row[place]) for row in table.rows if row[place] is not None})
    if len(times) > FEW:
        return {}
    months = all(time[8:10] == "01" for time in times)
    return {"tickmode": "array", "tickvals": times, "tickformat": "%b %Y" if months else "%d %b %Y"}
