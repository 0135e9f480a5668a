"""One view of an environment's results: the cases of one track and split, each agent once on each level."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from evals.report import Estimate, RunReport
from ui.results.kept import Results, Run

# Of two splits the one that nobody could have been tuned on speaks first.
FIRST_SPLIT = "held-out"


@dataclass(frozen=True, slots=True)
class View:
    """What is drawn and told of one kind of cases.

    Attributes:
        cases: Track and split, e.g. `audit/held-out`.
        levels: With at least one run, from easy to hard.
        agents: With skill on some level, the best first.
        runs: By level and agent: of several the current one, else the one with most cases.
        outdated: No run of these cases is of the code that runs here.
    """

    slug: str
    cases: str
    levels: tuple[str, ...]
    agents: tuple[str, ...]
    runs: Mapping[tuple[str, str], RunReport]
    outdated: bool

    @property
    def split(self) -> str:
        return self.cases.partition("/")[2]

    def on(self, level: str) -> list[RunReport]:
        """Runs on that level that have skill, the best first."""
        runs = [self.runs[level, agent] for agent in self.agents if (level, agent) in self.runs]
        return sorted((run for run in runs if run.skill is not None), key=lambda run: -estimate(run))

    def strongest(self, level: str) -> RunReport | None:
        """The best agent of the level that is no end of the scale."""
        return next((run for run in self.on(level) if not is_yardstick(run)), None)


def kinds(results: Results) -> tuple[str, ...]:
    """All kinds of cases that were measured, held-out first."""
    found = {f"{run.report.track}/{run.report.split}" for run in results.runs}
    return tuple(sorted(found, key=lambda kind: (kind.partition("/")[2] != FIRST_SPLIT, kind)))


def view(results: Results, cases: str = "") -> View | None:
    """The view of those cases; None without runs.

    Where they are unknown, it is of the cases of which most was measured, of equals the first of `kinds`.
    """
    known = kinds(results)
    if not known:
        return None
    cases = cases if cases in known else max(known, key=lambda kind: _width(results, kind))
    runs = [run for run in results.runs if f"{run.report.track}/{run.report.split}" == cases]
    current = [run for run in runs if run.current]
    chosen = _chosen(current or runs)
    found = {level for level, _ in chosen}
    # A level that the environment no longer has comes after those it has.
    known_levels = results.environment.levels
    levels = (*(x for x in known_levels if x in found), *sorted(found - set(known_levels)))
    return View(results.environment.slug, cases, levels, _ranked(chosen), chosen, outdated=not current)


def estimate(run: RunReport) -> float:
    """Skill of a run that has one."""
    return _known(run).estimate


def interval(run: RunReport) -> tuple[float, float]:
    """Where the skill lies; an end that nobody knows is the estimate itself."""
    skill = _known(run)
    return (
        skill.estimate if skill.low is None else skill.low,
        skill.estimate if skill.high is None else skill.high,
    )


def is_yardstick(run: RunReport) -> bool:
    """Whether skill is measured by this agent: the reference, or the best constant."""
    return run.agent in (run.reference, run.constant)


def _width(results: Results, cases: str) -> int:
    """How many agents were measured on how many levels, by the code that runs here."""
    reports = [run.report for run in results.runs if run.current]
    return len({(run.level, run.agent) for run in reports if f"{run.track}/{run.split}" == cases})


def _known(run: RunReport) -> Estimate:
    assert run.skill is not None
    return run.skill


def _chosen(runs: Iterable[Run]) -> dict[tuple[str, str], RunReport]:
    by_size = sorted(runs, key=lambda run: (run.report.seeds, run.report.trials))
    return {(run.report.level, run.report.agent): run.report for run in by_size}


def _ranked(runs: Mapping[tuple[str, str], RunReport]) -> tuple[str, ...]:
    """By mean skill over the levels."""
    skills: dict[str, list[float]] = {}
    for (_, agent), run in runs.items():
        if run.skill is not None:
            skills.setdefault(agent, []).append(run.skill.estimate)
    return tuple(sorted(skills, key=lambda agent: (-sum(skills[agent]) / len(skills[agent]), agent)))
