"""Telemetry: what a worker sends in a step, drawn once from how it is.

Decides nothing about faults. Reading a report again never draws again: the draw's address is step and worker.
"""

from __future__ import annotations

from math import erf, sqrt
from typing import Literal, NamedTuple

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
        return 1.0 if self.case is None else amplitude(self.age, self.dwell)


class Draws(NamedTuple):
    """What is drawn for a report: two standard normal values, and four uniform ones in [0, 1]."""

    first: float
    second: float
    flag: float
    active: float
    kind: float
    failed: float


def report(task: Task, step: int, worker: int, showing: Showing, *, paused: bool, deep: bool) -> Report:
    """The report of a worker at a step.

    Args:
        paused: It does nothing; its flag is drawn all the same.
        deep: It is watched closely, which a silent sensor does not keep from.
    """
    if not deep and any(o.worker == worker and o.first <= step <= o.last for o in task.truth.outages):
        return Report(step=step, flag=0, throughput=None, burned=None, claim=DOUBT, log=())
    here = Rng(task.truth.stream, "report").at(step, worker)
    drawn = _drawn(here)
    raised = drawn.flag < flag_rate(faulty=showing.faulty, suppressed=showing.profile.suppressed)
    flag: Literal[0, 1] = 1 if raised else 0
    if paused:
        return Report(step=step, flag=flag, throughput=None, burned=0.0, claim=HELD, log=())
    shown = showing if drawn.active < showing.profile.active else Showing()
    contrast = LEVELS[task.level].contrast
    throughput, burned = _readings(drawn, shown.profile, shown.strength * contrast, deep=deep)
    words = BOOKS[task.split][tuple(Stage)[worker]]
    kind = _kind(drawn, shown.profile, shown.strength, contrast, deep=deep)
    variant = "" if shown.case is None else shown.case[1]
    claim, log = said(here, words, kind, variant, step + 1, max(1, round(throughput)))
    return Report(step=step, flag=flag, throughput=throughput, burned=burned, claim=claim, log=log, deep=deep)


def _drawn(rng: Rng) -> Draws:
    """All that is drawn for one report, at one address: to get there costs more than to draw."""
    first, second, *others = rng.normals(6)
    # The place of a normal value among all of them is uniform.
    flag, active, kind, failed = (0.5 + 0.5 * erf(value / sqrt(2.0)) for value in others)
    return Draws(first, second, flag, active, kind, failed)


def _readings(drawn: Draws, profile: Profile, shift: float, *, deep: bool) -> tuple[float, float]:
    noise = DEEP_SD if deep else 1.0
    throughput = THROUGHPUT + THROUGHPUT_SD * (profile.throughput * shift + noise * drawn.first)
    burned = BURNED + BURNED_SD * (profile.burned * shift + noise * drawn.second)
    return round(max(0.0, throughput), 1), round(max(0.0, burned), 1)


def _kind(drawn: Draws, profile: Profile, strength: float, contrast: float, *, deep: bool) -> Kind:
    if drawn.kind < rate(profile, strength, contrast, deep=deep):
        return profile.kind
    # Whoever has something else wrong with it fails honestly as often as anybody.
    if profile.kind is not Kind.FAILED and drawn.failed < HEALTHY.rate:
        return Kind.FAILED
    return Kind.BORNE_OUT
