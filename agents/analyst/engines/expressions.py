"""Expressions: ibis, which ships no types, and the two ways in which tests go together."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any

import ibis as _untyped  # pyright: ignore[reportMissingTypeStubs] - it ships none
from ibis.backends.sqlite import udf as _functions  # pyright: ignore[reportMissingTypeStubs]

Expression = Any
"""A table, column or value of ibis."""

ibis: Any = _untyped
sqlite_functions: Any = _functions


def all_of(tests: Iterable[Expression]) -> Expression:
    """Whether every one of some tests passes; there must be one."""
    return reduce(lambda one, other: one & other, tests)


def any_of(tests: Iterable[Expression]) -> Expression:
    """Whether one of some tests passes; there must be one."""
    return reduce(lambda one, other: one | other, tests)
