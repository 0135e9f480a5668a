"""Marks: what a phrase of a question asks for, whatever it names: a count, a comparison, an order.

The phrases stand in `lexicon.txt`, English and Indonesian; leaves to the readers what stands around a mark.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from agents.analyst.planning.words import Token


class Kind(StrEnum):
    """What a phrase does in a question."""

    AGG = "agg"
    CMP = "cmp"
    CMP_AFTER = "cmp_after"
    BETWEEN = "between"
    IS = "is"
    NOT = "not"
    TEXT = "text"
    WITHOUT = "without"
    HAVE = "have"
    ORDER = "order"
    DIRECTION = "direction"
    EACH = "each"
    SUPER = "super"
    COMMON = "common"
    DISTINCT = "distinct"
    SHARE = "share"
    GRAIN = "grain"
    ANALYSIS = "analysis"
    COMPARE = "compare"
    CLAUSE = "clause"
    OF = "of"
    AND = "and"
    OR = "or"
    BOTH = "both"
    NULL = "null"
    VERB = "verb"
    WHICH = "which"
    WHO = "who"
    ALL = "all"
    NOTHING = "nothing"
    STOP = "stop"
    VERSUS = "versus"
    PERIOD = "period"
    PART = "part"


@dataclass(frozen=True, slots=True)
class Mark:
    """A phrase of the lexicon in a question.

    Attributes:
        what: The finer sense: an aggregate, an operator, a direction.
        hint: Words of columns that a superlative or comparative is about: `oldest` is about age or birth.
    """

    kind: Kind
    what: str = ""
    hint: tuple[str, ...] = ()


def _entries() -> Iterator[tuple[tuple[str, ...], Mark]]:
    for unit in ("hour", "day", "week", "month", "quarter", "year"):
        for each in _EACH:
            yield (*each.split(), unit), Mark(Kind.GRAIN, unit)
    mark = Mark(Kind.NOTHING)
    for line in Path(__file__).with_name("lexicon.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            for phrase in line.split("|"):
                words = phrase.split()
                if words:
                    yield tuple(words[1:] if words[0] == "the" and len(words) > 1 else words), mark
        elif line and not line.startswith("#"):
            mark = _head(line)


def _head(line: str) -> Mark:
    kind, _, rest = line.partition(" ")
    what, _, hint = rest.partition("[")
    return Mark(Kind(kind), what.strip(), tuple(hint.rstrip("]").split("|")) if hint else ())


_EACH = ("each", "every", "per", "by", "for each", "in each", "of each", "for every", "in every", "over each")


def _lexicon() -> dict[tuple[str, ...], Mark]:
    """The first meaning that a phrase is listed with counts."""
    lexicon: dict[tuple[str, ...], Mark] = {}
    for phrase, mark in _entries():
        lexicon.setdefault(phrase, mark)
    return lexicon


LEXICON = _lexicon()
LONGEST = max(map(len, LEXICON))


def mark_at(said: tuple[Token, ...], place: int) -> tuple[Mark, int] | None:
    """The longest phrase that starts at a token, and how many tokens it has."""
    for length in range(min(LONGEST, len(said) - place), 0, -1):
        part = said[place : place + length]
        if any(token.quoted for token in part):
            continue
        mark = LEXICON.get(tuple(token.word for token in part))
        behind = said[place + length].word if place + length < len(said) else ""
        if mark is not None and not (mark.kind is Kind.CMP_AFTER and behind == "than"):
            return mark, length
    return None
