"""Skill: 0 is the best policy that never looks, 1 the best computable one, both on the same cases.

S = (J - J of the best constant) / (J of the reference - J of the best constant).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evals.statistics.clusters import mean_interval, upper_bounds
from evals.statistics.rates import Interval

Floats = NDArray[np.float64]
Values = Sequence[float] | Floats


class NoScale(Exception):
    """The reference does no better than the best constant, so there is nothing to measure skill by."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The two ends of skill, case by case.

    Attributes:
        constant, reference: Objectives of the best constant and of the reference.
        clusters: What each case's family and template is.
    """

    constant: Floats
    reference: Floats
    clusters: tuple[Hashable, ...]

    @property
    def width(self) -> float:
        """How much better the reference is than the best constant, in the objective's unit.

        Raises:
            NoScale: If it is not better.
        """
        width = float((self.reference - self.constant).mean())
        if not width > 0:
            earned = f"{self.reference.mean():.4g}, the best constant {self.constant.mean():.4g}"
            raise NoScale(f"the reference earns {earned}")
        return width


def scale_of(constant: Values, reference: Values, clusters: Sequence[Hashable]) -> Scale:
    """The scale over cases, all three in the same order."""
    return Scale(np.asarray(constant, dtype=float), np.asarray(reference, dtype=float), tuple(clusters))


def best_constant(tuning: Mapping[str, Sequence[float]]) -> str:
    """The constant with the highest mean on tuning cases; the first of equals.

    Raises:
        ValueError: If there are none.
    """
    return max(tuning, key=lambda name: float(np.mean(tuning[name])))


def case_skills(objective: Values, scale: Scale) -> Floats:
    """Each case's share of skill: their mean is the agent's skill, and all are 0 for the best constant."""
    return (np.asarray(objective, dtype=float) - scale.constant) / scale.width


def skill(objective: Values, scale: Scale, confidence: float = 0.95) -> Interval:
    """An agent's skill, with an interval that counts the ends of the scale as measured too."""
    return mean_interval(list(_linear(objective, scale)), scale.clusters, confidence)


def skill_upper_bounds(
    objectives: Sequence[Values], scale: Scale, confidence: float = 0.95
) -> tuple[Interval, ...]:
    """Several agents' skills with upper bounds that hold together."""
    return upper_bounds(np.column_stack([_linear(o, scale) for o in objectives]), scale.clusters, confidence)


def skill_lower_bounds(
    objectives: Sequence[Values], scale: Scale, confidence: float = 0.95
) -> tuple[Interval, ...]:
    """Several agents' skills with lower bounds that hold together."""
    columns = np.column_stack([-_linear(o, scale) for o in objectives])
    negated = upper_bounds(columns, scale.clusters, confidence)
    return tuple(Interval(-bound.estimate, -bound.high, np.inf) for bound in negated)


def _linear(objective: Values, scale: Scale) -> Floats:
    """Values whose mean is the ratio and whose spread is the ratio's (the delta method)."""
    gained = np.asarray(objective, dtype=float) - scale.constant
    ratio = float(gained.mean()) / scale.width
    return ratio + (gained - ratio * (scale.reference - scale.constant)) / scale.width
