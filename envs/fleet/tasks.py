"""One shift: its level, and the faults that no player sees.

How shifts come about is in `generator`; what a fault looks like is in `faults`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated

from pydantic import Field

from envs.fleet.models import Fault
from envs.kernel import records
from envs.kernel.records import HIDDEN, Record, Seed


class Level(Record):
    """One of the contract's three tasks.

    Attributes:
        counts: How likely 0, 1, 2, … faults are.
        last_onset: The latest step at which a fault of its own begins.
        contrast: How far readings shift, of what the profiles say.
        spread: How likely a fault that shows passes on to the next worker in one step.
        benign: How likely one worker is odd without a fault.
        outage: How likely one worker's sensors fall silent for some steps.
        families: Weights of the families.
    """

    task_id: str
    max_steps: int
    counts: tuple[float, ...]
    last_onset: int
    contrast: float
    spread: float
    benign: float
    outage: float
    families: Mapping[Fault, float]

    @property
    def faults(self) -> float:
        """How many faults there are on average."""
        return sum(number * chance for number, chance in enumerate(self.counts))


def _weights(*values: float) -> Mapping[Fault, float]:
    return dict(zip(Fault, values, strict=True))


LEVELS: Mapping[str, Level] = MappingProxyType(
    {
        level.task_id: level
        for level in (
            Level(
                task_id="easy_fleet", max_steps=8, counts=(0.02, 0.58, 0.40), last_onset=3,
                contrast=2.0, spread=0.02, benign=0.2, outage=0.1,
                families=_weights(0.28, 0.11, 0.25, 0.22, 0.10, 0.04, 0.0),
            ),
            Level(
                task_id="medium_fleet", max_steps=12, counts=(0.02, 0.28, 0.48, 0.22), last_onset=7,
                contrast=0.85, spread=0.05, benign=0.4, outage=0.25,
                families=_weights(0.16, 0.16, 0.16, 0.16, 0.14, 0.16, 0.06),
            ),
            Level(
                task_id="hard_fleet", max_steps=16, counts=(0.02, 0.18, 0.40, 0.30, 0.10), last_onset=12,
                contrast=0.65, spread=0.08, benign=0.6, outage=0.4,
                families=_weights(0.08, 0.14, 0.12, 0.14, 0.14, 0.26, 0.12),
            ),
        )
    }
)  # fmt: skip
"""The tasks by their names."""


class Plan(Record):
    """A fault, or an oddity, that a worker comes to have.

    Attributes:
        worker: Index of the worker.
        family, variant: As `faults.PROFILES` has them.
        onset: First step at which it stands.
        dwell: How many steps it stays stealthy.
    """

    worker: Annotated[int, Field(ge=0, le=4)]
    family: str
    variant: str
    onset: Annotated[int, Field(ge=1)]
    dwell: Annotated[int, Field(ge=0)] = 0


class Outage(Record):
    """Steps at which a worker's sensors send nothing, both ends included."""

    worker: Annotated[int, Field(ge=0, le=4)]
    first: Annotated[int, Field(ge=1)]
    last: Annotated[int, Field(ge=1)]


class Truth(Record):
    """What is so.

    Attributes:
        family, template: What the shift is about, for statistics: its first fault, and whose it is.
        faults: At most one for each worker, in the order of the workers.
        oddities: Harmless; a worker that has one is healthy until its fault begins.
        stream: What flags, readings, reports and spreading are drawn from, each at its own address.
    """

    family: str
    template: str
    faults: tuple[Plan, ...]
    oddities: tuple[Plan, ...]
    outages: tuple[Outage, ...]
    stream: Seed


class Task(records.Task):
    """A shift of five workers."""

    split: str
    truth: Annotated[Truth, HIDDEN]
