"""Grouped: IRs with one row a group, or one in all, over the table that is measured."""

from __future__ import annotations

from typing import NamedTuple

from agents.analyst.planning.built import Built
from agents.analyst.planning.fitting import Fitting
from agents.analyst.planning.fittings import NotFitting
from agents.analyst.planning.graph import Graph
from agents.analyst.planning.reading import NUMERIC, Reading
from agents.analyst.planning.sketch import GroupTest, Pick, Ranking, Target
from agents.analyst.planning.targets import added_up
from agents.analyst.planning.ways import called, ref
from agents.analyst.planning.words import name_words
from envs.analyst.ir import (
    MOST_ROWS,
    Aggregate,
    Dimension,
    Having,
    Measure,
    Op,
    Operand,
    Order,
    Overall,
    QueryIR,
)

MOSTLY = 0.8

"""A column with so many values a row names its rows."""


class _Key(NamedTuple):
    """A key that is grouped by beside a label, and whether the labels are all different without it."""

    column: str
    unique: bool


class Grouped:
    """One row a group, or one in all."""

    def __init__(self, reading: Reading) -> None:
        self._reading, self._sketch, self._graph = reading, reading.sketch, reading.graph
        self._measures: dict[Target, Measure] = {}

    def built(self) -> Built:
        sketch = self._sketch
        plain = [target.pick for target in sketch.targets if target.agg is None and target.pick]
        groups = list(dict.fromkeys((*sketch.groups, *plain)))
        measured = self._measured()
        base = self._base_of(groups, measured)
        fitting = Fitting(self._reading, base)
        dimensions = self._dimensions(groups, base, fitting)
        shown = [target for target in sketch.targets if target.agg is not None]
        for target in shown:
            self._measure(target, base, shown=True)
        having = tuple(self._having(test, base) for test in sketch.group_tests)
        order = tuple(
            each for each in (self._order(ranking, base, dimensions) for ranking in sketch.rankings) if each
        )
        if sketch.grain and not order:
            order = (Order(by=dimensions[0].alias or ""),)
        ir = QueryIR(
            source_id=self._reading.vocabulary.source.source_id,
            table_id=base,
            measures=tuple(self._measures.values()),
            group_by=tuple(dimensions),
            filters=fitting.filters(),
            time_range=fitting.time_range,
            having=having,
            order_by=order,
            limit=min(sketch.limit or MOST_ROWS, MOST_ROWS),
            limit_percent=sketch.percent,
            skip=sketch.skip,
            limit_within=self._within(dimensions, base),
        )
        if sketch.overall is not None:
            return self._folded(ir, sketch.overall, fitting, base)
        return Built(ir, self._answer(ir, groups, shown), (*sketch.assumptions, *fitting.assumptions))

    def _answer(self, ir: QueryIR, groups: list[Pick], shown: list[Target]) -> tuple[str, ...]:
        keys = len(ir.group_by) - len(groups) - bool(self._sketch.grain)
        names = ir.names()[: len(ir.names()) - keys]
        return (*names, *dict.fromkeys(self._measures[target].alias for target in shown))

    def _within(self, dimensions: list[Dimension], base: str) -> tuple[str, ...]:
        """The dimensions in each of whose groups a limit counts; none where no other is left to rank."""
        sketch = self._sketch
        tables = {pick.table for pick in sketch.within if pick in sketch.labels}
        refs = [ref(self._reading, pick, base) for pick in sketch.within]
        inside = [
            each
            for each in dimensions
            if each.column in refs
            or (sketch.within_grain and each.grain is not None)
            or (each.column.table or base) in tables
        ]
        names = tuple(each.alias or "" for each in inside)
        return names if sketch.limit is not None and len(inside) < len(dimensions) else ()

    def _folded(self, ir: QueryIR, agg: Aggregate, fitting: Fitting, base: str) -> Built:
        """The groups made into one number, but for those that are to stay apart."""
        refs = [ref(self._reading, pick, base) for pick in self._sketch.kept]
        keep = tuple(each.alias or "" for each in ir.group_by if each.column in refs and each.grain is None)
        of = ir.measures[0].alias if ir.measures else None
        if agg is Aggregate.COUNT:
            of = None
        elif of is None:
            raise NotFitting("an average of groups needs an amount or a count")
        name = f"{ir.group_by[0].alias if of is None else of}"
        named = {Aggregate.AVG: "average", Aggregate.COUNT: "count"}.get(agg, agg.value)
        overall = Overall(agg=agg, of=of, alias=f"{named}_{name}", keep=keep)
        update = {"overall": overall, "order_by": (), "limit": MOST_ROWS}
        return Built(
            ir.model_copy(update=update),
            (*keep, overall.alias),
            (*self._sketch.assumptions, *fitting.assumptions),
        )

    def _measured(self) -> list[Target]:
        sketch = self._sketch
        ranked = [ranking.target for ranking in sketch.rankings if ranking.target and ranking.target.agg]
        tested = [test.target for test in sketch.group_tests]
        return [*(target for target in sketch.targets if target.agg is not None), *ranked, *tested]

    def _base_of(self, groups: list[Pick], measured: list[Target]) -> str:
        """The table that is measured, where it leads to all groups; else one that joins them."""
        homes = [target.home for target in measured if target.home]
        needed = [*(pick.table for pick in groups), *homes]
        if self._sketch.grain_of:
            needed.append(self._sketch.grain_of.table)
        elif self._sketch.grain and not needed and self._sketch.entity:
            needed.append(self._sketch.entity)
        if not groups and homes:
            entity = self._sketch.entity
            if entity is not None and entity not in homes and self._leads(entity, needed):
                # `the average age of runners` whose ages stand with the people that they are.
                return entity
            return (
                homes[0]
                if all(self._graph.reaches(homes[0], table) for table in needed)
                else self._lowest(needed, homes[0])
            )
        preferred = next(
            (home for home in homes if all(self._graph.reaches(home, table) for table in needed)), None
        )
        return preferred or self._lowest(needed, self._sketch.entity)

    def _leads(self, entity: str, needed: list[str]) -> bool:
        return all(self._graph.reaches(entity, table) for table in needed)

    def _lowest(self, needed: list[str], entity: str | None) -> str:
        base = self._graph.base(needed, None)
        if base is None and len(set(needed)) == 1:
            base = needed[0]
        if base is None:
            return common_base(self._graph, needed, entity)
        return base

    def _dimensions(self, groups: list[Pick], base: str, fitting: Fitting) -> list[Dimension]:
        dimensions: list[Dimension] = []
        sketch = self._sketch
        if sketch.grain is not None:
            pick = sketch.grain_of or fitting.time_column()
            if pick is None:
                raise NotFitting(f"{base} has no dates to go by")
            dimensions.append(
                Dimension(column=ref(self._reading, pick, base), grain=sketch.grain, alias=sketch.grain.value)
            )
        taken = {dimension.alias for dimension in dimensions}
        for pick in groups:
            alias = called(self._reading, pick, base)
            alias = alias if alias not in taken else f"{pick.table}_{pick.column}"
            taken.add(alias)
            dimensions.append(Dimension(column=ref(self._reading, pick, base), alias=alias))
        for table in dict.fromkeys(pick.table for pick in groups):
            key = self._key(table, [pick.column for pick in groups if pick.table == table])
            if key is not None:
                column, alias = ref(self._reading, Pick(table, key.column), base), f"{table}_{key.column}"
                dimensions.append(Dimension(column=column, alias=alias, shown=not key.unique))
        return dimensions

    def _key(self, table_id: str, columns: list[str]) -> _Key | None:
        """The key that keeps rows of the same label apart, where rows and not labels are meant."""
        table = self._reading.vocabulary.table(table_id)
        column = table.column(columns[0])
        if len(table.primary_key) != 1 or table.primary_key[0] in columns or column is None:
            return None
        labels = {pick.column for pick in self._reading.label(table_id)}
        names_rows = column.distinct > MOSTLY * (table.row_count - column.missing)
        if not names_rows and name_words(columns[0]) == name_words(table_id):
            # A kind of things that is called as their table: `breed` of `breed`.
            return None
        # `top 5 customers` are five customers, not five names that many of them share.
        ranked = bool(self._sketch.rankings) and table_id == self._sketch.entity and set(columns) == labels
        ranked = ranked and (names_rows or bool(labels & {pick.column for pick in self._sketch.labels}))
        if table_id not in self._sketch.keyed and not ranked and not (names_rows and set(columns) & labels):
            return None
        unique = column.distinct >= table.row_count - column.missing
        # A key of labels that are all different still says which of two equals comes first.
        return None if unique and not self._sketch.rankings else _Key(table.primary_key[0], unique)

    def _measure(self, target: Target, base: str, *, shown: bool = False) -> Measure:
        if target in self._measures:
            return self._measures[target]
        agg = target.agg or (Aggregate.AVG if self._is_rate(target) else Aggregate.SUM)
        if agg is Aggregate.SUM and target.pick and self._reading.column_record(target.pick).unit == "%":
            raise NotFitting(f"a sum of percentages; {target.pick.column} can be averaged")
        column = ref(self._reading, target.pick, base) if target.pick else None
        counted = (
            target.table
            if target.table != base and not self._graph.reaches(base, target.table or base)
            else None
        )
        per = (
            Operand(agg=Aggregate.SUM, column=ref(self._reading, target.over, base)) if target.over else None
        )
        alias = self._alias(agg, target)
        self._measures[target] = Measure(
            agg=agg, column=column, table=counted, alias=alias, per=per, shown=True
        )
        return self._measures[target]

    def _is_rate(self, target: Target) -> bool:
        return target.pick is not None and not added_up(self._reading, target.pick)

    def _alias(self, agg: Aggregate, target: Target) -> str:
        name = target.pick.column if target.pick else target.table or "rows"
        prefix = {"sum": "total", "avg": "average", "count_distinct": "distinct"}.get(agg.value, agg.value)
        alias = f"{name}_per_{target.over.column}" if target.over else f"{prefix}_{name}"
        taken = {measure.alias for measure in self._measures.values()} | {
            pick.column for pick in self._sketch.groups
        }
        return alias if alias not in taken else f"{alias}_{len(taken) + 1}"

    def _having(self, test: GroupTest, base: str) -> Having:
        measure = self._measure(test.target, base)
        if test.than is not None:
            return Having(alias=measure.alias, op=test.op, than=test.than)
        if test.op is Op.BETWEEN:
            return Having(alias=measure.alias, op=test.op, values=test.values)
        return Having(alias=measure.alias, op=test.op, value=test.values[0])

    def _order(self, ranking: Ranking, base: str, dimensions: list[Dimension]) -> Order | None:
        target = ranking.target
        if target is None:
            by = dimensions[0].alias if dimensions else None
            if self._measures and (not dimensions or ranking.descending):
                by = next(iter(self._measures.values())).alias
            return Order(by=by, descending=ranking.descending) if by else None
        for dimension in dimensions:
            if (
                target.agg is None
                and target.pick
                and dimension.column == ref(self._reading, target.pick, base)
            ):
                return Order(by=dimension.alias or "", descending=ranking.descending)
        if target.agg is None and target.pick is not None:
            same = [shown for shown in self._measures if shown.pick == target.pick]
            if same:
                return Order(by=self._measures[same[0]].alias, descending=ranking.descending)
            if self._reading.column_record(target.pick).type not in NUMERIC or not dimensions:
                raise NotFitting(f"groups cannot be ranked by {target.pick.column}")
        return Order(by=self._measure(target, base).alias, descending=ranking.descending)


def common_base(graph: Graph, needed: list[str], entity: str | None) -> str:
    base = graph.base(needed or ([entity] if entity else []), entity)
    if base is None:
        raise NotFitting(f"no foreign keys join {', '.join(dict.fromkeys(needed))} row by row")
    return base
