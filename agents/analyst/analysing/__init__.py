"""Analysing: statistics over answers, the `analyze_*` tools.

Each takes a `Result` and the names of its columns, and gives an `Analysis`. None asks a source or a model.
"""

from agents.analyst.analysing.change import compare, growth, share
from agents.analyst.analysing.forecasting import forecast
from agents.analyst.analysing.relation import correlation
from agents.analyst.analysing.spread import aggregate, distribution, outliers
from agents.analyst.analysing.trend import trend

__all__ = [
    "aggregate",
    "compare",
    "correlation",
    "distribution",
    "forecast",
    "growth",
    "outliers",
    "share",
    "trend",
]
