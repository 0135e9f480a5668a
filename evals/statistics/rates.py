"""Success rates: of one try, of the best of k, of all k; and how sure they are."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import scipy


class Interval(NamedTuple):
    """An estimate and the ends of its confidence interval."""

    estimate: float
    low: float
    high: float


class Tries(NamedTuple):
    """How often one case was tried, and how often that succeeded."""

    successes: int
    n: int


def pass_all(cases: Iterable[Tries], k: int) -> float:
    """pass^k: the chance that k tries of a case, drawn from those made, all succeed; mean over cases.

    Raises:
        ValueError: If there is no case, or one with fewer than k tries.
    Source: Yao et al. (2024), tau-bench, arXiv 2406.12045, section 3.
    """
    return _mean([math.comb(c, k) / math.comb(n, k) for c, n in _checked(cases, k)])


def pass_any(cases: Iterable[Tries], k: int) -> float:
    """pass@k: the chance that at least one of k tries of a case succeeds; mean over cases.

    Raises:
        ValueError: If there is no case, or one with fewer than k tries.
    Source: Chen et al. (2021), arXiv 2107.03374, eq. 1.
    """
    return _mean([1.0 - math.comb(n - c, k) / math.comb(n, k) for c, n in _checked(cases, k)])


def wilson_interval(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """Interval for a success rate, good at small n.

    Args:
        successes: Count in [0, n].
        n: Tries, at least 1.
    Returns:
        Interval with 0 <= low <= successes / n <= high <= 1.
    Raises:
        ValueError: If n < 1 or successes is outside [0, n].
    Source: Wilson (1927), JASA 22, 209-212; printed examples in Newcombe (1998), Stat. Med. 17, table I.
    """
    if n < 1 or not 0 <= successes <= n:
        raise ValueError(f"{successes} successes in {n} tries; n must be at least 1 and successes in [0, n]")
    rate = successes / n
    found = scipy.stats.binomtest(successes, n).proportion_ci(confidence, method="wilson")
    return Interval(rate, min(rate, max(0.0, float(found.low))), max(rate, min(1.0, float(found.high))))


def _checked(cases: Iterable[Tries], k: int) -> list[Tries]:
    checked = list(cases)
    if not checked or k < 1:
        raise ValueError(f"{len(checked)} cases at k = {k}; there must be a case, and k must be at least 1")
    for case in checked:
        if not 0 <= case.successes <= case.n or case.n < k:
            raise ValueError(f"{case.successes} successes in {case.n} tries; at k = {k} each case needs {k}")
    return checked


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)
