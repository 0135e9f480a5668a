"""Forecasting: the next periods of a series, with how far off such forecasts were.

The method is chosen by its errors on the series' own end, and a seasonal repeat or the last value wins
whenever nothing does better.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, NamedTuple

import numpy as np
from scipy import stats  # pyright: ignore[reportMissingTypeStubs] - it ships none

from agents.analyst.analysing.columns import Floats, cells, described, few, numbers, plain, plain_all
from envs.analyst.analyses import Analysis, Fact, Tool
from envs.analyst.charts import Chart, Mark
from envs.analyst.ir import Grain
from envs.analyst.problems import Malformed
from envs.analyst.results import Cell, Result, ResultColumn

NEEDED = 12
MOST_AHEAD = 36
_COVERED = 0.95
_TESTED = 6
_SHOWN = 36
"""Periods before a forecast that its picture shows."""
_SEASON = {Grain.DAY: 7, Grain.WEEK: 52, Grain.MONTH: 12, Grain.QUARTER: 4, Grain.YEAR: 1}
_stats: Any = stats

Method = Callable[[Floats, int], Floats]
"""A series and how many periods ahead, to as many values."""


class Tried(NamedTuple):
    """A method and its errors one to some periods ahead on the series' end."""

    name: str
    method: Method
    errors: Floats


def forecast(result: Result, time: str, measure: str, grain: Grain, ahead: int) -> Analysis:
    """The next periods of a series whose rows are whole periods in the order of time.

    Args:
        grain: Of the periods: day, week, month, quarter or year.
        ahead: Periods, 1 to 36.
    Facts: `method`, `mean_error` (mean absolute error of its forecasts of the last periods), `naive_error`
    (the same for the last value), `next` (about its period). The table has `low` and `high`, a 95 % interval.
    Raises:
        Malformed: If `ahead` is out of range, a period is missing, or there are fewer than four.
    """
    values, periods = numbers(result, measure), [str(cell) for cell in cells(result, time)]
    if not 1 <= ahead <= MOST_AHEAD or grain not in _SEASON:
        raise Malformed(f"a forecast goes 1 to {MOST_AHEAD} days, weeks, months, quarters or years ahead")
    series = _whole(values, periods, grain)
    season = _SEASON[grain]
    tried = _tried(series, season)
    best = min(tried, key=lambda each: float(np.abs(each.errors).mean()))
    expected = best.method(series, ahead)
    reach = _reach(best.errors, ahead)
    coming = periods_after(periods[-1], grain, ahead)
    unit = described(result, measure).unit
    rows = tuple(
        (when, plain(value), plain(value - far), plain(value + far))
        for when, value, far in zip(coming, expected, reach, strict=True)
    )
    naive = next(each for each in tried if each.name == "last value")
    facts: list[tuple[str, Cell, Cell, str | None]] = [
        ("method", best.name, None, None),
        ("mean_error", plain(float(np.abs(best.errors).mean())), None, unit),
        ("naive_error", plain(float(np.abs(naive.errors).mean())), None, unit),
        ("next", rows[0][1], coming[0], unit),
    ]
    return Analysis(
        tool=Tool.FORECAST,
        columns=(
            described(result, time),
            *(ResultColumn(name=name, type="number", unit=unit) for name in (measure, "low", "high")),
        ),
        rows=rows,
        facts=tuple(Fact(name=name, value=value, about=about, unit=of) for name, value, about, of in facts),
        caveats=few(len(series), NEEDED),
        chart=Chart(
            mark=Mark.BAND,
            x=time,
            y=("low", measure, "high"),
            unit=unit,
            before=tuple(zip(periods, plain_all(values), strict=True))[-_SHOWN:],
        ),
        method="The method with the least error on the last periods, each forecast from what came before it;"
        " the interval widens with the root of the distance.",
    )


def periods_after(last: str, grain: Grain, count: int) -> list[str]:
    """The periods after one, by their first days."""
    at = np.datetime64(last[:10])
    match grain:
        case Grain.DAY | Grain.WEEK:
            step = np.timedelta64(7 if grain is Grain.WEEK else 1, "D")
            return [str(at + step * number) for number in range(1, count + 1)]
        case _:
            months = {Grain.MONTH: 1, Grain.QUARTER: 3}.get(grain, 12)
            first = date.fromisoformat(last[:10])
            places = [first.year * 12 + first.month - 1 + months * number for number in range(1, count + 1)]
            return [date(place // 12, place % 12 + 1, 1).isoformat() for place in places]


def _whole(values: Floats, periods: Sequence[str], grain: Grain) -> Floats:
    if len(values) < 4 or not np.isfinite(values).all():
        raise Malformed(
            f"a forecast needs four whole periods at least, each with a value; found {len(values)}"
        )
    expected = [periods[0], *periods_after(periods[0], grain, len(periods) - 1)]
    gap = next((want for want, found in zip(expected, periods, strict=True) if want != found), None)
    if gap is not None:
        raise Malformed(f"the series has no {grain} {gap}; fill the gap or choose a coarser grain")
    return values


def _tried(series: Floats, season: int) -> list[Tried]:
    """All methods that the series is long enough for, with their errors one period ahead on its end."""
    methods: dict[str, Method] = {"last value": _last, "drift": _drift}
    if season > 1 and len(series) >= 2 * season:
        methods["same season"] = lambda known, ahead: _season_before(known, ahead, season)
    if len(series) >= NEEDED:
        seasonal = season if 1 < season <= 12 and len(series) >= 2 * season + _TESTED else None
        methods["exponential smoothing"] = lambda known, ahead: _smoothed(known, ahead, seasonal)
    tests = range(max(3, len(series) - _TESTED), len(series))
    return [
        Tried(name, method, np.array([series[at] - method(series[:at], 1)[0] for at in tests]))
        for name, method in methods.items()
    ]


def _last(known: Floats, ahead: int) -> Floats:
    return np.full(ahead, known[-1])


def _drift(known: Floats, ahead: int) -> Floats:
    return known[-1] + (known[-1] - known[0]) / (len(known) - 1) * np.arange(1, ahead + 1)


def _season_before(known: Floats, ahead: int, season: int) -> Floats:
    if len(known) < season:
        return _last(known, ahead)
    return np.array([known[-season + at % season] for at in range(ahead)])


def _smoothed(known: Floats, ahead: int, season: int | None) -> Floats:
    from statsmodels.tsa import holtwinters  # pyright: ignore[reportMissingTypeStubs] # noqa: PLC0415 - slow

    module: Any = holtwinters
    if season is not None and len(known) < 2 * season:
        season = None
    with warnings.catch_warnings():
        # Where the likelihood is flat the optimiser stops early and says so; the errors on the end decide.
        warnings.simplefilter("ignore")
        fitted = module.ExponentialSmoothing(
            known,
            trend="add",
            damped_trend=True,
            seasonal="add" if season else None,
            seasonal_periods=season,
            initialization_method="estimated",
        ).fit()
    return np.asarray(fitted.forecast(ahead), dtype=np.float64)


def _reach(errors: Floats, ahead: int) -> Floats:
    """Half of each interval: the errors' root mean square by Student's t, wider with the distance."""
    spread = float(np.sqrt(np.mean(errors**2)))
    wide = float(_stats.t.ppf(0.5 + _COVERED / 2, max(1, len(errors) - 1)))
    return wide * spread * np.sqrt(np.arange(1, ahead + 1))
