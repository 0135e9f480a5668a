"""Averaging: `orders per month on average`, `average revenue per customer`: groups made into one number.

Leaves `average discount by channel`, which is one number a channel, to `grouping` and `heading`.
"""

from __future__ import annotations

from typing import TypeGuard

from agents.analyst.planning.items import Item, Named, Said
from agents.analyst.planning.marks import Kind
from agents.analyst.planning.reading import Reading, numeric
from agents.analyst.planning.sketch import Pick, Target
from agents.analyst.planning.targets import AGGREGATES, added_up
from envs.analyst.ir import Aggregate

MANY = 20
"""More groups than anybody wants to see one by one: `average revenue per customer` is one number."""
_FOLDING = ("avg", "median")
_EACH = frozenset({"per", "each", "every", "for each", "for every", "tiap", "setiap", "untuk setiap", "a"})
_TOTALS = ("sum", "howmany", "jumlah")
"""What `how much revenue per order` and `revenue per order overall` say beside the average that they want."""
_OF_A_ROW = frozenset({"value", "values", "nilai", "size", "price", "harga", "amount"})


def read_averages(reading: Reading) -> None:
    """Takes an average of totals or counts with what is totalled or counted."""
    place = next(
        (
            there
            for there in reading.places(Kind.AGG)
            if (mark := reading.mark(there)) and mark.what in _FOLDING
        ),
        None,
    )
    if place is None or reading.sketch.rankings:
        return
    parted = _parted(reading)
    of = _totalled(reading) if parted else None
    mark = reading.mark(place)
    if of is None or mark is None:
        return
    there, target = of
    if target.pick is not None and parted is not None and reading.table(parted) == target.home:
        _each_row(reading, parted, there, target.pick, AGGREGATES[mark.what])
        return
    counts = [at for at in reading.places(Kind.AGG) if at != place]
    reading.take(place, there, *counts)
    reading.sketch.targets.append(target)
    reading.sketch.overall = AGGREGATES[mark.what]


def read_per_row(reading: Reading) -> None:
    """Takes `revenue per order`: what one row is worth on average."""
    if any(item.mark.what not in _TOTALS for item in reading.items if _aggregates(item)):
        return
    for each in reading.places(Kind.EACH):
        item, there, before = reading.item(each), reading.after(each), reading.before(each)
        table = reading.table(there)
        if item is None or item.text.lower() != "per" or table is None or reading.named(before) is None:
            continue
        pick = reading.column(before, numeric, table)
        if pick is not None and pick.table == table and numeric(reading.column_record(pick)) > 0:
            _each_row(reading, there, before, pick, Aggregate.AVG)


def _aggregates(item: Item) -> TypeGuard[Said]:
    return isinstance(item, Said) and item.mark.kind is Kind.AGG


def _each_row(reading: Reading, table: int, amount: int, pick: Pick, agg: Aggregate) -> None:
    each = reading.before(table)
    average = list(reading.places(Kind.AGG))
    reading.take(table, each, amount, *average)
    reading.sketch.targets.append(Target(agg, pick))


def _parted(reading: Reading) -> int | None:
    """Where it is said what there is a total of: steps of time, or many things of a table."""
    grain = next(reading.places(Kind.GRAIN), None)
    if grain is not None:
        text = reading.items[grain].text.lower()
        return None if text.startswith("by ") else grain
    for place in reading.places(Kind.EACH):
        there = reading.after(place)
        if reading.items[place].text.lower() not in _EACH:
            continue
        if reading.table(there) is not None and reading.named(there) is not None:
            return there
    return None


def _totalled(reading: Reading) -> tuple[int, Target] | None:
    """The rows that are counted, or the amount that is added up, where one of them is said."""
    parted = _parted(reading)
    for place in range(len(reading.items)):
        item = reading.named(place)
        if item is None or place == parted or reading.said(reading.before(place)) is Kind.EACH:
            continue
        amount = _amount(reading, place, item)
        if amount is not None:
            return (place, Target(Aggregate.SUM, amount)) if _many(reading, parted, amount) else None
        table = reading.table(place)
        if table is not None:
            return place, Target(Aggregate.COUNT, table=table)
        plain = reading.column(place, numeric, reading.sketch.entity)
        if plain is not None and numeric(reading.column_record(plain)) > 0:
            # `the average age of players for each team`: of a column, and of no total.
            return None
    return None


def _amount(reading: Reading, place: int, item: Named) -> Pick | None:
    """An amount that is added up; the value of an order is no total of anything."""
    pick = reading.column(place, numeric, reading.sketch.entity)
    if pick is None or not added_up(reading, pick) or numeric(reading.column_record(pick)) <= 0:
        return None
    explicit = next((hit.explicit for hit in item.naming.columns if hit.column == pick.column), False)
    of_a_row = explicit or (len(item.text.split()) > 1 and bool(_OF_A_ROW & set(item.text.lower().split())))
    return None if of_a_row and reading.table(place) is None else pick


def _many(reading: Reading, parted: int | None, amount: Pick) -> bool:
    if parted is None:
        return False
    item = reading.item(parted)
    table = reading.table(parted)
    if isinstance(item, Said) or table is None:
        return True
    return table == amount.table or reading.vocabulary.table(table).row_count > MANY
