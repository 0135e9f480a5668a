"""Skill as plotly figures: one panel for each level, skill across, agents or families down, axes shared.

Where the panels stand and which colours they have is left to `assets/js/results.js`, which knows the width
and the theme.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evals.report import RunReport, Spread
from ui.chart import Figure, plain
from ui.results.view import estimate, interval, is_yardstick
from ui.results.words import counted, number

# A box of fewer cases would pretend to know more than there is.
FEWEST_FOR_BOX = 5
HEADROOM = 0.04


def skill_marks(runs: Sequence[RunReport], names: Sequence[str]) -> list[Figure]:
    """A mark with its interval for each run, in the row of its agent."""
    kinds = ([run for run in runs if is_yardstick(run) == yardstick] for yardstick in (False, True))
    return [_skill_marks(own, names, yardstick) for own, yardstick in zip(kinds, (False, True), strict=True)]


def _skill_marks(runs: Sequence[RunReport], names: Sequence[str], yardsticks: bool) -> Figure:
    ends = [interval(run) for run in runs]
    skills = [estimate(run) for run in runs]
    return {
        "type": "scatter",
        "mode": "markers",
        "meta": "yardstick" if yardsticks else "agent",
        "x": skills,
        "y": [names.index(run.agent) for run in runs],
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [high - skill for skill, (_, high) in zip(skills, ends, strict=True)],
            "arrayminus": [skill - low for skill, (low, _) in zip(skills, ends, strict=True)],
            "thickness": 2,
            "width": 0,
        },
        "marker": {"size": 9, "symbol": "diamond-open" if yardsticks else "square"},
        "text": [
            plain(f"{run.agent} {number(skill)} [{number(low)}, {number(high)}]")
            for run, skill, (low, high) in zip(runs, skills, ends, strict=True)
        ],
        "hovertemplate": "%{text}<extra></extra>",
    }


def spread_marks(spreads: Iterable[tuple[str, Spread]], names: Sequence[str]) -> list[Figure]:
    """A box and a mean for each named spread, in the row of its name."""
    known = [(names.index(name), spread) for name, spread in spreads if spread.quantiles]
    boxed = [(row, spread) for row, spread in known if spread.cases >= FEWEST_FOR_BOX]
    columns = [[spread.quantiles[n] for _, spread in boxed] for n in range(5)]
    box = {
        "type": "box",
        "orientation": "h",
        "meta": "spread",
        "y": [row for row, _ in boxed],
        **dict(zip(("lowerfence", "q1", "median", "q3", "upperfence"), columns, strict=True)),
        "width": 0.56,
        "whiskerwidth": 0,
        "boxpoints": False,
        "line": {"width": 1.25},
        "hoverinfo": "skip",
    }
    means = {
        "type": "scatter",
        "mode": "markers",
        "meta": "mean",
        "x": [spread.skill or 0.0 for _, spread in known],
        "y": [row for row, _ in known],
        "marker": {"size": 7, "symbol": "circle"},
        "text": [plain(_spread_text(names[row], spread)) for row, spread in known],
        "hovertemplate": "%{text}<extra></extra>",
    }
    return [box, means] if boxed else [means]


def _spread_text(name: str, spread: Spread) -> str:
    median = number(spread.quantiles[2])
    return f"{name}: mean {number(spread.skill or 0.0)}, median {median}, {counted(spread.cases, 'case')}"


# The figure around them


def panelled(
    levels: Sequence[str],
    names: Sequence[str],
    bounds: Sequence[float],
    panels: Sequence[Sequence[Figure]],
) -> Figure:
    """The figure of one panel for each level.

    Args:
        names: Of the rows, from the top.
        bounds: Values that must be inside the axis, beside 0 and 1.
        panels: The marks of each level.
    """
    low, high = min([0.0, *bounds]), max([1.0, *bounds])
    room = (high - low) * HEADROOM
    across, down = [low - room, high + room], [len(names) - 0.5, -0.5]
    layout: Figure = {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": False,
        "separators": ".,",
        "shapes": [],
        "annotations": [],
        "meta": {"panels": list(levels), "rows": [plain(name) for name in names]},
    }
    for n, level in enumerate(levels):
        which = axis_number(n)
        layout[f"xaxis{which}"] = _axis(across, f"y{which}") | {"nticks": 6}
        layout[f"yaxis{which}"] = _axis(down, f"x{which}")
        layout["shapes"] += [_upright(end, which) for end in (0, 1)]
        layout["annotations"].append(panel_name(level, which))
    data = [
        trace | {"xaxis": f"x{which}", "yaxis": f"y{which}"}
        for which, traces in zip(map(axis_number, range(len(panels))), panels, strict=True)
        for trace in traces
        if trace["y"]
    ]
    return {"data": data, "layout": layout}


def axis_number(panel: int) -> str:
    """What plotly writes behind the names of a panel's axes."""
    return "" if panel == 0 else str(panel + 1)


def _axis(span: list[float], anchor: str) -> Figure:
    return {"range": span, "anchor": anchor, "zeroline": False, "fixedrange": True}


def _upright(skill: int, which: str) -> Figure:
    """The line of an end of the scale."""
    return {
        "type": "line",
        "layer": "below",
        "name": "end",
        "line": {"width": 1, "dash": "solid" if skill == 0 else "dot"},
        "xref": f"x{which}",
        "x0": skill,
        "x1": skill,
        "yref": f"y{which} domain",
        "y0": 0,
        "y1": 1,
    }


def panel_name(level: str, which: str) -> Figure:
    """A level's name over its panel; `which` as of `axis_number`."""
    return {
        "name": "panel",
        "text": plain(level),
        "showarrow": False,
        "xref": f"x{which} domain",
        "x": 0,
        "xanchor": "left",
        "yref": f"y{which} domain",
        "y": 1,
        "yanchor": "bottom",
    }
