"""Days as whole numbers, and how they are written. No leap years: no case is set in one."""

from __future__ import annotations

from itertools import accumulate

LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_STARTS = (0, *accumulate(LENGTHS[:-1]))
YEAR = sum(LENGTHS)


def written(day: int) -> str:
    """The day as `2031-05-14`; day 0 is the first of the year 0."""
    year, rest = divmod(day, YEAR)
    month = max(index for index, start in enumerate(_STARTS) if start <= rest)
    return f"{year:04d}-{month + 1:02d}-{rest - _STARTS[month] + 1:02d}"


def read(text: str) -> int:
    """The day that is written so; inverse of `written`."""
    year, month, day = map(int, text.split("-"))
    return year * YEAR + _STARTS[month - 1] + day - 1
