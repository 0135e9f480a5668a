"""Spread: an answer as it is, how its values are distributed, and which of them stand out."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats  # pyright: ignore[reportMissingTypeStubs] - it ships none

from agents.analyst.analysing.columns import Floats, cells, described, few, missing, numbers, plain, plain_all
from envs.analyst.analyses import Analysis, Fact, Tool
from envs.analyst.charts import Chart, Mark, fitting
from envs.analyst.results import Cell, Result, ResultColumn, Row

FAR = 3.5
"""Modified z-score beyond which a value stands out. Source: Iglewicz and Hoaglin (1993), p. 11."""
NEEDED = 8
_TO_SD = 0.6745
"""The normal distribution's third quartile: what makes a median deviation a standard deviation."""
_TO_MEAN = 1.253314
"""The same for a mean deviation: the root of π/2."""
_stats: Any = stats


def aggregate(result: Result, dimensions: int, unfinished: Cell = None) -> Analysis:
    """An answer of aggregates as it stands.

    Args:
        dimensions: How many of its first columns are dimensions.
        unfinished: Its last period, if the data do not reach the end of it.
    Facts: `rows`; of every measure of a single row its value, by the column's name; of several rows `highest`
    and `lowest` of the first measure, about their group.
    """
    facts = [Fact(name="rows", value=result.row_count)]
    measures = [column for column in result.columns[dimensions:] if column.type in ("integer", "number")]
    if result.row_count == 1:
        row = result.rows[0]
        facts += [
            Fact(name=column.name, value=row[result.names.index(column.name)], unit=column.unit)
            for column in measures
        ]
    elif measures and dimensions:
        facts += _extremes(result, dimensions, measures[0])
    return Analysis(
        tool=Tool.AGGREGATE,
        columns=result.columns,
        rows=result.rows,
        facts=tuple(facts),
        caveats=result.caveats,
        chart=fitting(result, dimensions, unfinished),
        method="The query's own aggregates.",
    )


def outliers(result: Result, by: str, measure: str) -> Analysis:
    """Groups whose value stands out from the others'.

    The table has them, the farthest first. Facts: `count`, `median`, `low` and `high` (the ends within which
    a value does not stand out).
    """
    values, groups = numbers(result, measure), cells(result, by)
    unit = described(result, measure).unit
    score, centre, spread = _scores(values)
    order = sorted(np.flatnonzero(np.abs(score) > FAR), key=lambda at: -abs(score[at]))
    reach = FAR * spread
    return Analysis(
        tool=Tool.OUTLIERS,
        columns=(
            described(result, by),
            described(result, measure),
            ResultColumn(name="score", type="number"),
        ),
        rows=tuple((groups[at], plain(values[at]), plain(score[at])) for at in order),
        facts=(
            Fact(name="count", value=len(order)),
            Fact(name="median", value=plain(centre), unit=unit),
            Fact(name="low", value=plain(centre - reach), unit=unit),
            Fact(name="high", value=plain(centre + reach), unit=unit),
        ),
        caveats=(*missing(values, measure), *few(int(np.isfinite(values).sum()), NEEDED)),
        method=f"Modified z-score by the median absolute deviation, beyond {FAR:g}.",
    )


def distribution(result: Result, measure: str) -> Analysis:
    """How a column's values are spread.

    The table is a histogram: `from`, `to`, `count`. Facts: `count`, `mean`, `sd`, `min`, `q1`, `median`,
    `q3`, `max`, `skew`.
    """
    values = numbers(result, measure)
    there = values[np.isfinite(values)]
    unit = described(result, measure).unit
    columns = (
        ResultColumn(name="from", type="number", unit=unit),
        ResultColumn(name="to", type="number", unit=unit),
        ResultColumn(name="count", type="integer"),
    )
    rows: tuple[Row, ...] = ()
    if len(there):
        counts, edges = np.histogram(there, bins=_bins(there))
        rows = tuple(
            (low, high, int(count))
            for low, high, count in zip(plain_all(edges[:-1]), plain_all(edges[1:]), counts, strict=True)
        )
    return Analysis(
        tool=Tool.DISTRIBUTION,
        columns=columns,
        rows=rows,
        facts=_moments(there, unit),
        caveats=(*missing(values, measure), *few(len(there), NEEDED)),
        chart=Chart(mark=Mark.COLUMNS, x="from", y=("count",)) if rows else None,
        method="Quartiles by linear interpolation; bins by the rule of Freedman and Diaconis.",
    )


def _extremes(result: Result, dimensions: int, measure: ResultColumn) -> list[Fact]:
    place = result.names.index(measure.name)
    ranked = sorted(
        ((row[place], row[:dimensions]) for row in result.rows if isinstance(row[place], int | float)),
        key=lambda each: float(each[0] or 0),
    )
    if not ranked:
        return []
    found = (("highest", ranked[-1]), ("lowest", ranked[0]))
    return [
        Fact(name=name, value=value, about=_about(keys), unit=measure.unit) for name, (value, keys) in found
    ]


def _about(keys: Row) -> str:
    return " / ".join("" if key is None else str(key) for key in keys)


def _scores(values: Floats) -> tuple[Floats, float, float]:
    """Modified z-scores, the median, and the spread of a score of one."""
    if not np.isfinite(values).any():
        return np.zeros(len(values)), float("nan"), float("nan")
    centre = float(np.nanmedian(values))
    away = np.abs(values - centre)
    spread = float(np.nanmedian(away)) / _TO_SD
    # Where more than half of the values are equal the median deviation is 0 and the mean one takes its place.
    spread = spread or float(np.nanmean(away)) * _TO_MEAN
    score = (values - centre) / spread if spread else np.zeros(len(values))
    return np.nan_to_num(score), centre, spread


def _bins(values: Floats) -> int:
    if np.ptp(values) == 0:
        return 1
    return int(min(50, max(1, len(np.histogram_bin_edges(values, bins="fd")) - 1)))


def _moments(values: Floats, unit: str | None) -> tuple[Fact, ...]:
    if not len(values):
        return (Fact(name="count", value=0),)
    low, q1, median, q3, high = np.quantile(values, [0, 0.25, 0.5, 0.75, 1])
    spread = float(values.std(ddof=1)) if len(values) > 1 else float("nan")
    skew = float(_stats.skew(values, bias=False)) if len(values) > 2 and spread else float("nan")
    found = {
        "mean": values.mean(), "sd": spread, "min": low, "q1": q1, "median": median, "q3": q3, "max": high,
    }  # fmt: skip
    facts = [Fact(name=name, value=plain(float(value)), unit=unit) for name, value in found.items()]
    return (Fact(name="count", value=len(values)), *facts, Fact(name="skew", value=plain(skew)))
