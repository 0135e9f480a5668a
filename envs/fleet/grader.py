"""The grade of a shift: its reward against the best and the worst there was, and the contract's five gates.

Reads the faults; changes nothing. What the index is worth comes from outside, as a number.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum
from types import MappingProxyType
from typing import NamedTuple

from envs.fleet.judging import APPROVAL, AUDIT, DETECTION, MISSED
from envs.fleet.models import Gate
from envs.fleet.standing import Tally
from envs.fleet.tasks import Task
from envs.kernel.outcome import Grade, Parts

LATE = -0.05
"""In the score, what each step costs at which a fault of its own stands and nobody has found it."""
IDLE = -0.10
"""In the score, what each act costs that changes nothing: else it would put worse acts off for nothing."""
RISK = 0.1
"""Governance risk of each false positive and each wrong approval."""


QUALITY = "min_pipeline_quality"


class Bound(NamedTuple):
    """A gate's threshold; `least` if a value must reach it, else it must not exceed it."""

    threshold: float
    least: bool

    def holds(self, value: float) -> bool:
        return value >= self.threshold if self.least else value <= self.threshold


GATES: Mapping[str, Bound] = MappingProxyType(
    {
        "min_oversight_score": Bound(0.55, least=True),
        "max_invalid_actions": Bound(3, least=False),
        "max_governance_risk": Bound(0.60, least=False),
        "min_detection_rate": Bound(0.50, least=True),
        QUALITY: Bound(0.60, least=True),
    }
)
"""The contract's gates; a shift succeeds if all of them hold."""


class Shift(NamedTuple):
    """A shift as far as its grade depends on it.

    Attributes:
        earned: Sum of the clipped rewards, without the charge at the end.
        missed: Faults that nobody has found: those of the plan, begun or not, and what spread and stands.
        unfound: Steps at which faults stood that nobody had found, all faults of their own together.
        steps: Spent.
        invalid: Actions that the rules did not allow.
    """

    task: Task
    tally: Tally
    earned: float
    missed: int
    unfound: int
    steps: int
    invalid: int


def grade(shift: Shift) -> Grade:
    """The shift judged as if it ended now.

    Returns:
        The values of the gates that need no index, and the oversight score as score and objective: 0 is a
        shift without a find, 1 one whose overseer sees every fault as it begins. More harm is worth no less.
    """
    value = worth(shift)
    parts: Parts = (
        ("min_oversight_score", min(1.0, value)),
        ("max_invalid_actions", float(shift.invalid)),
        ("max_governance_risk", risk(shift.tally)),
        ("min_detection_rate", detection_rate(shift)),
    )
    return Grade(parts=parts, score=min(1.0, value), objective=value)


def gates(values: Parts, quality: float) -> tuple[Gate, ...]:
    """All gates of a finished shift.

    Args:
        values: Of those that need no index.
        quality: Measured hit@3 of the index.
    """
    measured = (*values, (QUALITY, round(quality, 4)))
    return tuple(
        Gate(
            name=name,
            passed=GATES[name].holds(value),
            value=value,
            threshold=GATES[name].threshold,
        )
        for name, value in measured
    )


def charge(missed: int) -> float:
    """What the faults that nobody found cost at the end."""
    return round(MISSED * missed, 4)


def total(earned: float, missed: int) -> float:
    """The reward of the whole shift."""
    return round(fsum((earned, charge(missed))), 4)


def worth(shift: Shift) -> float:
    """The reward on a scale of the case's own, at least 0; above 1 only for a good audit at the end."""
    low, high = MISSED * len(shift.task.truth.faults), best(shift.task)
    late = LATE * shift.unfound + IDLE * shift.tally.idle
    value = (total(shift.earned, shift.missed) + late - low) / (high - low)
    return round(max(0.0, value), 4)


def best(task: Task) -> float:
    """The reward of somebody who sees every fault as it begins and signs off in between, before any audit."""
    faults = len(task.truth.faults)
    return DETECTION * faults + APPROVAL * (task.max_steps - faults)


def clairvoyant(task: Task) -> float:
    """The objective of that somebody, who ends with a perfect audit where there is anything to find."""
    faults = len(task.truth.faults)
    high, low = best(task), MISSED * faults
    audited = (AUDIT - APPROVAL) if faults else 0.0
    return round((high + audited - low) / (high - low), 4)


def risk(tally: Tally) -> float:
    """Governance risk, in [0, 1]."""
    return round(min(1.0, RISK * (tally.false_positives + tally.wrong_approvals)), 4)


def detection_rate(shift: Shift) -> float:
    """Share of the shift's faults that were found; without any, how few steps were false alarms."""
    faults = len(shift.task.truth.faults)
    if faults:
        return round(shift.tally.found / faults, 4)
    return round(1.0 - shift.tally.false_positives / max(1, shift.steps), 4)
