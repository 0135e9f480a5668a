"""The table of an answer as text: numbers as the answer's language writes them."""

from __future__ import annotations

from dataclasses import dataclass

from envs.analyst.moments import TIMES, moment
from envs.analyst.results import Cell, ResultColumn
from envs.analyst.turns import Language, Shown

NUMBERS = ("integer", "number")
SHARE = "%"
_SWAPPED = str.maketrans(",.", ".,")


@dataclass(frozen=True, slots=True)
class Head:
    """The top of a column; numbers stand right, and neither they nor times are broken."""

    name: str
    unit: str
    number: bool
    time: bool


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as it is read.

    Attributes:
        raw: Of each cell what a program reads; "" where it is what stands there.
        cut: How many rows there are, where not all are shown; else 0.
    """

    caption: str
    heads: tuple[Head, ...]
    rows: tuple[tuple[str, ...], ...]
    raw: tuple[tuple[str, ...], ...]
    cut: int


def grid(table: Shown, language: Language) -> Grid:
    """An answer's table."""
    heads = tuple(_head(column) for column in table.columns)
    rows = tuple(
        tuple(written(cell, column, language) for cell, column in zip(row, table.columns, strict=True))
        for row in table.rows
    )
    raw = tuple(tuple(map(_raw, row, table.columns)) for row in table.rows)
    return Grid(table.caption, heads, rows, raw, table.row_count if table.row_count > len(rows) else 0)


def written(cell: Cell, column: ResultColumn, language: Language) -> str:
    """A cell as people write it; a share as its percentage."""
    time = moment(cell, column, language)
    if time is not None:
        return time
    match cell:
        case None:
            return "–"
        case bool():
            return str(cell).lower()
        case int() | float():
            return _number(cell, column, language)
        case str():
            return cell


def _raw(cell: Cell, column: ResultColumn) -> str:
    if isinstance(cell, str):
        return cell if column.type in TIMES else ""
    return repr(cell) if isinstance(cell, int | float) and not isinstance(cell, bool) else ""


def _head(column: ResultColumn) -> Head:
    unit = "" if column.unit in (None, SHARE) else str(column.unit)
    return Head(column.name.replace("_", " "), unit, column.type in NUMBERS, column.type in TIMES)


def _number(number: float, column: ResultColumn, language: Language) -> str:
    if column.named:
        # A year or a key; parted by thousands nobody knows it again.
        return str(number)
    if column.unit == SHARE:
        return f"{_grouped(f'{100 * number:,.1f}', language)}%"
    if isinstance(number, int):
        return _grouped(f"{number:,}", language)
    small = 0 < abs(number) < 1
    return _grouped(f"{number:,.4g}" if small else f"{number:,.2f}", language)


def _grouped(text: str, language: Language) -> str:
    return text.translate(_SWAPPED) if language is Language.ID else text
