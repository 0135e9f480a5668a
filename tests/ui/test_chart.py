"""A chart is a figure that plotly knows, with its gaps, bounds and repairs, and no markup in its words."""

from __future__ import annotations

import plotly.graph_objects as go

from envs.scene import Chart, Heading, Limit, Line, Scene
from ui.chart import build
from ui.frame import overlaid

CHART = Chart(
    summary="Five points.",
    unit="MW",
    labels=("09:00", "10:00", "11:00", "12:00", "<b>13:00</b>"),
    lines=(Line(name="observed", values=(120.0, 125.0, 130.0, None, 140.0)),),
    limits=(Limit(label="at most", value=200.0), Limit(label="at least", value=0.0)),
    selects="target_index",
)


def test_plotly_knows_every_key_of_the_figure() -> None:
    figure = go.Figure(build(CHART)).to_dict()
    assert len(figure["data"]) == 2


def test_a_gap_has_a_band_and_a_mark_that_can_be_hit() -> None:
    figure = build(CHART)
    bands = [shape for shape in figure["layout"]["shapes"] if shape["name"] == "gap"]
    assert [(band["x0"], band["x1"]) for band in bands] == [(2.6, 3.4)]
    marks = [trace for trace in figure["data"] if trace["meta"] == "gap"]
    assert [trace["x"] for trace in marks] == [[3]]


def test_every_bound_and_value_is_inside_the_axis() -> None:
    low, high = build(CHART)["layout"]["yaxis"]["range"]
    assert low < 0.0
    assert high > 200.0


def test_words_on_the_chart_hold_no_tag_that_plotly_would_read() -> None:
    assert build(CHART)["layout"]["meta"]["labels"][-1] == "‹b›13:00‹/b›"


def test_a_chart_without_values_is_still_a_figure() -> None:
    empty = CHART.model_copy(update={"lines": (Line(name="observed", values=(None,) * 5),), "limits": ()})
    assert go.Figure(build(empty)).layout.yaxis.range is not None


def test_what_changed_since_the_start_is_laid_over_what_was_observed() -> None:
    after = Line(name="observed", values=(120.0, 125.0, 130.0, 135.0, 140.0))
    first = Scene(pieces=(Heading(eyebrow="", title="Orders"), CHART))
    now = Scene(pieces=(Heading(eyebrow="", title="Orders"), CHART.model_copy(update={"lines": (after,)})))
    _, chart = overlaid(first, now).pieces
    assert isinstance(chart, Chart)
    observed, repaired = chart.lines
    assert observed == CHART.lines[0]
    assert (repaired.role, repaired.values) == ("repaired", (None, None, 130.0, 135.0, 140.0))


def test_a_series_that_did_not_change_has_nothing_laid_over_it() -> None:
    scene = Scene(pieces=(CHART,))
    assert overlaid(scene, scene) == scene
