"""The picture of an answer as a plotly figure, from a chart's facts and the table beside it.

What is not known yet is dashed. Colours and sizes are left to `assets/js/answer-chart.js`: each trace carries
the number of its series.
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
from ui.plays.analyst.tables import SHARE, written

FEW = 6
"""So many times are all named below the chart."""
MARKED = 60
"""Of more values a line has no marks."""
BEFORE = "_before"
GREY = 6
UNFINISHED = {
    Language.EN: "Dashed: {} is not complete yet.",
    Language.ID: "Garis putus-putus: {} belum lengkap.",
}
FORECAST = {
    Language.EN: "Solid: as measured. Dashed: the forecast. Shaded: where 95 of 100 such values would lie.",
    Language.ID: "Garis penuh: terukur. Putus-putus: perkiraan. Bidang: letak 95 dari 100 nilai seperti itu.",
}


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure as JSON, what it shows in words, and what its dashes mean; "" without any."""

    figure: str
    label: str
    note: str


@dataclass(frozen=True, slots=True)
class _Series:
    """Values over their places.

    Attributes:
        ink: Number of its colour.
        band: Its part of a band: `low` is its foot, `high` is filled down to it.
        dashed: Whether it is not known yet.
        second: Whether it goes on with a series that the legend has already.
    """

    name: str
    xs: tuple[Cell, ...]
    ys: tuple[Cell, ...]
    ink: int = 0
    band: Literal["", "low", "high"] = ""
    dashed: bool = False
    second: bool = False


def picture(chart: Chart, table: Shown, language: Language) -> Picture | None:
    """The picture of a table; None where the table lacks a column of it."""
    names = [column.name for column in table.columns]
    needed = {chart.x, *chart.y, *([chart.series] if chart.series else [])}
    if not table.rows or not chart.y or needed - set(names):
        return None
    figure = build(chart, table, language)
    return Picture(orjson.dumps(figure).decode(), _label(chart, table), _note(chart, table, language))


def build(chart: Chart, table: Shown, language: Language) -> Figure:
    """Data and layout; the y axis of bars, the x axis of everything else, has what is compared."""
    series = _drawn(chart, tuple(_series(chart, table, language)))
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
            "showlegend": sum(not each.second for each in series) > 1 and chart.mark is not Mark.BAND,
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


def _note(chart: Chart, table: Shown, language: Language) -> str:
    if chart.before:
        return FORECAST[language]
    if chart.unfinished is None:
        return ""
    column = next(column for column in table.columns if column.name == chart.x)
    return UNFINISHED[language].format(written(chart.unfinished, column, language))


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


def _drawn(chart: Chart, series: tuple[_Series, ...]) -> tuple[_Series, ...]:
    """The series in the order in which they are drawn, each with its ink; what was before stands back."""
    if chart.mark is Mark.BAND and len(series) == 3:
        low, value, high = series
        edges = replace(low, band="low"), replace(high, band="high")
        return *(_from_end(edge, chart.before) for edge in edges), *_gone_on(value, chart.before)
    if len(series) == 2 and series[0].name.endswith(BEFORE):
        return replace(series[0], ink=GREY), series[1]
    inked = (replace(each, ink=place) for place, each in enumerate(series))
    return tuple(part for each in inked for part in _parted(each, chart.unfinished))


def _gone_on(value: _Series, before: tuple[tuple[Cell, Cell], ...]) -> tuple[_Series, ...]:
    """What was measured, and the forecast from its end on."""
    if not before:
        return (value,)
    xs, ys = zip(*before, strict=True)
    forecast = replace(_from_end(value, before), dashed=True, second=True)
    return replace(value, xs=xs, ys=ys), forecast


def _from_end(series: _Series, before: tuple[tuple[Cell, Cell], ...]) -> _Series:
    """The series begun at the last that was measured."""
    if not before:
        return series
    x, y = before[-1]
    return replace(series, xs=(x, *series.xs), ys=(y, *series.ys))


def _parted(series: _Series, unfinished: Cell) -> tuple[_Series, ...]:
    """A line up to its last whole period, and from there to one that is not whole."""
    if unfinished is None or unfinished not in series.xs or len(series.xs) < 2:
        return (series,)
    order = sorted(range(len(series.xs)), key=lambda place: str(series.xs[place]))
    whole, last = order[:-1], order[-2:]
    return (
        replace(series, xs=_at(series.xs, whole), ys=_at(series.ys, whole)),
        replace(series, xs=_at(series.xs, last), ys=_at(series.ys, last), dashed=True, second=True),
    )


def _at(cells: tuple[Cell, ...], places: list[int]) -> tuple[Cell, ...]:
    return tuple(cells[place] for place in places)


def _trace(chart: Chart, series: _Series) -> Figure:
    name = plain(series.name.replace("_", " "))
    xs = [plain(x) if isinstance(x, str) else x for x in series.xs]
    value = "%{VALUE:,.1%}" if chart.unit == SHARE else "%{VALUE:,.6~g}"
    unit = f" {plain(chart.unit)}" if chart.unit not in (None, SHARE) else ""
    over = f"%{{x}}<br>{value.replace('VALUE', 'y')}{unit}<extra>{name}</extra>"
    common: Figure = {"name": name, "showlegend": not series.second, "meta": _meta(series)}
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


def _meta(series: _Series) -> Figure:
    return {"ink": series.ink, "band": bool(series.band), "dashed": series.dashed}


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
    place = [column.name for column in table.columns].index(chart.x)
    times = sorted({str(row[place]) for row in table.rows if row[place] is not None})
    if len(times) > FEW or chart.before:
        return {}
    months = all(time[8:10] == "01" for time in times)
    return {"tickmode": "array", "tickvals": times, "tickformat": "%b %Y" if months else "%d %b %Y"}
