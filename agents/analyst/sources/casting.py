"""Casting: the SQL by which DuckDB counts shapes of texts and turns them into values."""

from __future__ import annotations

from dataclasses import fields

from agents.analyst.engines.profiling import quoted
from agents.analyst.sources.guessing import CURRENCIES, MONEY, NOTHING, SHAPES, Counted, Reading

_FORMATS = ("%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S.%f")
_NAMED = ("%d %b %Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%d-%b-%Y", "%b %d %Y", "%B %d %Y")
_PLAIN = ((r"[1-9]\d{3,17}", "1234"), (r"(?:0|[1-9]\d{0,14})\.\d{1,2}", "1.25"))
"""Numbers of which every one fits the same shapes, and one for all of them."""
_ZONE = r"(?:Z|[+-]\d{2}:?\d{2})$"
_BLANKS = r"[\s\x{00A0}\x{202F}'’]"


def bare(column: str) -> str:
    """A cell without blanks at its ends; nothing where nothing is left."""
    return f"NULLIF(TRIM({quoted(column)}, ' ' || chr(160) || chr(9) || chr(10) || chr(13)), '')"


def counting(column: str) -> str:
    """A SELECT list that counts what `Counted` holds, in its order."""
    value = "v"
    tests = {name: _fits(value, name) for name in SHAPES} | {
        "there": f"NOT {_nothing(value)}",
        "nothing": _nothing(value),
        "wide": f"{_fits(value, 'whole')} AND TRY_CAST({value} AS BIGINT) IS NULL",
        "iso": f"{_fits(value, 'iso')} AND {_moment(value, Reading.ISO)} IS NOT NULL",
        "day_first": f"{_moment(value, Reading.DAY_FIRST)} IS NOT NULL",
        "month_first": f"{_moment(value, Reading.MONTH_FIRST)} IS NOT NULL",
        "named_month": f"{_moment(value, Reading.NAMED_MONTH)} IS NOT NULL",
        "timed": f"regexp_matches({value}, '\\d:\\d')",
    }
    parts = [f"COALESCE(SUM(n) FILTER ({tests[field.name]}), 0)" for field in fields(Counted)]
    cells = f"SELECT {bare(column)} AS cell FROM staged"
    kinds = f"SELECT {_stood_for('cell')} AS v, COUNT(*) AS n FROM ({cells}) GROUP BY v"
    return f"SELECT {', '.join(parts)} FROM ({kinds}) WHERE v IS NOT NULL"


def _stood_for(value: str) -> str:
    """One number for all that are written like it: a million ids are looked at once."""
    cases = " ".join(f"WHEN regexp_full_match({value}, '{plain}') THEN '{one}'" for plain, one in _PLAIN)
    return f"CASE {cases} ELSE {value} END"


def cast(column: str, reading: Reading, percent: bool, timed: bool) -> str:
    """A cell as a value of the reading's type; nothing where it is none."""
    value = bare(column)
    match reading:
        case Reading.TEXT:
            return f"NULLIF({quoted(column)}, '')"
        case Reading.WHOLE:
            return f"TRY_CAST({value} AS BIGINT)"
        case Reading.FLAG:
            return f"TRY_CAST({value} AS BOOLEAN)"
        case Reading.DOT | Reading.COMMA:
            number = _number(value, reading)
            return f"{number} / 100" if percent else number
        case Reading.ISO | Reading.DAY_FIRST | Reading.MONTH_FIRST | Reading.NAMED_MONTH:
            return f"CAST({_moment(value, reading)} AS {'TIMESTAMP' if timed else 'DATE'})"


def fits(column: str, reading: Reading) -> str:
    """Whether a cell that is not blank can be read so."""
    if reading in (Reading.DOT, Reading.COMMA, Reading.WHOLE):
        return _fits(bare(column), reading.value)
    return f"{cast(column, reading, False, True)} IS NOT NULL"


def nothing(column: str) -> str:
    """Whether a cell says that its value is missing."""
    return _nothing(bare(column))


def currency(column: str) -> str:
    """The currency that stands in a cell, by its code; nothing where none does."""
    found = f"NULLIF(regexp_extract({bare(column)}, {_text(MONEY)}), '')"
    cases = " ".join(f"WHEN {_text(sign)} THEN {_text(code)}" for sign, code in CURRENCIES.items())
    return f"CASE {found} {cases} ELSE {found} END"


def marked(column: str) -> str:
    """Whether a cell has more than the signs of a number."""
    return f"NOT regexp_full_match({bare(column)}, '[-+.,0-9]+')"


def _number(value: str, reading: Reading) -> str:
    """Signs, currencies and groups are taken off; a minus behind and brackets are a minus before."""
    plain = f"regexp_replace({value}, {_text(f'{MONEY}|%|[()+]|{_BLANKS}')}, '', 'g')"
    if reading is Reading.DOT:
        plain = f"replace({plain}, ',', '')"
    else:
        plain = f"replace(replace({plain}, '.', ''), ',', '.')"
    minus = f"(starts_with({value}, '(') OR contains(regexp_replace({value}, '[eE]-', ''), '-'))"
    unsigned = f"TRY_CAST(regexp_replace({plain}, '^-|-$', '', 'g') AS DOUBLE)"
    slowly = f"(CASE WHEN {minus} THEN -1 ELSE 1 END * {unsigned})"
    if reading is Reading.COMMA:
        return slowly
    as_it_is = f"regexp_full_match({value}, '-?[0-9]+(?:\\.[0-9]+)?')"
    return f"(CASE WHEN {as_it_is} THEN TRY_CAST({value} AS DOUBLE) ELSE {slowly} END)"


def _moment(value: str, reading: Reading) -> str:
    if reading is Reading.NAMED_MONTH:
        return f"TRY_STRPTIME({value}, [{', '.join(map(_text, _NAMED))}])"
    parted = f"replace(regexp_replace({value}, {_text(_ZONE)}, ''), 'T', ' ')"
    if reading is Reading.ISO:
        return f"TRY_STRPTIME(replace({parted}, '/', '-'), [{', '.join(map(_text, _FORMATS))}])"
    day = "%d-%m-%Y" if reading is Reading.DAY_FIRST else "%m-%d-%Y"
    formats = [form.replace("%Y-%m-%d", day) for form in _FORMATS]
    dashed = f"regexp_replace({parted}, '[./]', '-', 'g')"
    return f"TRY_STRPTIME({dashed}, [{', '.join(map(_text, formats))}])"


def _fits(value: str, shape: str) -> str:
    return f"regexp_full_match({value}, {_text(SHAPES[shape])})"


def _nothing(value: str) -> str:
    return f"(lower({value}) IN ({', '.join(map(_text, NOTHING))}))"


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
