"""Reading: a question's items while clause by clause is taken out of them, and which column a phrase means.

Holds what all readers share; what a clause means is theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from agents.analyst.planning.graph import Graph
from agents.analyst.planning.items import Item, Named, Numbered, Said
from agents.analyst.planning.marks import Kind, Mark
from agents.analyst.planning.sketch import Pick, Sketch
from agents.analyst.planning.thesaurus import kind_of
from agents.analyst.planning.vocabulary import ColumnHit, Vocabulary
from agents.analyst.planning.words import name_words
from envs.analyst.catalogue import Column, ColumnType, Role

NUMERIC = (ColumnType.INTEGER, ColumnType.NUMBER)
TEMPORAL = (ColumnType.DATE, ColumnType.TIMESTAMP)
_SILENT = (Kind.NOTHING, Kind.ALL)
_MONEY = frozenset(map(kind_of, "amount revenue total spend income".split()))
_PIECES = frozenset(map(kind_of, "quantity unit copy piece".split()))

Wanted = Callable[[Column], float]
"""How well a column suits a place in a question, added to how well its name fits."""


def numeric(column: Column) -> float:
    """Suits what is added up or averaged."""
    good = column.type in NUMERIC and column.role not in (Role.KEY, Role.REFERENCE)
    return 0.25 if good else -0.3


def ordered(column: Column) -> float:
    """Suits what is compared or ranked."""
    return 0.2 if column.type in (*NUMERIC, *TEMPORAL) and column.role is not Role.KEY else 0.0


def anything(column: Column) -> float:
    """Suits what is shown."""
    return -0.05 if column.role in (Role.KEY, Role.REFERENCE) else 0.0


@dataclass
class Reading:
    """A question being read.

    Attributes:
        used: Places of items that a clause has taken.
        doubts: What was chosen among equals: phrase and the choices.
        passed: Places that are taken and that readers look past, as if they were not there.
    """

    items: tuple[Item, ...]
    vocabulary: Vocabulary
    graph: Graph
    sketch: Sketch = field(default_factory=Sketch)
    used: set[int] = field(default_factory=set[int])
    doubts: list[tuple[str, tuple[Pick, ...]]] = field(default_factory=list[tuple[str, tuple[Pick, ...]]])
    mentioned: dict[str, int] = field(default_factory=dict[str, int])
    passed: set[int] = field(default_factory=set[int])

    def __post_init__(self) -> None:
        for place, item in enumerate(self.items):
            table = self.table(place)
            if table is not None:
                self.mentioned.setdefault(table, place)
            if isinstance(item, Named) and len({hit.table for hit in item.naming.columns}) == 1:
                self.mentioned.setdefault(item.naming.columns[0].table, place)

    def mark(self, place: int) -> Mark | None:
        """The mark at a place that is still free."""
        item = self.item(place)
        return item.mark if isinstance(item, Said) and place not in self.used else None

    def kind(self, place: int) -> Kind | None:
        mark = self.mark(place)
        return mark.kind if mark else None

    def said(self, place: int) -> Kind | None:
        """The kind of the mark at a place, taken or not."""
        item = self.item(place)
        return item.mark.kind if isinstance(item, Said) else None

    def item(self, place: int) -> Item | None:
        return self.items[place] if 0 <= place < len(self.items) else None

    def free(self, place: int) -> Item | None:
        return None if place in self.used else self.item(place)

    def named(self, place: int) -> Named | None:
        item = self.free(place)
        return item if isinstance(item, Named) else None

    def number(self, place: int) -> float | None:
        item = self.free(place)
        return item.number if isinstance(item, Numbered) else None

    def places(self, *kinds: Kind) -> Iterator[int]:
        """Places of free marks of these kinds, from the left, while they are being taken."""
        for place in range(len(self.items)):
            if self.kind(place) in kinds:
                yield place

    def after(self, place: int, *skipped: Kind) -> int:
        """The next place that is not silent."""
        place += 1
        while place < len(self.items) and (place in self.passed or self.kind(place) in (*_SILENT, *skipped)):
            place += 1
        return place

    def before(self, place: int, *skipped: Kind) -> int:
        """The place before that is not silent."""
        place -= 1
        while place >= 0 and (place in self.passed or self.kind(place) in (*_SILENT, *skipped)):
            place -= 1
        return place

    def take(self, *places: int) -> None:
        self.used.update(places)

    def pass_over(self, place: int) -> None:
        """Takes a place that says nothing more to the readers after this one."""
        self.take(place)
        self.passed.add(place)

    def table(self, place: int) -> str | None:
        """The table that an item names, when it does not rather name a column."""
        item = self.item(place)
        if not isinstance(item, Named) or not item.naming.tables:
            return None
        best = item.naming.tables[0]
        columns = item.naming.columns
        if columns and columns[0].score > best.score + 0.04:
            return None
        if len(item.naming.tables) > 1 and item.naming.tables[1].score == best.score < 0.9:
            return None
        return best.table

    def column(self, place: int, wanted: Wanted = anything, near: str | None = None) -> Pick | None:
        """The column that an item names; None if it names none.

        Args:
            near: A table that it should rather be of.
        """
        item = self.item(place)
        if not isinstance(item, Named) or not item.naming.columns:
            return None
        beside = self.beside(place)
        if (label := self._label_meant(item, beside)) is not None:
            return label
        scored = sorted(
            ((self._score(hit, wanted, near, beside), hit) for hit in item.naming.columns),
            key=lambda pair: -pair[0],
        )
        best = scored[0][0]
        equal = [hit for score, hit in scored if score > best - 0.02]
        if len(equal) > 1 and not self._same_thing(equal):
            self.doubts.append((item.text, tuple(Pick(hit.table, hit.column) for hit in equal[:3])))
        return Pick(scored[0][1].table, scored[0][1].column)

    def _label_meant(self, item: Named, beside: tuple[str, ...]) -> Pick | None:
        """`the names of harbours` where only boats have a column of that name: what names a harbour."""
        if item.text.lower() not in ("name", "names", "nama") or not beside:
            return None
        if any(self.graph.reaches(table, hit.table) for table in beside for hit in item.naming.columns):
            return None
        return self.label(beside[0])[0]

    def hinted(self, mark: Mark, table: str | None) -> tuple[Pick, bool] | None:
        """The column that a comparative or superlative is about, and whether its sense is turned round."""
        for hint in mark.hint if table else ():
            assert table is not None
            if hint == "@time":
                time = self.vocabulary.table(table).time_column
                if time is not None:
                    return Pick(table, time), False
                continue
            if hint == "@money":
                return (money, False) if (money := self.money(table)) else None
            word = hint.removeprefix("~")
            for column in self.vocabulary.table(table).columns:
                words = [kind_of(part) for part in name_words(column.name)]
                if kind_of(word) in words and (ordered(column) or column.role is not Role.LABEL):
                    return Pick(table, column.name), hint.startswith("~")
        return None

    def label(self, table: str) -> tuple[Pick, ...]:
        """The columns that name a table's rows."""
        record = self.vocabulary.table(table)
        names = {"".join(name_words(column.name)): column.name for column in record.columns}
        same = names.get("".join(name_words(record.table_id)))
        if same is not None and self.vocabulary.column(table, same).type is ColumnType.TEXT:
            return (Pick(table, same),)
        pairs = (("firstname", "lastname"), ("fname", "lname"), ("forename", "surname"))
        for first, last in pairs:
            if first in names and last in names:
                return Pick(table, names[first]), Pick(table, names[last])
        if record.label_column is not None:
            return (Pick(table, record.label_column),)
        if record.time_column is not None and len(record.primary_key) == 1:
            # Of what happened no text tells one from another.
            return (Pick(table, record.primary_key[0]),)
        texts = [column.name for column in record.columns if column.type is ColumnType.TEXT]
        return (Pick(table, (texts or [column.name for column in record.columns])[0]),)

    def amount(self, table: str) -> Pick | None:
        """The only column of a table that is added up; None if there is none or more than one."""
        found = self.amounts(table)
        return found[0] if len(found) == 1 else None

    def amounts(self, table: str) -> tuple[Pick, ...]:
        """The columns of a table that can be added up."""
        return tuple(
            Pick(table, column.name)
            for column in self.vocabulary.table(table).columns
            if column.role is Role.MEASURE and column.type in NUMERIC and column.unit != "%"
        )

    def money(self, table: str) -> Pick | None:
        """What a table's rows are worth, or what the things that refer to them are."""
        for home in dict.fromkeys((table, self.events(table))):
            picks = self.amounts(home) if home else ()
            priced = [pick for pick in picks if self._says(pick, _MONEY)]
            if len(priced) == 1:
                return priced[0]
        return None

    def sold(self, table: str) -> Pick | None:
        """How many pieces a table's rows are of, or the things that refer to them."""
        for home in dict.fromkeys((table, self.events(table))):
            picks = self.amounts(home) if home else ()
            counted = [pick for pick in picks if self._says(pick, _PIECES)]
            if len(counted) == 1:
                return counted[0]
        return None

    def _says(self, pick: Pick, kinds: frozenset[str]) -> bool:
        column = self.column_record(pick)
        return any(
            kind_of(name_words(name)[-1]) in kinds
            for name in (column.name, *column.synonyms)
            if name_words(name)
        )

    def events(self, near: str | None = None) -> str | None:
        """The one table of dated rows that no other refers to: what happened; None if there are more or none.

        Args:
            near: A table that its rows must refer to, or be.
        """
        found = [
            table.table_id
            for table in self.vocabulary.source.tables
            if table.time_column is not None
            and not any(key.to_table == table.table_id for key in self.graph.keys)
            and (near is None or self.graph.reaches(table.table_id, near))
        ]
        return found[0] if len(found) == 1 else None

    def column_record(self, pick: Pick) -> Column:
        return self.vocabulary.column(pick.table, pick.column)

    def _score(self, hit: ColumnHit, wanted: Wanted, near: str | None, beside: Iterable[str]) -> float:
        column = self.vocabulary.column(hit.table, hit.column)
        score = hit.score + wanted(column) + (0.3 if hit.explicit else 0.0)
        if beside:
            return score + (0.6 if hit.table in beside else 0.0)
        score += 0.3 if hit.table == near else 0.0
        score += 0.2 if hit.table in self.mentioned else 0.0
        entity = self.sketch.entity
        score += 0.15 if hit.table == entity else 0.0
        return score + (0.05 if entity is not None and self.graph.reaches(entity, hit.table) else 0.0)

    def beside(self, place: int) -> tuple[str, ...]:
        """The table that is named right before, or after `of`: of an enumeration all have the same."""
        found: list[str] = []
        if (table := self.table(place - 1)) is not None:
            found.append(table)
        listed = self.item(place - 2) if self.said(place - 1) is Kind.AND else None
        if isinstance(listed, Named) and listed.naming.columns and listed.naming.columns[0].explicit:
            # `the album names and ids`
            found.append(listed.naming.columns[0].table)
        there = place + 1
        while isinstance(self.item(there), (Said, Named)) and there < place + 9:
            item = self.item(there)
            if isinstance(item, Said) and _is_of(item):
                there += 1
                while isinstance(item := self.item(there), Said) and item.mark.kind in (
                    *_SILENT,
                    Kind.EACH,
                    Kind.SUPER,
                    Kind.DISTINCT,
                ):
                    there += 1
                if (table := self.table(there)) is not None:
                    found.append(table)
                break
            if isinstance(item, Said) and item.mark.kind not in (*_SILENT, Kind.AND, Kind.DISTINCT):
                break
            there += 1
        return tuple(found)

    def _same_thing(self, hits: list[ColumnHit]) -> bool:
        """Whether columns refer to one another: either will do."""
        first = hits[0]
        return all(
            any(
                {(key.table, key.columns[0]), (key.to_table, key.to_columns[0])}
                == {(first.table, first.column), (other.table, other.column)}
                for key in self.graph.keys
            )
            for other in hits[1:]
        )


def _is_of(item: Said) -> bool:
    if item.mark.kind is Kind.EACH:
        return item.text.lower().startswith(("of ", "for ", "from "))
    return item.mark.kind is Kind.OF and item.text.lower() in ("of", "for", "dari", "untuk", "milik")
