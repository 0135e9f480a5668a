"""Guessing: which type a column of texts has, by all of its values and never by a sample.

One reading holds for a whole column. A reading that the values leave open is taken with a note that names
the other; values that contradict each other leave the column a text. Leaves to `importing` the tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from agents.analyst.sources.receiving import Choice
from envs.analyst.catalogue import NoteCode

CURRENCIES = {
    "$": "USD",
    "US$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "₹": "INR",
    "Rp": "IDR",
    "Rp.": "IDR",
}
_CODES = "USD|EUR|GBP|JPY|IDR|CHF|AUD|CAD|SGD|INR|CNY"
MONEY = rf"(?:US\$|[$€£¥₹]|Rp\.?|{_CODES})"
_GAP = r"[ \x{00A0}\x{202F}'’]"
_DOT = rf"(?:(?:\d+|[1-9]\d{{0,2}}(?:(?:,|{_GAP})\d{{3}})+)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_COMMA = rf"(?:\d+|[1-9]\d{{0,2}}(?:(?:\.|{_GAP})\d{{3}})+)(?:,\d+)?"
_TIME = r"(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?"


class Reading(StrEnum):
    """How a column's texts are read."""

    TEXT = "text"
    WHOLE = "whole"
    DOT = "dot"
    COMMA = "comma"
    FLAG = "flag"
    ISO = "iso"
    DAY_FIRST = "day first"
    MONTH_FIRST = "month first"
    NAMED_MONTH = "named month"


@dataclass(frozen=True, slots=True)
class Counted:
    """How many values of a column fit each shape.

    Attributes:
        there: Values that are not blank, without `nothing`.
        nothing: `n/a`, `-` and the like.
        padded: Whole numbers that begin with a zero, as codes do.
        wide: Whole numbers beyond 64 bits.
        rounded: Such as `8.2E+17`.
        open_comma, open_dot: Numbers such as `1,500` that both ways of writing allow, with other values.
        timed: Dates with a time of day other than midnight.
    """

    there: int
    nothing: int
    whole: int
    padded: int
    wide: int
    rounded: int
    dot: int
    comma: int
    open_comma: int
    open_dot: int
    percent: int
    flag: int
    iso: int
    shaped: int
    day_first: int
    month_first: int
    named_month: int
    timed: int


@dataclass(frozen=True, slots=True)
class Guess:
    """A reading, and what has to be said about it.

    Attributes:
        options: Other readings, this one first; empty where there is no doubt.
    """

    reading: Reading
    note: NoteCode | None = None
    options: tuple[str, ...] = ()


def _number(body: str) -> str:
    return rf"[(]?[+-]?{MONEY}?\s?[+-]?{body}\s?(?:{MONEY}|%)?-?[)]?"


SHAPES = {
    "whole": r"[+-]?\d+",
    "padded": r"[+-]?0\d+",
    "rounded": r"\d(?:\.\d+)?E\+(?:1[0-9]|[2-9]\d)",
    "dot": rf"{_number(_DOT)}",
    "comma": rf"{_number(_COMMA)}",
    "open_comma": rf"[(]?[+-]?{MONEY}?\s?[1-9]\d{{0,2}},\d{{3}}\s?{MONEY}?-?[)]?",
    "open_dot": rf"[(]?[+-]?{MONEY}?\s?[1-9]\d{{0,2}}\.\d{{3}}\s?{MONEY}?-?[)]?",
    "percent": r".*\d\s?%-?",
    "flag": r"(?i:true|false)",
    "iso": rf"\d{{4}}[-/]\d{{2}}[-/]\d{{2}}{_TIME}(?:Z|[+-]\d{{2}}:?\d{{2}})?",
    "shaped": rf"\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{4}}{_TIME}",
}
"""Regular expressions (RE2) for whole values."""

NOTHING = ("n/a", "na", "null", "nan", "#n/a", "-", "--", "?")
"""What stands for a missing value in a column of numbers or dates; in a column of texts it is a text."""


def guess(counted: Counted, identifies: bool, chosen: frozenset[str]) -> Guess:
    """How a column is read.

    Args:
        identifies: Whether its name says that it holds ids.
        chosen: What a person wants where there is a choice; see `Choice`.
    """
    if Choice.TEXT in chosen or not counted.there:
        return Guess(Reading.TEXT)
    for found in (
        _ids(counted, identifies),
        _flags(counted),
        _dates(counted, chosen),
        _numbers(counted, chosen),
    ):
        if found is not None:
            return found
    return Guess(Reading.TEXT)


def _ids(counted: Counted, identifies: bool) -> Guess | None:
    """Codes and numbers that no number type holds stay as they were typed."""
    n = counted.there
    if counted.rounded and counted.whole + counted.rounded == n and (counted.whole or identifies):
        return Guess(Reading.TEXT, NoteCode.LOST_DIGITS)
    if counted.whole == n and (counted.padded or counted.wide):
        return Guess(Reading.TEXT)
    return Guess(Reading.WHOLE) if counted.whole == n else None


def _flags(counted: Counted) -> Guess | None:
    return Guess(Reading.FLAG) if counted.flag == counted.there else None


def _dates(counted: Counted, chosen: frozenset[str]) -> Guess | None:
    n = counted.there
    if counted.iso == n:
        return Guess(Reading.ISO)
    if counted.named_month == n:
        return Guess(Reading.NAMED_MONTH)
    if counted.shaped != n:
        return None
    day, month = counted.day_first == n, counted.month_first == n
    if day and month:
        options = (
            ("month first", "day first") if Choice.MONTH_FIRST in chosen else ("day first", "month first")
        )
        return Guess(Reading(options[0]), NoteCode.GUESSED_DATE_ORDER, options)
    if day or month:
        return Guess(Reading.DAY_FIRST if day else Reading.MONTH_FIRST)
    return Guess(Reading.TEXT, NoteCode.CONTRADICTING_DATES)


def _numbers(counted: Counted, chosen: frozenset[str]) -> Guess | None:
    n = counted.there
    dot, comma = counted.dot == n, counted.comma == n
    if counted.percent not in (0, n):
        dot = comma = False
    if comma and not dot:
        return Guess(Reading.COMMA)
    if dot and comma and (counted.open_comma or counted.open_dot):
        return _opened(counted, chosen)
    if dot:
        return Guess(Reading.DOT)
    best = Reading.DOT if counted.dot >= counted.comma else Reading.COMMA
    if 2 * max(counted.dot, counted.comma) < n:
        return None
    if Choice.NUMBER in chosen:
        return Guess(best, NoteCode.UNREADABLE_VALUE, ("number", "text"))
    return Guess(Reading.TEXT, NoteCode.UNREADABLE_VALUE, ("text", "number"))


def _opened(counted: Counted, chosen: frozenset[str]) -> Guess:
    """Numbers such as `1,500` or `1.500` alone: thousands by comma, decimals by dot, unless told."""
    usual = "thousands" if counted.open_comma else "decimal"
    other = "decimal" if counted.open_comma else "thousands"
    taken = (other, usual) if other in chosen else (usual, other)
    reading = Reading.DOT if taken[0] == usual else Reading.COMMA
    return Guess(reading, NoteCode.GUESSED_SEPARATOR, taken)
