"""Naming: what columns are called when people are told of them."""

from __future__ import annotations

from collections.abc import Iterator

from agents.analyst.planning.marks import LEXICON
from agents.analyst.planning.words import Language, language_of
from envs.analyst.catalogue import Column, Role, Source
from envs.analyst.checking import column_of, table_of
from envs.analyst.ir import Aggregate, Measure, QueryIR, Ref


def spoken(column: Column, language: Language) -> str:
    """A column in the words of those who use it: the first synonym in the language, else its label.

    A word that asks for something (`jumlah`) is no name.
    """
    other = Language.ID if language is Language.EN else Language.EN
    names = [name for name in column.synonyms if (name,) not in LEXICON]
    own = [name for name in names if language_of(name, other) is language]
    if language is Language.EN:
        return names[0] if names and column.label.lower() in _PLAIN else column.label.lower()
    return own[0] if own else column.label.lower()


_PLAIN = frozenset({"amount", "quantity", "value", "total", "number"})
"""Names that say nothing of what they are of."""


def words_of(ir: QueryIR, source: Source, language: Language) -> tuple[tuple[str, str], ...]:
    """Each name in an answer, and the table's, with its words: `total_amount` is `revenue`."""
    return tuple(_named(ir, source, language))


def _named(ir: QueryIR, source: Source, language: Language) -> Iterator[tuple[str, str]]:
    yield ir.table_id, table_of(source, ir.table_id).label.lower()
    if not ir.aggregates:
        shown = ir.select or tuple(
            Ref(column=column.name) for column in table_of(source, ir.table_id).columns
        )
        for each in shown:
            column = column_of(source, ir.table_id, each)
            if column.role is Role.MEASURE:
                yield each.column, spoken(column, language)
    for measure in ir.measures:
        yield measure.alias, _measure(ir, source, measure, language)
    if ir.aggregates:
        for name, each in zip(ir.names(), ir.group_by, strict=True):
            if each.grain is not None:
                yield name, _GRAINS[language].get(each.grain.value, each.grain.value.replace("_", " "))
    if ir.overall is not None:
        yield ir.overall.alias, _overall(ir, source, language)


def _measure(ir: QueryIR, source: Source, measure: Measure, language: Language) -> str:
    english = language is Language.EN
    if measure.column is None:
        rows = table_of(source, measure.table or ir.table_id).label.lower()
        counted = f"number of {rows}" if english else f"jumlah {rows}"
        return _part(rows, english) if measure.times != 1.0 else counted
    amount = spoken(column_of(source, ir.table_id, measure.column), language)
    if measure.times != 1.0:
        return _part(amount, english)
    if measure.per is not None and measure.per.column is not None:
        below = spoken(column_of(source, ir.table_id, measure.per.column), language)
        return f"{amount} per {below}"
    before, after = _AGGREGATES[language].get(measure.agg, ("", ""))
    return " ".join(filter(None, (before, amount, after)))


def _part(what: str, english: bool) -> str:
    return f"share of {what}" if english else f"bagian dari {what}"


def _overall(ir: QueryIR, source: Source, language: Language) -> str:
    overall, english = ir.overall, language is Language.EN
    assert overall is not None
    groups = [
        _GRAINS[language].get(each.grain.value, each.grain.value) if each.grain else name.replace("_", " ")
        for name, each in zip(ir.names(), ir.group_by, strict=True)
        if each.shown and name not in overall.keep
    ]
    per = " and ".join(groups) if english else " dan ".join(groups)
    measure = next((each for each in ir.measures if each.alias == overall.of), None)
    if measure is None:
        return f"number of {per}" if english else f"jumlah {per}"
    before, after = _AGGREGATES[language].get(overall.agg, ("", ""))
    return " ".join(filter(None, (before, _measure(ir, source, measure, language), after, f"per {per}")))


_AGGREGATES = {
    Language.EN: {
        Aggregate.AVG: ("average", ""), Aggregate.MEDIAN: ("median", ""), Aggregate.MIN: ("lowest", ""),
        Aggregate.MAX: ("highest", ""), Aggregate.STDDEV: ("standard deviation of", ""),
        Aggregate.COUNT_DISTINCT: ("number of different", ""), Aggregate.COUNT: ("number of", ""),
    },
    Language.ID: {
        Aggregate.AVG: ("rata-rata", ""), Aggregate.MEDIAN: ("median", ""), Aggregate.MIN: ("", "terendah"),
        Aggregate.MAX: ("", "tertinggi"), Aggregate.STDDEV: ("simpangan baku", ""),
        Aggregate.COUNT_DISTINCT: ("jumlah", "yang berbeda"), Aggregate.COUNT: ("jumlah", ""),
    },
}  # fmt: skip
_GRAINS = {
    Language.EN: {
        "hour_of_day": "hour of the day", "month_of_year": "month of the year", "year_number": "year",
    },
    Language.ID: {
        "hour": "jam", "day": "hari", "week": "minggu", "month": "bulan", "quarter": "kuartal",
        "year": "tahun",
        "hour_of_day": "jam", "weekday": "hari", "month_of_year": "bulan", "year_number": "tahun",
    },
}  # fmt: skip
