"""Completing: what a question leaves to its reader: what is listed, added up, or grouped."""

from __future__ import annotations

from dataclasses import replace

from agents.analyst.planning.fittings import NotFitting
from agents.analyst.planning.items import Named, Said, Timed, Valued
from agents.analyst.planning.marks import Kind
from agents.analyst.planning.reading import Reading
from agents.analyst.planning.sketch import Pick, Target
from agents.analyst.planning.targets import added_up, amount_named, called_as_amount
from envs.analyst.catalogue import Role
from envs.analyst.ir import Aggregate, Op

_LISTING = frozenset({"list", "names", "name", "daftar", "sebutkan", "nama"})


def complete(reading: Reading) -> None:
    """Supplies what a question leaves to its reader."""
    sketch = reading.sketch
    grouping = [ranking.target for ranking in sketch.rankings if ranking.target and ranking.target.agg]
    ranked = [ranking.target for ranking in sketch.rankings if ranking.target]
    _bare(reading)
    _amount_meant(reading)
    _all_values(reading)
    if not sketch.targets and not sketch.everything and not sketch.groups:
        table = sketch.entity or next((target.home for target in ranked if target.home), None)
        if table is None:
            raise NotFitting("nothing in the question names a table")
        if not sketch.grain:
            sketch.targets.extend(Target(None, pick) for pick in reading.label(table))
    shown = [target for target in sketch.targets if target.agg is None and target.pick]
    if sketch.groups and not grouping and not sketch.group_tests and not any(t.agg for t in sketch.targets):
        _measure_or_list(reading, shown)
    elif not sketch.groups and not any(t.agg for t in sketch.targets):
        _sum_where_grouped(reading, shown)
    _keys_for_labels(reading)
    if (grouping or sketch.group_tests) and not sketch.groups and not any(t.agg for t in sketch.targets):
        sketch.groups.extend(target.pick for target in shown if target.pick)
        sketch.targets[:] = [target for target in sketch.targets if target not in shown]


def _keys_for_labels(reading: Reading) -> None:
    """`the member ids and the number of loans of each member`: an id that is shown stands for the name."""
    sketch = reading.sketch
    shown = [target.pick for target in sketch.targets if target.agg is None and target.pick]
    if any(pick in sketch.labels for pick in shown):
        return
    keys = {(key.table, key.columns[0]): key.to_table for key in reading.graph.keys if len(key.columns) == 1}
    for pick in shown:
        key = reading.column_record(pick).role is Role.KEY
        table = pick.table if key else keys.get((pick.table, pick.column))
        kept = [group for group in sketch.groups if group not in sketch.labels or group.table != table]
        if table is not None and (table in sketch.keyed) and len(kept) < len(sketch.groups):
            sketch.groups[:] = kept or [pick]
            sketch.keyed.discard(table)


def _bare(reading: Reading) -> None:
    """`sales`, `orders?`: a noun alone means how much there was, or how many there are."""
    sketch = reading.sketch
    silent = (Kind.NOTHING, Kind.STOP, Kind.OF)
    nouns = [place for place, item in enumerate(reading.items) if isinstance(item, Named)]
    others = [
        item
        for item in reading.items
        if not isinstance(item, Named | Timed) and not (isinstance(item, Said) and item.mark.kind in silent)
    ]
    asks = any(not isinstance(item, Valued) for item in others)
    if len(nouns) != 1 or asks:
        return
    table = reading.table(nouns[0])
    if table is None or sketch.groups or any(target.agg for target in sketch.targets):
        return
    amount = amount_named(reading, nouns[0], table)
    if others and amount is None:
        return
    sketch.targets[:] = [Target(Aggregate.SUM, amount) if amount else Target(Aggregate.COUNT, table=table)]


def _all_values(reading: Reading) -> None:
    """`the average weight of male and female patients`: where all values are named, they group."""
    sketch = reading.sketch
    if any(reading.said(place) is Kind.OR for place in range(len(reading.items))):
        return
    for test in list(sketch.tests):
        whole = test.op is Op.IN and len(set(test.values)) == reading.column_record(test.pick).distinct
        if whole and not sketch.groups and any(target.agg for target in sketch.targets):
            sketch.tests.remove(test)
            sketch.groups.append(test.pick)


def _amount_meant(reading: Reading) -> None:
    """`sales last month` and `this month so far` mean the sum of what is added up, not its rows."""
    sketch = reading.sketch
    if sketch.groups or sketch.rankings or sketch.group_tests or sketch.everything or sketch.analysis:
        return
    if not sketch.targets and sketch.timings and sketch.entity is not None and not _names_table(reading):
        pick = reading.amount(sketch.entity)
        summed = pick is not None and added_up(reading, pick)
        sketch.targets.extend([Target(Aggregate.SUM, pick)] if summed else [])
        return
    picks = [target.pick for target in sketch.targets if target.agg is None]
    if len(picks) != len(sketch.targets) or not picks or (_names_table(reading) and not sketch.timings):
        return
    if all(pick is not None and added_up(reading, pick) for pick in picks):
        sketch.targets[:] = [replace(target, agg=Aggregate.SUM) for target in sketch.targets]


def _is_said(reading: Reading, table: str) -> bool:
    return any(reading.table(place) == table for place in range(len(reading.items)))


def _names_table(reading: Reading) -> bool:
    return any(
        reading.table(place) is not None and not isinstance(reading.item(place - 1), Valued)
        for place in range(len(reading.items))
    )


def _measure_or_list(reading: Reading, shown: list[Target]) -> None:
    """`revenue by region` adds up; `the names of every singer` lists."""
    sketch = reading.sketch
    amounts = [
        target for target in shown if target.pick and reading.column_record(target.pick).role is Role.MEASURE
    ]
    if sketch.limit is not None and (ranked := [r for r in sketch.rankings if r.target and r.target.pick]):
        # `the oldest student of each class`: the extreme within each group.
        del ranked
        return
    known = {target.pick.table for target in shown if target.pick}
    if amounts and not (set(sketch.groups) <= sketch.labels and _rows_of(reading, sketch.groups[0], known)):
        for target in amounts:
            at = sketch.targets.index(target)
            sketch.targets[at] = replace(target, agg=Aggregate.SUM)
    elif (split := _split(reading, shown)) is not None:
        sketch.targets[:] = [split]
        sketch.keyed.discard(split.home or "")
    else:
        sketch.targets.extend(
            Target(None, pick)
            for pick in sketch.groups
            if not _rows_of(reading, pick, known)
            and (pick.table not in known or reading.column_record(pick).role is Role.DIMENSION)
        )
        sketch.groups.clear()


def _rows_of(reading: Reading, pick: Pick, shown: set[str]) -> bool:
    """`the start and the end of each booking`: each row is shown by what was asked for, not by its name."""
    whole = pick in reading.sketch.labels and len(reading.sketch.targets) > 1
    return whole and all(reading.graph.reaches(pick.table, table) for table in shown)


def _split(reading: Reading, shown: list[Target]) -> Target | None:
    """`sales by region` adds up, `orders by region` counts; `list orders by region` does neither."""
    entity, groups = reading.sketch.entity, reading.sketch.groups
    labels = set(reading.label(entity)) if entity else set[Pick]()
    if entity is None or {target.pick for target in shown} != labels or labels & set(groups):
        return None
    if not all(pick.table == entity or reading.graph.reaches(entity, pick.table) for pick in groups) or any(
        item.text.lower() in _LISTING for item in reading.items
    ):
        return None
    pick = called_as_amount(reading, entity)
    return Target(Aggregate.SUM, pick) if pick else Target(Aggregate.COUNT, table=entity)


def _sum_where_grouped(reading: Reading, shown: list[Target]) -> None:
    """`the region with the highest revenue`: amounts of many rows are added up for each region."""
    sketch = reading.sketch
    for at, ranking in enumerate(sketch.rankings):
        target = ranking.target
        if target is None or target.agg is not None or target.pick is None or not shown:
            continue
        if _per_group(reading, target.pick, [t.pick for t in shown if t.pick]):
            summed = replace(target, agg=Aggregate.SUM)
            sketch.rankings[at] = replace(ranking, target=summed)
            sketch.groups.extend(t.pick for t in shown if t.pick and t.pick != target.pick)
            sketch.targets[:] = [t for t in sketch.targets if t not in shown]


def _per_group(reading: Reading, amount: Pick, shown: list[Pick]) -> bool:
    if amount in shown or not added_up(reading, amount):
        return False
    if amount.table == reading.sketch.entity and _is_said(reading, amount.table):
        # `the ages of runners by their points` are rows of runners.
        return False
    if all(pick.table == amount.table and pick in reading.sketch.labels for pick in shown):
        # `the largest order`: rows that were asked for by their table's name.
        return False
    graph = reading.graph
    table = reading.vocabulary.table(amount.table)
    for pick in shown:
        if pick.table != amount.table:
            if graph.reaches(amount.table, pick.table):
                return True
            continue
        column = reading.column_record(pick)
        if column.role is not Role.DIMENSION or column.distinct >= table.row_count:
            return False
    return all(pick.table == amount.table for pick in shown)
