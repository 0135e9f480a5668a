"""Ways: which of two foreign keys to the same table a question means: where a flight leaves or lands."""

from __future__ import annotations

from agents.analyst.planning.fittings import NotFitting
from agents.analyst.planning.reading import Reading
from agents.analyst.planning.sketch import Pick
from agents.analyst.planning.words import folded, name_words, stem
from envs.analyst.catalogue import ForeignKey
from envs.analyst.ir import Ref

_SENSES = (
    frozenset(
        "origin depart departing departure from leave leaving source start home host berangkat "
        "asal dari".split()
    ),
    frozenset(
        "destination arrive arriving arrival to land landing into target away visiting visitor "
        "tujuan tiba ke".split()
    ),
)

_NAMES = frozenset({"name", "title", "label", "nama", "judul"})
NEAR = 8
"""Items before a column in which a word may say the way."""


def ref(reading: Reading, pick: Pick, base: str, place: int | None = None) -> Ref:
    """A column as seen from a base table, with the key on the way where there are several.

    Args:
        place: Where in the question it is named; words right before it say which way is meant.
    Raises:
        NotFitting: If several keys lead there and nothing says which.
    """
    if pick.table == base:
        return Ref(column=pick.column)
    keys = [key for key in reading.graph.keys if key.table == base and key.to_table == pick.table]
    if len(keys) < 2:
        return Ref(column=pick.column, table=pick.table)
    return Ref(column=pick.column, table=pick.table, via=(_meant(reading, keys, place).key,))


def called(reading: Reading, pick: Pick, base: str) -> str:
    """What a group's column is called: the region that an order is of is `region` and not `name`."""
    table = reading.vocabulary.table(pick.table)
    names_row = pick.column == table.label_column and pick.column.casefold() in _NAMES
    return pick.table if names_row and pick.table != base else pick.column


def several_ways(reading: Reading, base: str | None, table: str) -> bool:
    """Whether rows of a table refer to another by several keys."""
    return sum(key.table == base and key.to_table == table for key in reading.graph.keys) > 1


def _meant(reading: Reading, keys: list[ForeignKey], place: int | None) -> ForeignKey:
    """The key that the nearest word before the place speaks of."""
    items = reading.items if place is None else reading.items[max(0, place - NEAR) : place]
    for item in reversed(items):
        said = {stem(word) for word in folded(item.text).split()} | set(folded(item.text).split())
        spoken = [key for key in keys if _spoken(key, said)]
        if len(spoken) == 1:
            return spoken[0]
    columns = " / ".join(key.columns[0] for key in keys)
    raise NotFitting(f"{keys[0].to_table} can be reached by {columns}")


def _spoken(key: ForeignKey, said: set[str]) -> bool:
    words = {part for column in key.columns for part in name_words(column)}
    return bool(words & said) or any(words & sense and sense & said for sense in _SENSES)
