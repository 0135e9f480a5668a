"""The value index: which stored texts a question may name, and where they are.

Pure; leaves to the engines how values are read and to the planner which words of a question are looked up.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

from rapidfuzz import fuzz, process

from envs.analyst.catalogue import ValueMatch

_BLANKS = re.compile(r"\s+")


def normal(text: str) -> str:
    """A text without case, accents and needless blanks: what two spellings of one value share."""
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    return _BLANKS.sub(" ", bare).strip().casefold()


class Values:
    """All texts of a source that can be named, with the columns they stand in."""

    def __init__(self, columns: Mapping[tuple[str, str], Iterable[str]]) -> None:
        """Indexes (table, column) → distinct values."""
        self._columns = {place: tuple(values) for place, values in columns.items()}
        phrases: dict[str, list[ValueMatch]] = {}
        for (table_id, column), values in self._columns.items():
            for value in values:
                if name := normal(value):
                    phrases.setdefault(name, []).append(ValueMatch(table_id, column, value, 1.0))
        self._phrases = {name: tuple(found) for name, found in phrases.items()}
        self._names = list(self._phrases)

    def exact(self, text: str) -> tuple[ValueMatch, ...]:
        """Values equal to the text but for case, accents and blanks: every stored spelling of it."""
        return self._phrases.get(normal(text), ())

    def alike(self, text: str, least: float = 0.85, count: int = 5) -> tuple[ValueMatch, ...]:
        """The most similar values, from the best; equals are among them.

        Args:
            least: The lowest score, in (0, 1]: the share of letters that stay, by Levenshtein's insertions
                and deletions.
            count: Distinct values at most.
        """
        found = process.extract(
            normal(text), self._names, scorer=fuzz.ratio, score_cutoff=100 * least, limit=count
        )
        return tuple(
            match._replace(score=score / 100) for name, score, _ in found for match in self._phrases[name]
        )

    def of(self, table_id: str, column: str) -> tuple[str, ...]:
        """A column's values in order; empty where it is not indexed."""
        return self._columns.get((table_id, column), ())

    def phrases(self) -> Mapping[str, tuple[ValueMatch, ...]]:
        """Every normalised value with where it is stored."""
        return self._phrases
