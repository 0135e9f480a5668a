"""Sheets: the tables of a workbook, with its headers over two rows, merged cells and dates.

A workbook says of each cell what it is; its dates become ISO texts by the workbook's own calendar. Leaves to
`importing` which type a column has.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from datetime import date, datetime, time
from itertools import islice
from typing import Any

import openpyxl  # pyright: ignore[reportMissingTypeStubs] - it ships none
import openpyxl.utils.cell as openpyxl_cells  # pyright: ignore[reportMissingTypeStubs] - it ships none

from agents.analyst.sources.grids import Chunk, Grid, named
from agents.analyst.sources.receiving import UploadLimits, UploadRefused, too_many

_CHUNK = 20_000
_OLD = b"\xd0\xcf\x11\xe0"
_MERGED = re.compile(
    rb"<(?:\w+:)?mergeCell\b[^>]*\bref\s*=\s*[\"']([A-Z]{1,3}\d{1,7}:[A-Z]{1,3}\d{1,7})[\"']"
)
_openpyxl: Any = openpyxl
_utils: Any = openpyxl_cells

Cells = list[list[Any]]
"""Rows of a sheet from its first: openpyxl's cells."""


def read_workbook(content: bytes, limits: UploadLimits) -> tuple[Grid, ...]:
    """The sheets that have a table, in order.

    Raises:
        UploadRefused: If it is no workbook, is locked, or passes a limit.
    """
    if content.startswith(_OLD):
        raise UploadRefused(
            "needs_password",
            "the workbook needs a password or is of the old kind; save it as .xlsx without one",
        )
    _check_packed(content, limits)
    try:
        book = _openpyxl.load_workbook(io.BytesIO(content), data_only=True)
    except Exception as error:  # openpyxl lets out whatever its XML and ZIP readers raise.
        raise UploadRefused("unreadable", f"the workbook cannot be read: {type(error).__name__}") from error
    sheets = list(book.worksheets)
    if len(sheets) > limits.tables:
        raise too_many("sheets", len(sheets), limits.tables)
    found = (_grid(sheet, limits) for sheet in sheets)
    return tuple(grid for grid in found if grid is not None)


def _check_packed(content: bytes, limits: UploadLimits) -> None:
    """A small file can unpack to one that fills the memory."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            size = sum(part.file_size for part in packed.infolist())
            if size > limits.unpacked:
                raise too_many("bytes when it is unpacked", size, limits.unpacked)
            merged = max((_merged(packed.read(part)) for part in packed.infolist()), default=0)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
        raise UploadRefused("unreadable", "the workbook is damaged; save it again and send it") from error
    if merged > limits.cells:
        raise too_many("merged cells in a sheet", merged, limits.cells)


def _merged(part: bytes) -> int:
    """How many cells a part merges: the reader makes every one of them before it can be asked."""
    ranges = (_utils.range_boundaries(found[1].decode()) for found in _MERGED.finditer(part))
    return sum((right - left + 1) * (bottom - top + 1) for left, top, right, bottom in ranges)


def _grid(sheet: Any, limits: UploadLimits) -> Grid | None:
    if sheet.max_row > limits.rows:
        raise too_many(f"rows in sheet {sheet.title!r}", sheet.max_row, limits.rows)
    if sheet.max_column > limits.columns:
        raise too_many(f"columns in sheet {sheet.title!r}", sheet.max_column, limits.columns)
    if sheet.max_row * sheet.max_column > limits.cells:
        raise too_many(f"cells in sheet {sheet.title!r}", sheet.max_row * sheet.max_column, limits.cells)
    cells: Cells = [list(row) for row in sheet.iter_rows()]
    values = [[_text(cell) for cell in row] for row in cells]
    at = _header(values)
    if at is None:
        return None
    width = max((place + 1 for row in values[at:] for place, value in enumerate(row) if value), default=0)
    header = [merged for merged in sheet.merged_cells.ranges if merged.min_row == at + 1]
    across = [merged for merged in header if merged.max_col > merged.min_col]
    typed, body = _names(values, at, width, across)
    for merged in sheet.merged_cells.ranges:
        if merged.min_row > body:
            _spread(values, merged)
    names, notes = named(sheet.title, typed)
    dated = frozenset(name for place, name in enumerate(names) if _is_dated(cells[body:], place))
    return Grid(sheet.title, names, _chunks(values, body, width), notes, dated)


def _header(values: list[list[str | None]]) -> int | None:
    """Where the header is: the first row that is not a title, which stands alone in its row."""
    counts = [sum(1 for value in row if value) for row in values]
    if not any(counts):
        return None
    wide = max(counts) > 1
    return next(at for at, count in enumerate(counts) if count > (1 if wide else 0))


def _names(values: list[list[str | None]], at: int, width: int, across: list[Any]) -> tuple[list[str], int]:
    """The columns' names, and the row at which the body begins."""
    upper = [value or "" for value in values[at][:width]]
    below = values[at + 1][:width] if at + 1 < len(values) else []
    spanned = {place for merged in across for place in range(merged.min_col - 1, merged.max_col)}
    if not across or not all(place < len(below) and below[place] for place in spanned):
        return upper, at + 1
    for merged in across:
        for place in range(merged.min_col - 1, min(merged.max_col, width)):
            upper[place] = upper[merged.min_col - 1]
    return [f"{high} {low or ''}".strip() for high, low in zip(upper, below, strict=True)], at + 2


def _spread(values: list[list[str | None]], merged: Any) -> None:
    """Every cell under a merged one has its value."""
    top, left = int(merged.min_row) - 1, int(merged.min_col) - 1
    for row in range(top, int(merged.max_row)):
        for place in range(left, int(merged.max_col)):
            values[row][place] = values[top][left]


def _is_dated(cells: Cells, place: int) -> bool:
    there = [row[place] for row in cells if place < len(row) and row[place].value is not None]
    return 2 * sum(isinstance(cell.value, date) for cell in there) > len(there)


def _chunks(values: list[list[str | None]], body: int, width: int) -> Iterator[Chunk]:
    rows = ((at + 1, row[:width]) for at, row in enumerate(values) if at >= body and any(row))
    while piece := list(islice(rows, _CHUNK)):
        fitted = [row + [None] * (width - len(row)) for _, row in piece]
        yield [line for line, _ in piece], [list(column) for column in zip(*fitted, strict=True)]


def _text(cell: Any) -> str | None:
    """A cell as it would be typed."""
    value = cell.value
    match value:
        case None:
            return None
        case bool():
            return "true" if value else "false"
        case datetime():
            return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "seconds")
        case date() | time():
            return value.isoformat()
        case int() | float():
            return _number(value, str(cell.number_format))
        case _:
            return None if cell.data_type == "e" else str(value)


def _number(value: float, form: str) -> str:
    if "%" in form:
        return f"{value * 100:.12g}%"
    return str(int(value)) if float(value).is_integer() and abs(value) < 2**63 else repr(value)
