"""The curves of a training that ships: what was measured while it went on, beside the baselines.

Which colours they have and where the panels stand is left to `assets/js/curves.js`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from evals.training.shipping import PLOTS
from ui.chart import Figure, plain
from ui.results.figures import Cells, Plot
from ui.results.marks import axis_number, panel_name
from ui.results.words import listed, number

METRICS = "training_metrics.json"
MEASURES = {
    "reward": "Total reward in training",
    "detection": "Share of faults found in training",
    "false_positives": "Share of steps on false alarms in training",
}
BESIDE = ("follow-flags", "monitor-then-act", "reference")
"""Baselines that are drawn; the numbers have all of them."""

SIDES = ("center", "left", "right")
"""Where each one's name stands, so that names do not meet where means do."""

Json = Mapping[str, Any]


def curves(slug: str, folder: Path = PLOTS) -> tuple[Plot, ...]:
    """A chart for each measure of the training of that environment's policy; none where none was trained."""
    file = folder / METRICS
    metrics: Json = orjson.loads(file.read_bytes()) if file.is_file() else {}
    if metrics.get("environment") != slug:
        return ()
    return tuple(_plot(metrics, measure, title) for measure, title in MEASURES.items())


def _plot(metrics: Json, measure: str, title: str) -> Plot:
    return Plot(
        f"training-{measure}",
        title,
        _found(metrics, measure),
        "Across: episodes played in training. Line: the mean of a twentieth of them, with its 95 % band. "
        f"Dashed: means on {metrics['cases']} held-out cases.",
        _figure(metrics, measure),
        ("level", "who", "episodes", "mean", "low", "high"),
        tuple(_rows(metrics, measure)),
        "curve-chart",
    )


def _found(metrics: Json, measure: str) -> str:
    """Where the curves begin and end, and what the result comes to beside the baselines."""
    went, held = [], []
    for level, points in metrics["curves"].items():
        first, last = (number(points[place][measure]["mean"]) for place in (0, -1))
        went.append(f"from {first} to {last} on {level}")
        rows = metrics["held_out"][level]
        means = {name: number(rows[name][measure]["mean"]) for name in ("trained", *BESIDE)}
        held.append(f"{means.pop('trained')} on {level} ({', '.join(f'{n} {m}' for n, m in means.items())})")
    return f"In training it went {listed(went)}. On held-out cases the result has {listed(held)}."


def _rows(metrics: Json, measure: str) -> Iterator[Cells]:
    for level, points in metrics["curves"].items():
        for point in points:
            yield level, "in training", point["episodes"], *_cells(point[measure])
        for name, row in metrics["held_out"][level].items():
            yield level, f"{name}, held out", None, *_cells(row[measure])


def _cells(measured: Json) -> Cells:
    return measured["mean"], measured["low"], measured["high"]


def _figure(metrics: Json, measure: str) -> Figure:
    levels = list(metrics["curves"])
    traces = [_traces(metrics, level, measure) for level in levels]
    ends = [y for panel in traces for trace in panel for y in trace["y"]]
    room = (max(ends) - min(ends)) * 0.08 or 1.0
    layout: Figure = {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": False,
        "separators": ".,",
        "annotations": [],
        "meta": {"panels": levels},
    }
    for n, level in enumerate(levels):
        which = axis_number(n)
        fixed = {"zeroline": False, "fixedrange": True}
        layout[f"xaxis{which}"] = fixed | {"anchor": f"y{which}", "nticks": 4}
        layout[f"yaxis{which}"] = fixed | {
            "anchor": f"x{which}",
            "range": [min(ends) - room, max(ends) + room],
            "nticks": 6,
        }
        beside = [trace for trace in traces[n] if trace["meta"] == "beside"]
        layout["annotations"] += [
            _name(trace, which, side) for trace, side in zip(beside, SIDES, strict=True)
        ]
        layout["annotations"].append(panel_name(level, which))
    data = [
        trace | {"xaxis": f"x{which}", "yaxis": f"y{which}"}
        for which, panel in ((axis_number(n), panel) for n, panel in enumerate(traces))
        for trace in panel
    ]
    return {"data": data, "layout": layout}


def _traces(metrics: Json, level: str, measure: str) -> list[Figure]:
    """The band and the line of one panel, and the baselines beside them."""
    points = metrics["curves"][level]
    at = [point["episodes"] for point in points]
    banded = [point for point in points if point[measure]["low"] is not None]
    around = [point["episodes"] for point in banded]
    edge = [point[measure]["high"] for point in banded] + [p[measure]["low"] for p in reversed(banded)]
    band = {
        "type": "scatter",
        "mode": "lines",
        "meta": "band",
        "x": around + around[::-1],
        "y": edge,
        "fill": "toself",
        "line": {"width": 0},
        "hoverinfo": "skip",
    }
    line = {
        "type": "scatter",
        "mode": "lines",
        "meta": "curve",
        "x": at,
        "y": [point[measure]["mean"] for point in points],
        "line": {"width": 2},
        "hovertemplate": "%{y:.2f} after %{x} episodes<extra></extra>",
    }
    beside = [
        {
            "type": "scatter",
            "mode": "lines",
            "meta": "beside",
            "name": name,
            "x": [at[0], at[-1]],
            "y": [metrics["held_out"][level][name][measure]["mean"]] * 2,
            "line": {"width": 1.25, "dash": "dash"},
            "hovertemplate": f"%{{y:.2f}} {plain(name)}, held out<extra></extra>",
        }
        for name in BESIDE
    ]
    return [band, line, *beside]


def _name(trace: Figure, which: str, side: str) -> Figure:
    """A baseline's name on its line."""
    first, last = trace["x"]
    return {
        "name": "beside",
        "text": plain(trace["name"]),
        "showarrow": False,
        "xref": f"x{which}",
        "x": {"left": first, "center": (first + last) / 2, "right": last}[side],
        "xanchor": side,
        "yref": f"y{which}",
        "y": trace["y"][-1],
        "yanchor": "bottom",
    }
