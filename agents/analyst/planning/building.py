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
from agents.analyst.planning.reading import Reading
from agents.analyst.planning.sketch import Pick, Ranking, Target, Test
from agents.analyst.planning.ways import ref, several_ways
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
    opposed = _opposed(reading)
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
    why += [each.column.column for each in ir.filters if isinstance(each, Condition) and not each.column.table]
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
            distinct=sketch.distinct,
            limit_percent=sketch.percent,
            skip=sketch.skip,
        )
        return Built(ir, ir.names(), tuple(sketch.assumptions))

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
