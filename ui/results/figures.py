"""The charts of one view: what each shows, what was found, and every number that is drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evals.report import RunReport, Spread
from ui.chart import Figure
from ui.results.marks import FEWEST_FOR_BOX, panelled, skill_marks, spread_marks
from ui.results.view import View, interval
from ui.results.words import below, counted, finding, listed, number

Cells = tuple[str | int | float | None, ...]


@dataclass(frozen=True, slots=True)
class Plot:
    """One chart.

    Attributes:
        name: In addresses and file names.
        caption: The finding.
        legend: How to read the marks.
        figure: For plotly, to be dressed and arranged by `assets/js/results.js`.
        heads, rows: Every number that is drawn.
        element: What draws it on the page.
    """

    name: str
    title: str
    caption: str
    legend: str
    figure: Figure
    heads: tuple[str, ...]
    rows: tuple[Cells, ...]
    element: str = "result-chart"


def plots(view: View, agent: str = "") -> tuple[Plot, ...]:
    """The charts of a view; `agent` is whose families are drawn, the strongest baseline where unknown."""
    return _ladder(view), _levels(view), _families(view, drawn_agent(view, agent))


def drawn_agent(view: View, agent: str) -> str:
    """The agent of that name, else the strongest baseline of the hardest level, else the first."""
    if agent in view.agents:
        return agent
    best = view.strongest(view.levels[-1])
    return best.agent if best else view.agents[0] if view.agents else ""


def _ladder(view: View) -> Plot:
    """Skill of every agent with its interval."""
    bounds = [end for level in view.levels for run in view.on(level) for end in interval(run)]
    panels = [skill_marks(runs, view.agents) for runs in _by_level(view)]
    return Plot(
        "ladder",
        "Skill",
        " ".join(filter(None, (finding(view), below(view)))),
        "Across: skill, with its 95 % interval as a bar. Square: an agent. Diamond: an end of the scale, "
        "the best constant at 0 or the reference at 1.",
        panelled(view.levels, view.agents, bounds, panels),
        ("level", "agent", "cases", "skill", "low", "high"),
        tuple(
            (run.level, run.agent, run.seeds, run.skill.estimate, run.skill.low, run.skill.high)
            for level in view.levels
            for run in view.on(level)
            if run.skill is not None
        ),
    )


def _levels(view: View) -> Plot:
    """How each agent's cases are spread."""
    panels = [
        spread_marks([(run.agent, run.level_spread) for run in runs], view.agents) for runs in _by_level(view)
    ]
    spreads = [run.level_spread for runs in _by_level(view) for run in runs]
    return Plot(
        "levels",
        "Cases by level",
        _levels_found(view),
        _BOXES,
        panelled(view.levels, view.agents, _extremes(spreads), panels),
        ("level", "agent", *_SPREAD_HEADS),
        tuple(
            (run.level, run.agent, *_spread_cells(run.level_spread))
            for runs in _by_level(view)
            for run in runs
        ),
    )


def _families(view: View, agent: str) -> Plot:
    """How one agent's cases are spread within each family."""
    runs = [[run for run in own if run.agent == agent] for own in _by_level(view)]
    spreads = [(_words(spread.name), spread) for own in runs for run in own for spread in run.families]
    names = _ranked(spreads)
    panels = [
        spread_marks([(_words(spread.name), spread) for run in own for spread in run.families], names)
        for own in runs
    ]
    return Plot(
        "families",
        f"Cases by family: {agent}",
        _families_found(view, agent),
        f"{_BOXES} Of fewer than {FEWEST_FOR_BOX} cases only the mean is drawn.",
        panelled(view.levels, names, _extremes([spread for _, spread in spreads]), panels),
        ("level", "agent", "family", *_SPREAD_HEADS),
        tuple(
            (run.level, run.agent, spread.name, *_spread_cells(spread))
            for own in runs
            for run in own
            for spread in run.families
        ),
    )


_BOXES = (
    "Across: each case’s share of skill. Their mean is the skill; one of them may lie outside 0 to 1. "
    "Line: from the least to the most. Box: the middle half, divided at the median. Dot: the mean."
)
_SPREAD_HEADS = ("cases", "mean", "least", "lower_quarter", "median", "upper_quarter", "most", "failed")


# Findings


def _levels_found(view: View) -> str:
    best = view.strongest(view.levels[-1])
    if best is None:
        return f"On {view.split} cases nothing was measured but the two ends of the scale."
    runs = [run for own in _by_level(view) for run in own if run.agent == best.agent]
    halves = listed(
        [
            f"from {number(q[1])} to {number(q[3])} on {run.level}"
            for run in runs
            if (q := run.level_spread.quantiles)
        ]
    )
    first, last = runs[0].level_spread.quantiles, runs[-1].level_spread.quantiles
    told = f"The middle half of {best.agent}’s {view.split} cases reaches {halves}."
    if len(runs) > 1 and first and last:
        verb = "falls" if last[2] < first[2] else "rises" if last[2] > first[2] else "stays"
        change = f"{verb} from {number(first[2])} on {runs[0].level} to {number(last[2])} on {runs[-1].level}"
        if verb == "stays":
            change = f"stays at {number(first[2])}"
        told += f" Its median {change}."
    return told


def _families_found(view: View, agent: str) -> str:
    own = [run for run in (view.runs.get((level, agent)) for level in view.levels) if run and run.skill]
    if not own:
        return "No agent has a skill on these cases."
    run = own[-1]
    sure = [spread for spread in run.families if spread.cases >= FEWEST_FOR_BOX and spread.skill is not None]
    if len(sure) < 2:
        return f"On {run.level}, the cases of {agent} are too few to compare families."
    best, worst = max(sure, key=_mean), min(sure, key=_mean)
    told = [
        f"{number(_mean(spread))} on {_words(spread.name)} ({counted(spread.cases, 'case')})"
        for spread in (best, worst)
    ]
    return f"On {run.level}, {agent} is at its best with {told[0]} and at its worst with {told[1]}."


def _mean(spread: Spread) -> float:
    assert spread.skill is not None
    return spread.skill


# Numbers


def _by_level(view: View) -> list[list[RunReport]]:
    return [view.on(level) for level in view.levels]


def _spread_cells(spread: Spread) -> Cells:
    return (spread.cases, spread.skill, *(spread.quantiles or (None,) * 5), spread.failed)


def _ranked(spreads: Iterable[tuple[str, Spread]]) -> tuple[str, ...]:
    """Families by their mean over the levels."""
    skills: dict[str, list[float]] = {}
    for name, spread in spreads:
        if spread.skill is not None:
            skills.setdefault(name, []).append(spread.skill)
    return tuple(sorted(skills, key=lambda name: (-sum(skills[name]) / len(skills[name]), name)))


def _extremes(spreads: Iterable[Spread]) -> list[float]:
    return [
        end
        for spread in spreads
        if spread.quantiles
        for end in ((spread.quantiles[0], spread.quantiles[-1]) if spread.cases >= FEWEST_FOR_BOX else ())
    ] + [spread.skill for spread in spreads if spread.skill is not None]


def _words(name: str) -> str:
    return name.replace("_", " ")
