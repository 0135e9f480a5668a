"""Delimited text: which separator a file has, where its header is, and its rows.

No row is lost: one that does not fit is named and the file is refused. Leaves to `decoding` the letters and
to `importing` the types.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from itertools import islice

from agents.analyst.sources.grids import Chunk, Grid, named
from agents.analyst.sources.receiving import UploadLimits, UploadRefused, too_many

_SEPARATORS = (",", ";", "\t", "|")
LEAST_FIT = 0.75
"""The share of rows that a separator must fit to be one."""
_LOOKED_AT = 2_000
_CHUNK = 50_000
_DECLARED = re.compile(r"^sep=(.)\r?\n")

Row = tuple[int, list[str]]


def read_delimited(text: str, table: str, limits: UploadLimits) -> Grid:
    """The table in a text.

    Raises:
        UploadRefused: If there is none, a row has more cells than the header, or a limit is passed.
    """
    declared = _DECLARED.match(text)
    if declared:
        text = text[declared.end() :]
    first = 1 if declared is None else 2
    separator = declared.group(1) if declared else _separator(text)
    rows = _rows(text, separator, first)
    above = _above(list(islice(_rows(text, separator, first), _LOOKED_AT)))
    header = next(islice(rows, above, None), None)
    if header is None:
        raise UploadRefused("empty", "the file has no rows; its first row must name the columns")
    typed = _stripped(header[1])
    if len(typed) > limits.columns:
        raise too_many("columns", len(typed), limits.columns)
    names, notes = named(table, typed)
    return Grid(table, names, _chunks(rows, len(names), limits), notes)


def _separator(text: str) -> str:
    """The separator by which most rows have as many cells as the header; a line feed where none fits."""
    best, most = "\n", LEAST_FIT
    for separator in _SEPARATORS:
        try:
            rows = [row for _, row in islice(_rows(text, separator, 1, strict=False), _LOOKED_AT)]
        except UploadRefused:
            # By the wrong separator a line is one value, longer than any may be.
            continue
        widths = [len(_stripped(row)) for row in rows]
        at = _widest(widths)
        if not rows or widths[at] < 2:
            continue
        body = rows[at + 1 :]
        fit = sum(len(row) > 1 and len(_stripped(row)) <= widths[at] for row in body) / max(1, len(body))
        # Of two that fit the one is taken by which no row stands above the header.
        score = (fit if body else 1.0) - at / _LOOKED_AT
        if score > most:
            best, most = separator, score
    return best


def _widest(widths: list[int]) -> int:
    """Where the header is: the first row as wide as most rows are; titles above it are narrower."""
    usual = max(set(widths), key=lambda width: (widths.count(width), width)) if widths else 0
    return next((at for at, width in enumerate(widths) if width >= usual), 0)


def _above(rows: list[Row]) -> int:
    """How many rows stand above the header."""
    widths = [len(_stripped(row)) for _, row in rows]
    at = _widest(widths)
    # Only a title, alone in its row, is passed over; a header that is shorter than its rows stays one.
    return at if all(width == 1 for width in widths[:at]) else 0


def _rows(text: str, separator: str, first: int, strict: bool = True) -> Iterator[Row]:
    """Rows that are not blank, each with the line on which it begins.

    Args:
        strict: Whether quotes must be closed; by the wrong separator they never are.
    """
    if separator == "\n":
        # csv takes no line feed; a sign that no text has leaves every line in one cell.
        separator = "\x1f"
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=strict)
    line = first
    try:
        for row in reader:
            if any(row):
                yield line, row
            line = first + reader.line_num
    except csv.Error as error:
        raise UploadRefused(
            "unreadable",
            f"the row that begins on line {line} cannot be read ({error}); is a quote left open?",
        ) from error


def _stripped(row: list[str]) -> list[str]:
    """A row without the empty cells at its end."""
    end = len(row)
    while end and not row[end - 1].strip():
        end -= 1
    return row[:end]


def _chunks(rows: Iterator[Row], width: int, limits: UploadLimits) -> Iterator[Chunk]:
    total = 0
    while piece := list(islice(rows, _CHUNK)):
        total += len(piece)
        if total > limits.rows:
            raise too_many("rows or more", total, limits.rows)
        fitted = [row if len(row) == width else _fitted(line, row, width) for line, row in piece]
        yield [line for line, _ in piece], [list(column) for column in zip(*fitted, strict=True)]


def _fitted(line: int, row: list[str], width: int) -> list[str]:
    short = _stripped(row)
    if len(short) > width:
        raise UploadRefused(
            "unreadable",
            f"line {line} has {len(short)} cells and the header names {width} columns; a value with the"
            " separator in it needs quotes",
        )
    return short + [""] * (width - len(short))
