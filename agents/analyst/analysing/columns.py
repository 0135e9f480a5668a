"""Columns: the numbers of an answer, with what is missing in them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from envs.analyst.problems import Malformed, WrongType
from envs.analyst.results import Caveat, CaveatCode, Cell, Result, ResultColumn

Floats = NDArray[np.float64]


def described(result: Result, name: str) -> ResultColumn:
    """The column of that name.

    Raises:
        Malformed: If there is none.
    """
    found = next((column for column in result.columns if column.name == name), None)
    if found is None:
        names = result.names
        raise Malformed(f"the answer has no column {name!r}; it has {', '.join(names)}", names)
    return found


def cells(result: Result, name: str) -> tuple[Cell, ...]:
    """A column's cells from the top."""
    described(result, name)
    place = result.names.index(name)
    return tuple(row[place] for row in result.rows)


def numbers(result: Result, name: str) -> Floats:
    """A column as numbers, NaN where there is nothing.

    Raises:
        WrongType: If it holds anything else.
    """
    column = described(result, name)
    values = cells(result, name)
    if column.type not in ("integer", "number") or any(isinstance(value, str) for value in values):
        raise WrongType(f"{name!r} holds {column.type}; this analysis needs numbers")
    return np.array([np.nan if value is None else float(value) for value in values], dtype=np.float64)


def missing(values: Floats, name: str) -> tuple[Caveat, ...]:
    """The caveat about rows without a value."""
    count = int(np.isnan(values).sum())
    if not count:
        return ()
    return (Caveat(code=CaveatCode.MISSING_VALUES, count=count, of=len(values), column=name),)


def few(count: int, needed: int) -> tuple[Caveat, ...]:
    """The caveat about fewer values than a method needs to be sure."""
    return (Caveat(code=CaveatCode.FEW_VALUES, count=count, of=needed),) if count < needed else ()


def plain(value: float) -> float | None:
    """A number to show: without noise in its last digits; None where it is none."""
    return None if not np.isfinite(value) else float(f"{float(value):.12g}")


def plain_all(values: Sequence[float] | Floats) -> tuple[float | None, ...]:
    """Each of them as `plain`."""
    return tuple(plain(float(value)) for value in values)
