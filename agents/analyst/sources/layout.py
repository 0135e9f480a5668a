"""Layout: in which order the pieces of a page are read.

Text in two or three columns is read column by column; rows of a table are read across. Knows a page as lines
in which blanks stand for distance, nothing of files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

GUTTER = 3
"""Blanks between columns at least; words of a line stand closer."""
_MOST_COLUMNS = 3
_PIECE = re.compile(rf"\S+(?: {{1,{GUTTER - 1}}}\S+)*")
_FIGURES = re.compile(r"[\s\d.,%$€£()+-]+")


class Piece(NamedTuple):
    """Words that stand together: on which line, from which place."""

    line: int
    start: int
    text: str


def read_in_order(page: str) -> str:
    """The text of a page as it is read, a line feed after each line."""
    pieces = [
        Piece(at, found.start(), found.group())
        for at, line in enumerate(page.splitlines())
        for found in _PIECE.finditer(line)
    ]
    columns = _columns(pieces)
    if not 1 < len(columns) <= _MOST_COLUMNS or any(_is_figures(column) for column in columns[1:]):
        columns = [pieces]
    return "\n".join(line for column in columns for line in _lines(column))


def _columns(pieces: Iterable[Piece]) -> list[list[Piece]]:
    """Pieces between the same gutters, from the left; a gutter is a stretch that no piece enters."""
    columns: list[list[Piece]] = []
    reach = -GUTTER
    for piece in sorted(pieces, key=lambda each: each.start):
        if piece.start - reach >= GUTTER:
            columns.append([])
        columns[-1].append(piece)
        reach = max(reach, piece.start + len(piece.text))
    return columns


def _is_figures(column: Sequence[Piece]) -> bool:
    return 2 * sum(bool(_FIGURES.fullmatch(piece.text)) for piece in column) > len(column)


def _lines(pieces: Iterable[Piece]) -> list[str]:
    lines: dict[int, list[str]] = {}
    for piece in sorted(pieces):
        lines.setdefault(piece.line, []).append(piece.text)
    return [" ".join(" ".join(line).split()) for line in lines.values()]
