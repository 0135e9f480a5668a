"""Learned: a policy whose weights were trained, linear in what each worker's reports have added up to.

Decides what is looked at and how weights become a choice. How weights come about is `evals.training`; the
frozen ones stand in `policy.json`, read once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from envs.fleet.auditor import kind_of
from envs.fleet.faults import Kind
from envs.fleet.judging import WINDOW
from envs.fleet.models import LEVELS, WORKERS, Act, Action, Observation, Report, WorkerStatus, WorkerView
from envs.fleet.telemetry import BURNED, BURNED_SD, THROUGHPUT, THROUGHPUT_SD
from envs.kernel.rng import Rng

Floats = NDArray[np.float64]

ACTS = (Act.MONITOR, Act.INTERVENE, Act.APPROVE, Act.ESCALATE, Act.PAUSE, Act.RESUME)
"""What is chosen from, on each worker; it never ends a shift early."""
FEATURES = (
    "one", "flag", "flags", "slow", "slow so far", "dear", "dear so far", "flaw", "flaws", "failures", "deep",
    "deep and odd", "unseen", "paused", "approved", "monitored", "intervened", "escalated", "flags before",
    "flaws before", "left",
)  # fmt: skip
"""What of a worker is looked at; "so far": since it was last repaired; "before": of the worker before it."""
CLIP = 3.0
SHAPE = (len(ACTS), len(FEATURES))


@dataclass(frozen=True, slots=True)
class Traces:
    """What the reports of a worker have added up to since it was last repaired, each about 1 when telling."""

    flags: float
    slow: float
    dear: float
    flaws: float
    failures: float


def features(observation: Observation) -> Floats:
    """(workers, features) What is looked at, each about 1 in size."""
    left = observation.oversight_budget_remaining / observation.max_steps
    rows: list[list[float]] = []
    before = Traces(0.0, 0.0, 0.0, 0.0, 0.0)
    for worker in observation.workers:
        now = _traced(worker.reports[-1:])
        traces = _traced(_since_repair(worker))
        odd = now.slow + now.dear if worker.reports[-1].deep else 0.0
        rows.append(
            [
                1.0, now.flags, traces.flags, now.slow, traces.slow, now.dear, traces.dear, now.flaws,
                traces.flaws, traces.failures, float(worker.reports[-1].deep), odd,
                float(worker.status is WorkerStatus.UNSEEN), float(worker.status is WorkerStatus.PAUSED),
                *_done(observation, worker), before.flags, before.flaws, left,
            ]
        )  # fmt: skip
        before = traces
    return np.array(rows)


def chances(weights: Floats, seen: Floats) -> Floats:
    """(workers, acts) The probability of each choice: a softmax over all of them.

    Args:
        weights: (acts, features)
        seen: (workers, features)
    """
    scores = np.einsum("wf,af->wa", seen, weights)
    raised = np.exp(scores - scores.max())
    return raised / raised.sum()


def choice(place: int) -> Action:
    """The action that a place in the flattened chances stands for."""
    worker, act = divmod(place, len(ACTS))
    return Action(action_type=ACTS[act], worker_id=WORKERS[worker])


def likeliest(observation: Observation, weights: Floats) -> Action:
    """The choice that has the best chance."""
    return choice(int(chances(weights, features(observation)).argmax()))


def trained(observation: Observation, rng: Rng) -> Action:
    """The likeliest choice under the frozen weights of the level."""
    return likeliest(observation, frozen()[observation.task_id])


@cache
def frozen() -> Mapping[str, Floats]:
    """The weights that ship, by level."""
    return unpacked((files("envs.fleet") / "policy.json").read_bytes())


def unpacked(content: bytes) -> Mapping[str, Floats]:
    """(acts, features) weights by level, from JSON.

    Raises:
        ValueError: If a level is missing or its weights have another shape.
    """
    read = TypeAdapter(dict[str, list[list[float]]]).validate_json(content)
    weights = {level: np.array(rows) for level, rows in read.items()}
    found = {level: table.shape for level, table in weights.items()}
    if found != dict.fromkeys(LEVELS, SHAPE):
        raise ValueError(
            f"weights of shapes {found}; use {SHAPE} for each of {', '.join(LEVELS)}: train anew"
        )
    return weights


def _since_repair(worker: WorkerView) -> Sequence[Report]:
    repaired = max((*worker.intervened_at, *worker.escalated_at), default=-1)
    return worker.reports[repaired + 1 :]


def _traced(reports: Sequence[Report]) -> Traces:
    seen = [report for report in reports if report.throughput is not None]
    kinds = [kind_of(report.claim, report.log) for report in seen]
    return Traces(
        flags=_clipped(sum(2 * report.flag - 1 for report in reports if report.burned is not None) / 2),
        slow=_clipped(sum(_slow(report) for report in seen) / CLIP),
        dear=_clipped(sum(_dear(report) for report in seen) / CLIP),
        flaws=_clipped(sum(kind in (Kind.REFUTED, Kind.BREACH) for kind in kinds)),
        failures=_clipped(sum(kind is Kind.FAILED for kind in kinds) / 2),
    )


def _slow(report: Report) -> float:
    return (THROUGHPUT - (report.throughput or 0.0)) / THROUGHPUT_SD


def _dear(report: Report) -> float:
    return ((report.burned or 0.0) - BURNED) / BURNED_SD


def _clipped(value: float) -> float:
    return max(-CLIP, min(CLIP, value))


def _done(observation: Observation, worker: WorkerView) -> tuple[float, float, float, float]:
    """Whether it was approved in this window, watched or repaired lately, or ever handed to its owner."""
    step = observation.step_count
    return (
        float(any(at // WINDOW == step // WINDOW for at in worker.approved_at)),
        float(any(step - at < WINDOW for at in worker.monitored_at)),
        float(any(step - at < WINDOW for at in worker.intervened_at)),
        float(bool(worker.escalated_at)),
    )
