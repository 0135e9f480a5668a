"""Means of cases that come in clusters: standard errors, intervals and simultaneous bounds.

Cases of one generator family and template resemble each other: they count as less than as many new ones.
Randomness is numpy's PCG64 from a fixed seed, so the same cases always get the same interval.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from evals.statistics.rates import Interval

Floats = NDArray[np.float64]

RESAMPLES = 4_000
SEED = 20_240_501
# Bounds memory: resamples are drawn and reduced so many at a time.
_SLICE = 500


class Grouped(NamedTuple):
    """Columns of values summed within clusters.

    Attributes:
        sums: Clusters × columns.
        sizes: Cases in each cluster.
    """

    sums: Floats
    sizes: Floats

    @property
    def means(self) -> Floats:
        return self.sums.sum(axis=0) / self.sizes.sum()


def grouped(columns: Floats, clusters: Sequence[Hashable]) -> Grouped:
    """The values, cases × columns, summed within their clusters, which are taken in order of appearance.

    Raises:
        ValueError: If there are no cases, or not one cluster for each.
    """
    if len(clusters) != len(columns) or not clusters:
        raise ValueError(f"{len(columns)} cases with {len(clusters)} clusters; give each case its cluster")
    number = {cluster: index for index, cluster in enumerate(dict.fromkeys(clusters))}
    index = np.array([number[cluster] for cluster in clusters])
    sums = np.zeros((len(number), columns.shape[1]))
    np.add.at(sums, index, columns)
    return Grouped(sums, np.bincount(index).astype(float))


def clustered_errors(data: Grouped) -> Floats:
    """Standard error of each column's mean over all cases; nan with a single cluster.

    Source: Miller (2024), Adding Error Bars to Evals, arXiv 2411.00640, section 2.2; times the usual
        G / (G - 1) in the variance (Cameron and Miller 2015, eq. 12), which is Student's n - 1 when each case
        is a cluster of its own.
    """
    count = len(data.sizes)
    if count < 2:
        return np.full(data.sums.shape[1], np.nan)
    residuals = data.sums - data.sizes[:, None] * data.means
    return np.sqrt((residuals**2).sum(axis=0) * count / (count - 1)) / data.sizes.sum()


def mean_interval(
    values: Sequence[float], clusters: Sequence[Hashable], confidence: float = 0.95, seed: int = SEED
) -> Interval:
    """A mean with its cluster bootstrap interval, widened for few clusters.

    Returns:
        The estimate alone, as both ends, when all clusters agree; infinite ends with a single cluster.
    Source: Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 13.3 (percentiles); of
        whole clusters: Cameron, Gelbach and Miller (2008), Rev. Economics and Statistics 90, 414-427.
    """
    data = grouped(_column(values), clusters)
    estimate, error = float(data.means[0]), float(clustered_errors(data)[0])
    if np.isnan(error):
        return Interval(estimate, -np.inf, np.inf)
    if error <= _noise(data)[0]:
        return Interval(estimate, estimate, estimate)
    shifts = _shifts(data, seed)[:, 0] * _widening(len(data.sizes), (1 + confidence) / 2)
    low, high = np.quantile(shifts, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(estimate, estimate + min(0.0, float(low)), estimate + max(0.0, float(high)))


def bootstrap_error(
    values: Sequence[float], clusters: Sequence[Hashable], resamples: int = RESAMPLES, seed: int = SEED
) -> float:
    """Standard deviation of the mean over resamples of whole clusters.

    Source: Efron and Tibshirani (1993), algorithm 6.1; its mouse data, table 2.2.
    """
    return float(np.std(_shifts(grouped(_column(values), clusters), seed, resamples), ddof=1))


def upper_bounds(
    columns: Floats, clusters: Sequence[Hashable], confidence: float = 0.95, seed: int = SEED
) -> tuple[Interval, ...]:
    """One-sided upper bounds on all columns' means that hold together with the given confidence.

    Args:
        columns: Cases × columns.
    Returns:
        For each column its mean, minus infinity and its upper bound.
    Source: Romano and Wolf (2005), Econometrica 73, 1237-1282, with the standard errors of the sample in
        every resample; with independent cases of equal variance against one control the factor is that of
        Dunnett (1955), JASA 50, table 1a.
    """
    data = grouped(columns, clusters)
    means, errors = data.means, clustered_errors(data)
    if np.isnan(errors).any():
        return tuple(Interval(float(mean), -np.inf, np.inf) for mean in means)
    # A column without spread has nothing to be unsure of and takes no part in the maximum.
    live = errors > _noise(data)
    factor = 0.0
    if live.any():
        worst = (_shifts(Grouped(data.sums[:, live], data.sizes), seed) / errors[live]).max(axis=1)
        factor = max(0.0, float(np.quantile(worst, confidence))) * _widening(len(data.sizes), confidence)
    return tuple(
        Interval(float(mean), -np.inf, float(mean + factor * error * alive))
        for mean, error, alive in zip(means, errors, live, strict=True)
    )


def _shifts(data: Grouped, seed: int, resamples: int = RESAMPLES) -> Floats:
    """Resamples × columns: how far the mean of whole clusters, drawn again, lies above the estimate."""
    source, count = np.random.default_rng(seed), len(data.sizes)
    even = np.full(count, 1 / count)
    slices: list[Floats] = []
    for start in range(0, resamples, _SLICE):
        drawn = source.multinomial(count, even, size=min(_SLICE, resamples - start)).astype(float)
        slices.append((drawn @ data.sums) / (drawn @ data.sizes)[:, None] - data.means)
    return np.concatenate(slices)


def _widening(clusters: int, quantile: float) -> float:
    """Student's quantile over the normal one: resamples of few clusters vary less than their means do."""
    return float(scipy.special.stdtrit(clusters - 1, quantile) / scipy.special.ndtri(quantile))


def _noise(data: Grouped) -> Floats:
    """What rounding alone may leave as a standard error of each column."""
    return 1e-7 * (np.abs(data.sums).max(axis=0) / data.sizes.mean() + 1e-30)


def _column(values: Sequence[float]) -> Floats:
    return np.asarray(values, dtype=float).reshape(-1, 1)
