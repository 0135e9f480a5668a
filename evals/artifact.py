"""What a run leaves behind: its rows, what they come to, and the command that makes them again.

No clock and no ids are in it, so that the same run gives the same bytes wherever it was played.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import orjson

from evals.runs import Row, Spec
from evals.skill import NoScale, Scale, case_skills, scale_of, skill
from evals.statistics.clusters import mean_interval
from evals.statistics.rates import Interval, Tries, pass_all, wilson_interval

JSON = "application/json"
PARQUET = "application/vnd.apache.parquet"
FORMAT = 1
PREFIX = "runs/"
# Below so many cases a rate's interval is Wilson's.
FEW_CASES = 300

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Yardsticks:
    """The two policies that skill is measured by, and their rows on a run's cases."""

    constant: str
    reference: str
    constant_rows: tuple[Row, ...]
    reference_rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Artifact:
    """A run's result.

    Attributes:
        name: Without the ending: `.json` holds all, `.parquet` the rows.
        rows: As in `runs.Row`, with the case's share of `skill` where there is a scale.
    """

    name: str
    header: Json
    summary: Json
    rows: tuple[Json, ...]

    def as_json(self) -> bytes:
        whole = {**self.header, "summary": self.summary, "rows": self.rows}
        return orjson.dumps(whole, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)

    def as_parquet(self) -> bytes:
        import pyarrow as pa  # noqa: PLC0415 - slow to import
        import pyarrow.parquet as pq  # noqa: PLC0415

        types = {"str": pa.string(), "int": pa.int64(), "float": pa.float64()}
        fields = [(name, types[str(kind)]) for name, kind in Row.__annotations__.items()]
        schema = pa.schema([*fields, ("skill", pa.float64())])
        sink = pa.BufferOutputStream()
        pq.write_table(pa.Table.from_pylist(list(self.rows), schema), sink, compression="zstd")
        return sink.getvalue().to_pybytes()


def built(spec: Spec, rows: Sequence[Row], yardsticks: Yardsticks) -> Artifact:
    """The result of a run whose rows are all there."""
    seeds = sorted({row.seed for row in rows})
    scale = scale_of(
        _objectives(yardsticks.constant_rows, seeds),
        _objectives(yardsticks.reference_rows, seeds),
        clusters(yardsticks.reference_rows, seeds),
    )
    objective = _objectives(rows, seeds)
    skills, why = _skills(objective, scale)
    by_seed = dict(zip(seeds, skills or [None] * len(seeds), strict=True))
    shares = _row_skills(rows, scale, seeds) if skills else [None] * len(rows)
    summary = {
        "cases": len(seeds),
        "episodes": len(rows),
        "clusters": len(set(scale.clusters)),
        "failed": sum(bool(row.error) for row in rows),
        "steps": _mean([row.steps for row in rows]),
        "skill": _interval(skill(objective, scale)) if skills else None,
        "skill_missing": why,
        "constant": yardsticks.constant,
        "reference": yardsticks.reference,
        "objective": _interval(mean_interval(objective, scale.clusters)),
        "score": _interval(mean_interval(_by_case(rows, seeds, "score"), scale.clusters)),
        "passed": _passed(spec, rows, seeds),
        "families": _families(rows, by_seed),
    }
    named = f"{spec.agent}-{spec.version}-n{spec.seeds}-k{spec.trials}"
    name = f"{PREFIX}{spec.place.rpartition('/')[0]}/{named}" + (f"-from{spec.first}" if spec.first else "")
    listed = tuple({**asdict(row), "skill": share} for row, share in zip(rows, shares, strict=True))
    return Artifact(name, _header(spec), summary, listed)


def clusters(rows: Sequence[Row], seeds: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    """The cluster of each seed: family × template, or the case itself where it has no family."""
    found = {row.seed: (row.family, row.template) for row in rows}
    return tuple(found[seed] if found[seed][0] else ("", f"case {seed}") for seed in seeds)


def command(spec: Spec) -> str:
    """What makes this run again."""
    words = ["python", "-m", "evals", "run", "--env", spec.environment, "--agent", spec.agent]
    words += ["--split", spec.split, "--level", spec.level, "--seeds", str(spec.seeds)]
    words += ["--trials", str(spec.trials)]
    return shlex.join([*words, *(["--first", str(spec.first)] if spec.first else [])])


def _header(spec: Spec) -> Json:
    version, _, code = spec.version.partition("-")
    return {
        "format": FORMAT,
        "run": {
            "environment": spec.environment,
            "version": int(version.removeprefix("v")),
            "code": code,
            "track": spec.subject.track,
            "split": spec.split,
            "level": spec.level,
            "agent": spec.agent,
            "first": spec.first,
            "seeds": spec.seeds,
            "trials": spec.trials,
        },
        "command": command(spec),
    }


def _skills(objective: Sequence[float], scale: Scale) -> tuple[list[float], str]:
    """Each case's share of skill; none, and why, where there is no scale."""
    try:
        return [float(value) for value in case_skills(objective, scale)], ""
    except NoScale as error:
        return [], str(error)


def _row_skills(rows: Sequence[Row], scale: Scale, seeds: Sequence[int]) -> list[float | None]:
    constant = dict(zip(seeds, scale.constant, strict=True))
    return [float((row.objective - constant[row.seed]) / scale.width) for row in rows]


def _families(rows: Sequence[Row], skills: dict[int, Any]) -> list[Json]:
    """What each family's cases came to; without intervals, which a few cases do not carry."""
    families = sorted({row.family for row in rows})
    grouped = {family: [row for row in rows if row.family == family] for family in families}
    return [
        {
            "family": family,
            "cases": len({row.seed for row in own}),
            "failed": sum(bool(row.error) for row in own),
            "objective": _mean([row.objective for row in own]),
            "score": _mean([row.score for row in own]),
            "skill": _mean([skills[row.seed] for row in own]) if skills[own[0].seed] is not None else None,
        }
        for family, own in grouped.items()
    ]


def _passed(spec: Spec, rows: Sequence[Row], seeds: Sequence[int]) -> Json | None:
    """Rate of success with its interval, and pass^k for each k; None where success is not defined."""
    bar = spec.subject.pass_score
    if bar is None:
        return None
    won = dict.fromkeys(seeds, 0)
    for row in rows:
        won[row.seed] += row.score >= bar and not row.error
    tries = [Tries(won[seed], spec.trials) for seed in seeds]
    if spec.trials == 1 and len(seeds) < FEW_CASES:
        rate = wilson_interval(sum(won.values()), len(seeds))
    else:
        rate = mean_interval([c / n for c, n in tries], clusters(rows, seeds))
    return {
        "score": bar,
        "rate": _interval(rate),
        "all_of": {str(k): pass_all(tries, k) for k in range(1, spec.trials + 1)},
    }


def _objectives(rows: Sequence[Row], seeds: Sequence[int]) -> list[float]:
    return _by_case(rows, seeds, "objective")


def _by_case(rows: Sequence[Row], seeds: Sequence[int], field: str) -> list[float]:
    """Mean over trials of each case, in the order of `seeds`."""
    found: dict[int, list[float]] = {seed: [] for seed in seeds}
    for row in rows:
        if row.seed in found:
            found[row.seed].append(float(getattr(row, field)))
    return [_mean(found[seed]) for seed in seeds]


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values))


def _interval(interval: Interval) -> Json:
    """The interval as JSON; an end that nobody knows is null."""
    low, high = (end if np.isfinite(end) else None for end in interval[1:])
    return {"estimate": interval.estimate, "low": low, "high": high}
