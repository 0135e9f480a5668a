"""A scene's chart as a plotly figure.

Colours are left to the page: traces and shapes carry a role, and `assets/js/chart.js` dresses each role in
the tokens of the theme in use. Positions are the x values, since labels may repeat.
"""

from __future__ import annotations

from typing import Any

import orjson

from envs.scene import Chart, Limit, Line

HEIGHT = 300
HEADROOM = 0.12
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x")
"""How the lines of one chart differ."""

# Plain dicts: plotly's own classes take 16 ms for one figure, on the loop that serves all. A test builds
# each figure with them, so that a key they do not know fails there.
Figure = dict[str, Any]


def figure(chart: Chart) -> str:
    """The figure as JSON."""
    return orjson.dumps(build(chart)).decode()


def build(chart: Chart) -> Figure:
    """Data and layout of the figure."""
    low, high = _range(chart)
    gaps = _gaps(chart)
    labels = [plain(label) for label in chart.labels]
    traces = [_line(line, chart.unit, place) for place, line in enumerate(chart.lines)]
    several = sum(line.role == "observed" for line in chart.lines) > 1
    if gaps:
        traces.append(_gap_marks(gaps, low))
    return {
        "data": traces,
        "layout": {
            "shapes": [_band(index) for index in gaps] + [_bound(limit) for limit in chart.limits],
            "annotations": [_name(limit, chart) for limit in chart.limits],
            "xaxis": _axis(-0.5, len(labels) - 0.5) | {"showgrid": False},
            "yaxis": _axis(low, high) | {"nticks": 6},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "separators": ".,",
            "showlegend": several,
            "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "itemclick": False},
            "height": HEIGHT,
            "margin": {"l": 60, "r": 24, "t": 48 if several else 20, "b": 36},
            "hovermode": "x",
            "dragmode": False,
            "meta": {"labels": labels},
        },
    }


def _axis(low: float, high: float) -> Figure:
    return {"range": [low, high], "zeroline": False, "fixedrange": True}


def _line(line: Line, unit: str, place: int) -> Figure:
    """A series; of several, each has a dash and a mark of its own, because there is one ink for all."""
    observed = line.role == "observed"
    return {
        "type": "scatter",
        "x": list(range(len(line.values))),
        "y": list(line.values),
        "name": plain(line.name),
        "meta": line.role,
        "mode": "lines+markers",
        "connectgaps": False,
        "line": {"width": 2, "dash": DASHES[place % len(DASHES)] if observed else "dot"},
        "marker": {
            "size": _marker(len(line.values)) if observed else 6,
            "symbol": SYMBOLS[place % len(SYMBOLS)] if observed else SYMBOLS[0],
        },
        "hovertemplate": f"%{{y:,.6~g}} {plain(unit)}<extra>{plain(line.name)}</extra>",
    }


def _gap_marks(gaps: tuple[int, ...], low: float) -> Figure:
    """Points at the foot of the plot, so that a gap can be hit; any other height would be a guess."""
    return {
        "type": "scatter",
        "x": list(gaps),
        "y": [low] * len(gaps),
        "name": "no value",
        "meta": "gap",
        "mode": "markers",
        "cliponaxis": False,
        "marker": {"size": 9, "symbol": "diamond-open"},
        "hovertemplate": "no value<extra></extra>",
    }


def _band(index: int) -> Figure:
    return {
        "name": "gap",
        "type": "rect",
        "layer": "below",
        "line": {"width": 0},
        "x0": index - 0.4,
        "x1": index + 0.4,
        "xref": "x",
        "y0": 0,
        "y1": 1,
        "yref": "y domain",
    }


def _bound(limit: Limit) -> Figure:
    return {
        "name": "limit",
        "type": "line",
        "layer": "below",
        "line": {"width": 1.5, "dash": "dash"},
        "x0": 0,
        "x1": 1,
        "xref": "x domain",
        "y0": limit.value,
        "y1": limit.value,
        "yref": "y",
    }


def _name(limit: Limit, chart: Chart) -> Figure:
    """The bound's name on the side of its line where fewer values are."""
    values = [value for line in chart.lines for value in line.values if value is not None]
    below = sum(value < limit.value for value in values)
    return {
        "name": "limit",
        "text": plain(f"{limit.label} {limit.value:g} {chart.unit}".rstrip()),
        "showarrow": False,
        "x": 1,
        "xref": "paper",
        "xanchor": "right",
        "y": limit.value,
        "yanchor": "bottom" if 2 * below >= len(values) else "top",
    }


def _gaps(chart: Chart) -> tuple[int, ...]:
    """Positions at which no observed line has a value."""
    lines = [line.values for line in chart.lines if line.role == "observed"]
    columns = zip(*lines, strict=True)
    return tuple(index for index, column in enumerate(columns) if all(value is None for value in column))


def _range(chart: Chart) -> tuple[float, float]:
    values = [value for line in chart.lines for value in line.values if value is not None]
    values += [limit.value for limit in chart.limits]
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    room = (high - low) * HEADROOM or abs(high) * HEADROOM or 1.0
    return low - room, high + room


def _marker(count: int) -> int:
    return 10 if count <= 16 else 7 if count <= 48 else 4


def plain(text: str) -> str:
    """Text for plotly, which reads tags, entities and %{…} in what it draws."""
    return text.replace("&", "＆").replace("<", "‹").replace(">", "›").replace("%{", "% {")
