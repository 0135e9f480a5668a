"""Placeholders: texts with places for cells, and whether a text has numbers that are no cells.

`{0.revenue}` is the cell of column `revenue` in the first row. A model words an answer with such places too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isclose

from agents.analyst.planning.words import Language
from agents.analyst.wording.numbers import written
from envs.analyst.results import Result

_PLACE = re.compile(r"\{(\d+)\.([^{}]+)\}")
_NUMBER = re.compile(r"(?<![\w.,])[-−]?\d[\d.,]*\d|(?<![\w.,])[-−]?\d")
_SCALES = {
    "k": 1e3,
    "m": 1e6,
    "b": 1e9,
    "bn": 1e9,
    "jt": 1e6,
    "juta": 1e6,
    "million": 1e6,
    "ribu": 1e3,
    "miliar": 1e9,
}


class NoSuchCell(ValueError):
    """A place for a cell that the result does not have; the text says which columns and rows there are."""


def place(row: int, column: str) -> str:
    """The placeholder of a cell."""
    return f"{{{row}.{column}}}"


def filled(template: str, result: Result, language: Language) -> str:
    """A template with its cells.

    Raises:
        NoSuchCell: If it names one that is not there.
    """

    def cell(match: re.Match[str]) -> str:
        row, name = int(match[1]), match[2]
        if name not in result.names or row >= len(result.rows):
            raise NoSuchCell(
                f"{{{row}.{name}}} is no cell: rows are 0 to {len(result.rows) - 1},"
                f" columns {', '.join(result.names)}"
            )
        at = result.names.index(name)
        return written(result.rows[row][at], result.columns[at], language)

    return _PLACE.sub(cell, template)


def unproven(text: str, result: Result, said: str = "") -> tuple[str, ...]:
    """Numbers of a text that are neither in the result nor in the question.

    A number may be rounded as far as it is written, and a share may stand as a percentage.

    Args:
        said: The question, whose own numbers (`top 3`, `2026`) may be repeated.
    """
    known = [float(cell) for row in result.rows for cell in row if isinstance(cell, int | float)]
    known += [float(result.row_count)]
    spoken = {number for _, number, _ in _numbers(said)}
    texts = " ".join(str(cell) for row in result.rows for cell in row if isinstance(cell, str))
    spoken |= {number for _, number, _ in _numbers(texts)}
    return tuple(
        word
        for word, number, half in _numbers(text)
        if number not in spoken and not _proven(number, half, known)
    )


def _proven(number: float, half: float, known: list[float]) -> bool:
    """Whether a number is a cell, or a hundred times one, as far as its digits go."""
    return any(
        abs(abs(number) - abs(cell * factor)) <= half or isclose(abs(number), abs(cell * factor))
        for cell in known
        for factor in (1.0, 100.0)
    )


def _numbers(text: str) -> Iterator[tuple[str, float, float]]:
    """Each number as written, its value, and half a unit of its last digit."""
    for match in _NUMBER.finditer(text):
        digits = match[0].replace("−", "-")
        scale = 1.0
        after = re.match(r"\s?([a-z]+)\b", text[match.end() :], re.IGNORECASE)
        if after:
            scale = _SCALES.get(after[1].lower(), 1.0)
        for value, decimals in _readings(digits):
            yield match[0], value * scale, 0.5 * 10**-decimals * scale
            break


def _readings(digits: str) -> Iterator[tuple[float, int]]:
    """A number's value and decimals: the last separator is a decimal one unless three digits follow it."""
    last = max(digits.rfind("."), digits.rfind(","))
    if last < 0:
        yield float(digits), 0
        return
    whole, fraction = re.sub(r"[.,]", "", digits[:last]), digits[last + 1 :]
    if (len(fraction) == 3 and len(whole.lstrip("-")) <= 3) or digits.count(digits[last]) > 1:
        yield float(f"{whole}{fraction}"), 0
        return
    yield float(f"{whole or '0'}.{fraction}"), len(fraction)
