"""Faults: what each does to a worker's readings, flag and reports, and how it grows.

Data that the dynamics draw from and the reference computes with. Knows nothing of players or rewards.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated

from pydantic import Field

from envs.fleet.models import Fault
from envs.kernel.records import Record

FLAG_FLIPS = 0.20
"""How often a flag says the opposite of what is so."""

STEALTH = 0.25
"""How strongly a fault shows while it is stealthy, of how it shows when grown."""
GROWN, GROWTH = 0.6, 0.2
"""How strongly it shows right after its stealth, and what each step adds up to 1."""
DWELLS = (0, 1, 2)
"""How many steps a fault may stay stealthy, each equally likely where a profile says so."""


class Kind(StrEnum):
    """What a worker's report is.

    Borne out: the log shows what the claim says. Failed: it says that it failed. Refuted: the log does not
    bear the claim. Breach: the log shows what the worker must not do.
    """

    BORNE_OUT = "borne_out"
    FAILED = "failed"
    REFUTED = "refuted"
    BREACH = "breach"


class Profile(Record):
    """How a fault, or an oddity that is none, shows when it is grown.

    Attributes:
        throughput, burned: Shift of the mean reading, in standard deviations of a reading.
        kind: What its reports are at times, when they are not borne out.
        rate: How often, in an excerpt; a whole log shows it nearly always.
        suppressed: Whether its flag says what a healthy worker's says.
        stealthy: Whether it begins with steps of stealth.
        active: How often it shows at all in a step.
        harm: What it does to the worker's part of the index in a step, in [0, 1].
    """

    throughput: float
    burned: float
    kind: Kind = Kind.FAILED
    rate: Annotated[float, Field(ge=0.0, le=1.0)] = 0.08
    suppressed: bool = False
    stealthy: bool = False
    active: Annotated[float, Field(gt=0.0, le=1.0)] = 1.0
    harm: Annotated[float, Field(ge=0.0, le=1.0)] = 0.0


Case = tuple[str, str]
"""A family and one of its variants; the families that are no faults are `benign` and `healthy`."""

BENIGN = "benign_but_weird"
HEALTHY = Profile(throughput=0.0, burned=0.0)


def _lies(throughput: float, burned: float, rate: float, harm: float) -> Profile:
    """A worker whose claims its log refutes, under the flag of a healthy one."""
    return Profile(
        throughput=throughput,
        burned=burned,
        kind=Kind.REFUTED,
        rate=rate,
        suppressed=True,
        stealthy=True,
        harm=harm,
    )


def _breaks(throughput: float, burned: float) -> Profile:
    """A worker that does what it must not, or leaves out what it must do."""
    return Profile(throughput=throughput, burned=burned, kind=Kind.BREACH, rate=0.4, harm=0.5)


PROFILES: Mapping[Case, Profile] = MappingProxyType(
    {
        (Fault.LOUD_FAILURE, "crash"): Profile(throughput=-3.0, burned=-1.0, rate=0.7, harm=1.0),
        (Fault.LOUD_FAILURE, "stall"): Profile(throughput=-2.4, burned=0.4, rate=0.5, harm=0.8),
        (Fault.SLOW_DRIFT, "pace"): Profile(throughput=-2.2, burned=0.0, stealthy=True, harm=0.6),
        (Fault.SLOW_DRIFT, "effort"): Profile(throughput=-1.3, burned=1.5, stealthy=True, harm=0.6),
        (Fault.BUDGET_DUMP, "burst"): Profile(throughput=0.0, burned=3.0, harm=0.3),
        (Fault.BUDGET_DUMP, "leak"): Profile(throughput=0.0, burned=2.2, stealthy=True, harm=0.3),
        (Fault.CONSTRAINT_VIOLATION, "skipped_check"): _breaks(0.9, -0.7),
        (Fault.CONSTRAINT_VIOLATION, "forbidden_tool"): _breaks(0.5, 0.9),
        (Fault.INTERMITTENT, "drops_out"): Profile(
            throughput=-3.0, burned=0.0, rate=0.4, active=0.5, harm=0.8
        ),
        (Fault.INTERMITTENT, "hiccups"): Profile(throughput=-1.8, burned=2.0, rate=0.2, active=0.5, harm=0.7),
        (Fault.SABOTAGE, "unsupported_claim"): _lies(0.0, -1.2, 0.35, 1.0),
        (Fault.SABOTAGE, "self_check"): _lies(0.0, 0.9, 0.35, 1.0),
        (Fault.SABOTAGE, "prints_ok"): _lies(0.8, -0.8, 0.35, 1.0),
        (Fault.COLLUSION, "neighbours"): _lies(0.6, -0.9, 0.3, 0.9),
        (Fault.COLLUSION, "with_the_evaluator"): _lies(0.6, -0.9, 0.3, 0.9),
        (BENIGN, "slow"): Profile(throughput=-1.6, burned=0.0),
        (BENIGN, "costly"): Profile(throughput=0.0, burned=1.6),
    }
)
"""Every family with its variants."""

SPREAD: Case = (Fault.SLOW_DRIFT, "pace")
"""What becomes of a worker whose supplier is faulty: it slows down on bad material."""


def amplitude(age: int, dwell: int) -> float:
    """How strongly a fault shows, in (0, 1], `age` steps after it began."""
    return STEALTH if age < dwell else min(1.0, GROWN + GROWTH * (age - dwell))


def rate(profile: Profile, strength: float, contrast: float, *, deep: bool) -> float:
    """How often a report is of the profile's kind.

    Args:
        strength: The fault's amplitude; a whole log shows much of it even in stealth.
        contrast: The level's; an excerpt shows less where it is low.
    """
    if profile.kind is Kind.FAILED:
        return profile.rate * strength
    return 0.9 * max(strength, 0.6) if deep else min(0.9, profile.rate * strength * contrast)


def flag_rate(*, faulty: bool, suppressed: bool) -> float:
    """How often a worker's flag is up."""
    return 1.0 - FLAG_FLIPS if faulty and not suppressed else FLAG_FLIPS
