"""Goals: a planned question said again, so that a person sees what was understood."""

from __future__ import annotations

from agents.analyst.planning.outcome import AnalysisKind, Planned
from agents.analyst.wording.naming import called, period
from envs.analyst.ir import MOST_ROWS
from envs.analyst.turns import Language

_DOING = {
    AnalysisKind.AGGREGATE: ("", ""),
    AnalysisKind.GROWTH: ("growth of ", "pertumbuhan "),
    AnalysisKind.SHARE: ("shares of ", "bagian dari "),
    AnalysisKind.COMPARE: ("", ""),
    AnalysisKind.TREND: ("trend of ", "tren "),
    AnalysisKind.OUTLIERS: ("outliers of ", "pencilan "),
    AnalysisKind.CORRELATION: ("correlation of ", "korelasi "),
    AnalysisKind.DISTRIBUTION: ("distribution of ", "sebaran "),
    AnalysisKind.FORECAST: ("forecast of ", "perkiraan "),
}


def restated(planned: Planned) -> str:
    """What is asked, out of the plan alone: `Revenue by region, Q1 2026`."""
    ir, english = planned.ir, planned.language is Language.EN
    doing = _DOING[planned.analysis.kind][0 if english else 1]
    if ir.overall is not None:
        what, groups = [ir.overall.alias], list(ir.overall.keep)
    else:
        what = [measure.alias for measure in ir.measures if measure.shown]
        groups = [name for name, each in zip(ir.names(), ir.group_by, strict=False) if each.shown]
        groups = [name for name in groups if name in planned.answer] or groups
    listed = not ir.aggregates and planned.analysis.kind is AnalysisKind.AGGREGATE
    what = what or ([ir.table_id] if listed else list(planned.answer))
    joint = " and " if english else " dan "
    said = f"{doing}{joint.join(called(planned, name) for name in what)}"
    if groups and ir.measures:
        by = joint.join(called(planned, name) for name in groups)
        said += f" by {by}" if english else f" per {by}"
    if (ir.aggregates and ir.limit < MOST_ROWS and ir.order_by) and not ir.skip:
        said += _cut(planned)
    if listed and ir.order_by:
        by = ir.order_by[0].by
        name = by if isinstance(by, str) else by.column
        said += f" {'by' if english else 'menurut'} {called(planned, name)}" + _cut(planned)
    said += _times(planned)
    return said[:1].upper() + said[1:]


def _cut(planned: Planned) -> str:
    ir, english = planned.ir, planned.language is Language.EN
    most = ir.order_by[0].descending
    first = ("highest" if most else "lowest") if english else ("tertinggi" if most else "terendah")
    many = "" if ir.limit in (1, MOST_ROWS) else f" {ir.limit}"
    within = "".join(
        (" in each " if english else " di setiap ") + called(planned, name) for name in ir.limit_within[:1]
    )
    return f" ({first}{many}{within})"


def _times(planned: Planned) -> str:
    ir, language = planned.ir, planned.language
    span = ir.time_range
    if span is None or not (span.start and span.end):
        return ""
    said = f", {period(span.start, span.end, language)}"
    if ir.comparison is None:
        return said
    before = period(ir.comparison.start, ir.comparison.end, language)
    return f"{said} {'against' if language is Language.EN else 'dibanding'} {before}"
