"""Showing: tables and texts of any size as the trace and the page have them.

The trace's previews have few rows and short texts; how many rows there were is kept.
"""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import JsonValue

from envs.analyst.results import Cell, ResultColumn, Row
from envs.analyst.turns import LONGEST, PREVIEWED, TABLED, JsonObject, Shown, TableOutput

_CUT = "…"


def short(text: str) -> str:
    """A text of at most `LONGEST` characters; of a longer one the beginning."""
    return text if len(text) <= LONGEST else text[: LONGEST - len(_CUT)] + _CUT


def shortened(value: JsonValue) -> JsonValue:
    """A value whose texts are short at any depth."""
    match value:
        case str():
            return short(value)
        case list():
            return [shortened(each) for each in value]
        case dict():
            return {name: shortened(each) for name, each in value.items()}
        case _:
            return value


def shortened_object(value: JsonObject) -> JsonObject:
    """As `shortened`."""
    return {name: shortened(each) for name, each in value.items()}


def preview(columns: Iterable[str], rows: tuple[Row, ...]) -> TableOutput:
    """What the trace shows of a table."""
    return TableOutput(
        columns=tuple(map(short, columns)),
        row_count=len(rows),
        preview=tuple(tuple(map(_cell, row)) for row in rows[:PREVIEWED]),
    )


def shown(caption: str, columns: tuple[ResultColumn, ...], rows: tuple[Row, ...]) -> Shown:
    """What the page shows of a table."""
    kept = tuple(tuple(map(_cell, row)) for row in rows[:TABLED])
    return Shown(caption=caption, columns=columns, rows=kept, row_count=len(rows))


def _cell(cell: Cell) -> Cell:
    return short(cell) if isinstance(cell, str) else cell
