"""Trend: whether a series rises or falls, by how much a period, and how sure that is."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats  # pyright: ignore[reportMissingTypeStubs] - it ships none

from agents.analyst.analysing.columns import cells, described, few, missing, numbers, plain, plain_all
from envs.analyst.analyses import Analysis, Fact, Tool
from envs.analyst.charts import Chart, Mark
from envs.analyst.results import Result, ResultColumn

SURE = 0.05
NEEDED = 8
_stats: Any = stats


def trend(result: Result, time: str, measure: str) -> Analysis:
    """The trend of a series whose rows are in the order of time and evenly apart.

    Facts: `slope` (Theil-Sen, a period), `slope_low`, `slope_high` (95 %), `tau` (Kendall, in [-1, 1]), `p`
    (that there is no trend, two-sided), `direction` (`up`, `down` or `none`).
    Source: Sen (1968), JASA 63; Kendall (1938), Biometrika 30.
    """
    values, periods = numbers(result, measure), cells(result, time)
    unit = described(result, measure).unit
    at = np.flatnonzero(np.isfinite(values))
    caveats = (*missing(values, measure), *few(len(at), NEEDED))
    columns = (
        described(result, time),
        described(result, measure),
        ResultColumn(name="trend", type="number", unit=unit),
    )
    if len(at) < 3 or np.ptp(values[at]) == 0:
        facts = (Fact(name="direction", value="none"),)
        rows = tuple(zip(periods, plain_all(values), (None,) * len(values), strict=True))
        return Analysis(tool=Tool.TREND, columns=columns, rows=rows, facts=facts, caveats=caveats)
    line = _stats.theilslopes(values[at], at, 0.95)
    kendall = _stats.kendalltau(at, values[at])
    chance = float(kendall.pvalue)
    direction = "none" if chance >= SURE else "up" if line.slope > 0 else "down"
    fitted = line.intercept + line.slope * np.arange(len(values))
    return Analysis(
        tool=Tool.TREND,
        columns=columns,
        rows=tuple(zip(periods, plain_all(values), plain_all(fitted), strict=True)),
        facts=(
            Fact(name="slope", value=plain(line.slope), unit=unit),
            Fact(name="slope_low", value=plain(line.low_slope), unit=unit),
            Fact(name="slope_high", value=plain(line.high_slope), unit=unit),
            Fact(name="tau", value=plain(kendall.statistic)),
            Fact(name="p", value=plain(chance)),
            Fact(name="direction", value=direction),
        ),
        caveats=caveats,
        chart=Chart(mark=Mark.LINE, x=time, y=(measure, "trend"), unit=unit),
        method="Theil-Sen slope with its 95 % interval; Kendall's test whether there is a trend at all.",
    )
