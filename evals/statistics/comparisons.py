"""Comparisons on common cases: paired differences, many tests at once, and how many cases they need."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from evals.statistics.clusters import clustered_errors, grouped, mean_interval

Values = Sequence[float] | NDArray[np.float64]


class Difference(NamedTuple):
    """A paired difference with its interval and the two-sided p of "there is none"."""

    estimate: float
    low: float
    high: float
    p: float


def paired_difference(
    first: Values,
    second: Values,
    clusters: Sequence[Hashable],
    confidence: float = 0.95,
) -> Difference:
    """How much better `first` did than `second` on the same cases.

    Returns:
        The mean difference; the interval by cluster bootstrap; p from t with one degree of freedom less than
        there are clusters, which is Student's paired test when each case is a cluster of its own.
    Raises:
        ValueError: If they are not the same cases.
    Source: Student (1908), Biometrika 6, 1-25; Cameron and Miller (2015), J. Human Resources 50, section VI.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} cases; a paired difference needs the same cases")
    differences = [float(a - b) for a, b in zip(first, second, strict=True)]
    estimate, low, high = mean_interval(differences, clusters, confidence)
    data = grouped(np.asarray(differences, dtype=float).reshape(-1, 1), clusters)
    error = float(clustered_errors(data)[0])
    if math.isnan(error):
        return Difference(estimate, low, high, 1.0)
    if low == high:
        return Difference(estimate, low, high, 0.0 if estimate else 1.0)
    p = 2 * float(scipy.special.stdtr(len(data.sizes) - 1, -abs(estimate) / error))
    return Difference(estimate, low, high, p)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """The p-values adjusted so that none of all true hypotheses is rejected more often than it says.

    Source: Holm (1979), Scand. J. Statistics 6, 65-70.
    """
    from statsmodels.stats.multitest import multipletests  # noqa: PLC0415 - slow to import

    if not p_values:
        return ()
    adjusted = multipletests(p_values, method="holm")[1]
    return tuple(float(p) for p in np.asarray(adjusted))


def cases_needed(
    omega2: float,
    delta: float,
    power: float = 0.8,
    alpha: float = 0.05,
    noise2: tuple[float, float] = (0.0, 0.0),
    trials: tuple[int, int] = (1, 1),
) -> int:
    """Cases that a paired comparison needs to find a difference.

    Args:
        omega2: Variance over cases of the difference between the two agents' expected scores.
        delta: The difference to be found.
        noise2: Each agent's variance from trial to trial of one case.
        trials: Of each agent on each case.
    Source: Miller (2024), arXiv 2411.00640, section 5; its example has ω² = 1/9, δ = .03, 80 %: 969.
    """
    z = float(scipy.special.ndtri(1 - alpha / 2) + scipy.special.ndtri(power))
    variance = omega2 + sum(noise / k for noise, k in zip(noise2, trials, strict=True))
    needed = z * z * variance / (delta * delta)
    # As printed, to the nearest case: 969.0 is 969, not 970 for what stands behind the point.
    return max(1, round(needed))
