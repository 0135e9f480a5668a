"""Figures and findings in words."""

from __future__ import annotations

from collections.abc import Sequence

from evals.report import Estimate, RunReport
from ui.results.view import View, estimate, interval


def number(value: float, digits: int = 2) -> str:
    """With a minus where it is below zero, but no plus: a skill is not a gain."""
    text = f"{value:.{digits}f}"
    if float(text) == 0.0:
        text = text.removeprefix("-")
    return text.replace("-", "−")


def ends(of: Estimate, digits: int = 2) -> str:
    """The interval; a question mark for an end that nobody knows."""
    low, high = ("?" if end is None else number(end, digits) for end in (of.low, of.high))
    return f"[{low}, {high}]"


def measured(run: RunReport, digits: int = 2) -> str:
    """Skill and its interval."""
    if run.skill is None:
        return "no skill"
    return f"{number(run.skill.estimate, digits)} {ends(run.skill, digits)}"


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *others, last = words or [""]
    return f"{', '.join(others)} and {last}" if others else last


def counted(count: int, one: str, many: str = "") -> str:
    """`1 case`, `1,200 cases`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def finding(view: View) -> str:
    """Who is the strongest baseline, and by how much."""
    best = {level: run for level in view.levels if (run := view.strongest(level)) is not None}
    if not best:
        return f"On {view.split} cases nothing was measured but the two ends of the scale."
    names = {run.agent for run in best.values()}
    if len(names) == 1:
        skills = listed([f"{measured(run)} on {level}" for level, run in best.items()])
        return f"On {view.split} cases {names.pop()} is the strongest baseline: its skill is {skills}."
    each = listed([f"{run.agent} on {level} with {measured(run)}" for level, run in best.items()])
    return f"On {view.split} cases the strongest baselines are, by skill, {each}."


def below(view: View) -> str:
    """Who does worse than never looking, on the hardest level."""
    if not view.levels:
        return ""
    level = view.levels[-1]
    runs = view.on(level)
    worse = [run.agent for run in runs if interval(run)[1] < 0]
    unclear = [run.agent for run in runs if interval(run)[0] <= 0 <= interval(run)[1] and estimate(run) != 0]
    told = []
    if worse:
        told.append(f"{listed(worse)} {'does' if len(worse) == 1 else 'do'} worse than never looking")
    if unclear:
        told.append(
            f"{listed(unclear)} cannot be told from it"
            if worse
            else f"{listed(unclear)} cannot be told from never looking"
        )
    return f"On {level}, {'; '.join(told)}." if told else ""
