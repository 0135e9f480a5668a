"""Reports as data: kept results as plain records that pages and the command line draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson

from evals import artifact
from evals.gates import table
from evals.gates.lines import Line
from evals.shelf import Shelf

Json = Mapping[str, Any]
QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and its 95 % interval; an end that nobody knows is None."""

    estimate: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Spread:
    """How the cases of a level or a family are distributed in skill.

    Attributes:
        quantiles: Least, lower quarter, median, upper quarter, most; empty where there is no skill.
        failed: Episodes that the agent did not finish.
    """

    name: str
    cases: int
    skill: float | None
    score: float
    quantiles: tuple[float, ...]
    failed: int


@dataclass(frozen=True, slots=True)
class RunReport:
    """One kept run.

    Attributes:
        skill: None where the reference earns no more than the best constant; `skill_missing` says so.
        steps: Mean per episode, the cost beside the score.
        level_spread: Over all of the run's cases; `families`: the same by family.
        command: What makes the run again.
        files: Names of the kept files.
    """

    environment: str
    version: int
    code: str
    track: str
    split: str
    level: str
    agent: str
    seeds: int
    trials: int
    skill: Estimate | None
    skill_missing: str
    score: Estimate
    steps: float
    failed: int
    constant: str
    reference: str
    passed: Json | None
    level_spread: Spread
    families: tuple[Spread, ...]
    command: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GatesReport:
    """An environment's kept table of gates."""

    environment: str
    version: str
    smoke: bool
    holds: bool
    lines: tuple[Line, ...]
    command: str


async def run_reports(shelf: Shelf, environment: str | None = None) -> tuple[RunReport, ...]:
    """All kept runs, of one environment or of all, by name."""
    prefix = artifact.PREFIX + (f"{environment}/" if environment else "")
    names = [name for name in await shelf.names(prefix) if name.endswith(".json")]
    return tuple([run_report(name, await shelf.get(name) or b"") for name in names])


async def gates_reports(shelf: Shelf, environment: str | None = None) -> tuple[GatesReport, ...]:
    """The kept tables of gates."""
    names = [
        name
        for name in await shelf.names(table.PREFIX)
        if environment in (None, name.removeprefix(table.PREFIX).removesuffix(".json"))
    ]
    return tuple([gates_report(await shelf.get(name) or b"") for name in names])


def run_report(name: str, content: bytes) -> RunReport:
    """The record of a run's JSON file."""
    kept = orjson.loads(content)
    run, summary, rows = kept["run"], kept["summary"], kept["rows"]
    skill = summary["skill"]
    return RunReport(
        **{field: run[field] for field in _RUN_FIELDS},
        skill=None if skill is None else Estimate(**skill),
        skill_missing=summary["skill_missing"],
        score=Estimate(**summary["score"]),
        steps=summary["steps"],
        failed=summary["failed"],
        constant=summary["constant"],
        reference=summary["reference"],
        passed=summary["passed"],
        level_spread=_spread(run["level"], rows),
        families=tuple(
            _spread(family, [row for row in rows if row["family"] == family])
            for family in sorted({row["family"] for row in rows})
        ),
        command=kept["command"],
        files=(name, f"{name.removesuffix('.json')}.parquet"),
    )


def gates_report(content: bytes) -> GatesReport:
    """The record of a gates file."""
    kept = orjson.loads(content)
    lines = tuple(Line(**line) for line in kept["lines"])
    return GatesReport(
        kept["environment"],
        kept["version"],
        kept["smoke"],
        all(line.holds for line in lines),
        lines,
        kept["command"],
    )


_RUN_FIELDS = ("environment", "version", "code", "track", "split", "level", "agent", "seeds", "trials")


def _spread(name: str, rows: Sequence[Json]) -> Spread:
    """Cases, not episodes, are distributed: trials of a case are averaged first."""
    skills: dict[int, list[float]] = {}
    for row in rows:
        if row["skill"] is not None:
            skills.setdefault(row["seed"], []).append(row["skill"])
    means = [float(np.mean(own)) for own in skills.values()]
    return Spread(
        name=name,
        cases=len({row["seed"] for row in rows}),
        skill=float(np.mean(means)) if means else None,
        score=float(np.mean([row["score"] for row in rows])),
        quantiles=tuple(float(q) for q in np.quantile(means, QUANTILES)) if means else (),
        failed=sum(bool(row["error"]) for row in rows),
    )
