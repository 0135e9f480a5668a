"""Vocabulary: every phrase that names a table or a column of a source, and how surely.

Built once for a source. Leaves values to the source's index, and to the readers which of several is meant.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from os.path import commonprefix

from rapidfuzz import fuzz, process

from agents.analyst.planning.thesaurus import BUYING, VERBS, kind_of, spelled_out
from agents.analyst.planning.words import Token, name_words
from envs.analyst.catalogue import Column, Role, Source, Table

EXACT, NEAR, ALIKE, TAIL, HEAD = 1.0, 0.97, 0.9, 0.8, 0.55
"""Named in full; but for its table's name; by words of the same group; by its last words; by its first."""
LINK = 0.005
"""What half a table's name is worth less for each table that it refers to."""
FUZZY_LEAST = 86
LONGEST = 6
_COUNTS = ("number", "total", "amount", "count", "sum", "average", "jumlah", "rata-rata")
SHORTEST_FUZZY = 5


@dataclass(frozen=True, slots=True)
class TableHit:
    """A table that a phrase may name."""

    table: str
    score: float


@dataclass(frozen=True, slots=True)
class ColumnHit:
    """A column that a phrase may name.

    Attributes:
        explicit: Whether the phrase named the table too: "customer name".
    """

    table: str
    column: str
    score: float
    explicit: bool = False


@dataclass(frozen=True, slots=True)
class Naming:
    """What a phrase may name, the likeliest first.

    Attributes:
        guessed: The name that a misspelt phrase was taken for; None when nothing was guessed.
    """

    tables: tuple[TableHit, ...]
    columns: tuple[ColumnHit, ...]
    guessed: str | None = None

    @property
    def score(self) -> float:
        return max(hit.score for hit in (*self.tables, *self.columns))


class Vocabulary:
    """The names of one source.

    Attributes:
        source: Whose they are.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self._tables: dict[str, dict[str, float]] = defaultdict(dict)
        self._columns: dict[str, dict[tuple[str, str], tuple[float, bool]]] = defaultdict(dict)
        for table in source.tables:
            self._learn_table(table)
            for column in table.columns:
                self._learn_column(table, column)
        for key in source.foreign_keys:
            words = name_words(key.columns[0])[:-1]
            if len(key.columns) == 1 and len(words) > 1:
                # `host city` of `host_city_id` is a city.
                _raise(self._tables, "".join(words), key.to_table, ALIKE)
        self._known = sorted(key for key in {*self._tables, *self._columns} if len(key) >= SHORTEST_FUZZY)

    def naming(self, phrase: tuple[Token, ...]) -> Naming | None:
        """What a phrase names in full, in part or through the thesaurus; None if nothing."""
        words = tuple(token.stem for token in phrase)
        if any(token.quoted for token in phrase) or not "".join(words).strip("-_"):
            return None
        return self._look_up(words)

    def guessed(self, token: Token) -> Naming | None:
        """What a word that names nothing was probably meant to name."""
        if (
            token.word in VERBS
            or len(token.stem) < SHORTEST_FUZZY
            or token.number is not None
            or token.quoted
        ):
            return None
        best = process.extractOne(token.stem, self._known, scorer=fuzz.ratio, score_cutoff=FUZZY_LEAST)
        name, alike = (best[0], best[1] / 100) if best else (self._related(token.stem), ALIKE)
        found = self._of_keys([(name, alike)]) if name else None
        return Naming(found.tables, found.columns, guessed=name) if found else None

    def table_of_verb(self, verb: str) -> str | None:
        """The table that a verb in the past is made of: `ordered` of `orders`; None if of none."""
        if verb in BUYING:
            named = self._tables.get(_kinds(("order",)), {}) or self._tables.get(_kinds(("sale",)), {})
            return max(named, key=lambda table: named[table], default=None)
        if not verb.endswith("ed"):
            return None
        for root in (verb[:-2], verb[:-1], verb[:-3]):
            named = self._tables.get(root, {})
            if named and max(named.values()) >= ALIKE and len(root) > 3:
                return max(named, key=lambda table: named[table])
        return None

    def table(self, table_id: str) -> Table:
        """The table of that name, which must be there."""
        table = self.source.table(table_id)
        assert table is not None
        return table

    def column(self, table_id: str, name: str) -> Column:
        """The column of that name, which must be there."""
        column = self.table(table_id).column(name)
        assert column is not None
        return column

    def _related(self, word: str) -> str | None:
        """A name from the same root: `publication` and `published`."""
        shared = [(len(commonprefix((word, key))), key) for key in self._known]  # noqa: RUF071
        length, key = max(shared, default=(0, ""))
        long_enough = length >= SHORTEST_FUZZY and length >= 0.45 * max(len(word), len(key))
        return key if long_enough else None

    def _look_up(self, words: tuple[str, ...]) -> Naming | None:
        bare = tuple(word for word in words if word not in ("of", "the", "dari"))
        if bare != words:
            # `names of authors` names two things, `date of birth` one.
            turned = [] if words[0] in _COUNTS else [("".join(reversed(bare)), NEAR)]
            return self._of_keys([("".join(words), 1.0), ("".join(bare), 1.0), *turned], whole=True)
        keys = [("".join(words), 1.0), ("".join(bare), 1.0), ("".join(reversed(bare)), NEAR)]
        keys += [(_kinds(bare), ALIKE), (_kinds(tuple(reversed(bare))), ALIKE * NEAR)]
        return self._of_keys(keys)

    def _of_keys(self, keys: Iterable[tuple[str, float]], *, whole: bool = False) -> Naming | None:
        tables: dict[str, float] = {}
        columns: dict[tuple[str, str], tuple[float, bool]] = {}
        for key, factor in keys:
            for table, score in self._tables.get(key, {}).items():
                tables[table] = max(tables.get(table, 0.0), score * factor)
            for name, (score, explicit) in self._columns.get(key, {}).items():
                if whole and (explicit or score < NEAR):
                    continue
                columns[name] = max(columns.get(name, (0.0, False)), (score * factor, explicit))
        if not tables and not columns:
            return None
        return Naming(
            tuple(sorted((TableHit(t, s) for t, s in tables.items()), key=lambda hit: -hit.score)),
            tuple(
                sorted(
                    (ColumnHit(*name, *found) for name, found in columns.items()), key=lambda hit: -hit.score
                )
            ),
        )

    def _learn_table(self, table: Table) -> None:
        # Half a name rather means what others refer to than what only links others.
        less = LINK * sum(key.table == table.table_id for key in self.source.foreign_keys)
        for words in _spellings(table.table_id, table.label):
            _raise(self._tables, "".join(words), table.table_id, EXACT)
            _raise(self._tables, _kinds(words), table.table_id, ALIKE)
            for at in range(1, len(words)):
                _raise(self._tables, "".join(words[at:]), table.table_id, TAIL - less)
                _raise(self._tables, "".join(words[:at]), table.table_id, HEAD - less)
        for synonym in table.synonyms:
            _raise(self._tables, "".join(name_words(synonym)), table.table_id, NEAR)

    def _learn_column(self, table: Table, column: Column) -> None:
        own = list(_spellings(table.table_id, table.label))
        for words in _spellings(column.name, column.label):
            named = any(words[: len(each)] == each and len(words) > len(each) for each in own)
            self._learn(words, table, column, EXACT, explicit=named)
            for table_words in own:
                self._learn((*table_words, *words), table, column, EXACT, explicit=True)
                self._learn((table_words[-1], *words), table, column, NEAR, explicit=True)
                rest = tuple(word for word in words if word not in table_words)
                if rest and rest != words:
                    self._learn(rest, table, column, NEAR)
            self._learn_parts(words, table, column)
            if (short := _without_initials(words, own)) is not None:
                self._learn(short, table, column, NEAR)
                for table_words in own:
                    self._learn((*table_words, *short), table, column, NEAR, explicit=True)
        if (column.name,) == table.primary_key:
            self._learn_key(table, column, own)
        for synonym in column.synonyms:
            words = name_words(synonym)
            self._learn(words, table, column, NEAR)
            for table_words in own:
                self._learn((*table_words, *words), table, column, NEAR, explicit=True)

    def _learn_key(self, table: Table, column: Column, own: list[tuple[str, ...]]) -> None:
        """`id` and `flight number` mean the key of a table, whatever its column is called."""
        self._learn(("id",), table, column, ALIKE)
        numbered = any({"number", "num", "no", "nr"} & set(name_words(c.name)) for c in table.columns)
        for table_words in own:
            for word in ("id", *(() if numbered else ("number",))):
                self._learn((*table_words, word), table, column, ALIKE, explicit=True)

    def _learn_parts(self, words: tuple[str, ...], table: Table, column: Column) -> None:
        """A name's last words mean it more than its first; of a key neither means anything."""
        if column.role in (Role.KEY, Role.REFERENCE) and words[-1] == "id":
            return
        for at in range(1, len(words)):
            self._learn(words[at:], table, column, TAIL)
            self._learn(words[:at], table, column, HEAD)

    def _learn(
        self, words: tuple[str, ...], table: Table, column: Column, score: float, *, explicit: bool = False
    ) -> None:
        for key, worth in (("".join(words), score), (_kinds(words), score * ALIKE)):
            known = self._columns[key].get((table.table_id, column.name), (0.0, False))
            self._columns[key][table.table_id, column.name] = max(known, (worth, explicit))


def _without_initials(words: tuple[str, ...], own: list[tuple[str, ...]]) -> tuple[str, ...] | None:
    """`name` of a column `hname` in a table `harbour`: initials of the table stand before a common noun."""
    for noun in _NOUNS if len(words) == 1 else ():
        initials = words[0].removesuffix(noun)
        starts = {each[: len(initials)] for table_words in own for each in table_words}
        if words[0].endswith(noun) and initials in starts and 0 < len(initials) < _LONGEST_INITIALS:
            return (noun,)
    return None


_NOUNS = ("name", "title", "type", "code", "date", "number", "address", "phone", "age", "grade")
_LONGEST_INITIALS = 5


def _spellings(name: str, label: str) -> Iterator[tuple[str, ...]]:
    for words in dict.fromkeys((name_words(name), name_words(label))):
        if words:
            yield words
            if spelled_out(words) != words:
                yield spelled_out(words)


def _kinds(words: Iterable[str]) -> str:
    return "~" + "".join(kind_of(word) for word in words)


def _raise(known: Mapping[str, dict[str, float]], key: str, name: str, score: float) -> None:
    known[key][name] = max(known[key].get(name, 0.0), score)
