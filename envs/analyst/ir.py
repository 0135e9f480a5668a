"""The query IR: what may be asked of a source, as a value that every engine answers alike.

Leaves to others which names exist (`catalogue`), what fits together (`checking`), how tables are joined
(`paths`) and every dialect of SQL (the engines).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal, Self

from pydantic import (
    Field,
    ModelWrapValidatorHandler,
    SerializerFunctionWrapHandler,
    field_validator,
    model_serializer,
    model_validator,
)

from envs.kernel.records import Record

MOST_ROWS = 10_000
"""Rows that an answer can have at most."""

VERSION = 1

Scalar = str | int | float | bool
"""A value to compare with; dates and times are ISO strings: `2026-03-01`, `2026-03-01T09:30:00`."""

Moment = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2})?$")]
"""A day or a second, without a time zone."""


class Aggregate(StrEnum):
    """How many values become one. `count` without a column counts rows, with one its values."""

    COUNT = "count"
    COUNT_DISTINCT = "count_distinct"
    SUM = "sum"
    AVG = "avg"
    MIN = "min"
    MAX = "max"
    MEDIAN = "median"
    STDDEV = "stddev"


class Grain(StrEnum):
    """What a date is rounded down to, or which part of it counts.

    `day` to `year` give the first day as an ISO date; `hour` the first second. The last four give whole
    numbers: `hour_of_day` 0 to 23, `weekday` 1 (Monday) to 7, `month_of_year` 1 to 12, `year_number`.
    """

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"
    HOUR_OF_DAY = "hour_of_day"
    WEEKDAY = "weekday"
    MONTH_OF_YEAR = "month_of_year"
    YEAR_NUMBER = "year_number"


class Op(StrEnum):
    """A comparison. `contains`, `starts_with`, `ends_with` ignore case; `blank` is NULL or an empty text."""

    EQ = "eq"
    NE = "ne"
    LT = "lt"
    LE = "le"
    GT = "gt"
    GE = "ge"
    IN = "in"
    NOT_IN = "not_in"
    BETWEEN = "between"
    CONTAINS = "contains"
    NOT_CONTAINS = "not_contains"
    STARTS_WITH = "starts_with"
    ENDS_WITH = "ends_with"
    IS_NULL = "is_null"
    NOT_NULL = "not_null"
    BLANK = "blank"
    NOT_BLANK = "not_blank"


class _Short(Record):
    """A record that is written as a bare string when only its column is given."""

    @model_validator(mode="wrap")
    @classmethod
    def _read(cls, value: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        return handler({"column": value} if isinstance(value, str) else value)

    @model_serializer(mode="wrap")
    def _write(self, handler: SerializerFunctionWrapHandler) -> str | dict[str, Any]:
        written = {name: value for name, value in handler(self).items() if value not in (None, (), [])}
        return (
            written["column"]
            if written.keys() == {"column"} and isinstance(written["column"], str)
            else written
        )


class Ref(_Short):
    """A column of the IR's own table, or of one that foreign keys lead to.

    Attributes:
        column: Its name, as the catalogue has it.
        table: Its table; None for the IR's own.
        via: Keys of the foreign keys on the way (`ForeignKey.key`), for a table that several ways lead to;
            empty where there is one shortest way.
    """

    column: str
    table: str | None = None
    via: tuple[str, ...] = ()


class Combine(Record):
    """A second column that is combined with the first one, row by row: quantity × price.

    Attributes:
        op: `divide` gives NULL where the second is 0; `minus` of two dates gives days.
    """

    op: Literal["plus", "minus", "times", "divide"]
    column: Ref


class Operand(Record):
    """One aggregate.

    Attributes:
        column: What is aggregated; None counts rows.
        table: For `count` of rows: of which table; None for the IR's own.
        combine: A second column, combined with the first one before aggregation.
        where: Only the rows that meet all of these.
    """

    agg: Aggregate
    column: Ref | None = None
    table: str | None = None
    combine: Combine | None = None
    where: tuple[Filter, ...] = ()


class Measure(Operand):
    """An aggregate with a name in the answer.

    A measure of a table that refers to the IR's own (order lines of orders) is aggregated by itself, so
    no join multiplies the others; its groups are those of the IR's own rows. A measure of a table that the
    IR's own refers to (the age of an order's customer) takes each of that table's rows once a group.

    Attributes:
        alias: Its name in the answer, for `having` and for `order_by`.
        per: A ratio: this aggregate divided by that one, group by group; NULL where that is 0.
        times: A factor, 100 for a percentage.
        shown: False for what only `having` and `order_by` need.
    """

    alias: str
    per: Operand | None = None
    times: float = 1.0
    shown: bool = True


class Dimension(_Short):
    """What rows are grouped by.

    Attributes:
        grain: For dates and times.
        alias: Its name in the answer; see `QueryIR.names`.
        shown: False for what only tells groups apart (the key of a customer whose name is shown).
    """

    column: Ref
    grain: Grain | None = None
    alias: str | None = None
    shown: bool = True


class Benchmark(Record):
    """One number out of a whole table to compare with: above the average price.

    Attributes:
        agg: Over all rows of the column's table that meet `where`.
    """

    agg: Aggregate
    column: Ref
    where: tuple[Filter, ...] = ()


class Condition(Record):
    """A test of one column; of `value`, `values`, `other` and `than` exactly what its `op` needs.

    Attributes:
        value: For all but `in`, `not_in`, `between` and the tests for nothing.
        values: For `in` and `not_in`; for `between` the two ends, both included.
        other: Another column of the same row instead of a value.
        than: One number out of a table instead of a value.
        grain: Compares a part of a date: `month_of_year` eq 3.
        missing: Whether rows without a value pass too ("not HR" where the department is unknown).
        fold: For texts in `eq`, `ne`, `in` and `not_in`: whether case and blanks at the ends are ignored.
    """

    column: Ref
    op: Op
    value: Scalar | None = None
    values: tuple[Scalar, ...] = ()
    other: Ref | None = None
    than: Benchmark | None = None
    grain: Grain | None = None
    missing: bool = False
    fold: bool = False


class AnyOf(Record):
    """At least one of these holds."""

    any_of: Annotated[tuple[Condition | AllOf | Exists, ...], Field(min_length=1)]


class AllOf(Record):
    """All of these hold; stands inside an `AnyOf`."""

    all_of: Annotated[tuple[Condition, ...], Field(min_length=1)]


class Exists(Record):
    """Rows that have (or have no) row in a table that refers to theirs: customers without orders.

    Attributes:
        exists: That table; it may be several foreign keys away.
        via: As in `Ref`.
        where: Only its rows that meet all of these count; their columns belong to that table.
        negated: True for "has none".
        at_least: How many rows there must be (or, negated, must not be).
    """

    exists: str
    via: tuple[str, ...] = ()
    where: tuple[Filter, ...] = ()
    negated: bool = False
    at_least: Annotated[int, Field(ge=1)] = 1


Filter = Condition | AnyOf | Exists


class Having(Record):
    """A test of a measure of each group.

    Attributes:
        alias: The measure's, shown or not.
        op: One of eq, ne, lt, le, gt, ge, between, is_null, not_null.
        than: Compare with this aggregate of the measure over all groups ("regions above the average"), or,
            with `before`, with the measure over the time that is compared with ("regions that declined").
    """

    alias: str
    op: Op
    value: int | float | None = None
    values: tuple[int | float, ...] = ()
    than: Literal["avg", "min", "max", "median", "before"] | None = None


class Overall(Record):
    """The groups made into one number: the average of the months' orders, how many customers passed.

    Attributes:
        agg: How the groups' values of a measure become one; `count` counts the groups that are left.
        of: The measure's alias; None for `count`.
        alias: Its name in the answer.
        keep: Names of dimensions that stay; there is then one number for each of their groups.
    """

    agg: Aggregate
    of: str | None = None
    alias: str
    keep: tuple[str, ...] = ()


class Order(Record):
    """What rows are sorted by. Nothing (NULL) comes last.

    Equal rows are sorted by the key of the IR's own table and then by the columns from the left; equal
    groups by the dimensions that are keys and then by the columns, in the direction of the first order.

    Attributes:
        by: A name in the answer, a hidden measure's alias, or, where nothing is aggregated, a column; one of
            the IR's own table is always given by its bare name.
    """

    by: str | Ref
    descending: bool = False

    @field_validator("by")
    @classmethod
    def _bare(cls, by: str | Ref) -> str | Ref:
        return by.column if isinstance(by, Ref) and by == Ref(column=by.column) else by


class TimeRange(Record):
    """Half-open: `start` belongs to it, `end` does not; either may be open (None)."""

    column: Ref
    start: Moment | None = None
    end: Moment | None = None


class Comparison(Record):
    """The same measures over another time: each gets a second column, `<alias>_before`.

    Needs a `time_range` with both ends; not together with a grain of the same column.

    Attributes:
        start, end: The other time, half-open, already resolved to dates whatever the kind.
    """

    kind: Literal["previous_period", "same_period_last_year", "custom"]
    start: Moment
    end: Moment


class Combined(Record):
    """The rows of this query together with another's: in both, only in this one, in either.

    Attributes:
        other: Of the same source, with as many columns; its own order and limit do not count.
    """

    op: Literal["intersect", "except", "union"]
    other: QueryIR


class QueryIR(Record):
    """One question to one source.

    Without measures and `group_by` it lists rows (`select`); else it has one row a group: first the
    dimensions, then the measures, in their order. Joins follow from the foreign keys; rows that find no
    partner stay (and are told as a caveat).

    Attributes:
        table_id: The table whose rows are meant; measures without a table of their own are over it.
        select: Columns to list, where nothing is aggregated; empty lists all of the table.
        filters: All must hold.
        limit: Rows at most; with `ties`, rows that equal the last one come too.
        limit_within: Names of dimensions; the limit then counts in each of their groups (top 3 a region).
        limit_percent: As many rows as are this part of all, rounded up, and no more than `limit`.
        skip: Rows left out before the first one that is shown: 1 and a limit of 1 give the second; with
            `ties` ranks and not rows are left out.
        overall: After `having` the groups become one number; `order_by` and `limit` count after that.
        distinct: Equal rows once.
        spread: Of a list that is longer than its limit rows from all of it are taken, evenly spread in the
            order of the table's key, and not the first ones: what stands for a whole must not be its start.
        unmatched: `drop` leaves out rows that find no partner in a table whose columns are shown, grouped by
            or filtered by; `keep` keeps them with nothing (NULL) in its columns.
        combined: Rows are compared as sets; `order_by` and `limit` count after that.
    """

    version: Literal[1] = VERSION
    source_id: str
    table_id: str
    select: tuple[Ref, ...] = ()
    measures: tuple[Measure, ...] = ()
    group_by: tuple[Dimension, ...] = ()
    filters: tuple[Filter, ...] = ()
    having: tuple[Having, ...] = ()
    time_range: TimeRange | None = None
    comparison: Comparison | None = None
    order_by: tuple[Order, ...] = ()
    limit: Annotated[int, Field(ge=1, le=MOST_ROWS)] = MOST_ROWS
    ties: bool = False
    limit_within: tuple[str, ...] = ()
    limit_percent: Annotated[float, Field(gt=0, le=100)] | None = None
    skip: Annotated[int, Field(ge=0, le=MOST_ROWS)] = 0
    overall: Overall | None = None
    distinct: bool = False
    spread: bool = False
    unmatched: Literal["keep", "drop"] = "keep"
    combined: Combined | None = None

    @property
    def aggregates(self) -> bool:
        """Whether the answer has one row a group and not one a row."""
        return bool(self.measures or self.group_by)

    def names(self) -> tuple[str, ...]:
        """The answer's column names for `group_by`, or for `select` where nothing is aggregated.

        An alias, else the column's name, with a grain `<column>_<grain>`; a name that is taken already gets
        its table before it: `region.name`, and if need be a number after it.
        """
        given: list[str] = []
        for ref, alias in self._outputs():
            name = alias if alias not in given else f"{ref.table or self.table_id}.{alias}"
            given.append(name if name not in given else f"{name}_{len(given) + 1}")
        return tuple(given)

    def _outputs(self) -> list[tuple[Ref, str]]:
        if not self.aggregates:
            return [(ref, ref.column) for ref in self.select]
        return [
            (each.column, each.alias or "_".join([each.column.column, *([each.grain] if each.grain else [])]))
            for each in self.group_by
        ]

    def written(self) -> dict[str, Any]:
        """The IR as JSON with the contract's names; what was left at its default is left out."""
        return self.model_dump(mode="json", exclude_defaults=True)
