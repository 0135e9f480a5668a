"""Months: their names in English and Indonesian, and adding them."""

from __future__ import annotations

from datetime import date, datetime, time

MONTHS = {
    1: ("january", "januari", "jan"),
    2: ("february", "februari", "feb"),
    3: ("march", "maret", "mar"),
    4: ("april", "apr"),
    5: ("may", "mei"),
    6: ("june", "juni", "jun"),
    7: ("july", "juli", "jul"),
    8: ("august", "agustus", "agu", "aug"),
    9: ("september", "sept", "sep"),
    10: ("october", "oktober", "okt", "oct"),
    11: ("november", "nopember", "nov"),
    12: ("december", "desember", "des", "dec"),
}
_NUMBERS = {name: number for number, names in MONTHS.items() for name in names}
MONTH = "|".join(sorted(_NUMBERS, key=len, reverse=True))
"""A pattern of every name, the longest first."""


def month_number(name: str) -> int:
    """1 to 12; a name that `MONTH` matches."""
    return _NUMBERS[name]


def add_months(moment: datetime, count: int) -> datetime:
    """The first of a month, so many months later."""
    turns, month = divmod(moment.month - 1 + count, 12)
    return moment.replace(year=moment.year + turns, month=month + 1)


def midnight(year: int, month: int = 1, day: int = 1) -> datetime:
    """The first second of a day, without a time zone: the data have none.

    Raises:
        ValueError: If there is no such day.
    """
    return datetime.combine(date(year, month, day), time())
