"""Belief: how likely each fault of each worker is, after all that its reports have shown.

A Bayes filter over fault, onset and stealth, vectorised over all of them, with the laws that shifts follow.
Knows observations and the level's laws, nothing of the shift in play.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from envs.fleet.auditor import kind_of
from envs.fleet.hypotheses import HEALTHY_KINDS, KINDS, Laws, flag_chance, laws
from envs.fleet.judging import OWNER_TAKES
from envs.fleet.models import Fault, Observation, Report, WorkerView
from envs.fleet.tasks import LEVELS
from envs.fleet.telemetry import BURNED, BURNED_SD, DEEP_SD, THROUGHPUT, THROUGHPUT_SD

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Suspicion:
    """What to think of one worker.

    Attributes:
        faulty: Chance that it has a fault now.
        fresh: Chance that it has one of its own now which nobody has found.
        coming: Chance that one of its own is still to begin.
        fault, onset: Its likeliest fault of its own so far, and when that began; None if none is possible.
        chance: How likely it had that fault.
    """

    faulty: float
    fresh: float
    coming: float
    fault: Fault | None
    onset: int
    chance: float


@dataclass(frozen=True, slots=True)
class _Weighed:
    """One worker's hypotheses after its reports; `showing`: chance that it was faulty, by step."""

    suspicion: Suspicion
    showing: Floats


def believed(observation: Observation) -> tuple[Suspicion, ...]:
    """What to think of each worker now."""
    law = laws(observation.task_id)
    spread = LEVELS[observation.task_id].spread
    found: list[Suspicion] = []
    source: Floats = np.zeros(observation.step_count + 1)
    for worker in observation.workers:
        weighed = _weighed(law, worker, spread * source)
        found.append(weighed.suspicion)
        source = weighed.showing
    return tuple(found)


def _weighed(law: Laws, worker: WorkerView, caught: Floats) -> _Weighed:
    """One worker, given how likely it was to catch a fault from the one before, by step."""
    now = len(worker.reports) - 1
    repairs = [(at, at + 1) for at in worker.intervened_at]
    repairs += [(at, at + OWNER_TAKES) for at in worker.escalated_at]
    found = law.onset <= max((at for at, _ in repairs), default=-1)
    stands = _stands(law, len(worker.reports), repairs)
    own, healthy = _evidence(law, worker.reports)
    scores = law.prior + np.where(stands, own, healthy).sum(axis=1)
    ratios = _caught(law, own - healthy, caught, repairs)
    well = ~(stands[:, now] & law.faulty)
    weights = np.exp(scores - scores.max()) * np.where(well, 1.0 + ratios.sum(), 1.0)
    weights /= weights.sum()
    infected = float(weights[well].sum()) * ratios / (1.0 + ratios.sum())
    begun = law.faulty & (law.onset <= now)
    showing = (weights[:, None] * (stands & law.faulty[:, None])).sum(axis=0) + infected.cumsum()
    fault, onset, chance = _likeliest(law, weights * begun)
    return _Weighed(
        Suspicion(
            faulty=float(weights[~well].sum() + infected.sum()),
            fresh=float(weights[~well & ~found].sum()),
            coming=float(weights[law.faulty & (law.onset > now)].sum()),
            fault=fault,
            onset=onset,
            chance=chance,
        ),
        np.minimum(1.0, showing),
    )


def _stands(law: Laws, steps: int, repairs: list[tuple[int, int]]) -> Bools:
    """Whether what each hypothesis says stands, hypotheses × steps.

    Args:
        repairs: Steps of acts that repair what has begun by then, each with the step from which on they do.
    """
    times, onset = np.arange(steps), law.onset[:, None]
    stands = onset <= times
    for at, until in repairs:
        stands &= (onset > at) | (times < until)
    return stands


def _caught(law: Laws, ratios: Floats, caught: Floats, repairs: list[tuple[int, int]]) -> Floats:
    """By onset: the odds that a fault has spread here since the last repair, against nothing being wrong.

    Args:
        ratios: How much better a fault explains the reports than health does, hypotheses × steps.
    """
    steps = ratios.shape[1]
    since = max((until for _, until in repairs), default=1)
    odds = np.zeros(steps)
    for onset in range(max(1, since), steps):
        odds[onset] = caught[onset - 1] * np.exp(min(50.0, ratios[law.caught[onset], onset:].sum()))
    return odds


def _evidence(law: Laws, reports: tuple[Report, ...]) -> tuple[Floats, Floats]:
    """How well each hypothesis explains each report if its fault stands, and how well health does."""
    steps = len(reports)
    deep = np.array([report.deep for report in reports])
    noise = np.where(deep, DEEP_SD, 1.0)
    seen = np.array([report.throughput is not None for report in reports])
    awake = np.array([report.burned is not None for report in reports])
    throughput = np.array([(r.throughput or 0.0) - THROUGHPUT for r in reports]) / THROUGHPUT_SD
    burned = np.array([(r.burned or 0.0) - BURNED for r in reports]) / BURNED_SD
    kinds = np.array([KINDS.index(kind_of(r.claim, r.log)) for r in reports])
    up = np.array([report.flag for report in reports], dtype=bool)
    at = np.arange(steps)
    own = -0.5 * (
        ((throughput - law.throughput[:, :steps]) / noise) ** 2
        + ((burned - law.burned[:, :steps]) / noise) ** 2
    )
    own += law.kinds[deep.astype(int), kinds, :, at].T
    healthy = -0.5 * ((throughput / noise) ** 2 + (burned / noise) ** 2) + HEALTHY_KINDS[kinds]
    shown = np.logaddexp(np.log(law.active)[:, None] + own, law.idle[:, None] + healthy)
    flags = np.log(np.where(up, law.flag[:, None], 1.0 - law.flag[:, None]))
    calm = flag_chance(faulty=False, suppressed=False)
    calm_flags = np.log(np.where(up, calm, 1.0 - calm))
    return np.where(seen, shown, 0.0) + np.where(awake, flags, 0.0), (
        np.where(seen, healthy, 0.0) + np.where(awake, calm_flags, 0.0)
    )


def _likeliest(law: Laws, weights: Floats) -> tuple[Fault | None, int, float]:
    sums: dict[str, float] = {}
    for family in Fault:
        sums[family] = float(weights[law.family[family]].sum())
    best = max(sums, key=sums.__getitem__)
    if sums[best] <= 0.0:
        return None, 0, 0.0
    mine = np.where(law.family[Fault(best)], weights, 0.0)
    return Fault(best), int(law.onset[int(mine.argmax())]), sums[best]
