"""Interventions: what may have happened to a series, as shapes that a regression can take.

Spikes, pulses, steps, ramps, and seasons that slip or fade. Which of them it takes is detection's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from envs.forecast_audit.reading import Reading
from envs.forecast_audit.stretches import Floats

_THRESHOLDS = {"spike": 4.0, "pulse": 4.6, "step": 4.8, "ramp": 4.8, "season": 5.2}
# Where somebody looked for an explanation that does not hold, less of a deviation counts.
_HINTED = 0.75


@dataclass(frozen=True, slots=True)
class Candidate:
    """An intervention: what it adds to the series for each unit of its size."""

    kind: str
    start: int
    stop: int
    shape: Floats


@dataclass(frozen=True, slots=True)
class Library:
    """The candidates of one series, and what the search needs of all of them at once.

    Attributes:
        shapes: A column for each candidate, a row for each position.
        thresholds: From how many standard errors on a candidate counts.
        points: Which candidates are single points.
    """

    candidates: tuple[Candidate, ...]
    shapes: Floats
    thresholds: Floats
    points: NDArray[np.bool_]


def interventions(observed: Floats, reading: Reading, *, spikes_only: bool) -> Library:
    """Everything that may have happened to a series; NaN is a blank."""
    candidates = tuple(_candidates(observed, reading, spikes_only=spikes_only))
    hinted = np.array([_hinted(candidate, reading) for candidate in candidates])
    return Library(
        candidates,
        np.column_stack([candidate.shape for candidate in candidates]),
        np.array([_THRESHOLDS[candidate.kind] for candidate in candidates]) * np.where(hinted, _HINTED, 1.0),
        np.array([candidate.kind == "spike" for candidate in candidates]),
    )


def _candidates(observed: Floats, reading: Reading, *, spikes_only: bool) -> Iterator[Candidate]:
    count = len(observed)
    points = np.eye(count)
    yield from (Candidate("spike", at, at + 1, points[at]) for at in range(count))
    if spikes_only:
        return
    time = np.arange(count, dtype=np.float64)
    for length in (2, 3, 4):
        for at in range(2, count - length):
            yield Candidate("pulse", at, at + length, _floats((time >= at) & (time < at + length)))
    for at in range(int(0.3 * count), int(0.8 * count)):
        yield Candidate("step", at, count, _floats(time >= at))
        yield Candidate("ramp", at, count, _floats(np.maximum(time - at + 1, 0.0) / (count - at)))
    if 3 < reading.period <= count // 3:
        yield from _seasons(observed, reading.period)


def _floats(shape: NDArray[np.bool_] | Floats) -> Floats:
    return shape.astype(np.float64)


def _seasons(observed: Floats, period: int) -> Iterator[Candidate]:
    """Seasons that slip or fade from a point on, as the points before it have them."""
    count = len(observed)
    time = np.arange(count)
    trend = np.polynomial.Polynomial.fit(
        time[~np.isnan(observed)], observed[~np.isnan(observed)], min(3, period)
    )(time)
    flat = observed - trend
    for at in range(int(0.35 * count), int(0.75 * count), 1 if period < 24 else 2):
        season = _medians(flat[:at], period)
        season -= season.mean()
        after = time >= at
        yield Candidate("season", at, count, _floats(-season[time % period] * after))
        for by in range(1, min(period // 2, 6) + 1):
            for slip in {by, -by}:
                shape = (season[(time - slip) % period] - season[time % period]) * after
                yield Candidate("season", at, count, _floats(shape))


def _medians(values: Floats, period: int) -> Floats:
    """The median of each phase's known values, 0 where none is known."""
    grid = np.full((-(-len(values) // period), period), np.nan)
    grid.flat[: len(values)] = values
    # Sorted down the columns, unknown values last: one sort is faster than a median for each phase.
    grid.sort(axis=0)
    known = (~np.isnan(grid)).sum(axis=0)
    phases = np.arange(period)
    middle = (grid[np.maximum(known - 1, 0) // 2, phases] + grid[known // 2 * (known > 0), phases]) / 2
    return np.where(known > 0, middle, 0.0)


def _hinted(candidate: Candidate, reading: Reading) -> bool:
    """Whether an event that does not count was told of just this block."""
    return candidate.kind in ("spike", "pulse") and any(
        abs(candidate.start - first) <= 1 and abs(candidate.stop - 1 - last) <= 1
        for first, last in reading.hints
    )
