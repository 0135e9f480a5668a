"""Parsing: one question over one source, from its words to an IR with how sure that is."""

from __future__ import annotations

from dataclasses import dataclass

from agents.analyst.planning.analysing import analysed
from agents.analyst.planning.averaging import read_averages, read_per_row
from agents.analyst.planning.built import Built
from agents.analyst.planning.calendar import Calendar, Window
from agents.analyst.planning.comparing import read_comparisons
from agents.analyst.planning.confidence import Sureness, sureness
from agents.analyst.planning.declining import read_direction
from agents.analyst.planning.extremes import read_extremes
from agents.analyst.planning.fittings import NotFitting
from agents.analyst.planning.graph import Graph, graph_of
from agents.analyst.planning.grouping import read_groups, read_ratios
from agents.analyst.planning.heading import read_heading
from agents.analyst.planning.items import Named, Tagger, Valued
from agents.analyst.planning.marks import Kind, mark_at
from agents.analyst.planning.outcome import Analysis, AnalysisKind
from agents.analyst.planning.periods import read_periods
from agents.analyst.planning.presence import read_presence
from agents.analyst.planning.purpose import read_purpose
from agents.analyst.planning.ranking import read_orders
from agents.analyst.planning.reading import Reading
from agents.analyst.planning.rewriting import rewritten
from agents.analyst.planning.stepping import read_steps
from agents.analyst.planning.valuing import joined_times, read_flags, read_times, read_values
from agents.analyst.planning.vocabulary import Vocabulary
from agents.analyst.planning.words import Token, folded, tokens
from envs.analyst.catalogue import Source, ValueIndex


@dataclass(frozen=True, slots=True)
class Ground:
    """A source made ready for questions."""

    source: Source
    values: ValueIndex
    vocabulary: Vocabulary
    graph: Graph


def ground(source: Source, values: ValueIndex) -> Ground:
    """A source with its vocabulary and its graph."""
    return Ground(source, values, Vocabulary(source), graph_of(source))


@dataclass(frozen=True, slots=True)
class Parsed:
    """A question as it was read; `built` is None where it fits no tables, and `problem` says why."""

    reading: Reading
    built: Built | None
    analysis: Analysis
    problem: str
    sure: Sureness


def read(question: str, on: Ground, calendar: Calendar) -> Reading:
    """The clauses of a question.

    Raises:
        FiscalUnknown: See `Calendar.windows`.
    """
    reading = _reading(question, on, calendar)
    reading.sketch.entity = _entity(reading)
    read_purpose(reading)
    for place in reading.places(Kind.BOTH):
        reading.sketch.both = True
        reading.take(place)
    read_steps(reading)
    read_orders(reading)
    read_ratios(reading)
    read_extremes(reading)
    read_comparisons(reading)
    read_presence(reading)
    read_values(reading)
    read_flags(reading)
    read_times(reading)
    read_periods(reading)
    joined_times(reading)
    read_averages(reading)
    read_per_row(reading)
    read_groups(reading)
    read_heading(reading)
    read_direction(reading)
    return reading


def read_fragment(message: str, on: Ground, calendar: Calendar, table: str) -> Reading:
    """The clauses of a message that goes on from a question about a table; what is left stays free.

    Raises:
        FiscalUnknown: See `Calendar.windows`.
    """
    reading = _reading(message, on, calendar)
    reading.sketch.entity = table
    read_purpose(reading)
    read_orders(reading)
    read_extremes(reading)
    read_comparisons(reading)
    read_values(reading)
    read_times(reading)
    read_groups(reading)
    return reading


def parse(question: str, on: Ground, calendar: Calendar) -> Parsed:
    """A question's IR, as far as it has one.

    Raises:
        FiscalUnknown: See `Calendar.windows`.
    """
    reading = read(question, on, calendar)
    try:
        found = analysed(reading, calendar.anchor)
    except NotFitting as problem:
        return Parsed(reading, None, Analysis(AnalysisKind.AGGREGATE), str(problem), sureness(reading))
    return Parsed(reading, found.built, found.analysis, "", sureness(reading))


def _reading(question: str, on: Ground, calendar: Calendar) -> Reading:
    question = rewritten(question)
    said = tokens(question)
    windows = calendar.windows(folded(question)) if _knows_time(on.source) else ()
    items = Tagger(on.vocabulary, on.values).items(said, _outside(said, windows))
    return Reading(items, on.vocabulary, on.graph)


def _knows_time(source: Source) -> bool:
    return any(
        table.time_column is not None
        or any("year" in column.name.lower() or "date" in column.name.lower() for column in table.columns)
        for table in source.tables
    )


def _outside(said: tuple[Token, ...], windows: tuple[Window, ...]) -> tuple[Window, ...]:
    """Times that are neither quoted nor part of `compared to last quarter`."""
    spans = [(token.first, token.last) for token in said if token.quoted]
    for place in range(len(said)):
        found = mark_at(said, place)
        if found is not None and found[0].kind is Kind.COMPARE:
            spans.append((said[place].first, said[place + found[1] - 1].last))
    return tuple(w for w in windows if not any(first <= w.first < last for first, last in spans))


def _entity(reading: Reading) -> str | None:
    """The table that a question is about: the one counted, else the first one named."""
    named = [place for place in range(len(reading.items)) if _table(reading, place) is not None]
    for place in named:
        before = reading.before(place, Kind.DISTINCT, Kind.OF)
        if (mark := reading.mark(before)) and mark.kind is Kind.AGG and mark.what in ("count", "howmany"):
            if reading.kind(reading.before(before)) not in (
                Kind.SUPER,
                Kind.EACH,
                Kind.ORDER,
                Kind.DIRECTION,
            ):
                return _table(reading, place)
            break
    for place in named:
        if reading.kind(reading.before(place, Kind.SUPER)) not in (Kind.HAVE, Kind.WITHOUT):
            return _table(reading, place)
    for item in reading.items:
        if isinstance(item, Named) and len({hit.table for hit in item.naming.columns}) == 1:
            return item.naming.columns[0].table
    for item in reading.items:
        if isinstance(item, Valued) and len({match.table_id for match in item.matches}) == 1:
            return item.matches[0].table_id
    tables = reading.vocabulary.source.tables
    return tables[0].table_id if len(tables) == 1 else None


def _table(reading: Reading, place: int) -> str | None:
    """The table that a phrase names, by itself or before a column: `student names`."""
    item = reading.item(place)
    if reading.table(place) is None and isinstance(item, Named) and item.naming.columns:
        best = item.naming.columns[0]
        return best.table if best.explicit else None
    return reading.table(place)
