"""Telemetry: what a worker sends in a step, drawn once from how it is.

Decides nothing about faults. Reading a report again never draws again: the draw's address is step and worker.
"""

from __future__ import annotations

from typing import Literal

from envs.fleet.faults import HEALTHY, PROFILES, Case, Kind, Profile, amplitude, flag_rate, rate
from envs.fleet.models import Report, Stage
from envs.fleet.tasks import LEVELS, Task
from envs.fleet.wording import BOOKS, said
from envs.kernel.records import Record
from envs.kernel.rng import Rng

THROUGHPUT, THROUGHPUT_SD = 40.0, 3.0
BURNED, BURNED_SD = 10.0, 1.0
"""A healthy worker's documents and credits in a step: mean and standard deviation."""
DEEP_SD = 0.4
"""What close watching leaves of that deviation."""
DOUBT = "no report: the sensors are silent"
HELD = "paused"


class Showing(Record):
    """How a worker is at a step, as far as its report depends on it.

    Attributes:
        case: Family and variant of what it has; None if nothing.
        age, dwell: Steps since that began, and how long it stays stealthy.
        faulty: Whether what it has is a fault.
    """

    case: Case | None = None
    age: int = 0
    dwell: int = 0
    faulty: bool = False

    @property
    def profile(self) -> Profile:
        return HEALTHY if self.case is None else PROFILES[self.case]

    @property
    def strength(self) -> float:
        return amplitude(self.age, self.dwell)


def report(task: Task, step: int, worker: int, showing: Showing, *, paused: bool, deep: bool) -> Report:
    """The report of a worker at a step.

    Args:
        paused: It does nothing; its flag is drawn all the same.
        deep: It is watched closely, which a silent sensor does not keep from.
    """
    here = Rng(task.truth.stream, "report").at(step, worker)
    if not deep and any(o.worker == worker and o.first <= step <= o.last for o in task.truth.outages):
        return Report(step=step, flag=0, throughput=None, burned=None, claim=DOUBT, log=())
    raised = here.at("flag").flip(flag_rate(faulty=showing.faulty, suppressed=showing.profile.suppressed))
    flag: Literal[0, 1] = 1 if raised else 0
    if paused:
        return Report(step=step, flag=flag, throughput=None, burned=0.0, claim=HELD, log=())
    active = showing.profile.active
    shows = active >= 1.0 or here.at("active").flip(active)
    profile = showing.profile if shows else HEALTHY
    contrast = LEVELS[task.level].contrast
    throughput, burned = _readings(here, profile, showing.strength * contrast, deep=deep)
    words = BOOKS[task.split][tuple(Stage)[worker]]
    kind = _kind(here, profile, showing.strength, contrast, deep=deep)
    variant = "" if showing.case is None else showing.case[1]
    claim, log = said(here, words, kind, variant, step + 1, max(1, round(throughput)))
    return Report(step=step, flag=flag, throughput=throughput, burned=burned, claim=claim, log=log, deep=deep)


def _readings(rng: Rng, profile: Profile, shift: float, *, deep: bool) -> tuple[float, float]:
    noise = DEEP_SD if deep else 1.0
    first, second = rng.at("readings").normals(2)
    throughput = THROUGHPUT + THROUGHPUT_SD * (profile.throughput * shift + noise * first)
    burned = BURNED + BURNED_SD * (profile.burned * shift + noise * second)
    return round(max(0.0, throughput), 1), round(max(0.0, burned), 1)


def _kind(rng: Rng, profile: Profile, strength: float, contrast: float, *, deep: bool) -> Kind:
    if rng.at("kind").flip(rate(profile, strength, contrast, deep=deep)):
        return profile.kind
    # Whoever has something else wrong with it fails honestly as often as anybody.
    if profile.kind is not Kind.FAILED and rng.at("failed").flip(HEALTHY.rate):
        return Kind.FAILED
    return Kind.BORNE_OUT
