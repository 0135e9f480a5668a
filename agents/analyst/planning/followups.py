"""Follow-ups: a message that goes on from the question before, as changes to its IR.

`only West`, `by month instead`, `dan tahun lalu?`, `top 3`, `and quantity?`
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime

from agents.analyst.planning.calendar import Calendar
from agents.analyst.planning.confidence import Sureness, sureness
from agents.analyst.planning.earlier import compare_times
from agents.analyst.planning.fitting import Fitting
from agents.analyst.planning.fittings import NotFitting
from agents.analyst.planning.items import Named
from agents.analyst.planning.marks import Kind
from agents.analyst.planning.outcome import Analysis, AnalysisKind, Planned
from agents.analyst.planning.parsing import Ground, read_fragment
from agents.analyst.planning.reading import Reading, numeric
from agents.analyst.planning.sketch import Pick
from agents.analyst.planning.targets import AGGREGATES
from agents.analyst.planning.ways import called
from agents.analyst.planning.words import folded, tokens
from envs.analyst.ir import MOST_ROWS, Aggregate, Condition, Dimension, Filter, Measure, Order, QueryIR, Ref

_CUE = re.compile(
    r"^\W*(?:and|only|just|what about|how about|what if|now|instead|same|also|but|for|in|by|per|"
    r"without|excluding|exclude|except|make it|show it|group it|sort|top|compare|versus|vs"
    r"|dan|hanya|cuma|bagaimana (?:dengan|kalau|jika)|kalau|sekarang|juga|tapi|untuk|di|menurut|"
    r"berdasarkan|tanpa|kecuali|selain|urutkan|bandingkan|dibanding|as|split|break|breakdown|plot|chart|"
    r"graph|draw|drill|gambar(?:kan)?|grafik|sebagai|dalam|pecah|rinci|the same|sama)\b"
    r"|\b(?:instead|only|saja|too|as well|juga|sebagai gantinya)\W*$"
)
_FULL = re.compile(
    r"\b(?:how many|how much|what (?:is|are|was|were)|which|who|show|list|give|berapa|apa|"
    r"tampilkan|sebutkan|siapa|mana)\b"
)
_ADDS = re.compile(
    r"^\W*(?:and also|also|and (?:by|per)|juga|dan (?:per|menurut))\b|\b(?:too|as well|juga)\W*$"
)
_TURNS = tuple(
    (re.compile(pattern, re.IGNORECASE), put)
    for pattern, put in (
        (
            (
                r"^\W*(?:now |and |dan )?(?:break|split|drill|group|slice|pecah|rinci)(?:kan)?"
                r"(?: (?:it|that|this|them))?(?: down)?"
            ),
            "",
        ),
        (r"^\W*(?:a )?breakdown\b", ""),
        (
            (
                r"\b(?:as|in|into|dalam|sebagai) (?:a )?(?:percent(?:ages?)?|%|shares?|persen(?:tase)?)\b"
                r"|^\W*in %"
            ),
            "share",
        ),
        (r"\b(?:the )?same (?:thing )?(?=for|but|with|in|by)|\bsama (?=untuk|tapi)", ""),
    )
)
_BEFORE = re.compile(
    r"\b(?:previous|prior|preceding)\b|\b(?:quarter|month|year|week|day) before\b|\bsebelumnya\b"
)
_DRAWN = re.compile(r"\b(?:plot|chart|graph|draw|diagram|grafik|gambar|gambarkan|visuali[sz]e)\b")
SHORT = 5
"""Words that a message without a cue may have to be taken as going on."""


@dataclass(frozen=True, slots=True)
class Followed:
    """The plan before with a message's changes, and how sure these are."""

    planned: Planned
    reading: Reading
    sure: Sureness


def follows(message: str) -> bool:
    """Whether a message reads as going on from the one before."""
    said = folded(message)
    short = len([token for token in tokens(message) if token.word.isalnum()]) <= SHORT
    return (cued(message) and not (_FULL.search(said) and not short)) or (short and not _FULL.search(said))


def cued(message: str) -> bool:
    """Whether a word of a message says that it goes on from the one before."""
    return _CUE.search(folded(message)) is not None


def patched(message: str, before: Planned, on: Ground, calendar: Calendar) -> Followed | None:
    """The plan before with what a message changes in it; None if it changes nothing that can be changed."""
    message = _put_straight(message)
    span = before.ir.time_range
    if _BEFORE.search(folded(message)) and span is not None and span.start is not None:
        # `the quarter before` is counted from the time that was asked about.
        calendar = replace(calendar, anchor=datetime.fromisoformat(span.start))
    reading = read_fragment(message, on, calendar, before.ir.table_id)
    adds = bool(_ADDS.search(folded(message)))
    try:
        ir = _changed(reading, before.ir, adds)
    except NotFitting:
        return None
    analysis = _analysis(reading, before, ir)
    if ir == before.ir and analysis == before.analysis:
        return Followed(before, reading, sureness(reading)) if _DRAWN.search(folded(message)) else None
    answer = (
        (*ir.names(), *(measure.alias for measure in ir.measures if measure.shown))
        if ir.aggregates
        else before.answer
        if set(before.answer) <= set(ir.names())
        else ir.names()
    )
    planned = replace(before, ir=ir, answer=answer, analysis=analysis, confidence=sureness(reading).score)
    return Followed(planned, reading, sureness(reading))


def _put_straight(message: str) -> str:
    """`break it down by channel`, `per minggu saja`, `as percentages`: in the words of a whole question."""
    for pattern, put in _TURNS:
        message = pattern.sub(put, message)
    return message


def _changed(reading: Reading, ir: QueryIR, adds: bool) -> QueryIR:
    sketch = reading.sketch
    fitting = Fitting(reading, ir.table_id)
    ir = ir.model_copy(update={"filters": _merged(ir.filters, fitting.filters())})
    if fitting.time_range is not None:
        ir = ir.model_copy(update={"time_range": fitting.time_range, "comparison": None})
    if ir.aggregates:
        ir = _regrouped(reading, ir, fitting, adds)
        ir = _remeasured(reading, ir)
    if sketch.comparison is not None:
        ir = compare_times(ir, sketch.comparison)
    return _ranked(reading, ir)


def _merged(old: tuple[Filter, ...], new: tuple[Filter, ...]) -> tuple[Filter, ...]:
    """A new test of a column takes the place of the old ones."""
    columns = [each.column for each in new if isinstance(each, Condition)]
    kept = [each for each in old if not (isinstance(each, Condition) and each.column in columns)]
    return tuple(dict.fromkeys((*kept, *new)))


def _regrouped(reading: Reading, ir: QueryIR, fitting: Fitting, adds: bool) -> QueryIR:
    sketch = reading.sketch
    dimensions = [
        Dimension(column=_ref(pick, ir.table_id), alias=_alias(reading, pick, ir)) for pick in sketch.groups
    ]
    if sketch.grain is not None:
        pick = sketch.grain_of or fitting.time_column()
        if pick is None:
            raise NotFitting(f"{ir.table_id} has no dates to go by")
        dimensions.insert(
            0, Dimension(column=_ref(pick, ir.table_id), grain=sketch.grain, alias=sketch.grain.value)
        )
    if not dimensions:
        return ir
    kept = tuple(each for each in ir.group_by if adds and (each.grain is None or sketch.grain is None))
    order = (Order(by=sketch.grain.value),) if sketch.grain is not None else _still(ir, kept)
    return ir.model_copy(
        update={"group_by": (*kept, *dimensions), "order_by": order, "limit": MOST_ROWS, "comparison": None}
    )


def _still(ir: QueryIR, kept: tuple[Dimension, ...]) -> tuple[Order, ...]:
    """The orders that still have what they sort by."""
    names = {measure.alias for measure in ir.measures} | {each.alias for each in kept}
    return tuple(order for order in ir.order_by if order.by in names)


def _remeasured(reading: Reading, ir: QueryIR) -> QueryIR:
    """`average instead`, `and quantity?`: another aggregate or another amount."""
    if not ir.measures:
        return ir
    first = ir.measures[0]
    for place, item in enumerate(reading.items):
        mark = reading.mark(place)
        if mark is not None and mark.kind is Kind.AGG and first.column is not None:
            agg = AGGREGATES.get(mark.what)
            if agg is not None and agg is not Aggregate.COUNT:
                reading.take(place)
                first = first.model_copy(update={"agg": agg, "alias": f"{agg.value}_{first.column.column}"})
        if isinstance(item, Named) and place not in reading.used:
            pick = reading.column(place, numeric, ir.table_id)
            if pick is not None and numeric(reading.column_record(pick)) > 0:
                reading.take(place)
                agg = first.agg if first.column is not None else Aggregate.SUM
                first = Measure(agg=agg, column=_ref(pick, ir.table_id), alias=f"{agg.value}_{pick.column}")
    if first == ir.measures[0]:
        return ir
    orders = tuple(
        order.model_copy(update={"by": first.alias}) if order.by == ir.measures[0].alias else order
        for order in ir.order_by
    )
    return ir.model_copy(update={"measures": (first, *ir.measures[1:]), "order_by": orders})


def _ranked(reading: Reading, ir: QueryIR) -> QueryIR:
    sketch = reading.sketch
    if sketch.limit is None and not sketch.rankings:
        return ir
    by = ir.measures[0].alias if ir.measures else None
    descending = sketch.rankings[0].descending if sketch.rankings else True
    target = sketch.rankings[0].target if sketch.rankings else None
    named = _dimension(reading, ir, target.pick if target is not None else None)
    if named is not None and sketch.limit is None:
        _settle(reading)
        by = named
    if by is None:
        return ir
    return ir.model_copy(
        update={"order_by": (Order(by=by, descending=descending),), "limit": sketch.limit or MOST_ROWS}
    )


def _dimension(reading: Reading, ir: QueryIR, pick: Pick | None) -> str | None:
    """The group that is sorted by: one whose column, or whose rows' label, is named."""
    if pick is None:
        return None
    names = dict(zip(ir.names(), ir.group_by, strict=False)) if ir.aggregates else {}
    for name, each in names.items():
        if each.column == _ref(pick, ir.table_id):
            return name
    label = reading.vocabulary.table(pick.table).label_column == pick.column
    texts = [name for name, each in names.items() if each.shown and each.grain is None]
    return texts[0] if label and texts else None


def _settle(reading: Reading) -> None:
    """What is sorted by is one of the answer's columns: no other was meant."""
    reading.doubts.clear()


def _analysis(reading: Reading, before: Planned, ir: QueryIR) -> Analysis:
    sketch = reading.sketch
    names = ir.names() if ir.aggregates else ()
    label = names[0] if names else before.analysis.label
    value = ir.measures[0].alias if ir.measures else before.analysis.value
    if sketch.share and names:
        return Analysis(AnalysisKind.SHARE, label=label, value=value)
    if ir.comparison is not None:
        return Analysis(AnalysisKind.COMPARE, label=label, value=value)
    keeps = before.analysis.kind in (AnalysisKind.SHARE, AnalysisKind.TREND) and bool(names)
    return Analysis(before.analysis.kind if keeps else AnalysisKind.AGGREGATE, label=label, value=value)


def _alias(reading: Reading, pick: Pick, ir: QueryIR) -> str:
    taken = {measure.alias for measure in ir.measures}
    alias = called(reading, pick, ir.table_id)
    return alias if alias not in taken else f"{pick.table}_{pick.column}"


def _ref(pick: Pick, base: str) -> Ref:
    return Ref(column=pick.column, table=pick.table if pick.table != base else None)
