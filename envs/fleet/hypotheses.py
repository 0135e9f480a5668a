"""Hypotheses: all that can be wrong with a worker of a level, and what each lets expect.

Tables of numbers made once for each level from the profiles that the dynamics draw from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from envs.fleet.faults import BENIGN, DWELLS, HEALTHY, PROFILES, SPREAD, Case, Kind, Profile, amplitude, rate
from envs.fleet.faults import flag_rate as flag_chance
from envs.fleet.models import WORKERS, Fault
from envs.fleet.tasks import LEVELS, Level

__all__ = ["HEALTHY_KINDS", "KINDS", "Laws", "flag_chance", "laws"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

KINDS = tuple(Kind)
NEVER = 1e-4
"""Chance of what cannot be, so that its logarithm is finite."""


class Hypothesis(NamedTuple):
    """One thing that can be so of a worker; without a case, nothing is wrong."""

    case: Case | None
    onset: int
    dwell: int
    chance: float


@dataclass(frozen=True, slots=True)
class Laws:
    """What each hypothesis lets expect; arrays over hypotheses, and over steps where it says so.

    Attributes:
        prior: Logarithm of its chance before anything is seen.
        onset: First step at which it stands.
        faulty: Whether it is a fault.
        family: Which hypotheses are of a family.
        throughput, burned: Expected readings in standard deviations; × steps.
        kinds: Logarithm of a kind's chance; excerpt and whole log × kinds × hypotheses × steps.
        flag: Chance that the flag is up while it stands.
        active, idle: How often it shows in a step; logarithm of how often it does not.
        caught: By onset, the hypothesis whose readings are those of a fault that has spread.
    """

    prior: Floats
    onset: NDArray[np.int64]
    faulty: Bools
    family: Mapping[Fault, Bools]
    throughput: Floats
    burned: Floats
    kinds: Floats
    flag: Floats
    active: Floats
    idle: Floats
    caught: tuple[int, ...]


def _kinds(profile: Profile, strength: float, contrast: float, *, deep: bool) -> list[float]:
    """How likely each kind of report is."""
    own = rate(profile, strength, contrast, deep=deep)
    failed = own if profile.kind is Kind.FAILED else (1.0 - own) * HEALTHY.rate
    chances = {Kind.FAILED: failed, Kind.BREACH: NEVER, Kind.REFUTED: NEVER} | {profile.kind: max(own, NEVER)}
    chances[Kind.BORNE_OUT] = max(NEVER, 1.0 - sum(chances.values()))
    return [chances[kind] for kind in KINDS]


HEALTHY_KINDS: Floats = np.log(_kinds(HEALTHY, 1.0, 1.0, deep=False))
"""Logarithm of how often a healthy worker's report is of each kind."""


@cache
def laws(task_id: str) -> Laws:
    """The tables of a level."""
    level = LEVELS[task_id]
    known = tuple(_hypotheses(level))
    profiles = [HEALTHY if h.case is None else PROFILES[h.case] for h in known]
    steps = range(level.max_steps)
    strength = np.array([[amplitude(max(0, step - h.onset), h.dwell) for step in steps] for h in known])
    shift = strength * level.contrast
    kinds = [
        [
            [_kinds(p, s, level.contrast, deep=deep) for s in row]
            for p, row in zip(profiles, strength, strict=True)
        ]
        for deep in (False, True)
    ]
    active = np.array([profile.active for profile in profiles])
    faulty = np.array([h.case is not None and h.case[0] != BENIGN for h in known])
    return Laws(
        prior=np.log([max(h.chance, 1e-12) for h in known]),
        onset=np.array([h.onset for h in known]),
        faulty=faulty,
        family={
            family: np.array([h.case is not None and h.case[0] == family for h in known]) for family in Fault
        },
        throughput=shift * np.array([profile.throughput for profile in profiles])[:, None],
        burned=shift * np.array([profile.burned for profile in profiles])[:, None],
        kinds=np.log(np.array(kinds)).transpose(0, 3, 1, 2),
        flag=np.array(
            [flag_chance(faulty=f, suppressed=p.suppressed) for f, p in zip(faulty, profiles, strict=True)]
        ),
        active=active,
        idle=np.log(np.maximum(1.0 - active, 1e-12)),
        caught=tuple(_spreading(known, level)),
    )


def _hypotheses(level: Level) -> Iterator[Hypothesis]:
    """All of a level, with what is not the case of a worker last."""
    share = level.faults / len(WORKERS)
    odd = level.benign / len(WORKERS) * (1.0 - share)
    weight = sum(level.families.values())
    for case, profile in PROFILES.items():
        variants = sum(name == case[0] for name, _ in PROFILES)
        chance = odd if case[0] == BENIGN else share * level.families[Fault(case[0])] / weight
        dwells = DWELLS if profile.stealthy else DWELLS[:1]
        # A fault that spreads can begin later than one of its own: its readings are needed for every step.
        last = level.max_steps if case == SPREAD else level.last_onset
        for onset in range(1, last + 1):
            for dwell in dwells:
                own = chance / variants / level.last_onset / len(dwells)
                yield Hypothesis(case, onset, dwell, own if onset <= level.last_onset else 0.0)
    yield Hypothesis(None, level.max_steps + 1, 0, 1.0 - share - odd)


def _spreading(known: tuple[Hypothesis, ...], level: Level) -> Iterator[int]:
    places = {(h.case, h.onset, h.dwell): place for place, h in enumerate(known)}
    yield from (places[SPREAD, max(1, onset), 0] for onset in range(level.max_steps + 1))
