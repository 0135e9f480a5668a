"""Moments: cells that stand for a time, a weekday or a month, as people write them in the answer's language.

What a column's numbers stand for is told by the last word of its name, as the query names it by its grain.
"""

from __future__ import annotations

from envs.analyst.results import Cell, ResultColumn
from envs.analyst.turns import Language

TIMES = ("date", "timestamp")
_MONTHS = {
    Language.EN: "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(),
    Language.ID: "Jan Feb Mar Apr Mei Jun Jul Agu Sep Okt Nov Des".split(),
}
_WEEKDAYS = {
    Language.EN: "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
    Language.ID: "Senin Selasa Rabu Kamis Jumat Sabtu Minggu".split(),
}
_MONTH, _QUARTER, _YEAR = ("month", "bulan"), ("quarter", "kuartal", "triwulan"), ("year", "tahun")


def moment(cell: Cell, column: ResultColumn, language: Language) -> str | None:
    """`Mar 2026`, `Q1 2026`, `2026`, `Tuesday`, a day or a minute; None for what stands for no time."""
    match cell:
        case str() if column.type in TIMES:
            return _time(cell, column.name, language)
        case int() if column.type == "integer" and not isinstance(cell, bool):
            return _part(cell, column.name, language)
        case _:
            return None


def _part(number: int, name: str, language: Language) -> str | None:
    if _ends(name, ("weekday",)) and 1 <= number <= 7:
        return _WEEKDAYS[language][number - 1]
    if name.endswith("month_of_year") and 1 <= number <= 12:
        return _MONTHS[language][number - 1]
    return None


def _time(text: str, name: str, language: Language) -> str:
    day = text.removesuffix("T00:00:00")
    year, month, *_ = day.split("-")
    if day.endswith("-01"):
        if _ends(name, _MONTH):
            return f"{_MONTHS[language][int(month) - 1]} {year}"
        if _ends(name, _QUARTER):
            return f"Q{(int(month) + 2) // 3} {year}"
        if _ends(name, _YEAR) and month == "01":
            return year
    return day.replace("T", " ")


def _ends(name: str, words: tuple[str, ...]) -> bool:
    return name.lower().rsplit("_", 1)[-1] in words
