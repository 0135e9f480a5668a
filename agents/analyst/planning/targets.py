"""Targets: what an aggregate, a rank or a test is of: a column, a count of rows, and which amounts add up."""

from __future__ import annotations

from agents.analyst.planning.items import Named
from agents.analyst.planning.marks import Kind
from agents.analyst.planning.reading import Reading, anything, numeric, ordered
from agents.analyst.planning.sketch import Pick, Target
from agents.analyst.planning.thesaurus import kind_of
from agents.analyst.planning.words import name_words
from envs.analyst.catalogue import Role
from envs.analyst.ir import Aggregate

AGGREGATES = {
    "count": Aggregate.COUNT,
    "sum": Aggregate.SUM,
    "jumlah": Aggregate.SUM,
    "avg": Aggregate.AVG,
    "median": Aggregate.MEDIAN,
    "stddev": Aggregate.STDDEV,
    "min": Aggregate.MIN,
    "max": Aggregate.MAX,
}


SAME = 0.85
"""How surely a word must name an amount to mean it rather than rows."""
_ADDED_UP = frozenset(
    kind_of(word)
    for word in "amount revenue quantity sales unit total profit spend volume income budget point".split()
)


def added_up(reading: Reading, pick: Pick) -> bool:
    """Whether a column is one that is added up where nothing else is said: amounts and quantities."""
    column = reading.column_record(pick)
    # The last word of a name is its noun: a unit price is no number of units.
    words = {kind_of(name_words(name)[-1]) for name in (column.name, *column.synonyms) if name_words(name)}
    return column.role is Role.MEASURE and bool(words & _ADDED_UP) and column.unit != "%"


def amount_named(reading: Reading, place: int, table: str) -> Pick | None:
    """The amount that a word names which names a table too: `sales` are orders, and what these were worth."""
    item = reading.item(place)
    if not isinstance(item, Named):
        return None
    named = [
        Pick(hit.table, hit.column) for hit in item.naming.columns if hit.table == table and hit.score > SAME
    ]
    return next((pick for pick in named if added_up(reading, pick)), None)


def called_as_amount(reading: Reading, table: str) -> Pick | None:
    """As `amount_named`, of the first word of the question that names one."""
    named = (amount_named(reading, place, table) for place in range(len(reading.items)))
    return next((pick for pick in named if pick is not None), None)


def target_at(reading: Reading, place: int, near: str | None = None) -> tuple[Target, tuple[int, ...]] | None:
    """The aggregate, counted table or column that starts at a place, and the places that say it."""
    mark = reading.mark(place)
    taken: tuple[int, ...] = ()
    agg: Aggregate | None = None
    if mark is not None and mark.kind is Kind.AGG:
        agg, taken = AGGREGATES.get(mark.what, Aggregate.COUNT), (place,)
        place = reading.after(place, Kind.OF, Kind.DISTINCT)
    if reading.named(place) is None:
        return None
    table, taken = reading.table(place), (*taken, place)
    own = (
        reading.column(place + 1, ordered, table)
        if table and agg is None and reading.named(place + 1)
        else None
    )
    if own is not None and own.table == table and reading.table(place + 1) is None:
        # `the company's market value`
        return Target(None, own), (*taken, place + 1)
    if table is not None and (agg in (None, Aggregate.COUNT) or (mark is not None and mark.what == "jumlah")):
        return Target(Aggregate.COUNT, table=table), taken
    suits = numeric if agg not in (None, Aggregate.COUNT) else ordered if agg is None else anything
    pick = reading.column(place, suits, near)
    if pick is not None and agg is Aggregate.COUNT:
        # `number of pages` is a column that counts already.
        counts = numeric(reading.column_record(pick)) > 0 and Kind.DISTINCT not in map(reading.said, taken)
        return Target(None if counts else Aggregate.COUNT_DISTINCT, pick), taken
    if pick is not None:
        return Target(agg, pick), taken
    return (Target(Aggregate.COUNT, table=table), taken) if table is not None else None
