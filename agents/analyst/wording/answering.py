"""Answering: what a result says, in a few sentences whose numbers are its cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agents.analyst.planning.outcome import Planned
from agents.analyst.planning.words import Language
from agents.analyst.wording.caveats import assumed, noted
from agents.analyst.wording.numbers import written
from agents.analyst.wording.placeholders import filled, place
from envs.analyst.ir import QueryIR
from envs.analyst.results import Caveat, Result

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
        ordered = any(each.by in values for each in planned.ir.order_by)
        return _ranked(result, labels, values[0], language, ordered=ordered)
    return _list(result, names, language)


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
    return any(name in (measure.alias, f"{measure.alias}_before") for measure in ir.measures)


def _one(planned: Planned, names: list[str]) -> str:
    said = [f"{title(name, planned.language)}: {place(0, name)}" for name in names]
    return "; ".join(said) + "."


def _placed(row: int, labels: list[str], value: str) -> str:
    return f"{' / '.join(place(row, label) for label in labels)} {place(row, value)}"


def _ends(result: Result, labels: list[str], value: str, language: Language) -> str:
    """Of many groups in no order of theirs the greatest and the least; the table has them all."""
    at = result.names.index(value)
    numbers = {row: cells[at] for row, cells in enumerate(result.rows)}
    valued = {row: float(cell) for row, cell in numbers.items() if isinstance(cell, int | float)}
    if not valued:
        return _list(result, [*labels, value], language)
    most, least = max(valued, key=valued.__getitem__), min(valued, key=valued.__getitem__)
    count = written(result.row_count, None, language)
    said = (_placed(most, labels, value), _placed(least, labels, value))
    if language is Language.EN:
        return f"{title(value, language)}, {count} rows: highest {said[0]}; lowest {said[1]}."
    return f"{title(value, language)}, {count} baris: tertinggi {said[0]}; terendah {said[1]}."


def _ranked(result: Result, labels: list[str], value: str, language: Language, *, ordered: bool) -> str:
    if not ordered and len(result.rows) > LISTED:
        return _ends(result, labels, value, language)
    rows = min(LISTED, len(result.rows))
    parts = [_placed(row, labels, value) for row in range(rows)]
    return f"{title(value, language)}: {'; '.join(parts)}{_more(result, rows, language)}."


def _list(result: Result, names: list[str], language: Language) -> str:
    rows = min(LISTED, len(result.rows))
    parts = [" / ".join(place(row, name) for name in names) for row in range(rows)]
    heads = ", ".join(title(name, language) for name in names)
    return f"{heads}: {'; '.join(parts)}{_more(result, rows, language)}."


def _more(result: Result, rows: int, language: Language) -> str:
    rest = result.row_count - rows
    if rest <= 0:
        return ""
    count = written(rest, None, language)
    return f"; and {count} more" if language is Language.EN else f"; dan {count} lagi"


def title(name: str, language: Language) -> str:
    """A column's name as words: `total_amount` is `Total amount`, `count_orders` is `Number of orders`."""
    words, said = list(_words(name)), list[str]()
    while begun := _begun(words, language):
        start, meant = begun
        said.append(meant)
        del words[: len(start)]
    text = " ".join((*said, *words))
    return text[:1].upper() + text[1:]


def _begun(words: list[str], language: Language) -> tuple[tuple[str, ...], str] | None:
    """What the words begin with of the names that queries give to aggregates, and what it means."""
    known = ((start, meant) for start, meant in _AGGREGATES[language] if tuple(words[: len(start)]) == start)
    return next(((start, meant) for start, meant in known if len(words) > len(start)), None)


def _words(name: str) -> Iterator[str]:
    """The words of a name; one that comes twice in a row, as of a table and its column, once."""
    before = ""
    for word in name.replace(".", "_").split("_"):
        if word != before:
            yield word
        before = word


_AGGREGATES = {
    Language.EN: (
        (("share", "of", "count"), "share of"),
        (("average", "count"), "average number of"),
        (("count", "distinct"), "number of different"),
        (("count",), "number of"),
    ),
    Language.ID: (
        (("share", "of", "count"), "bagian"),
        (("share", "of"), "bagian"),
        (("average",), "rata-rata"),
        (("count", "distinct"), "jumlah berbeda"),
        (("count",), "jumlah"),
    ),
}
_NOTHING = {
    Language.EN: "No rows match this question.",
    Language.ID: "Tidak ada baris yang cocok dengan pertanyaan ini.",
}
