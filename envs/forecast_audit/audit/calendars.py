"""Calendars: how the points of a series are dated, and where a date stands among them.

A label and its ordinal say the same: neighbouring points have neighbouring ordinals. Dates are Gregorian.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum


class Frequency(StrEnum):
    """How far apart the points of a series are."""

    HOUR = "hour"
    DAY = "day"
    WORKDAY = "working day"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


PERIODS = {
    Frequency.HOUR: 24,
    Frequency.DAY: 7,
    Frequency.WORKDAY: 5,
    Frequency.MONTH: 12,
    Frequency.QUARTER: 4,
    Frequency.YEAR: 1,
}
"""Points of one season; 1 where there is none."""

MONTHS: tuple[str, ...] = (
    *"January February March April May June July".split(),
    *"August September October November December".split(),
)
_QUARTERS = ("first", "second", "third", "fourth")
_MONTH = "|".join(MONTHS)
_DATE = re.compile(
    r"(?P<hour>\d\d):00 on (?P<hday>\d{1,2}) (?P<hmonth>" + _MONTH + r") (?P<hyear>\d{4})"
    r"|(?P<iso>\d{4}-\d\d-\d\d)(?: (?P<isohour>\d\d):\d\d)?"
    r"|(?P<day>\d{1,2}) (?P<month>" + _MONTH + r") (?P<year>\d{4})"
    r"|(?P<myear>\d{4})-(?P<mmonth>\d\d)(?!\d)"
    r"|(?P<wmonth>" + _MONTH + r") (?P<wyear>\d{4})"
    r"|(?P<qyear>\d{4})-Q(?P<quarter>[1-4])"
    r"|(?:the )?(?P<wquarter>first|second|third|fourth) quarter of (?P<wqyear>\d{4})"
    r"|(?<![\d.-])(?P<only>(?:19|20)\d\d)(?![\d.]*\d|-)"
)


def day_number(year: int, month: int, day: int) -> int:
    """Days from 1970-01-01. Source: Hinnant, chrono-compatible low-level date algorithms, days_from_civil."""
    shifted = year - (month <= 2)
    era, of_era = divmod(shifted, 400)
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468


def civil(number: int) -> tuple[int, int, int]:
    """Year, month and day of a day number; the inverse of `day_number`."""
    era, of_era = divmod(number + 719468, 146097)
    year = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    month = (5 * of_year + 2) // 153
    day = of_year - (153 * month + 2) // 5 + 1
    return year + era * 400 + (month >= 10), month + (3 if month < 10 else -9), day


def label(frequency: Frequency, ordinal: int) -> str:
    """How the point of this ordinal is dated."""
    match frequency:
        case Frequency.HOUR:
            return f"{_iso(ordinal // 24)} {ordinal % 24:02d}:00"
        case Frequency.DAY:
            return _iso(ordinal)
        case Frequency.WORKDAY:
            return _iso(_workday(ordinal))
        case Frequency.MONTH:
            return f"{ordinal // 12:04d}-{ordinal % 12 + 1:02d}"
        case Frequency.QUARTER:
            return f"{ordinal // 4:04d}-Q{ordinal % 4 + 1}"
        case Frequency.YEAR:
            return f"{ordinal:04d}"


def worded(frequency: Frequency, ordinal: int) -> str:
    """The same date as people write it in a sentence."""
    match frequency:
        case Frequency.HOUR:
            return f"{ordinal % 24:02d}:00 on {_words(ordinal // 24)}"
        case Frequency.DAY:
            return _words(ordinal)
        case Frequency.WORKDAY:
            return _words(_workday(ordinal))
        case Frequency.MONTH:
            return f"{MONTHS[ordinal % 12]} {ordinal // 12}"
        case Frequency.QUARTER:
            return f"the {_QUARTERS[ordinal % 4]} quarter of {ordinal // 4}"
        case Frequency.YEAR:
            return f"{ordinal}"


def frequency_of(labels: tuple[str, ...]) -> Frequency | None:
    """The calendar that dates a series, by the look of its labels; None if it is none of ours."""
    first = labels[0] if labels else ""
    for pattern, frequency in (
        (r"\d{4}-\d\d-\d\d \d\d:\d\d", Frequency.HOUR),
        (r"\d{4}-\d\d", Frequency.MONTH),
        (r"\d{4}-Q[1-4]", Frequency.QUARTER),
        (r"\d{4}", Frequency.YEAR),
    ):
        if re.fullmatch(pattern, first):
            return frequency
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", first):
        return None
    days = [day_number(*map(int, text.split("-"))) for text in labels if re.fullmatch(r"[\d-]{10}", text)]
    return Frequency.WORKDAY if len(days) > 5 and all((day + 3) % 7 < 5 for day in days) else Frequency.DAY


def ordinals(frequency: Frequency, text: str) -> Iterator[int]:
    """Where the dates that a text mentions stand on a calendar, in the order of the text.

    On an hourly calendar a date without an hour stands at midnight; dates coarser than the calendar are
    skipped.
    """
    for found in _DATE.finditer(text):
        ordinal = _ordinal(frequency, {name: part for name, part in found.groupdict().items() if part})
        if ordinal is not None:
            yield ordinal


def _ordinal(frequency: Frequency, parts: dict[str, str]) -> int | None:
    day = _day_in(parts)
    match frequency:
        case Frequency.HOUR:
            return None if day is None else day * 24 + int(parts.get("hour", parts.get("isohour", "0")))
        case Frequency.DAY:
            return day
        case Frequency.WORKDAY:
            return None if day is None else _workday_ordinal(day)
        case Frequency.MONTH:
            if "myear" in parts:
                return int(parts["myear"]) * 12 + int(parts["mmonth"]) - 1
            return int(parts["wyear"]) * 12 + MONTHS.index(parts["wmonth"]) if "wyear" in parts else None
        case Frequency.QUARTER:
            if "qyear" in parts:
                return int(parts["qyear"]) * 4 + int(parts["quarter"]) - 1
            return (
                int(parts["wqyear"]) * 4 + _QUARTERS.index(parts["wquarter"]) if "wqyear" in parts else None
            )
        case Frequency.YEAR:
            return int(parts["only"]) if "only" in parts else None


def _day_in(parts: dict[str, str]) -> int | None:
    if "iso" in parts:
        year, month, day = map(int, parts["iso"].split("-"))
        return day_number(year, month, day)
    if "hday" in parts:
        return day_number(int(parts["hyear"]), MONTHS.index(parts["hmonth"]) + 1, int(parts["hday"]))
    if "day" in parts:
        return day_number(int(parts["year"]), MONTHS.index(parts["month"]) + 1, int(parts["day"]))
    return None


def _workday(ordinal: int) -> int:
    """The day number of a working day; ordinal 0 is Monday, 1969-12-29."""
    return ordinal // 5 * 7 + ordinal % 5 - 3


def _workday_ordinal(day: int) -> int:
    return (day + 3) // 7 * 5 + min((day + 3) % 7, 4)


def _iso(day: int) -> str:
    year, month, date = civil(day)
    return f"{year:04d}-{month:02d}-{date:02d}"


def _words(day: int) -> str:
    year, month, date = civil(day)
    return f"{date} {MONTHS[month - 1]} {year}"
