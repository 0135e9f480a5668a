"""Numbers: cells as people write them in English and Indonesian."""

from __future__ import annotations

from agents.analyst.planning.words import Language
from envs.analyst.ir import Grain
from envs.analyst.results import Cell, ResultColumn

DECIMALS = 2
_BLANK = {Language.EN: "(none)", Language.ID: "(kosong)"}
_DAYS = {
    Language.EN: "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
    Language.ID: "Senin Selasa Rabu Kamis Jumat Sabtu Minggu".split(),
}
_CURRENCIES = {"USD": "$", "EUR": "€", "GBP": "£", "IDR": "Rp"}


def written(cell: Cell, column: ResultColumn | None, language: Language) -> str:
    """A cell as text; of a share the percentage, of an amount of money its currency."""
    match cell:
        case None:
            return _BLANK[language]
        case bool():
            return str(cell).lower()
        case int() | float():
            if column is not None and column.named:
                days = _DAYS[language] if column.name == Grain.WEEKDAY else ()
                return days[int(cell) - 1] if 1 <= cell <= len(days) else str(cell)
            return _number(
                cell, column.unit if column else None, column.type if column else "number", language
            )
        case str():
            return cell


def grouped(number: float, decimals: int, language: Language) -> str:
    """Thousands apart; Indonesian has its point and comma the other way round."""
    text = f"{number:,.{decimals}f}"
    return text if language is Language.EN else text.translate(str.maketrans(",.", ".,"))


def _number(number: float, unit: str | None, kind: str, language: Language) -> str:
    if unit == "%":
        return f"{grouped(100 * number, 1, language)}%"
    if unit == "percent":
        return f"{grouped(number, 1, language)}%"
    whole = isinstance(number, int) or (kind == "integer" and number.is_integer())
    text = grouped(abs(number), 0 if whole else DECIMALS, language)
    sign = "-" if number < 0 else ""
    if unit in _CURRENCIES:
        return f"{sign}{_CURRENCIES[unit]}{text}"
    return f"{sign}{text} {unit}" if unit else f"{sign}{text}"
