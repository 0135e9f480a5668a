"""Drawing: the curves of a training as pictures, from its metrics alone."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

Json = Mapping[str, Any]

INK = "#1f2937"
COLOURS = {
    "trained": "#0f766e",
    "random": "#9ca3af",
    "do-nothing": "#6b7280",
    "follow-flags": "#b45309",
    "monitor-then-act": "#7c3aed",
    "bayes-greedy": "#2563eb",
    "reference": "#111827",
}
FALSE = "#b91c1c"


def reward_curve(metrics: Json) -> bytes:
    """PNG: total reward in training by episodes, beside the baselines on held-out cases."""
    figure, panels = _panels(metrics)
    for level, axes in panels.items():
        _curve(axes, metrics["curves"][level], "reward", COLOURS["trained"], "in training")
        for name, row in metrics["held_out"][level].items():
            _level(axes, row["reward"], name)
    _finish(figure, panels, "total reward of a shift", "dashed: mean on held-out cases, with its band")
    return _png(figure)


def detection_rate(metrics: Json) -> bytes:
    """PNG: faults found and false alarms in training, beside the baselines' finds on held-out cases."""
    figure, panels = _panels(metrics)
    for level, axes in panels.items():
        _curve(axes, metrics["curves"][level], "detection", COLOURS["trained"], "faults found, in training")
        _curve(axes, metrics["curves"][level], "false_positives", FALSE, "steps on false alarms, in training")
        for name, row in metrics["held_out"][level].items():
            _level(axes, row["detection"], name)
        axes.set_ylim(-0.02, 1.02)
    _finish(figure, panels, "share", "dashed: faults found on held-out cases, with the band")
    return _png(figure)


def _panels(metrics: Json) -> tuple[Figure, dict[str, Axes]]:
    levels = list(metrics["curves"])
    figure = Figure(figsize=(4.4 * len(levels), 4.6), dpi=110, layout="constrained")
    row = figure.subplots(1, len(levels), squeeze=False)[0]
    return figure, dict(zip(levels, row, strict=True))


def _curve(axes: Axes, points: list[Json], measure: str, colour: str, label: str) -> None:
    """A mean by episodes with its band; a point of a single case has none."""
    at = [point["episodes"] for point in points]
    means = [point[measure]["mean"] for point in points]
    axes.plot(at, means, color=colour, linewidth=2, label=label)
    banded = [point for point in points if point[measure]["low"] is not None]
    low, high = ([point[measure][end] for point in banded] for end in ("low", "high"))
    axes.fill_between(
        [point["episodes"] for point in banded], low, high, color=colour, alpha=0.18, linewidth=0
    )


def _level(axes: Axes, measured: Json, name: str) -> None:
    """A mean that does not depend on episodes, with its band."""
    axes.axhline(measured["mean"], color=COLOURS[name], linestyle="--", linewidth=1.2, label=name)
    if measured["low"] is not None:
        axes.axhspan(measured["low"], measured["high"], color=COLOURS[name], alpha=0.07, linewidth=0)


def _finish(figure: Figure, panels: Mapping[str, Axes], measure: str, note: str) -> None:
    for level, axes in panels.items():
        axes.set_title(level, fontsize=11, color=INK)
        axes.set_xlabel("episodes played in training")
        axes.grid(alpha=0.25)
        axes.spines[["top", "right"]].set_visible(False)
    first = next(iter(panels.values()))
    first.set_ylabel(measure)
    handles, labels = first.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5, frameon=False, fontsize=9, title=note)


def _png(figure: Figure) -> bytes:
    content = BytesIO()
    # Without the name of the software, which changes the file when nothing that was drawn has changed.
    figure.savefig(content, format="png", metadata={"Software": None})
    return content.getvalue()
