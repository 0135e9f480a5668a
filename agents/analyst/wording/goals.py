"""Goals: a planned question said again, so that a person sees what was understood."""

from __future__ import annotations

from datetime import datetime, timedelta

from agents.analyst.planning.outcome import AnalysisKind, Planned
from agents.analyst.wording.answering import title
from envs.analyst.ir import QueryIR
from envs.analyst.moments import moment
from envs.analyst.results import ResultColumn
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

_NAMED = {1: "month", 3: "quarter", 12: "year"}


def restated(planned: Planned) -> str:
    """What is asked, out of the plan alone: `Trend of total amount by month, Q1 2026`."""
    ir, english = planned.ir, planned.language is Language.EN
    doing = _DOING[planned.analysis.kind][0 if english else 1]
    measures = [measure.alias for measure in ir.measures if measure.shown]
    groups = [name for name, each in zip(ir.names(), ir.group_by, strict=False) if each.shown]
    listed = not ir.aggregates and planned.analysis.kind is AnalysisKind.AGGREGATE
    what = measures or ([ir.table_id] if listed else list(planned.answer))
    titles = [title(name, planned.language) for name in what]
    said = f"{doing}{' and '.join(titles) if english else ' dan '.join(titles)}"
    if groups and measures:
        by = ", ".join(title(name, planned.language).lower() for name in groups)
        said += f" by {by}" if english else f" per {by}"
    said += _times(ir, planned.language)
    return said[:1].upper() + said[1:]


def _times(ir: QueryIR, language: Language) -> str:
    span = ir.time_range
    if span is None or not (span.start and span.end):
        return ""
    said = f", {_period(span.start, span.end, language)}"
    if ir.comparison is None:
        return said
    before = _period(ir.comparison.start, ir.comparison.end, language)
    return f"{said}, {'against' if language is Language.EN else 'dibanding'} {before}"


def _period(start: str, end: str, language: Language) -> str:
    """A half-open time: a whole year, quarter or month by its name, any other by its first and last day."""
    first, after = datetime.fromisoformat(start), datetime.fromisoformat(end)
    months = (after.year - first.year) * 12 + after.month - first.month
    whole = all((each.day, each.hour, each.minute) == (1, 0, 0) for each in (first, after))
    if whole and months in _NAMED and first.month % months == 1 % months:
        column = ResultColumn(name=_NAMED[months], type="date")
        return moment(start[:10], column, language) or start[:10]
    last = (after - timedelta(seconds=1)).date().isoformat()
    return f"{start[:10]} {'to' if language is Language.EN else 'sampai'} {last}"
