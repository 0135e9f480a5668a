"""Detection: which interventions a series needs to be explained, by forward selection on a regression.

Trend, season, explained events and a second instrument's readings go into one regression; spikes, steps,
ramps, pulses and slipped seasons compete for the rest. Source: Chen and Liu (1993), JASA 88, 284-297,
with the readings as further rows. Copied, stale and rounded stretches are found exactly, before it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from envs.forecast_audit.interventions import Candidate, Library, interventions
from envs.forecast_audit.models import Series
from envs.forecast_audit.reading import Reading
from envs.forecast_audit.stretches import Floats, exact
from envs.forecast_audit.stretches import repaired as repaired_stretch

_KNOTS = (0, 3, 8)
_CHECK_ERROR = 0.3
# Fewer points tell no trend from a fault.
_FEWEST = 24


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault as the series shows it.

    Attributes:
        start, stop: The positions it spoils, `stop` excluded.
        owner: Whether it is for the owner of the data.
        repaired: What should stand at each of its positions.
        rank: 0 for what is certain, then the order of significance.
    """

    kind: str
    start: int
    stop: int
    owner: bool
    repaired: tuple[float, ...]
    rank: int = 0


def findings(values: Series, reading: Reading, caution: float = 1.0, most: int = 4) -> tuple[Finding, ...]:
    """Every fault that shows, in the order of the series. Bounded: some tens of milliseconds at 96 points.

    Args:
        caution: Factor on the thresholds of significance.
        most: Interventions that the regression may take.
    """
    observed = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    certain = tuple(exact(observed))
    kept = observed.copy()
    for _, start, stop in certain:
        kept[start:stop] = np.nan
    reading = _agreeing(kept, reading)
    fitted, picked = _explained(kept, reading, caution, most, spikes_only=bool(certain))
    found = [
        Finding(kind, start, stop, True, repaired_stretch(kind, observed, fitted, start, stop))
        for kind, start, stop in certain
    ]
    for rank, (candidate, size) in enumerate(picked, start=1):
        repaired = observed - size * candidate.shape
        repaired = np.where(np.isnan(repaired), fitted, repaired)
        owner = candidate.kind != "spike"
        span = tuple(map(float, repaired[candidate.start : candidate.stop]))
        if candidate.kind == "spike":
            span = (float(fitted[candidate.start]),)
        found.append(Finding(candidate.kind, candidate.start, candidate.stop, owner, span, rank))
    found += _gaps(values, fitted, reading)
    found += _sums(values, reading)
    return tuple(sorted(found, key=lambda finding: finding.start))


def _agreeing(observed: Floats, reading: Reading) -> Reading:
    """The reading without events whose direction the series contradicts; those explain nothing."""
    known = ~np.isnan(observed)
    told = [claim for claim in reading.claims if claim.sign]
    if not told or known.sum() < _FEWEST:
        return reading
    left = np.full(len(observed), np.nan)
    left[known] = _residuals(observed, _design(len(observed), replace(reading, claims=()), 3))
    spread = 1.4826 * float(np.median(np.abs(left[known])))
    opposed = {
        claim
        for claim in told
        if claim.sign * float(np.nan_to_num(left[max(0, claim.first) : claim.last + 1]).sum()) < -2 * spread
    }
    hints = tuple((claim.first, claim.last) for claim in opposed)
    claims = tuple(claim for claim in reading.claims if claim not in opposed)
    return replace(reading, claims=claims, hints=(*reading.hints, *hints))


def _gaps(values: Series, fitted: Floats, reading: Reading) -> Iterator[Finding]:
    """Blanks that no event explains."""
    intended = {
        at for claim in reading.claims if claim.sign == 0 for at in range(claim.first, claim.last + 1)
    }
    blanks = (at for at, value in enumerate(values) if value is None and at not in intended)
    for at in blanks:
        yield Finding("gap", at, at + 1, False, (float(fitted[at]),))


def _sums(values: Series, reading: Reading) -> Iterator[Finding]:
    """Totals that are not the sum of their branches."""
    for total in reading.totals:
        value = values[total.at] if 0 <= total.at < len(values) else None
        if value is not None and abs(value - total.value) > total.slack * (1 + 1e-9):
            yield Finding("sum", total.at, total.at + 1, False, (total.value,))


def _explained(
    observed: Floats, reading: Reading, caution: float, most: int, *, spikes_only: bool
) -> tuple[Floats, list[tuple[Candidate, float]]]:
    """The fit at every position, and the interventions with their sizes."""
    known = ~np.isnan(observed)
    if known.sum() < _FEWEST:
        return _line(observed), []
    best: tuple[float, Floats, list[tuple[Candidate, float]]] | None = None
    library = interventions(observed, reading, spikes_only=spikes_only)
    for knots in _KNOTS:
        design = _design(len(observed), reading, knots)
        if design.shape[1] + 6 > known.sum():
            continue
        score, fitted, picked = _selected(observed, design, reading, library, caution, most)
        if best is None or score < best[0]:
            best = score, fitted, picked
    return (best[1], best[2]) if best else (_line(observed), [])


def _line(observed: Floats) -> Floats:
    """Straight lines between known values; 0 where nothing is known."""
    known = ~np.isnan(observed)
    places = np.arange(len(observed), dtype=np.float64)
    return np.interp(places, places[known], observed[known]) if known.any() else np.zeros(len(observed))


def _design(count: int, reading: Reading, knots: int) -> Floats:
    """Trend, season and one column for every point that an event explains."""
    time = np.linspace(-1.0, 1.0, count)
    columns = [np.ones(count), time]
    inner = np.linspace(-1.0, 1.0, knots + 2)[1:-1]
    columns += [np.maximum(time - knot, 0.0) ** 3 for knot in inner] + ([time**2, time**3] if knots else [])
    if 1 < reading.period <= count // 3:
        places = np.arange(count) % reading.period
        columns += [(places == phase) - 1.0 / reading.period for phase in range(1, reading.period)]
    explained = {at for claim in reading.claims if claim.sign for at in range(claim.first, claim.last + 1)}
    columns += [np.eye(count)[at] for at in sorted(explained) if 0 <= at < count and len(explained) < 16]
    return np.column_stack(columns)


def _selected(
    observed: Floats,
    design: Floats,
    reading: Reading,
    library: Library,
    caution: float,
    most: int,
) -> tuple[float, Floats, list[tuple[Candidate, float]]]:
    """Interventions taken one by one while they are significant, and a criterion (less is better)."""
    known = ~np.isnan(observed)
    sigma, persistence = _noise(observed, design)
    # A broken season or a step spoils the residuals of a whole fit, but few of the seasonal differences.
    sigma = min(sigma, 1.1 * _roughness(observed, reading.period))
    checks = [(at, value) for at, value in reading.checks if known[at]]
    weight = 1.0 / (_CHECK_ERROR)
    rows = [at for at, _ in checks]
    target = np.concatenate([observed[known], weight * (observed[rows] - [value for _, value in checks])])
    base = np.vstack([design[known], np.zeros((len(rows), design.shape[1]))])
    added = np.vstack([library.shapes[known], weight * library.shapes[rows]])
    limits = caution * library.thresholds * np.where(library.points, 1.0, persistence)
    chosen: list[int] = []
    for _ in range(most):
        turn = _strongest(target, np.column_stack([base, added[:, chosen]]), added, sigma, limits)
        if turn is None or turn in chosen:
            break
        chosen.append(turn)
        if not library.points[turn]:
            # One fault for the owner ends the search for others like it.
            added[:, ~library.points & (np.arange(len(limits)) != turn)] = 0.0
    full = np.column_stack([base, added[:, chosen]])
    weights = np.linalg.lstsq(full, target, rcond=None)[0]
    left = target - full @ weights
    sizes = weights[design.shape[1] :]
    picked = [(library.candidates[place], float(size)) for place, size in zip(chosen, sizes, strict=True)]
    robust = np.minimum((left / sigma) ** 2, 9.0).sum() + 2 * len(left) * math.log(sigma)
    score = float(robust + math.log(len(left)) * (design.shape[1] + 3 * len(chosen)))
    fitted = design @ weights[: design.shape[1]]
    return score, _nearer(fitted, observed, picked), picked


def _nearer(fitted: Floats, observed: Floats, picked: list[tuple[Candidate, float]]) -> Floats:
    """The fit, moved by a part of what its known neighbours deviate."""
    effect = sum((size * candidate.shape for candidate, size in picked), np.zeros(len(fitted)))
    left = observed - effect - fitted
    for candidate, _ in picked:
        if candidate.kind == "spike":
            left[candidate.start] = np.nan
    known = left[~np.isnan(left)]
    pairs = left[1:] * left[:-1]
    pairs = pairs[~np.isnan(pairs)]
    spread = float((known**2).mean()) if len(known) else 0.0
    carried = min(0.95, max(0.0, float(pairs.mean()) / spread)) if len(pairs) and spread > 0 else 0.0
    near = _line(left)
    return fitted + carried * near


def _residuals(observed: Floats, design: Floats) -> Floats:
    """What the design leaves of the known values, by least absolute deviations."""
    known = ~np.isnan(observed)
    columns, target = design[known], observed[known]
    weights = np.ones(len(target))
    left = target
    for _ in range(6):
        scaled = weights[:, None] ** 0.5
        fit = np.linalg.lstsq(columns * scaled, target * scaled[:, 0], rcond=None)[0]
        left = target - columns @ fit
        middle = np.median(np.abs(left)) + 1e-12
        weights = 1.0 / np.maximum(np.abs(left) / middle, 0.3)
    return left


def _noise(observed: Floats, design: Floats) -> tuple[float, float]:
    """The robust standard deviation of what the design leaves.

    Also: by what factor the mean of many neighbours varies more than if they were independent.
    """
    left = _residuals(observed, design)
    spread = np.abs(left)
    spent = min(0.8, design.shape[1] / len(left))
    smallest = 1e-6 * (float(np.nanmax(np.abs(observed))) + 1e-9)
    robust = max(1.4826 * float(np.median(spread)), float(np.quantile(spread, 0.88)) / 1.55)
    held = np.clip(left, -2.5 * robust, 2.5 * robust)
    carried = float((held[1:] * held[:-1]).sum() / ((held**2).sum() + 1e-12))
    carried = min(0.3, max(0.0, carried))
    return max(robust / math.sqrt(1 - spent), smallest), math.sqrt((1 + carried) / (1 - carried))


def _roughness(observed: Floats, period: int) -> float:
    """Robust standard deviation of the noise, from differences of differences; infinite for short series."""
    steps = np.diff(observed)
    rises = (
        steps[period:] - steps[:-period] if 1 < period < len(steps) - 6 else np.diff(steps) * 2 / math.sqrt(6)
    )
    spread = np.abs(rises[~np.isnan(rises)])
    return 1.4826 * float(np.median(spread)) / 2 + 1e-9 if len(spread) > 6 else math.inf


def _strongest(target: Floats, base: Floats, added: Floats, sigma: float, limits: Floats) -> int | None:
    """The candidate that explains most among those beyond their limits; None if there is none."""
    basis = np.linalg.qr(base)[0]
    left = target - basis @ (basis.T @ target)
    free = added - basis @ (basis.T @ added)
    norms = np.sqrt((free**2).sum(axis=0))
    strength = np.abs(free.T @ left) / (sigma * np.maximum(norms, 1e-9))
    strength[norms < 0.25 * np.sqrt((added**2).sum(axis=0)) + 1e-9] = 0.0
    strength[strength < limits] = 0.0
    turn = int(strength.argmax())
    return turn if strength[turn] > 0.0 else None
