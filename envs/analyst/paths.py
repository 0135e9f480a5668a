"""Paths: how foreign keys lead from the rows of one table to one row of another.

Pure; leaves to the engines how a join is written and to `checking` whether a query needs one.
"""

from __future__ import annotations

from typing import NamedTuple

from envs.analyst.catalogue import ForeignKey, Source
from envs.analyst.ir import Operand, Ref
from envs.analyst.problems import AmbiguousPath, NoPath, UnknownTable


class Hop(NamedTuple):
    """One step to at most one row: `columns` of `table` equal the unique `to_columns` of `to_table`."""

    key: str
    table: str
    columns: tuple[str, ...]
    to_table: str
    to_columns: tuple[str, ...]


Way = tuple[Hop, ...]


class Home(NamedTuple):
    """Where the rows are that an operand aggregates.

    Attributes:
        table: Their table.
        once: Whether the IR's own rows refer to them, so that each counts once a group.
    """

    table: str
    once: bool


def hops(source: Source, table: str) -> tuple[Hop, ...]:
    """Steps out of a table: along its foreign keys, and back along one that is its partner's whole key."""
    found = [_along(key) for key in source.foreign_keys if key.table == table]
    for key in source.foreign_keys:
        child = source.table(key.table)
        if key.to_table == table != key.table and child and set(child.primary_key) == set(key.columns):
            found.append(Hop(key.key, table, key.to_columns, key.table, key.columns))
    return tuple(found)


def way(source: Source, start: str, goal: str, via: tuple[str, ...] = ()) -> Way:
    """The way from each row of `start` to its one row of `goal`; empty where they are the same table.

    Args:
        via: The keys of the steps, in order; empty for the shortest way.
    Raises:
        UnknownTable: If the source has no such table.
        NoPath: If no steps lead there, or those of `via` do not.
        AmbiguousPath: If several ways are equally short and `via` chooses none.
    """
    for table in (start, goal):
        if source.table(table) is None:
            known = tuple(each.table_id for each in source.tables)
            raise UnknownTable(f"{source.name} has no table {table!r}; it has {', '.join(known)}", known)
    if via:
        return _chosen(source, start, goal, via)
    if start == goal:
        return ()
    ways = _shortest(source, start, goal)
    if not ways:
        raise NoPath(f"no foreign keys lead from a row of {start!r} to one row of {goal!r}")
    if len(ways) > 1:
        options = tuple(",".join(hop.key for hop in each) for each in ways)
        raise AmbiguousPath(
            f"{len(ways)} ways lead from {start!r} to {goal!r}; choose one by `via`: {'; '.join(options)}",
            options,
        )
    return ways[0]


def referral(source: Source, table: str, base: str, via: tuple[str, ...] = ()) -> Way:
    """The way by which rows of `table` refer to those of `base`; a table may refer to itself.

    Raises:
        NoPath, AmbiguousPath: As `way`; where a table does not refer to itself, or does so twice.
    """
    if table != base or via:
        return way(source, table, base, via)
    own = [hop for hop in hops(source, table) if hop.to_table == table]
    if not own:
        raise NoPath(f"the rows of {table!r} do not refer to each other")
    if len(own) > 1:
        options = tuple(hop.key for hop in own)
        raise AmbiguousPath(f"{table!r} refers to itself in {len(own)} ways: {', '.join(options)}", options)
    return (own[0],)


def leads(source: Source, start: str, goal: str) -> bool:
    """Whether steps lead from a row of `start` to rows of `goal`, by one way or several."""
    return start == goal or bool(_shortest(source, start, goal))


def placed(source: Source, home: str, base: str, ref: Ref) -> Way:
    """The way from a row of `home` to the row of a column that is named as seen from `base`.

    `home` is `base`, or a table whose rows refer to it. What does not lead on from `base` is sought from
    `home` itself.
    """
    goal = ref.table or base
    if home == base:
        return way(source, base, goal, ref.via)
    if goal == home and not ref.via:
        return ()
    if not ref.via and not leads(source, base, goal):
        return way(source, home, goal)
    return (*way(source, home, base), *way(source, base, goal, ref.via))


def home(source: Source, base: str, operand: Operand) -> Home:
    """Where an operand's rows are, for an IR over `base`.

    Raises:
        NoPath: If neither refers to the other.
        AmbiguousPath: If a table refers to `base` in several ways.
    """
    first = _table(operand, base)
    if operand.combine is not None:
        second = operand.combine.column.table or base
        # Quantity × price: the rows are those of the table that refers to the other one.
        first = first if leads(source, first, second) else second
        return Home(base, False) if leads(source, base, first) else Home(first, False)
    if first == base and not (operand.column and operand.column.via):
        return Home(base, False)
    if (operand.column and operand.column.via) or leads(source, base, first):
        return Home(first, True)
    way(source, first, base)
    return Home(first, False)


def _table(operand: Operand, base: str) -> str:
    if operand.column is not None:
        return operand.column.table or base
    return operand.table or base


def _along(key: ForeignKey) -> Hop:
    return Hop(key.key, key.table, key.columns, key.to_table, key.to_columns)


def _chosen(source: Source, start: str, goal: str, via: tuple[str, ...]) -> Way:
    taken: list[Hop] = []
    at = start
    for key in via:
        hop = next((hop for hop in hops(source, at) if hop.key == key), None)
        if hop is None:
            allowed = tuple(hop.key for hop in hops(source, at))
            raise NoPath(f"{key!r} does not lead on from {at!r}; its steps are {', '.join(allowed)}", allowed)
        taken.append(hop)
        at = hop.to_table
    if at != goal:
        raise NoPath(f"{', '.join(via)} leads from {start!r} to {at!r} and not to {goal!r}")
    return tuple(taken)


def _shortest(source: Source, start: str, goal: str) -> list[Way]:
    """All shortest ways; none where there is no way. A way enters no table twice."""
    ahead: list[Way] = [(hop,) for hop in hops(source, start) if hop.to_table != start]
    seen = {start}
    while ahead:
        arrived = [each for each in ahead if each[-1].to_table == goal]
        if arrived:
            return arrived
        seen |= {each[-1].to_table for each in ahead}
        ahead = [
            (*each, hop)
            for each in ahead
            for hop in hops(source, each[-1].to_table)
            if hop.to_table not in seen
        ]
    return []
