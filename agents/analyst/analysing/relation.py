"""Relation: how two measures of the same groups go together; never which causes which."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats  # pyright: ignore[reportMissingTypeStubs] - it ships none

from agents.analyst.analysing.columns import described, few, missing, numbers, plain, plain_all
from envs.analyst.analyses import Analysis, Fact, Tool
from envs.analyst.charts import Chart, Mark
from envs.analyst.results import Result

NEEDED = 10
_stats: Any = stats


def correlation(result: Result, first: str, second: str) -> Analysis:
    """The correlation of two columns over the rows that have both.

    Facts: `n`, `pearson` with `pearson_low`, `pearson_high` (95 %, Fisher's z) and `pearson_p`, `spearman`
    with `spearman_p`. None where a column does not vary.
    """
    x, y = numbers(result, first), numbers(result, second)
    both = np.isfinite(x) & np.isfinite(y)
    n = int(both.sum())
    facts = [Fact(name="n", value=n)]
    if n >= 3 and np.ptp(x[both]) > 0 and np.ptp(y[both]) > 0:
        pearson, spearman = _stats.pearsonr(x[both], y[both]), _stats.spearmanr(x[both], y[both])
        low, high = pearson.confidence_interval(0.95) if n > 3 else (np.nan, np.nan)
        found = {
            "pearson": pearson.statistic,
            "pearson_low": low,
            "pearson_high": high,
            "pearson_p": pearson.pvalue,
            "spearman": spearman.statistic,
            "spearman_p": spearman.pvalue,
        }
        facts += [Fact(name=name, value=plain(float(value))) for name, value in found.items()]
    return Analysis(
        tool=Tool.CORRELATION,
        columns=(described(result, first), described(result, second)),
        rows=tuple(zip(plain_all(x[both]), plain_all(y[both]), strict=True)),
        facts=tuple(facts),
        caveats=(*missing(x, first), *missing(y, second), *few(n, NEEDED)),
        chart=Chart(mark=Mark.POINT, x=first, y=(second,)),
        method="Pearson's and Spearman's coefficients; that two measures go together shows no cause.",
    )
