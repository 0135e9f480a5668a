"""Analyses: what a tool makes of an answer, as a table, facts and caveats.

Pure records; leaves to `agents.analyst.analysing` the statistics and to the wording the sentences.
"""

from __future__ import annotations

from enum import StrEnum

from envs.analyst.charts import Chart
from envs.analyst.results import Caveat, Cell, ResultColumn, Row
from envs.kernel.records import Record


class Tool(StrEnum):
    """The tools, by the names that the trace shows."""

    AGGREGATE = "analyze_aggregate"
    GROWTH = "analyze_growth"
    SHARE = "analyze_share"
    COMPARE = "analyze_compare"
    TREND = "analyze_trend"
    OUTLIERS = "analyze_outliers"
    CORRELATION = "analyze_correlation"
    DISTRIBUTION = "analyze_distribution"
    FORECAST = "analyze_forecast"


class Fact(Record):
    """One number or name that an analysis finds.

    Attributes:
        name: What it is, one of those that the tool's docstring lists.
        about: The group that it is about; None for all.
        unit: As in the catalogue.
    """

    name: str
    value: Cell
    about: Cell = None
    unit: str | None = None


class Analysis(Record):
    """What a tool finds.

    Attributes:
        columns, rows: A table; every number of `facts` is one of its cells or follows from them.
        method: How it was computed, one English sentence.
    """

    tool: Tool
    columns: tuple[ResultColumn, ...]
    rows: tuple[Row, ...]
    facts: tuple[Fact, ...] = ()
    caveats: tuple[Caveat, ...] = ()
    chart: Chart | None = None
    method: str = ""

    def fact(self, name: str, about: Cell = None) -> Fact | None:
        """The fact of that name, None if there is none."""
        return next((fact for fact in self.facts if fact.name == name and fact.about == about), None)
