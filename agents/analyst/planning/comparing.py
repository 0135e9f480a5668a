"""Comparing: tests with a number, with the average and with another column."""

from __future__ import annotations

from dataclasses import replace

from agents.analyst.planning.conditions import (
    add_test,
    adjacent,
    joined_at,
    left_of,
    negated_at,
    plain,
    right_of,
)
from agents.analyst.planning.items import Named, Numbered
from agents.analyst.planning.marks import Kind, Mark
from agents.analyst.planning.reading import NUMERIC, Reading, ordered
from agents.analyst.planning.sketch import GroupTest, Target, Test
from agents.analyst.planning.targets import AGGREGATES, target_at
from agents.analyst.planning.texts import read_held, read_text
from agents.analyst.planning.thesaurus import kind_of
from agents.analyst.planning.words import name_words
from envs.analyst.catalogue import Role
from envs.analyst.ir import Aggregate, Op, Scalar


def _is_question(reading: Reading, left: Side) -> bool:
    """`how many orders above 1000`: what is counted is worth that much, and not that many."""
    target, entity = left[0], reading.sketch.entity
    asked = target.agg is Aggregate.COUNT and target.table == entity and left[1][0] <= 1
    return asked and entity is not None and reading.money(entity) is not None


Side = tuple[Target, tuple[int, ...]]
"""A target and the places that say it."""

_TURNED = {Op.GT: Op.LT, Op.LT: Op.GT, Op.GE: Op.LE, Op.LE: Op.GE}


_NEGATED = {
    Op.GT: Op.LE, Op.LT: Op.GE, Op.GE: Op.LT, Op.LE: Op.GT, Op.EQ: Op.NE, Op.NE: Op.EQ,
    Op.CONTAINS: Op.NOT_CONTAINS,
}  # fmt: skip


def read_comparisons(reading: Reading) -> None:
    """Takes `more than 5 …`, `between … and …`, `above average`, `starting with …`."""
    for place in reading.places(Kind.TEXT):
        read_text(reading, place)
    for place in reading.places(Kind.HAVE):
        read_held(reading, place)
    for place in reading.places(Kind.BETWEEN):
        _between(reading, place)
    for place in reading.places(Kind.CMP_AFTER):
        _or_more(reading, place)
    for place in reading.places(Kind.CMP):
        _compare(reading, place)
    for place in range(len(reading.items)):
        if reading.number(place) is not None:
            _equal(reading, place)


def _compare(reading: Reading, place: int) -> None:
    mark = reading.mark(place)
    assert mark is not None
    op, there = Op(mark.what), reading.after(place)
    refused = negated_at(reading, place)
    if refused is not None:
        op = _NEGATED[op]
        reading.take(refused)
    item = reading.free(there)
    if isinstance(item, Numbered):
        _with_number(reading, place, mark, op, there, item.number)
    elif reading.kind(there) in (Kind.AGG, Kind.SUPER):
        _with_aggregate(reading, place, mark, op, there)
    elif isinstance(item, Named) and (left := left_of(reading, place)) and left[0].pick:
        other = reading.column(there, ordered, reading.sketch.entity)
        if other is not None:
            reading.take(place, there, *left[1])
            reading.sketch.tests.append(Test(place, left[0].pick, op, other=other))


def _with_number(reading: Reading, place: int, mark: Mark, op: Op, there: int, number: float) -> None:
    left, right = _sides(reading, place, mark, there)
    if left is not None and right is None and _is_question(reading, left):
        left = None
    chosen = left or right or _same_again(reading, place)
    if chosen is None:
        # `players under 21` are so by their age, `orders above 5000` by what they are worth.
        meant = mark if mark.hint else replace(mark, hint=("age", "@money"))
        beside = reading.table(reading.before(place, Kind.CLAUSE, Kind.IS))
        homes = (*([beside] if beside else []), *_homes(reading))
        hinted = next(filter(None, (reading.hinted(meant, table) for table in homes)), None)
        if hinted is None:
            return
        pick, turned = hinted
        chosen, op = (Target(None, pick), ()), _TURNED.get(op, op) if turned else op
    reading.take(place, there, *chosen[1])
    if right is not None and right[0].pick == chosen[0].pick:
        reading.take(*right[1])
    add_test(reading, place, chosen[0], op, (number,))


def _same_again(reading: Reading, place: int) -> Side | None:
    """`a size above 1500 and smaller than 500`: the second is about what the first was about."""
    last = reading.sketch.tests[-1] if reading.sketch.tests else None
    joint = reading.before(place)
    again = reading.said(joint) in (Kind.AND, Kind.OR) and isinstance(
        reading.item(reading.before(joint)), Numbered
    )
    return (Target(None, last.pick), ()) if last is not None and again and last.values else None


def _sides(reading: Reading, place: int, mark: Mark, there: int) -> tuple[Side | None, Side | None]:
    """What stands on both sides of a comparison with a number, as far as either can be meant."""
    right, left = right_of(reading, there), left_of(reading, place)
    after = reading.kind(reading.after(right[1][-1])) if right is not None else None
    if after is Kind.CMP or (after is Kind.IS and right is not None and right[0].agg is None):
        right = None
    if left is not None and mark.hint and not _hinted(reading, mark, left[0]):
        # `the ids of members who are older than 20`: not their ids are.
        left = None
    if left is None or (right is not None and not adjacent(reading, left[1][-1], place)):
        return None, right
    listed = left[0].agg is None and not _numbers(reading, left[0])
    counted = left[0].agg is Aggregate.COUNT and bool(mark.hint)
    behind = right is not None and reading.kind(place - 1) is Kind.HAVE
    return (None if listed or counted or behind else left), right


def _hinted(reading: Reading, mark: Mark, target: Target) -> bool:
    """Whether a column is one that a comparison such as `older than` can be about."""
    if target.pick is None or target.agg is not None:
        return True
    column = reading.column_record(target.pick)
    words = {kind_of(part) for part in name_words(column.name)}
    return column.role not in (Role.KEY, Role.REFERENCE) or bool(
        words & {kind_of(hint.removeprefix("~")) for hint in mark.hint}
    )


def _numbers(reading: Reading, target: Target) -> bool:
    return target.pick is not None and reading.column_record(target.pick).type in NUMERIC


def _homes(reading: Reading) -> tuple[str, ...]:
    entity = reading.sketch.entity
    above = sorted(reading.graph.above[entity].items(), key=lambda each: each[1]) if entity else []
    return tuple(dict.fromkeys((*([entity] if entity else []), *reading.mentioned, *(t for t, _ in above))))


def _with_aggregate(reading: Reading, place: int, mark: Mark, op: Op, there: int) -> None:
    """`above the average price`, `more than the maximum …`."""
    said = reading.mark(there)
    assert said is not None
    agg = AGGREGATES.get(said.what, Aggregate.MAX if said.what == "desc" else Aggregate.MIN)
    left = left_of(reading, place)
    target = target_at(reading, there, reading.sketch.entity) if said.kind is Kind.AGG else None
    right = target if target is not None and target[0].pick is not None else None
    taken = [place, there, *(right[1] if right else ())]
    context = reading.after(taken[-1], Kind.OF, Kind.EACH)
    if reading.table(context) and reading.kind(taken[-1] + 1) is Kind.OF:
        taken.append(context)
    if left is not None and left[0].agg is Aggregate.COUNT and (right is not None or mark.hint):
        left = None
    if left is not None and left[0].agg is not None:
        reading.take(*taken, *left[1])
        reading.sketch.group_tests.append(GroupTest(left[0], op, than="avg"))
        return
    pick = left[0].pick if left else None
    if right is not None and (pick is None or pick.table != (right[0].pick or pick).table):
        pick = right[0].pick
    if pick is None or not ordered(reading.column_record(pick)):
        pick = right[0].pick if right else pick
    if pick is None and mark.hint:
        hinted = next(filter(None, (reading.hinted(mark, t) for t in _homes(reading))), None)
        pick = hinted[0] if hinted else None
        op = _TURNED.get(op, op) if hinted and hinted[1] else op
    if pick is None:
        return
    reading.take(*taken)
    if left is not None and left[0].pick == pick:
        reading.take(*left[1])
    reading.sketch.tests.append(Test(place, pick, op, than=agg, joined=joined_at(reading, place)))


def _between(reading: Reading, place: int) -> None:
    low, joint = reading.after(place), reading.after(reading.after(place))
    high = reading.after(joint)
    ends = reading.number(low), reading.number(high)
    if ends[0] is None or ends[1] is None:
        return
    left, right = left_of(reading, place), right_of(reading, high)
    entity = reading.sketch.entity
    worth = reading.money(entity) if entity else None
    text = left is not None and left[0].agg is None and not _numbers(reading, left[0])
    chosen = right if text and right is not None else left or right
    chosen = chosen or ((Target(None, worth), ()) if worth else None)
    if chosen is None:
        return
    reading.take(place, low, joint, high, *chosen[1])
    add_test(reading, place, chosen[0], Op.BETWEEN, (ends[0], ends[1]))


def _or_more(reading: Reading, place: int) -> None:
    mark, number = reading.mark(place), reading.number(place - 1)
    assert mark is not None
    if number is None:
        return
    chosen = left_of(reading, place - 1) or right_of(reading, place)
    if chosen is None:
        return
    reading.take(place, place - 1, *chosen[1])
    add_test(reading, place, chosen[0], Op(mark.what), (number,))


def _equal(reading: Reading, place: int) -> None:
    """`whose id is 5`, `year 2014`, `with 4 cylinders`, `has 2 children`."""
    number = reading.number(place)
    assert number is not None
    op = Op.EQ
    refused = negated_at(reading, place)
    left = left_of(reading, place)
    if left is None or not adjacent(reading, left[1][-1], place) or reading.kind(place - 1) is Kind.HAVE:
        left = right_of(reading, place) or left
        if left is not None and left[1] and left[1][-1] < place and not adjacent(reading, left[1][-1], place):
            left = None
    if left is None:
        return
    if refused is not None:
        op = Op.NE
        reading.take(refused)
    reading.take(place, *left[1])
    also = reading.after(place)
    values: tuple[Scalar, ...] = (number,)
    while reading.kind(also) in (Kind.OR, Kind.AND) and reading.number(reading.after(also)) is not None:
        if reading.named(reading.after(reading.after(also))) is not None:
            break
        values = (*values, reading.number(reading.after(also)) or 0)
        reading.take(also, reading.after(also))
        also = reading.after(also)
    if len(values) > 1 and left[0].agg is None and left[0].pick is not None:
        many = Op.IN if op is Op.EQ else Op.NOT_IN
        reading.sketch.tests.append(
            Test(place, left[0].pick, many, tuple(map(plain, values)), joined=joined_at(reading, place))
        )
        return
    add_test(reading, place, left[0], op, (number,))
