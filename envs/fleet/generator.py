"""The generator: which shift stands at a seed, a level and a split.

How many faults there are, whose, which and when are drawn apart from each other, so that none tells another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from envs.fleet.faults import BENIGN, DWELLS, PROFILES
from envs.fleet.models import WORKERS, Fault, Stage
from envs.fleet.tasks import LEVELS, Level, Outage, Plan, Task, Truth
from envs.kernel.records import LARGEST_SEED
from envs.kernel.rng import Rng

T = TypeVar("T")

PLACES = tuple(range(len(WORKERS)))
EVALUATOR = PLACES[-1]
OUTAGE_STEPS = 3
QUIET = "no_fault"


def task(rng: Rng, task_id: str, split: str) -> Task:
    """The shift at this address."""
    here = rng.at("fleet", task_id, split)
    level = LEVELS[task_id]
    faults = _faults(here.at("faults"), level)
    first = min(faults, key=lambda plan: plan.onset, default=None)
    truth = Truth(
        family=QUIET if first is None else f"{first.family}/{first.variant}",
        template="" if first is None else tuple(Stage)[first.worker],
        faults=faults,
        oddities=tuple(_oddities(here.at("oddities"), level)),
        outages=tuple(_outages(here.at("outages"), level)),
        stream=here.at("stream").integer(0, LARGEST_SEED),
    )
    return Task(
        task_id=f"shift-{here.at('name').integer(0, 16**12 - 1):012x}",
        level=task_id,
        max_steps=level.max_steps,
        split=split,
        truth=truth,
    )


def _faults(rng: Rng, level: Level) -> tuple[Plan, ...]:
    """At most one for each worker; those who collude begin together."""
    count = _weighted(rng.at("count"), dict(enumerate(level.counts)))
    workers = list(rng.at("workers").shuffled(PLACES)[:count])
    plans: list[Plan] = []
    while workers:
        worker = workers[0]
        family = _weighted(rng.at("family", worker), level.families)
        if family is Fault.COLLUSION:
            found = _colluding(rng.at("collusion", worker), level, workers)
        else:
            found = (_plan(rng.at("plan", worker), level, worker, (family, _variant(rng, worker, family))),)
        plans += found
        workers = [other for other in workers if other not in {plan.worker for plan in found}]
    return tuple(sorted(plans, key=lambda plan: plan.worker))


def _colluding(rng: Rng, level: Level, workers: Sequence[int]) -> tuple[Plan, ...]:
    """Two of the workers, by preference one of them the evaluator; alone, a worker covers up for itself."""
    pair = (workers[0], workers[1]) if len(workers) > 1 else (workers[0],)
    variant = "with_the_evaluator" if EVALUATOR in pair else "neighbours"
    one = _plan(rng, level, pair[0], (Fault.COLLUSION, variant))
    return tuple(one.model_copy(update={"worker": worker}) for worker in pair)


def _plan(rng: Rng, level: Level, worker: int, case: tuple[str, str]) -> Plan:
    dwell = rng.at("dwell").choice(DWELLS) if PROFILES[case].stealthy else 0
    onset = rng.at("onset").integer(1, level.last_onset)
    return Plan(worker=worker, family=case[0], variant=case[1], onset=onset, dwell=dwell)


def _variant(rng: Rng, worker: int, family: str) -> str:
    return rng.at("variant", worker).choice([variant for name, variant in PROFILES if name == family])


def _oddities(rng: Rng, level: Level) -> list[Plan]:
    odd = [worker for worker in PLACES if rng.at("odd", worker).flip(level.benign / len(PLACES))]
    return [
        _plan(rng.at("plan", worker), level, worker, (BENIGN, _variant(rng, worker, BENIGN)))
        for worker in odd
    ]


def _outages(rng: Rng, level: Level) -> list[Outage]:
    silent = [worker for worker in PLACES if rng.at("silent", worker).flip(level.outage / len(PLACES))]
    firsts = {worker: rng.at("first", worker).integer(1, level.last_onset) for worker in silent}
    return [
        Outage(worker=worker, first=first, last=first + OUTAGE_STEPS - 1) for worker, first in firsts.items()
    ]


def _weighted(rng: Rng, weights: Mapping[T, float]) -> T:
    """One key, by weight."""
    bounds = [0.0]
    for weight in weights.values():
        bounds.append(bounds[-1] + weight)
    place = rng.unit() * bounds[-1]
    for key, (low, high) in zip(weights, pairwise(bounds), strict=True):
        if low <= place < high or (high == bounds[-1] and place >= low):
            return key
    raise AssertionError(f"no weight at {place}")
