"""Goals: a planned question said again, so that a person sees what was understood."""

from __future__ import annotations

from datetime import datetime, timedelta

from agents.analyst.planning.outcome import AnalysisKind, Planned
from agents.analyst.wording.answering import title
from envs.analyst.ir import QueryIR
from envs.analyst.turns import Language

_DOING = {
    AnalysisKind.AGGREGATE: ("", ""),
    AnalysisKind.GROWTH: ("Growth of ", "Pertumbuhan "),
    AnalysisKind.SHARE: ("Shares of ", "Bagian dari "),
    AnalysisKind.COMPARE: ("Comparison of ", "Perbandingan "),
    AnalysisKind.TREND: ("Trend of ", "Tren "),
    AnalysisKind.OUTLIERS: ("Outliers of ", "Pencilan "),
    AnalysisKind.CORRELATION: ("Correlation of ", "Korelasi "),
    AnalysisKind.DISTRIBUTION: ("Distribution of ", "Sebaran "),
    AnalysisKind.FORECAST: ("Forecast of ", "Perkiraan "),
}


def restated(planned: Planned) -> str:
    """What is asked, out of the plan alone: `Trend of total amount by month, 2026-01-01 to 2026-03-31`."""
    ir, english = planned.ir, planned.language is Language.EN
    doing = _DOING[planned.analysis.kind][0 if english else 1]
    measures = [measure.alias for measure in ir.measures if measure.shown]
    groups = [name for name, each in zip(ir.names(), ir.group_by, strict=False) if each.shown]
    listed = not ir.aggregates and planned.analysis.kind is AnalysisKind.AGGREGATE
    what = measures or ([ir.table_id] if listed else list(planned.answer))
    doing = ("List of " if english else "Daftar ") if listed else doing
    said = f"{doing}{' and '.join(map(title, what)) if english else ' dan '.join(map(title, what))}"
    if groups and measures:
        by = ", ".join(title(name).lower() for name in groups)
        said += f" by {by}" if english else f" per {by}"
    said += _times(ir, english)
    return said[:1].upper() + said[1:]


def _times(ir: QueryIR, english: bool) -> str:
    span = ir.time_range
    if span is None or not (span.start and span.end):
        return ""
    last = (datetime.fromisoformat(span.end) - timedelta(seconds=1)).date().isoformat()
    said = f", {span.start[:10]} to {last}" if english else f", {span.start[:10]} sampai {last}"
    if ir.comparison is None:
        return said
    return said + (
        f", against the time from {ir.comparison.start[:10]} on"
        if english
        else f", dibanding masa sejak {ir.comparison.start[:10]}"
    )
