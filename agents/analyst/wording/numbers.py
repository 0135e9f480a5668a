"""Numbers: cells as people write them in English and Indonesian."""

from __future__ import annotations

from agents.analyst.planning.words import Language
from envs.analyst.moments import moment
from envs.analyst.results import Cell, ResultColumn

DECIMALS = 2
_BLANK = {Language.EN: "(none)", Language.ID: "(kosong)"}
_CURRENCIES = {"USD": "$", "EUR": "€", "GBP": "£", "IDR": "Rp"}


def written(cell: Cell, column: ResultColumn | None, language: Language) -> str:
    """A cell as text; of a share the percentage, of an amount of money its currency."""
    time = moment(cell, column, language) if column is not None else None
    if time is not None:
        return time
    match cell:
        case None:
            return _BLANK[language]
        case bool():
            return str(cell).lower()
        case int() | float():
            if column is not None and column.named:
                return str(cell)
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
    # An amount of money keeps its cents; of anything else a whole number is written as one.
    whole = isinstance(number, int) or (number.is_integer() and (kind == "integer" or unit is None))
    text = grouped(abs(number), 0 if whole else DECIMALS, language)
    sign = "-" if number < 0 else ""
    if unit in _CURRENCIES:
        return f"{sign}{_CURRENCIES[unit]}{text}"
    return f"{sign}{text} {unit}" if unit else f"{sign}{text}"
