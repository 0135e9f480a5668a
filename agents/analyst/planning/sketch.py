"""Sketch: what a question asks for, read but not yet fitted to tables and joins.

Plain records that the readers fill; `building` turns them into an IR.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from agents.analyst.planning.calendar import Window
from agents.analyst.planning.outcome import Assumption
from envs.analyst.ir import Aggregate, Grain, Op, Scalar


@dataclass(frozen=True, slots=True)
class Pick:
    """A column that was chosen for a phrase."""

    table: str
    column: str


@dataclass(frozen=True, slots=True)
class Target:
    """Something to show, rank or test.

    Attributes:
        pick: The column; None counts rows of `table`.
        over: A ratio: divided by the sum of this column.
    """

    agg: Aggregate | None
    pick: Pick | None = None
    table: str | None = None
    over: Pick | None = None

    @property
    def home(self) -> str | None:
        """The table that it is of."""
        return self.pick.table if self.pick else self.table


@dataclass(frozen=True, slots=True)
class Test:
    """A test of a column.

    Attributes:
        place: Where in the question it stands.
        than: Compare with this aggregate of the column over the whole table.
        joined: How it is joined to the test before it.
        missing: Whether rows without a value pass too.
    """

    place: int
    pick: Pick
    op: Op
    values: tuple[Scalar, ...] = ()
    other: Pick | None = None
    than: Aggregate | None = None
    joined: Literal["and", "or"] = "and"
    missing: bool = False
    grain: Grain | None = None


@dataclass(frozen=True, slots=True)
class Presence:
    """Rows of another table that must, or must not, be there."""

    place: int
    table: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class GroupTest:
    """A test of an aggregate of each group; `than` compares it with that of all groups."""

    target: Target
    op: Op
    values: tuple[int | float, ...] = ()
    than: Literal["avg", "min", "max", "median"] | None = None


@dataclass(frozen=True, slots=True)
class Ranking:
    """An order by something; None is by what is shown first."""

    target: Target | None
    descending: bool


@dataclass(frozen=True, slots=True)
class Timing:
    """A stretch of time; `pick` is the column it was said of, None the usual one."""

    place: int
    window: Window
    pick: Pick | None = None


@dataclass
class Sketch:
    """A question, read.

    Attributes:
        within: Groups that a limit counts in; `within_grain` where steps of time are one of them.
        percent: A limit as a part of all.
        skip: How many are before the first one that is wanted.
        overall: How the groups become one number; those in `kept` stay apart.
        own_time: Whether a time is of the rows asked about and not of what they did.
        so_far: Whether a comparison without a time is of this year until now, and not of the last whole one.
        direction: Only groups that went that way from one time to the other.
    """

    entity: str | None = None
    targets: list[Target] = field(default_factory=list[Target])
    groups: list[Pick] = field(default_factory=list[Pick])
    keyed: set[str] = field(default_factory=set[str])
    after_noun: bool = False
    labels: set[Pick] = field(default_factory=set[Pick])
    grain: Grain | None = None
    grain_of: Pick | None = None
    tests: list[Test] = field(default_factory=list[Test])
    presences: list[Presence] = field(default_factory=list[Presence])
    group_tests: list[GroupTest] = field(default_factory=list[GroupTest])
    rankings: list[Ranking] = field(default_factory=list[Ranking])
    limit: int | None = None
    within: list[Pick] = field(default_factory=list[Pick])
    within_grain: bool = False
    percent: float | None = None
    skip: int = 0
    overall: Aggregate | None = None
    kept: list[Pick] = field(default_factory=list[Pick])
    weekend: bool = False
    own_time: bool = False
    direction: Literal["up", "down"] | None = None
    timings: list[Timing] = field(default_factory=list[Timing])
    distinct: bool = False
    share: bool = False
    unsure_flag: Pick | None = None
    both: bool = False
    everything: bool = False
    analysis: str | None = None
    comparison: str | None = None
    so_far: bool = False
    against: Window | None = None
    periods: int | None = None
    assumptions: list[Assumption] = field(default_factory=list[Assumption])
