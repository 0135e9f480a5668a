"""An environment's report: three figures, what was found in words, and the tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ui.results.kept import Gates, Results, Run
from ui.results.view import View, interval, kinds, view
from ui.results.words import below, counted, ends, finding, listed, number

# What a bar of the table spans at least: from as bad as that to the reference.
AXIS = (-0.5, 1.0)


@dataclass(frozen=True, slots=True)
class Headline:
    """One figure, what it is of, and what one must know to read it."""

    value: str
    label: str
    note: str


@dataclass(frozen=True, slots=True)
class Group:
    """A level's runs, the best first; what the ends of its scale are, where all runs agree."""

    level: str
    scale: str
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The runs on one kind of cases; `axis` is what the bars of all its rows span."""

    cases: str
    title: str
    axis: tuple[float, float]
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """What the page tells of one environment.

    Attributes:
        prose: Sentences.
        commands: What makes each result again, each once.
        outdated: How many results are of another version or code than the one that runs here.
    """

    results: Results
    headlines: tuple[Headline, ...]
    prose: tuple[str, ...]
    tables: tuple[Table, ...]
    commands: tuple[str, ...]
    outdated: int

    @property
    def slug(self) -> str:
        return self.results.environment.slug


def summary(results: Results) -> Summary:
    """The report of all that is kept of an environment."""
    lead = view(results)
    kept: list[Run | Gates] = [*results.runs, *results.gates]
    return Summary(
        results,
        _headlines(results, lead) if lead else (),
        tuple(sentence for sentence in _prose(results, lead) if sentence),
        tuple(_table(results, cases) for cases in kinds(results)),
        tuple(dict.fromkeys(one.report.command for one in kept)),
        sum(not one.current for one in kept),
    )


def bar(run: Run, axis: tuple[float, float]) -> tuple[float, float, float] | None:
    """Left end, width and middle of a run's interval, in percent of the axis; None without skill."""
    if run.report.skill is None:
        return None
    low, high = interval(run.report)
    return _share(low, axis), _share(high, axis) - _share(low, axis), _share(run.report.skill.estimate, axis)


def zero(axis: tuple[float, float]) -> float:
    """Where skill 0 is on the axis, in percent."""
    return _share(0.0, axis)


def verdict(gates: Gates) -> str:
    """Whether an environment's gates hold, in a sentence."""
    lines = gates.report.lines
    breached = [f"{line.gate} ({line.about})" for line in lines if not line.holds]
    few = "In a smoke, which plays too few cases to prove a gate, " if gates.report.smoke else ""
    if not breached:
        return f"{few or 'On the gates: '}all {counted(len(lines), 'line')} hold."
    verb = "is" if len(breached) == 1 else "are"
    told = f"{len(breached)} of {counted(len(lines), 'line')} {verb} breached: {listed(breached)}."
    return f"{few or 'On the gates: '}{told}"


def _headlines(results: Results, lead: View) -> tuple[Headline, ...]:
    level = lead.levels[-1]
    where = f"on {level}, {lead.split} cases"
    found: list[Headline] = []
    best = lead.strongest(level)
    reference = next((run for run in lead.on(level) if run.agent == run.reference), None)
    if reference is not None:
        note = f"{ends(reference.score)} {where}; this is skill 1"
        found.append(Headline(number(reference.score.estimate), "score of the reference", note))
    if best is not None and best.skill is not None:
        label = f"skill of {best.agent}, the strongest baseline"
        found.append(Headline(number(best.skill.estimate), label, f"{ends(best.skill)} {where}"))
    episodes = sum(run.report.seeds * run.report.trials for run in results.runs)
    agents = len({run.report.agent for run in results.runs})
    note = f"in {counted(episodes, 'episode')} of {counted(agents, 'agent')}"
    found.append(Headline(f"{_cases(results.runs):,}", "cases measured", note))
    return tuple(found)


def _cases(runs: Sequence[Run]) -> int:
    """Cases that were played by anybody, each once."""
    found: dict[tuple[object, ...], set[int]] = {}
    for run in runs:
        key = (run.report.version, run.report.track, run.report.split, run.report.level)
        found.setdefault(key, set()).update(run.cases)
    return sum(len(cases) for cases in found.values())


def _prose(results: Results, lead: View | None) -> list[str]:
    told = [finding(lead), below(lead)] if lead else []
    gates = next((gated for gated in results.gates if gated.current), next(iter(results.gates), None))
    return [*told, verdict(gates)] if gates else told


def _table(results: Results, cases: str) -> Table:
    track, _, split = cases.partition("/")
    runs = [run for run in results.runs if (run.report.track, run.report.split) == (track, split)]
    shown = view(results, cases)
    levels = shown.levels if shown else ()
    # Levels that only outdated runs have come last.
    levels = (*levels, *sorted({run.report.level for run in runs} - set(levels)))
    ends_of = [interval(run.report) for run in runs if run.report.skill is not None]
    axis = (min([AXIS[0], *(low for low, _ in ends_of)]), max([AXIS[1], *(high for _, high in ends_of)]))
    title = f"{split.capitalize()} cases, {track} track"
    return Table(cases, title, axis, tuple(_group(level, runs) for level in levels))


def _group(level: str, runs: Sequence[Run]) -> Group:
    own = [run for run in runs if run.report.level == level]
    scales = {f"0 is {run.report.constant}, 1 is {run.report.reference}" for run in own}
    return Group(level, scales.pop() if len(scales) == 1 else "", tuple(sorted(own, key=_order)))


def _order(run: Run) -> tuple[bool, float, str]:
    skill = run.report.skill
    return not run.current, -skill.estimate if skill else float("inf"), run.report.agent


def _share(value: float, axis: tuple[float, float]) -> float:
    low, high = axis
    return 100 * (value - low) / (high - low)
