"""Building: a sketch fitted to tables and joins, as an IR and the names of the columns that answer.

Leaves to `grouped` what has one row a group, and to `fitting` how a test reaches its column.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from agents.analyst.planning.built import Built
from agents.analyst.planning.completing import complete
from agents.analyst.planning.fitting import Fitting
from agents.analyst.planning.fittings import NotFitting
from agents.analyst.planning.grouped import Grouped, common_base
from agents.analyst.planning.items import Named
from agents.analyst.planning.marks import Kind
from agents.analyst.planning.reading import TEMPORAL, Reading
from agents.analyst.planning.sketch import Pick, Presence, Ranking, Target, Test
from agents.analyst.planning.valuing import year_tests
from agents.analyst.planning.ways import ref, several_ways
from envs.analyst.catalogue import Column, ColumnType, Role
from envs.analyst.ir import (
    MOST_ROWS,
    Combined,
    Condition,
    Op,
    Order,
    QueryIR,
    Ref,
)

BESIDE = 7
"""Columns that are shown beside the one that names a row."""


def build(reading: Reading) -> Built:
    """The IR of a reading.

    Raises:
        NotFitting: If no tables and joins fit it.
    """
    sketch = reading.sketch
    complete(reading)
    if any(target.agg for target in sketch.targets) or sketch.groups or sketch.grain or sketch.group_tests:
        return Grouped(reading).built()
    _times_as_tests(reading)
    opposed = _opposed(reading)
    if opposed is None and (absence := _absence_of_values(reading)) is not None:
        return _without(reading, absence)
    return _combined(reading, *opposed) if opposed else _with_more(reading, _Listed(reading).built())


def _with_more(reading: Reading, built: Built) -> Built:
    """Rows that were asked for by their table's name alone, with what else is known of them beside it."""
    ir, entity = built.ir, reading.sketch.entity
    asked = {each.column for each in ir.select}
    if ir.distinct or entity != ir.table_id or asked != {pick.column for pick in reading.label(ir.table_id)}:
        return built
    columns = reading.vocabulary.table(ir.table_id).columns
    # What rows are ranked or tested by shows why they are here.
    why = [each.by for each in ir.order_by if isinstance(each.by, str)]
    why += [
        each.column.column for each in ir.filters if isinstance(each, Condition) and not each.column.table
    ]
    names = dict.fromkeys((*why, *(column.name for column in columns)))
    more = tuple(Ref(column=name) for name in names if name not in asked)
    return replace(built, ir=ir.model_copy(update={"select": (*ir.select, *more[:BESIDE])}))


def _opposed(reading: Reading) -> tuple[Test, Test] | None:
    """Two tests of a column that no row can meet together: the question is about two sets of rows."""
    for one, other in combinations(reading.sketch.tests, 2):
        if several_ways(reading, reading.sketch.entity, one.pick.table):
            # From one airport to another: no two sets, but two ways to the same table.
            continue
        if one.pick == other.pick and other.joined == "and" and one.values and other.values:
            both = {one.op, other.op}
            if (
                both == {Op.EQ, Op.NE}
                or (both == {Op.EQ} and one.values != other.values)
                or _crossed(one, other)
            ):
                return one, other
    return None


def _times_as_tests(reading: Reading) -> None:
    """Two times of years that no row can be in both are tests of two sets of rows."""
    timings = reading.sketch.timings
    if len(timings) != 2 or any(timing.window.year_only for timing in timings):
        return
    base = reading.sketch.entity
    years = [timing.pick or (Fitting(reading, base).years() if base else None) for timing in timings]
    if years[0] is None or years[0] != years[1]:
        return
    if reading.column_record(years[0]).type in TEMPORAL:
        return
    pairs = zip(timings, years, strict=True)
    tests = [year_tests(timing.place, timing, pick) for timing, pick in pairs if pick]
    if all(len(each) == 1 for each in tests) and _crossed(tests[0][0], tests[1][0]):
        reading.sketch.tests.extend(each[0] for each in tests)
        timings.clear()


def _absence_of_values(reading: Reading) -> Presence | None:
    """`the different towns that have no runner`: the towns of none, and not those of some without one."""
    sketch = reading.sketch
    picks = {target.pick for target in sketch.targets}
    absent = [presence for presence in sketch.presences if presence.negated]
    pick = next(iter(picks)) if len(picks) == 1 else None
    if pick is None or len(absent) != 1 or not (sketch.distinct or absent[0].table == pick.table):
        return None
    role = reading.column_record(pick).role
    own = absent[0].table == pick.table and role not in (Role.KEY, Role.LABEL)
    return absent[0] if role is Role.DIMENSION or own else None


def _without(reading: Reading, absence: Presence) -> Built:
    """All values of a column but those of rows that have what is absent."""
    presences, tests = reading.sketch.presences, reading.sketch.tests
    whole, kept = list(presences), list(tests)
    presences[:] = [replace(each, negated=False) if each is absence else each for each in whole]
    some = _Listed(reading).built().ir.model_copy(update={"order_by": (), "limit": MOST_ROWS})
    presences[:] = [each for each in whole if each.place < absence.place]
    tests[:] = [test for test in kept if test.place < absence.place]
    every = _Listed(reading).built()
    presences[:], tests[:] = whole, kept
    if absence.table == every.ir.table_id and len(kept) == len([t for t in kept if t.place < absence.place]):
        raise NotFitting("rows of no kind are absent from their own table")
    return replace(every, ir=every.ir.model_copy(update={"combined": Combined(op="except", other=some)}))


def _crossed(one: Test, other: Test) -> bool:
    low, high = (one, other) if one.op in (Op.GT, Op.GE) else (other, one)
    ends = low.values[0], high.values[0]
    if low.op not in (Op.GT, Op.GE) or high.op not in (Op.LT, Op.LE):
        return False
    return isinstance(ends[0], int | float) and isinstance(ends[1], int | float) and ends[0] >= ends[1]


def _combined(reading: Reading, one: Test, other: Test) -> Built:
    """`in Breda but not in Delft`, `taller than 1.9 and shorter than 1.7`: what two lists share or do not."""
    tests = reading.sketch.tests
    whole = list(tests)
    refused = other.op is Op.NE
    tests[:] = [test for test in whole if test is not other]
    first = _Listed(reading).built()
    second = replace(other, op=Op.EQ, missing=False) if refused else other
    tests[:] = [second if test is other else test for test in whole if test is not one]
    rest = _Listed(reading).built().ir.model_copy(update={"order_by": (), "limit": MOST_ROWS})
    tests[:] = whole
    combined = Combined(op="except" if refused else "intersect", other=rest)
    return replace(first, ir=first.ir.model_copy(update={"combined": combined}))


def _is_code(column: Column) -> bool:
    return column.type is ColumnType.INTEGER and not column.name.lower().endswith("s")


def _asks_which(reading: Reading, pick: Pick) -> bool:
    """Whether a column is named by itself, or only a clause says whose it is."""
    for place in range(len(reading.items)):
        item = reading.item(place)
        if not isinstance(item, Named) or reading.table(place) is not None:
            continue
        if not any((hit.table, hit.column) == (pick.table, pick.column) for hit in item.naming.columns):
            continue
        beside = reading.table(place - 1) is not None
        explicit = beside or any(hit.explicit for hit in item.naming.columns if hit.column == pick.column)
        whole = reading.said(place - 1 - beside) is Kind.ALL
        follows = reading.said(reading.after(place)) in (Kind.HAVE, Kind.CLAUSE, Kind.STOP, None)
        if place > 3 or (reading.beside(place) and not beside) or (explicit and not whole):
            return False
        return follows and (whole or explicit or reading.said(reading.after(place)) is not Kind.STOP)
    return False


class _Listed:
    """Rows of a table."""

    def __init__(self, reading: Reading) -> None:
        self._reading, self._sketch, self._graph = reading, reading.sketch, reading.graph

    def built(self) -> Built:
        sketch = self._sketch
        picks = [target.pick for target in sketch.targets if target.pick]
        ranked = [r.target.pick for r in sketch.rankings if r.target and r.target.pick and not r.target.agg]
        base = common_base(self._graph, [pick.table for pick in (*picks, *ranked)], sketch.entity)
        fitting = Fitting(self._reading, base)
        order = [self._order(ranking, base, picks) for ranking in sketch.rankings]
        ir = QueryIR(
            source_id=self._reading.vocabulary.source.source_id,
            table_id=base,
            select=tuple(ref(self._reading, pick, base) for pick in dict.fromkeys(picks)),
            filters=fitting.filters(),
            time_range=fitting.time_range,
            order_by=tuple(each for each in order if each is not None),
            limit=min(sketch.limit or MOST_ROWS, MOST_ROWS),
            distinct=sketch.distinct or (self._lists_values(picks) and not order),
            limit_percent=sketch.percent,
            skip=sketch.skip,
        )
        return Built(ir, ir.names(), tuple(sketch.assumptions))

    def _lists_values(self, picks: list[Pick]) -> bool:
        """`all districts`, `districts where members live`: which there are, and not one for each row."""
        if len(set(picks)) != 1 or self._sketch.limit is not None:
            return False
        column = self._reading.column_record(picks[0])
        if column.role is not Role.DIMENSION and not (column.role is Role.MEASURE and _is_code(column)):
            return False
        return _asks_which(self._reading, picks[0])

    def _order(self, ranking: Ranking, base: str, picks: list[Pick]) -> Order | None:
        if ranking.target is None and not picks:
            return None
        target = ranking.target or Target(None, picks[0])
        if target.pick is None:
            raise NotFitting("rows are ranked by a count that belongs to no group")
        by = ref(self._reading, target.pick, base)
        if not self._sketch.distinct:
            return Order(by=by, descending=ranking.descending)
        if target.pick not in picks:
            raise NotFitting("rows listed once are sorted by what is shown of them")
        return Order(by=by.column, descending=ranking.descending)
