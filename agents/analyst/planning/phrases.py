"""Phrases: how times are said in English and Indonesian, as patterns; what they mean is the calendar's."""

from __future__ import annotations

import re
from enum import StrEnum

from agents.analyst.planning.months import MONTH


class Unit(StrEnum):
    """A step of the calendar."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


_UNITS = {
    Unit.HOUR: r"hours?|jam",
    Unit.DAY: r"days?|hari",
    Unit.WEEK: r"weeks?|minggu|pekan",
    Unit.MONTH: r"months?|bulan",
    Unit.QUARTER: r"quarters?|kuartal|triwulan",
    Unit.YEAR: r"years?|tahun",
}


_UNIT = "|".join(_UNITS.values())


_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve",
    "satu dua tiga empat lima enam tujuh delapan sembilan sepuluh sebelas",
)


NUMBERS = {word: n for words in _WORDS for n, word in enumerate(words.split(), 1)}


_COUNT = rf"\d+|{'|'.join(NUMBERS)}"


ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4,
    "pertama": 1, "kedua": 2, "ketiga": 3, "keempat": 4, "i": 1, "ii": 2, "iii": 3, "iv": 4,
    "1": 1, "2": 2, "3": 3, "4": 4,
}  # fmt: skip


_YEAR = r"(?:19|20)\d\d"


_ORDINAL = "|".join(sorted(ORDINALS, key=len, reverse=True))


_POINT = (
    rf"(?:(?P<iso>{_YEAR}-\d\d?(?:-\d\d?)?)"
    rf"|(?P<slash>\d\d?/\d\d?/{_YEAR})"
    rf"|(?P<day>\d\d?)(?:st|nd|rd|th)?(?:\s+of)?\s+(?P<month>{MONTH})\.?(?:,?\s+(?P<year>{_YEAR}))?"
    rf"|(?P<month2>{MONTH})\.?\s+(?P<day2>\d\d?)(?:st|nd|rd|th)?(?!\d)(?:,?\s+(?P<year2>{_YEAR}))?"
    rf"|(?P<month3>{MONTH})\.?(?:\s+(?:of\s+|tahun\s+)?(?P<year3>{_YEAR}))?"
    rf"|q(?P<quarter>[1-4])(?:\s*,?\s*(?:of\s+)?(?P<year4>{_YEAR}))?"
    rf"|(?P<year6>{_YEAR})\s*q(?P<quarter6>[1-4])"
    rf"|(?P<year5>{_YEAR}))"
)


def _named(point: str, tag: str) -> str:
    return re.sub(r"\?P<(\w+)>", rf"?P<\1_{tag}>", point)


_A = _named(_POINT, "a")


_B = _named(_POINT, "b")


BETWEEN = re.compile(
    rf"\b(?:(?:between|antara)\s+{_A}\s+(?:and|dan)\s+{_B}"
    rf"|(?:from|dari)\s+{_A.replace('_a>', '_c>')}\s+(?:to|until|till|through|sampai|hingga|"
    rf"ke)\s+{_B.replace('_b>', '_d>')})"
)


BARE_DAYS = re.compile(
    rf"\b(?:between|antara|from|dari)\s+(?P<low>\d\d?)(?:st|nd|rd|th)?\s+(?:and|dan|to|sampai|hingga)\s+"
    rf"(?P<high>\d\d?)(?:st|nd|rd|th)?(?:\s+of)?\s+(?P<month>{MONTH})(?:,?\s+(?P<year>{_YEAR}))?\b"
)


SINCE = r"since|starting (?:from|in)|from|sejak|mulai(?: dari)?|on or after"


AFTER = r"(?:strictly )?after|later than|setelah|sesudah"


BEFORE = r"before|prior to|earlier than|sebelum"


_UNTIL = r"until|till|up to|through|by the end of|sampai|hingga|on or before"


EDGE = re.compile(
    rf"\b(?P<edge>{SINCE}|{AFTER}|{BEFORE}|{_UNTIL})\s+(?:the\s+)?(?:year\s+|tahun\s+)?{_POINT}\b"
)


OR_LATER = re.compile(
    rf"\b{_POINT}\s+(?:or|and|atau|dan)\s+(?P<edge>later|after|onwards?|setelahnya|sesudahnya|before|earlier|sebelumnya)\b"
)


ROLLING = re.compile(
    rf"\b(?:(?:the\s+)?(?:last|past|previous|recent|trailing)\s+(?P<n>{_COUNT})\s+(?P<unit>{_UNIT})"
    rf"|(?P<n_id>{_COUNT})\s+(?P<unit_id>{_UNIT})\s+(?:terakhir|belakangan|ke belakang|yang lalu|lalu))\b"
)


STEP = re.compile(
    rf"\b(?:(?P<which>this|current|last|previous|prior|past|next)\s+(?P<unit>{_UNIT})"
    rf"|(?P<unit_id>{_UNIT})\s+(?P<which_id>ini|berjalan|lalu|kemarin|sebelumnya|"
    rf"depan))\b(?:\s+so far|\s+sejauh ini)?"
)


TO_DATE = re.compile(
    r"\b(?:(?P<short>[ymqw])td|(?P<unit>year|month|quarter|week)[ -]to[ -]date|"
    r"sejak awal (?P<unit_id>tahun|bulan|kuartal|minggu))\b"
)


DAY = re.compile(r"\b(?P<day>today|yesterday|hari ini|kemarin)\b")


QUARTER = re.compile(
    rf"\b(?:(?P<fiscal>fiscal|fy|fiskal)\s*)?(?:q(?P<q>[1-4])|(?P<ord>{_ORDINAL})\s+quarter"
    rf"|(?:kuartal|triwulan|quarter)\s+(?:ke-?)?(?P<ord_id>{_ORDINAL}))"
    rf"(?P<fiscal_id>\s+fiskal)?(?:\s*,?\s*(?:(?:of|in|tahun|pada)\s+)*(?:fiscal year\s+|"
    rf"fy\s*)?(?P<year>{_YEAR}))?"
    rf"(?:\s+of the (?:fiscal )?year (?:starting|"
    rf"beginning)(?: in)? (?:1 )?(?P<from>{MONTH})(?:\s+(?P<from_year>{_YEAR}))?)?\b"
    rf"|\b(?P<year_q>{_YEAR})\s*-?q(?P<q_after>[1-4])\b"
)


HALF = re.compile(
    rf"\b(?:h(?P<h>[12])|(?P<ord>first|second) half(?: of)?|(?:semester|"
    rf"paruh) (?:ke-?)?(?P<ord_id>pertama|kedua|1|2|i|ii))"
    rf"(?:\s*(?:of|tahun|in)?\s*(?P<year>{_YEAR}))?\b"
)


FISCAL_YEAR = re.compile(rf"\b(?:fiscal year|fy|tahun fiskal)\s*(?P<year>{_YEAR})?\b")


AT = re.compile(rf"\b(?:(?:year|tahun|month|bulan)\s+)?{_POINT}\b")


YEARS = re.compile(rf"\b(?P<one>{_YEAR})\s*(?:-|–|to|sampai|hingga)\s*(?P<other>{_YEAR})\b")


def unit_of(word: str) -> Unit:
    return next(unit for unit, pattern in _UNITS.items() if re.fullmatch(pattern, word))
