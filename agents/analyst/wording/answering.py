"""Answering: what a result says, in a few sentences whose numbers are its cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agents.analyst.planning.outcome import Planned
from agents.analyst.planning.words import Language
from agents.analyst.wording.caveats import assumed, noted
from agents.analyst.wording.goals import restated
from agents.analyst.wording.naming import title
from agents.analyst.wording.numbers import written
from agents.analyst.wording.placeholders import filled, place
from envs.analyst.ir import QueryIR
from envs.analyst.results import Caveat, Cell, Result

LISTED = 5
ACROSS = 4
"""Rows, and columns of a list, that are put into words; a table shows the others."""


def answer_text(planned: Planned, result: Result) -> str:
    """The answer, its assumptions and its caveats as plain text in the question's language."""
    first = filled(_template(planned, result), result, planned.language)
    return "\n".join((first, *limits_of(planned, result.caveats)))


def limits_of(planned: Planned, caveats: Iterable[Caveat]) -> Iterator[str]:
    """What was assumed, and what limits an answer, as sentences."""
    yield from (assumed(each, planned.language) for each in planned.assumptions)
    yield from (noted(each, planned.language) for each in caveats)


def _template(planned: Planned, result: Result) -> str:
    language, names = planned.language, _shown(planned, result)
    if not result.rows:
        return _NOTHING[language]
    if len(result.rows) == 1:
        return _one(planned, names)
    labels = [name for name in names if not _measured(planned.ir, name)]
    values = [name for name in names if _measured(planned.ir, name)]
    if labels and values:
        return _ranked(planned, result, labels, values[0])
    return _list(planned, result, names, language)


def _shown(planned: Planned, result: Result) -> list[str]:
    """What was asked for, and the measures beside it that show why."""
    if not planned.ir.aggregates and len(result.names) > len(planned.answer):
        return list(result.names[:ACROSS])
    asked = [name for name in planned.answer if name in result.names]
    measures = [
        measure.alias for measure in planned.ir.measures if measure.shown and measure.alias in result.names
    ]
    before = [f"{name}_before" for name in measures if f"{name}_before" in result.names]
    return list(dict.fromkeys((*asked, *measures, *before)))


def _measured(ir: QueryIR, name: str) -> bool:
    if ir.overall is not None:
        return name == ir.overall.alias
    return any(name in (measure.alias, f"{measure.alias}_before") for measure in ir.measures)


def _one(planned: Planned, names: list[str]) -> str:
    said = [f"{title(planned, name)}: {place(0, name)}" for name in names]
    return "; ".join(said) + "."


def _ranked(planned: Planned, result: Result, labels: list[str], value: str) -> str:
    """The rows in their order where they are few or ranked, else the ends and how many there are."""
    language, count = planned.language, len(result.rows)
    goal = restated(planned)

    def told(row: int) -> str:
        return f"{' / '.join(place(row, label) for label in labels)} {place(row, value)}"

    if count <= LISTED:
        return f"{goal}: {'; '.join(map(told, range(count)))}."
    if planned.ir.order_by and planned.ir.order_by[0].by == value:
        return f"{goal}: {'; '.join(map(told, range(LISTED)))}{_more(result, LISTED, language)}."
    at = result.names.index(value)
    numbers = [(float(row[at] or 0), row_at) for row_at, row in enumerate(result.rows) if _is_number(row[at])]
    if not numbers:
        return f"{goal}: {'; '.join(map(told, range(LISTED)))}{_more(result, LISTED, language)}."
    most, least = told(max(numbers)[1]), told(min(numbers)[1])
    if language is Language.EN:
        return f"{goal}: highest {most}; lowest {least}; {written(count, None, language)} in all."
    return f"{goal}: tertinggi {most}; terendah {least}; semuanya {written(count, None, language)}."


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _list(planned: Planned, result: Result, names: list[str], language: Language) -> str:
    rows = min(LISTED, len(result.rows))
    parts = [" / ".join(place(row, name) for name in names) for row in range(rows)]
    head = ", ".join(title(planned, name) for name in names)
    return f"{head}: {'; '.join(parts)}{_more(result, rows, language)}."


def _more(result: Result, rows: int, language: Language) -> str:
    rest = result.row_count - rows
    if rest <= 0:
        return ""
    count = written(rest, None, language)
    return f"; and {count} more" if language is Language.EN else f"; dan {count} lagi"


_NOTHING = {
    Language.EN: "No rows match this question.",
    Language.ID: "Tidak ada baris yang cocok dengan pertanyaan ini.",
}
