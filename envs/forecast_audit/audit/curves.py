"""Clean curves: what a series would be if nothing had gone wrong.

Three quarters are simulated as trend, season and autoregressive noise; the others are windows of real series.
The two splits draw their parameters from disjoint ranges.
"""

from __future__ import annotations

import math

from envs.forecast_audit.audit.calendars import PERIODS, Frequency, day_number
from envs.forecast_audit.audit.windows import WINDOWS
from envs.kernel.records import Record
from envs.kernel.rng import Rng

_REAL_SHARE = 0.25
_LENGTHS = {
    Frequency.HOUR: 96,
    Frequency.DAY: 56,
    Frequency.WORKDAY: 50,
    Frequency.MONTH: 60,
    Frequency.QUARTER: 48,
    Frequency.YEAR: 48,
}
_SIMULATED = (Frequency.HOUR, Frequency.DAY, Frequency.WORKDAY, Frequency.MONTH)


class Curve(Record):
    """A clean series on its calendar.

    Attributes:
        start: Ordinal of its first point.
        sigma: Standard deviation of what neither trend nor season explains.
        swing: Mean absolute seasonal-naive error, the unit of losses.
        season: One season's pattern around 0; empty where there is none.
        decimals: To which its values are rounded.
    """

    frequency: Frequency
    start: int
    values: tuple[float, ...]
    sigma: float
    swing: float
    season: tuple[float, ...]
    decimals: int


def span(rng: Rng, low: float, high: float, split: str) -> float:
    """A parameter of this split: public cases draw from the lower 45 % of a range, held-out the upper."""
    width = 0.45 * (high - low)
    return rng.uniform(low, low + width) if split == "public" else rng.uniform(high - width, high)


def drawn(rng: Rng, split: str) -> Curve:
    """A clean curve; everything in it follows from the address."""
    return _real(rng, split) if rng.at("real").flip(_REAL_SHARE) else _simulated(rng, split)


def swing_of(values: tuple[float, ...], period: int) -> float:
    """Mean absolute error of the seasonal-naive forecast, the denominator of MASE."""
    pairs = zip(values, values[period:], strict=False)
    return math.fsum(abs(later - earlier) for earlier, later in pairs) / (len(values) - period)


def _simulated(rng: Rng, split: str) -> Curve:
    frequency = rng.at("frequency").choice(_SIMULATED)
    count, period = _LENGTHS[frequency], PERIODS[frequency]
    level = span(rng.at("level"), 40.0, 900.0, split)
    sigma = level / span(rng.at("noise"), 27.8, 29.2, split)
    season = _pattern(rng.at("season"), period, sigma * span(rng.at("amplitude"), 4.15, 4.45, split))
    slope = rng.at("sign").choice((-1.0, 1.0)) * sigma * span(rng.at("slope"), 1.6, 3.4, split) / count
    noise = _autoregressive(rng.at("ar"), count, sigma, span(rng.at("phi"), 0.1, 0.15, split))
    values = tuple(level + slope * at + season[at % period] + noise[at] for at in range(count))
    return _curve(frequency, _start(rng, frequency, split), values, sigma, season)


def _real(rng: Rng, split: str) -> Curve:
    window = rng.at("window").choice(WINDOWS[split])
    count, period = _LENGTHS[window.frequency], PERIODS[window.frequency]
    first = rng.at("first").integer(0, len(window.values) - count)
    cut = window.values[first : first + count]
    spread = max(cut) - min(cut)
    height = span(rng.at("level"), 40.0, 900.0, split)
    lift = span(rng.at("lift"), 1.6, 2.1, split)
    values = tuple(height * (lift + (value - min(cut)) / spread) for value in cut)
    sigma = max(_roughness(values, period), 0.02 * height)
    # Old series repeat rounded values; without this a sound window could look stale or copied.
    values = tuple(
        value + 0.3 * sigma * unrest
        for value, unrest in zip(values, rng.at("unrest").normals(count), strict=True)
    )
    phases = [[values[at] for at in range(phase, count, period)] for phase in range(period)]
    middle = math.fsum(values) / count
    season = tuple(math.fsum(phase) / len(phase) - middle for phase in phases) if period > 1 else ()
    return _curve(window.frequency, _start(rng, window.frequency, split), values, sigma, season)


def _curve(
    frequency: Frequency, start: int, values: tuple[float, ...], sigma: float, season: tuple[float, ...]
) -> Curve:
    decimals = max(0, 2 - math.floor(math.log10(sigma)))
    rounded = tuple(round(value, decimals) for value in values)
    swing = max(swing_of(rounded, PERIODS[frequency]), sigma)
    return Curve(
        frequency=frequency,
        start=start,
        values=rounded,
        sigma=sigma,
        swing=float(f"{swing:.3g}"),
        season=season,
        decimals=decimals,
    )


def _pattern(rng: Rng, period: int, amplitude: float) -> tuple[float, ...]:
    """A season of two harmonics, rough where it is short; its largest deviation is `amplitude`."""
    phase, second = rng.at("phase").unit(), rng.at("second").unit()
    jitter = rng.at("jitter").normals(period)
    rough = 0.5 if period < 10 else 0.12
    raw = [
        math.sin(2 * math.pi * (at / period + phase))
        + 0.45 * math.sin(4 * math.pi * (at / period + second))
        + rough * jitter[at]
        for at in range(period)
    ]
    middle = math.fsum(raw) / period
    largest = max(abs(value - middle) for value in raw)
    return tuple(amplitude * (value - middle) / largest for value in raw)


def _autoregressive(rng: Rng, count: int, sigma: float, phi: float) -> list[float]:
    shocks = rng.normals(count)
    noise = [sigma * shocks[0]]
    for shock in shocks[1:]:
        # Bounded, so that no clean point looks like a fault.
        step = max(-2.6, min(2.6, shock))
        noise.append(phi * noise[-1] + sigma * math.sqrt(1 - phi * phi) * step)
    return noise


def _roughness(values: tuple[float, ...], period: int) -> float:
    """Standard deviation of what a point's neighbours do not explain, whichever neighbours explain more."""
    deviations = [
        abs(values[at] - (values[at - gap] + values[at + gap]) / 2) / math.sqrt(1.5)
        for gap in (1,)
        for at in range(gap, len(values) - gap)
    ]
    seasonal = [
        abs((values[at] - values[at - 1]) - (values[at - period] - values[at - 1 - period])) / 2
        for at in range(period + 1, len(values))
    ]
    return min(_quantile(deviations), _quantile(seasonal) if period > 1 else math.inf)


def _quantile(deviations: list[float]) -> float:
    """The normal standard deviation whose nine tenths lie within those of the deviations."""
    return sorted(deviations)[len(deviations) * 9 // 10] / 1.645


def _start(rng: Rng, frequency: Frequency, split: str) -> int:
    year = int(span(rng.at("year"), 2026.0, 2046.0, split))
    day = day_number(year, 1, 1) + rng.at("day").integer(0, 300)
    match frequency:
        case Frequency.HOUR:
            return day * 24
        case Frequency.DAY:
            return day
        case Frequency.WORKDAY:
            return (day + 3) // 7 * 5
        case Frequency.MONTH:
            return (year - 5) * 12
        case Frequency.QUARTER:
            return (year - 12) * 4
        case Frequency.YEAR:
            return year - 48
