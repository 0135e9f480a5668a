"""Analysing: a reading made ready for the analysis that it asks for, and the IR with that analysis's parts.

Leaves to the tools what a trend or a share is; decides which columns they are given.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise

from agents.analyst.planning.building import build
from agents.analyst.planning.built import Built
from agents.analyst.planning.declining import only_those
from agents.analyst.planning.earlier import compare_times, dates_of, last_whole, year_so_far
from agents.analyst.planning.fitting import Fitting
from agents.analyst.planning.fittings import NotFitting
from agents.analyst.planning.items import Said
from agents.analyst.planning.marks import Kind
from agents.analyst.planning.outcome import Analysis, AnalysisKind, Assumption, AssumptionKind
from agents.analyst.planning.purpose import compared_values
from agents.analyst.planning.reading import NUMERIC, Reading, numeric
from agents.analyst.planning.sketch import Pick, Ranking, Target
from agents.analyst.planning.targets import called_as_amount
from agents.analyst.planning.ways import ref
from envs.analyst.catalogue import Role
from envs.analyst.ir import (
    MOST_ROWS,
    Aggregate,
    Condition,
    Grain,
    Measure,
    Op,
    Operand,
    Order,
)

FORECAST_STEPS = 3
_OF_ROWS = (AnalysisKind.DISTRIBUTION, AnalysisKind.CORRELATION, AnalysisKind.OUTLIERS)
_SERIES = ("trend", "forecast")


@dataclass(frozen=True, slots=True)
class Analysed:
    """What a question comes to: rows to fetch and what to do with them."""

    built: Built
    analysis: Analysis


def analysed(reading: Reading, anchor: datetime) -> Analysed:
    """The IR and the analysis of a reading.

    Raises:
        NotFitting: If no tables and joins fit it, or the analysis lacks what it is of.
    """
    _prepare(reading)
    sketch = reading.sketch
    if _both_ends(sketch.rankings) and sketch.limit is not None:
        raise NotFitting("both ends of an order at once; ask for one of them")
    if sketch.unsure_flag is not None and any(target.agg is Aggregate.COUNT for target in sketch.targets):
        return _told_apart(reading, sketch.unsure_flag)
    if sketch.share and sketch.rankings and _together(reading):
        raise NotFitting("one share of the top rows together")
    if sketch.share and sketch.limit is not None and not sketch.groups and sketch.entity is not None:
        sketch.groups.extend(reading.label(sketch.entity))
    if sketch.share and not sketch.groups and not sketch.grain:
        built = _ratio(reading)
        return Analysed(built, Analysis(AnalysisKind.AGGREGATE, value=built.answer[-1]))
    built = build(reading)
    if sketch.share:
        return _shares(built)
    if sketch.comparison is not None or sketch.analysis == "growth":
        return _growth(
            reading, built, sketch.comparison or "previous_period", anchor, named=sketch.analysis == "growth"
        )
    doing = _analysis(reading, built)
    if doing.kind in _OF_ROWS and not built.ir.aggregates and not built.ir.order_by and not built.ir.distinct:
        built = replace(built, ir=built.ir.model_copy(update={"spread": True}))
    return Analysed(built, doing)


def _together(reading: Reading) -> bool:
    """`What share of revenue do the top 10 customers make up?`: one number, and not one a customer."""
    kinds = [reading.said(place) for place in range(len(reading.items))]
    if Kind.SHARE not in kinds:
        return False
    behind = kinds[kinds.index(Kind.SHARE) :]
    return Kind.SUPER in behind and Kind.EACH not in behind


def _both_ends(rankings: list[Ranking]) -> bool:
    """`cheapest and most expensive`: one order cannot go both ways."""
    return any(
        one.target == other.target and one.descending is not other.descending
        for one, other in pairwise(rankings)
    )


def _prepare(reading: Reading) -> None:
    """Supplies steps of time, amounts and groups that an analysis needs and a question leaves out."""
    sketch = reading.sketch
    if sketch.analysis in _SERIES and sketch.grain is None and not sketch.groups:
        sketch.grain = Grain.MONTH
    if sketch.analysis == "compare" and (pick := compared_values(reading)) and pick not in sketch.groups:
        sketch.groups.append(pick)
        _worth(reading)
    if sketch.analysis == "outliers":
        _amounts_are_no_groups(reading)
    if sketch.analysis == "outliers" and not sketch.groups and sketch.grain is None:
        keys = reading.vocabulary.table(sketch.entity).primary_key if sketch.entity else ()
        targets = [Target(None, Pick(sketch.entity or "", key)) for key in keys]
        sketch.targets[:0] = [target for target in targets if target not in sketch.targets]
        return
    if sketch.analysis in ("distribution", "correlation"):
        return
    if (
        sketch.share
        or sketch.analysis is not None
        or sketch.comparison is not None
        or sketch.grain is not None
    ):
        _add_up(reading)


def _worth(reading: Reading) -> None:
    """`compare East and West`: what they are compared by, where nobody said."""
    sketch = reading.sketch
    named = [target for target in sketch.targets if target.pick not in sketch.groups]
    money = reading.money(sketch.entity) if sketch.entity and not named else None
    if money is not None:
        sketch.targets[:] = [Target(Aggregate.SUM, money)]


def _amounts_are_no_groups(reading: Reading) -> None:
    """`unusual orders by amount` looks at the amounts of orders and not for one row an amount."""
    sketch = reading.sketch
    amounts = [pick for pick in sketch.groups if numeric(reading.column_record(pick)) > 0]
    if amounts:
        sketch.groups[:] = [pick for pick in sketch.groups if pick not in amounts]
        sketch.targets[:] = [Target(None, pick) for pick in amounts]


def _add_up(reading: Reading) -> None:
    """Amounts are added up and tables counted where one number a group is wanted."""
    targets = reading.sketch.targets
    if any(target.agg for target in targets):
        return
    for at, target in enumerate(targets):
        if target.pick is not None and numeric(reading.column_record(target.pick)) > 0:
            targets[at] = replace(target, agg=Aggregate.SUM)
    ranked = [ranking.target.pick for ranking in reading.sketch.rankings if ranking.target]
    if not any(target.agg for target in targets) and ranked and ranked[0] is not None:
        targets.append(Target(Aggregate.SUM, ranked[0]))
    if not any(target.agg for target in targets) and reading.sketch.entity is not None:
        labels = [Target(None, pick) for pick in reading.label(reading.sketch.entity)]
        kept = [target for target in targets if target not in labels]
        targets[:] = [*kept, _rows_or_worth(reading, reading.sketch.entity)]


def _rows_or_worth(reading: Reading, table: str) -> Target:
    """What changes where only rows are named: `sales` are worth something, `orders` are counted."""
    amount = called_as_amount(reading, table)
    if amount is not None:
        return Target(Aggregate.SUM, amount)
    sketch, events = reading.sketch, reading.events(table)
    moves = sketch.comparison is not None or sketch.analysis in ("growth", "trend", "forecast")
    worth = reading.money(table) if moves and events != table else None
    if worth is None:
        return Target(Aggregate.COUNT, table=table)
    # `How did West do against last year?` is told of the year so far.
    sketch.so_far = sketch.comparison == "same_period_last_year"
    said = next((test.values[0] for test in sketch.tests if test.values), table)
    sketch.assumptions.append(Assumption(AssumptionKind.COLUMN, str(said), f"{worth.table}.{worth.column}"))
    return Target(Aggregate.SUM, worth)


def _ratio(reading: Reading) -> Built:
    """`East's share of revenue`: what meets the tests, divided by all; the time counts for both."""
    tests = list(reading.sketch.tests)
    if not tests:
        raise NotFitting("a share needs something to be the share of")
    reading.sketch.tests.clear()
    whole = build(reading)
    reading.sketch.tests.extend(tests)
    part = build(reading)
    reading.sketch.tests.clear()
    measures = tuple(
        Measure(
            agg=measure.agg, column=measure.column, table=measure.table, alias=f"share_of_{measure.alias}",
            where=part.ir.filters, times=100.0,
            per=Operand(agg=measure.agg, column=measure.column, table=measure.table),
        )
        for measure in whole.ir.measures
    )  # fmt: skip
    ir = part.ir.model_copy(update={"measures": measures, "filters": whole.ir.filters})
    return Built(ir, tuple(measure.alias for measure in measures), part.assumptions)


def _told_apart(reading: Reading, flag: Pick) -> Analysed:
    """`not active`: those marked so, and apart from them those of whom it is not known."""
    tests = reading.sketch.tests
    marked = [test for test in tests if test.pick == flag]
    tests[:] = [test for test in tests if test.pick != flag]
    whole = build(reading)
    fitting = Fitting(reading, whole.ir.table_id)
    column = ref(reading, flag, whole.ir.table_id)
    measures = (
        Measure(agg=Aggregate.COUNT, alias=f"not_{flag.column}", where=tuple(fitting.conditions(marked))),
        Measure(agg=Aggregate.COUNT, alias="unknown", where=(Condition(column=column, op=Op.BLANK),)),
    )
    ir = whole.ir.model_copy(update={"measures": measures})
    answer = tuple(measure.alias for measure in measures)
    return Analysed(Built(ir, answer, whole.assumptions), Analysis(AnalysisKind.AGGREGATE, value=answer[0]))


def _shares(built: Built) -> Analysed:
    """Shares are of all groups, also where only the top ones are shown."""
    ir = built.ir
    if not ir.measures:
        raise NotFitting("a share needs an amount or a count")
    value = ir.measures[0].alias
    label = next((name for name in built.answer if name != value), None)
    top = ir.limit if ir.limit < MOST_ROWS else None
    order = ir.order_by or (Order(by=value, descending=True),)
    shown = replace(built, ir=ir.model_copy(update={"limit": MOST_ROWS, "ties": False, "order_by": order}))
    return Analysed(shown, Analysis(AnalysisKind.SHARE, label=label, value=value, top=top))


def _growth(reading: Reading, built: Built, kind: str, anchor: datetime, *, named: bool) -> Analysed:
    """Against another time, or from step to step where the question goes by time."""
    ir = built.ir
    if not ir.measures:
        raise NotFitting("growth needs an amount or a count")
    value = ir.measures[0].alias
    stepped = next((each.alias for each in ir.group_by if each.grain is not None), None)
    if stepped is not None:
        return Analysed(built, Analysis(AnalysisKind.GROWTH, label=stepped, value=value))
    label = next((name for name in built.answer if name != value), None)
    if ir.time_range is None:
        dates = dates_of(reading, ir)
        span = year_so_far(dates, anchor) if reading.sketch.so_far else last_whole(dates, kind, anchor)
        ir = ir.model_copy(update={"time_range": span})
    compared = compare_times(ir, kind, reading.sketch.against)
    doing = AnalysisKind.GROWTH if named else AnalysisKind.COMPARE
    whole = replace(built, ir=compared)
    if reading.sketch.direction is not None:
        whole = only_those(whole, reading.sketch.direction)
    return Analysed(whole, Analysis(doing, label=label, value=value))


def _analysis(reading: Reading, built: Built) -> Analysis:
    ir, sketch = built.ir, reading.sketch
    value = ir.measures[0].alias if ir.measures else _number(reading, built)
    label = next((name for name in built.answer if name != value), None)
    match sketch.analysis:
        case "trend":
            return Analysis(AnalysisKind.TREND, label=label, value=value)
        case "forecast":
            return Analysis(
                AnalysisKind.FORECAST, label=label, value=value, periods=sketch.periods or FORECAST_STEPS
            )
        case "outliers":
            return Analysis(AnalysisKind.OUTLIERS, label=label, value=_needed(value, "outliers"))
        case "distribution" if value is not None and not ir.measures:
            return Analysis(AnalysisKind.DISTRIBUTION, value=value)
        case "correlation":
            if len(built.answer) < 2:
                raise NotFitting("a correlation needs two amounts")
            return Analysis(AnalysisKind.CORRELATION, value=built.answer[0], other=built.answer[1])
        case "compare":
            return Analysis(AnalysisKind.COMPARE, label=label, value=value)
        case _:
            return Analysis(AnalysisKind.AGGREGATE, label=label, value=value)


def _number(reading: Reading, built: Built) -> str | None:
    """The first column listed that holds amounts."""
    for shown, name in zip(built.ir.select, built.ir.names(), strict=False):
        column = reading.vocabulary.column(shown.table or built.ir.table_id, shown.column)
        if column.type in NUMERIC and column.role not in (Role.KEY, Role.REFERENCE):
            return name
    return None


def _needed(value: str | None, what: str) -> str:
    if value is None:
        raise NotFitting(f"{what} need an amount")
    return value


def summed_assumption(reading: Reading, built: Built) -> tuple[Assumption, ...]:
    """That an amount was added up though nobody said so."""
    return tuple(
        Assumption(AssumptionKind.SUMMED, measure.column.column)
        for measure in built.ir.measures
        if measure.agg is Aggregate.SUM and measure.column is not None and not _says_sum(reading)
    )


def _says_sum(reading: Reading) -> bool:
    return any(isinstance(item, Said) and item.mark.what in ("sum", "jumlah") for item in reading.items)
