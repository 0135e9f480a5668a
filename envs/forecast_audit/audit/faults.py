"""Faults: how each family spoils a clean curve.

Magnitudes are in standard deviations of the curve's noise and shrink from level to level. Knows no words.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

from envs.forecast_audit.audit.calendars import PERIODS
from envs.forecast_audit.audit.cases import Family, Fault
from envs.forecast_audit.audit.curves import Curve, span
from envs.forecast_audit.models import Series
from envs.kernel.records import Record
from envs.kernel.rng import Rng

_SIZES = {"easy": (10.0, 12.0), "medium": (3.13, 3.17), "hard": (2.22, 2.26)}
# Of the blocks that words explain or not: easier to see, because there the words are the difficulty.
_TOLD_SIZES = {"easy": (10.0, 12.0), "medium": (5.9, 6.2), "hard": (5.7, 6.0)}
_FACTORS = {
    "easy": (1000.0, 0.001, 2.2046),
    "medium": (1.1023, 0.8684, 1.12),
    "hard": (1.0567, 0.9464, 1.0936, 0.9144),
}
_BLOCKS = {"easy": 2, "medium": 3, "hard": 4}
_STALE = {"easy": 8, "medium": 5, "hard": 3}
_ROUNDED = {"easy": (14, 3.0), "medium": (9, 1.0), "hard": (8, 0.8)}
_SHIFTS = {"easy": 0.35, "medium": 0.16, "hard": 0.13}


class Spoiled(Record):
    """A series with one more fault in it, and where that fault is."""

    values: Series
    fault: Fault


Draw = Callable[[Curve, Series, int, Rng, str, str], Spoiled]
"""Curve, series so far, position, randomness, level and split to the spoiled series."""


def size(rng: Rng, level: str, split: str, *, told: bool = False) -> float:
    """A magnitude in standard deviations, of either sign; `told` for what an event may explain."""
    low, high = (_TOLD_SIZES if told else _SIZES)[level]
    return rng.at("sign").choice((-1.0, 1.0)) * span(rng.at("size"), low, high, split)


def bump(curve: Curve, at: int, stop: int, height: float) -> tuple[float, ...]:
    """The curve with a block lifted by `height` standard deviations, its shoulders a little less."""
    middle = (at + stop - 1) / 2
    reach = max(1.0, (stop - at) / 2)
    return tuple(
        _rounded(curve, value + height * curve.sigma * (1 - 0.2 * (abs(place - middle) / reach) ** 2))
        if at <= place < stop
        else value
        for place, value in enumerate(curve.values)
    )


def drawn(family: Family, curve: Curve, values: Series, at: int, rng: Rng, level: str, split: str) -> Spoiled:
    """The series with a fault of this family that begins at `at`."""
    return _DRAWS[family](curve, values, at, rng, level, split)


def fits(family: Family, curve: Curve) -> bool:
    """Whether the calendar of a curve lets the family happen."""
    period = PERIODS[curve.frequency]
    if family is Family.CLOCK_SLIP:
        return period == 24
    seasonal = {Family.BROKEN_SEASONALITY, Family.SHIFTED_PERIOD, Family.DUPLICATED_PERIOD}
    return family not in seasonal or period >= 4


def _missing(curve: Curve, values: Series, at: int, rng: Rng, level: str, split: str) -> Spoiled:
    return _put(values, Family.MISSING_POINT, at, (None,))


def _missing_block(curve: Curve, values: Series, at: int, rng: Rng, level: str, split: str) -> Spoiled:
    return _put(values, Family.MISSING_BLOCK, at, (None,) * _BLOCKS[level])


def _spike(curve: Curve, values: Series, at: int, rng: Rng, level: str, split: str) -> Spoiled:
    return _put(values, Family.SPIKE, at, (_moved(curve, at, 1.25 * size(rng, level, split)),))


def _parts(curve: Curve, values: Series, at: int, rng: Rng, level: str, split: str) -> Spoiled:
    # Far too small to be seen in the curve: only the sum of the parts tells.
    height = rng.at("sign").choice((-1.0, 1.0)) * span(rng.at("size"), 1.5, 3.0, split)
    return _put(values, Family.PARTS_TOTAL, at, (_moved(curve, at, height),))


def _level_shift(curve: Curve, values: Series, at: int, rng: Rng, level: str, split: str) -> Spoiled:
    height = 0.8 * size(rng, level, split)
    moved = tuple(_moved(curve, place, height) for place in range(at, len(values)))
    return _put(values, Family.LEVEL_SHIFT, at, moved, 2)


def _drift(curve: Curve, values: Series, at: int, rng: Rng, level: str, split: str) -> Spoiled:
    length = len(values) - at
    final = 1.1 * size(rng, level, split)
    moved = tuple(_moved(curve, at + step, final * (step + 1) / length) for step in range(length))
    found = math.ceil(length * 0.55)
    spoiled = _put(values, Family.DRIFT, at, moved)
    return _found_from(spoiled, at - 3, at + found)


def _broken(curve: Curve, values: Series, at: int, rng: Rng, level: str, split: str) -> Spoiled:
    period = PERIODS[curve.frequency]
    left = {"easy": -1.0, "medium": 0.25, "hard": 0.4}[level]
    moved = tuple(
        _rounded(curve, curve.values[place] + (left - 1.0) * curve.season[place % period])
        for place in range(at, len(values))
    )
    return _found_from(_put(values, Family.BROKEN_SEASONALITY, at, moved), at - 3, at + max(3, period // 3))


def _unit(curve: Curve, values: Series, at: int, rng: Rng, level: str, split: str) -> Spoiled:
    factor = rng.at("factor").choice(_FACTORS[level])
    digits = curve.decimals + (3 if factor < 0.01 else 0)
    moved = tuple(round(value * factor, digits) for value in curve.values[at:])
    return _put(values, Family.UNIT_CHANGE, at, moved, 2)


def _duplicated(curve: Curve, values: Series, at: int, rng: Rng, level: str, split: str) -> Spoiled:
    period = PERIODS[curve.frequency]
    length = min(max(period, 6), at, len(values) - at)
    # Whole periods back, so that the copy fits its place in the season.
    back = -(-length // period) * period
    moved = curve.values[at - back : at - back + length]
    return _put(values, Family.DUPLICATED_PERIOD, at, moved, 2)


def _shifted(curve: Curve, values: Series, at: int, rng: Rng, level: str, split: str) -> Spoiled:
    period = PERIODS[curve.frequency]
    by = max(1, round(_SHIFTS[level] * period))
    return _found_from(
        _put(values, Family.SHIFTED_PERIOD, at, _slipped(curve, at, len(values), by)),
        at - 3,
        at + max(3, period // 3),
    )


def _clock(curve: Curve, values: Series, at: int, rng: Rng, level: str, split: str) -> Spoiled:
    by = {"easy": 5, "medium": 2, "hard": 1}[level] * rng.at("sign").choice((-1, 1))
    return _found_from(
        _put(values, Family.CLOCK_SLIP, at, _slipped(curve, at, len(values), by)), at - 3, at + 8
    )


def _coarse(curve: Curve, values: Series, at: int, rng: Rng, level: str, split: str) -> Spoiled:
    length, share = _ROUNDED[level]
    quantum = _nice(share * curve.sigma)
    moved = tuple(
        round(round(value / quantum) * quantum, curve.decimals) for value in curve.values[at : at + length]
    )
    return _put(values, Family.ROUNDING, at, moved, 2)


def _stale(curve: Curve, values: Series, at: int, rng: Rng, level: str, split: str) -> Spoiled:
    moved = (curve.values[at - 1],) * _STALE[level]
    return _put(values, Family.STALE, at, moved, 1)


_DRAWS: Mapping[Family, Draw] = MappingProxyType(
    {
        Family.MISSING_POINT: _missing,
        Family.MISSING_BLOCK: _missing_block,
        Family.SPIKE: _spike,
        Family.PARTS_TOTAL: _parts,
        Family.LEVEL_SHIFT: _level_shift,
        Family.DRIFT: _drift,
        Family.BROKEN_SEASONALITY: _broken,
        Family.UNIT_CHANGE: _unit,
        Family.DUPLICATED_PERIOD: _duplicated,
        Family.SHIFTED_PERIOD: _shifted,
        Family.CLOCK_SLIP: _clock,
        Family.ROUNDING: _coarse,
        Family.STALE: _stale,
    }
)


def _put(values: Series, family: Family, at: int, moved: Series, slack: int = 0) -> Spoiled:
    stop = at + len(moved)
    last = stop - 1 if not slack else min(at + slack, stop - 1)
    fault = Fault(family=family, start=at, stop=stop, first=at - slack, last=last)
    return Spoiled(values=(*values[:at], *moved, *values[stop:]), fault=fault)


def _found_from(spoiled: Spoiled, first: int, last: int) -> Spoiled:
    held = {"first": max(0, first), "last": min(last, spoiled.fault.stop - 1)}
    return spoiled.model_copy(update={"fault": spoiled.fault.model_copy(update=held)})


def _moved(curve: Curve, at: int, height: float) -> float:
    return _rounded(curve, curve.values[at] + height * curve.sigma)


def _slipped(curve: Curve, at: int, stop: int, by: int) -> tuple[float, ...]:
    """The season as it was `by` points before; trend and noise stay where they are."""
    period = len(curve.season)
    return tuple(
        _rounded(
            curve,
            curve.values[place] - curve.season[place % period] + curve.season[(place - by) % period],
        )
        for place in range(at, stop)
    )


def _nice(size: float) -> float:
    """The 1, 2 or 5 times a power of ten next below a size."""
    power = 10.0 ** math.floor(math.log10(size))
    return max(step * power for step in (1.0, 2.0, 5.0) if step * power <= size)


def _rounded(curve: Curve, value: float) -> float:
    return round(value, curve.decimals)
