"""Conditions: what stands around a comparison: its sides, a negation, an alternative."""

from __future__ import annotations

from typing import Literal

from agents.analyst.planning.items import Item, Named, Numbered, Said, Unknown, Valued
from agents.analyst.planning.marks import Kind
from agents.analyst.planning.reading import NUMERIC, Reading, ordered
from agents.analyst.planning.sketch import GroupTest, Target, Test
from agents.analyst.planning.targets import added_up, target_at
from envs.analyst.catalogue import Role
from envs.analyst.ir import Aggregate, Op, Scalar


def joined_at(reading: Reading, place: int) -> Literal["and", "or"]:
    """How the test that starts at a place is joined to the one before."""
    for before in range(place - 1, max(place - 4, -1), -1):
        item = reading.item(before)
        if isinstance(item, Said) and item.mark.kind is Kind.OR:
            return "or"
        if isinstance(item, Said) and item.mark.kind is Kind.AND:
            return "and"
    return "and"


def negated_at(reading: Reading, place: int) -> int | None:
    """The place of the negation that a test stands under."""
    for before in range(place - 1, max(place - 5, -1), -1):
        kind = reading.kind(before)
        if kind is Kind.NOT or (kind is Kind.WITHOUT and before == reading.before(place)):
            return before
        if kind in (Kind.AND, Kind.OR, Kind.CLAUSE, Kind.HAVE, Kind.EACH):
            return None
    return None


def left_of(reading: Reading, place: int) -> tuple[Target, tuple[int, ...]] | None:
    """What stands on the left of a comparison: a column, or an aggregate of one."""
    before = reading.before(place, Kind.IS, Kind.HAVE, Kind.NOT, Kind.CLAUSE, Kind.OF)
    if reading.named(before) is None:
        return None
    agg = reading.before(before, Kind.OF, Kind.DISTINCT)
    if reading.kind(agg) is Kind.AGG and reading.kind(place - 1) not in (Kind.HAVE, Kind.CLAUSE):
        return target_at(reading, agg)
    if reading.table(before) is not None:
        return None
    pick = reading.column(before, ordered, reading.sketch.entity)
    return (Target(None, pick), (before,)) if pick is not None else None


def adjacent(reading: Reading, one: int, other: int) -> bool:
    """Whether only `is`, `has` and the like stand between."""
    return all(
        reading.kind(place) in (Kind.IS, Kind.HAVE, Kind.NOTHING, Kind.ALL, Kind.NOT, Kind.CLAUSE, None)
        and not isinstance(reading.free(place), (Named, Numbered, Valued))
        for place in range(one + 1, other)
    )


def _is_unit(item: Item | None) -> bool:
    period = isinstance(item, Said) and item.mark.kind is Kind.PERIOD
    return item is not None and (period or isinstance(item, Unknown | Named)) and item.text.lower() in _UNITS


def right_of(reading: Reading, place: int) -> tuple[Target, tuple[int, ...]] | None:
    """What a number counts: `5 pets`, `20 years of age`, `100 in sales`."""
    there = reading.after(place, Kind.OF, Kind.DISTINCT)
    if _is_unit(item := reading.free(there)):
        skipped = reading.after(there, Kind.OF)
        if reading.named(skipped) is not None and not reading.table(skipped):
            reading.take(there)
            there = skipped
        elif not isinstance(item, Named):
            reading.take(there)
            return None
    table = reading.table(there)
    if table is not None:
        return Target(Aggregate.COUNT, table=table), (there,)
    pick = reading.column(there, ordered, reading.sketch.entity) if reading.named(there) else None
    if pick is None:
        return None
    if reading.column_record(pick).type not in NUMERIC or reading.column_record(pick).role in (
        Role.KEY,
        Role.REFERENCE,
    ):
        return Target(Aggregate.COUNT_DISTINCT, pick), (there,)
    return Target(None, pick), (there,)


_UNITS = frozenset(
    """
    years year dollars dollar usd euros euro kg kilograms km kilometers miles metres meters cm
    minutes hours days old percent points pounds tahun rupiah persen people persons times units
    seconds mb gb
    """.split()
)


def add_test(reading: Reading, place: int, target: Target, op: Op, values: tuple[Scalar, ...]) -> None:
    numbers = tuple(plain(value) for value in _parts(reading, target, values))
    if _summed(reading, target):
        target = Target(Aggregate.SUM, target.pick)
    if target.agg is None and target.pick is not None:
        text = reading.column_record(target.pick).type not in NUMERIC
        typed = tuple(str(number) if text and op in (Op.EQ, Op.NE) else number for number in numbers)
        reading.sketch.tests.append(Test(place, target.pick, op, typed, joined=joined_at(reading, place)))
        return
    counts = tuple(number for number in numbers if isinstance(number, (int, float)))
    reading.sketch.group_tests.append(GroupTest(target, op, counts))


def _parts(reading: Reading, target: Target, values: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
    """`a discount over 20%`: of shares 0.2 is stored."""
    share = target.pick is not None and reading.column_record(target.pick).unit == "%"
    numbers = [value for value in values if isinstance(value, int | float)]
    if not share or len(numbers) != len(values) or max(numbers, default=0) <= 1:
        return values
    return tuple(number / 100 for number in numbers)


def _summed(reading: Reading, target: Target) -> bool:
    """`products with revenue above 300000`: an amount of the rows that refer to those asked about."""
    entity, pick = reading.sketch.entity, target.pick
    if target.agg is not None or pick is None or entity is None or pick.table == entity:
        return False
    child = reading.graph.reaches(pick.table, entity) and added_up(reading, pick)
    rows = any(reading.table(place) == pick.table for place in range(len(reading.items)))
    own = any(reading.table(place) == entity for place in range(len(reading.items)))
    return child and own and not rows


def plain(value: Scalar) -> Scalar:
    # No engine has an integer of more than 64 bits.
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 2**63
    return int(value) if whole else value
