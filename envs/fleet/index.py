"""The index that a shift builds: what the faults did to it, and where its measured quality comes from.

The work itself is `works`, a pure function of the damage; its results are kept here, outside every step.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from envs.fleet import works
from envs.fleet.models import Stage
from envs.fleet.standing import Standing
from envs.fleet.tasks import Task
from envs.kernel.records import encode

KEPT, KEPT_SAMPLES = 512, 8192
VARIETY = 64
"""How many series of samples there are: what was drawn for one shift is there for the next."""
_EMBEDDER = tuple(Stage).index(Stage.EMBED)
WORST = (0.7, 0.5, 0.9, 0.7, 1.0)
"""What a worker that is faulty through the whole shift does to its part of the index, by stage."""


class Worked(Protocol):
    """A shift as far as its index depends on it."""

    @property
    def task(self) -> Task: ...

    @property
    def step_count(self) -> int: ...

    @property
    def faults(self) -> tuple[Standing | None, ...]: ...

    @property
    def harm(self) -> tuple[float, ...]: ...

    @property
    def stopped(self) -> tuple[int, ...]: ...


def damage(shift: Worked) -> works.Damage:
    """What the faults of a shift did to the index, each to its worker's part."""
    steps = shift.task.max_steps
    embedded = shift.step_count - shift.stopped[_EMBEDDER] >= steps / 2
    return _damage([done / steps for done in shift.harm], shift.task.truth.stream, embedded=embedded)


def sample(shift: Worked, worker: int) -> str:
    """A piece of what a worker puts out now, as its fault leaves it."""
    fault = shift.faults[worker]
    parts = [0.0] * len(Stage)
    if fault is not None:
        parts[worker] = fault.profile.harm * fault.strength(shift.step_count)
    now = _damage(parts, shift.task.truth.stream % VARIETY, embedded=True)
    return _sampled(tuple(Stage)[worker], encode(now), shift.step_count)


def built(done: works.Damage) -> works.Built:
    """The index with this damage, its measured quality and its answers."""
    return _built(encode(done))


@lru_cache(maxsize=KEPT)
def _built(done: bytes) -> works.Built:
    return works.build(works.Damage.model_validate_json(done))


@lru_cache(maxsize=KEPT_SAMPLES)
def _sampled(stage: Stage, done: bytes, step: int) -> str:
    return works.sample(stage, works.Damage.model_validate_json(done), step)


def _damage(harm: Sequence[float], seed: int, *, embedded: bool) -> works.Damage:
    """The damage of workers that were faulty to this degree, each in [0, 1]."""
    parts = [round(min(1.0, done) * worst, 4) for done, worst in zip(harm, WORST, strict=True)]
    dropped, split_wrong, drift, stale, inflation = parts
    return works.Damage(
        dropped=dropped,
        split_wrong=split_wrong,
        drift=drift,
        stale=stale,
        inflation=inflation,
        embedded=embedded,
        seed=seed,
    )
