"""Matching: whether two results say the same.

Rows are compared as a multiset, in order where the reference sorts (rows that it sorts as equals may change
places); columns may stand in any order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations
from math import isclose

from envs.analyst.results import Cell

Rows = Sequence[Sequence[Cell]]
MOST_COLUMNS = 6
"""Up to so many columns every order is tried; beyond it only the one given."""
DIGITS = 6


def same(found: Rows, reference: Rows, *, ordered: bool) -> bool:
    """Whether a result matches its reference."""
    if len(found) != len(reference):
        return False
    if not reference:
        return True
    width = len(reference[0])
    if any(len(row) != width for row in found):
        return False
    orders = permutations(range(width)) if width <= MOST_COLUMNS else [tuple(range(width))]
    return any(_equal([[row[at] for at in order] for row in found], reference, ordered) for order in orders)


def _equal(given: Rows, wanted: Rows, ordered: bool) -> bool:
    if ordered and not _in_order(given, wanted):
        return False
    return _row_by_row(sorted(given, key=_key), sorted(wanted, key=_key))


def _in_order(given: Rows, wanted: Rows) -> bool:
    """Whether rows stand in the same order, or a column that the reference is sorted by does."""
    if _row_by_row(given, wanted):
        return True
    for at in range(len(wanted[0])):
        column = [row[at] for row in wanted]
        keys = [_key([cell]) for cell in column]
        moves = len(set(keys)) > 1 and keys in (sorted(keys), sorted(keys, reverse=True))
        if moves and all(map(_alike, (row[at] for row in given), column)):
            return True
    return False


def _row_by_row(given: Rows, wanted: Rows) -> bool:
    return all(
        len(one) == len(other) and all(map(_alike, one, other))
        for one, other in zip(given, wanted, strict=True)
    )


def _key(row: Sequence[Cell]) -> tuple[tuple[int, float, str], ...]:
    return tuple(
        (0, float(f"{cell:.{DIGITS}g}"), "")
        if isinstance(cell, int | float)
        else (1, 0.0, str(_moment(cell)))
        for cell in row
    )


def _alike(one: Cell, other: Cell) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return isclose(one, other, rel_tol=10**-DIGITS, abs_tol=10**-DIGITS)
    return _moment(one) == _moment(other)


def _moment(cell: Cell) -> Cell:
    """`2026-03-01 09:30:00` for `2026-03-01T09:30:00`: SQLite keeps moments as texts of either form."""
    return _MOMENT.sub(r"\1 \2", cell) if isinstance(cell, str) else cell


_MOMENT = re.compile(r"^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})")
