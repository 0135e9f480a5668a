"""The table of an answer as text: numbers as the answer's language writes them."""

from __future__ import annotations

from dataclasses import dataclass

from envs.analyst.results import Cell, ResultColumn
from envs.analyst.turns import Language, Shown

NUMBERS = ("integer", "number")
TIMES = ("date", "timestamp")
SHARE = "%"
_SWAPPED = str.maketrans(",.", ".,")
_YEARS = ("year", "tahun")
_MONTHS = ("month", "bulan")
_QUARTERS = ("quarter", "kuartal", "triwulan")


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
    raw = tuple(tuple(map(_raw, row)) for row in table.rows)
    return Grid(table.caption, heads, rows, raw, table.row_count if table.row_count > len(rows) else 0)


def written(cell: Cell, column: ResultColumn, language: Language) -> str:
    """A cell as people write it; a share as its percentage."""
    match cell:
        case None:
            return "–"
        case bool():
            return str(cell).lower()
        case int() | float():
            return _number(cell, column, language)
        case str() if column.type in TIMES:
            return _time(cell, column)
        case str():
            return cell


def _raw(cell: Cell) -> str:
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


def _time(text: str, column: ResultColumn) -> str:
    """A day or a minute; of a column of months, quarters or years what its first day stands for."""
    day = text.removesuffix("T00:00:00")
    year, month, *_ = day.split("-")
    if not day.endswith("-01"):
        return day.replace("T", " ")
    if _named(column, _MONTHS):
        return f"{year}-{month}"
    if _named(column, _QUARTERS):
        return f"{year}-Q{(int(month) + 2) // 3}"
    return year if _named(column, _YEARS) else day


def _named(column: ResultColumn, words: tuple[str, ...]) -> bool:
    return any(word in column.name.lower().split("_") for word in words)


def _grouped(text: str, language: Language) -> str:
    return text.translate(_SWAPPED) if language is Language.ID else text
