"""Results: what an engine answers, whatever the engine.

Pure records; leaves to the wording how a caveat reads in a language.
"""

from __future__ import annotations

from enum import StrEnum

from envs.kernel.records import Record

Cell = str | int | float | bool | None
"""Dates are `2026-03-01`, timestamps `2026-03-01T09:30:00`; NULL is None."""

Row = tuple[Cell, ...]


class ResultColumn(Record):
    """A column of an answer.

    Attributes:
        type: A `ColumnType` by its value: integer, number, text, boolean, date, timestamp, other.
        unit: As in the catalogue; `%` means that 0.07 is 7 %.
        named: Whether its numbers are names, as keys and years are, and no amounts.
    """

    name: str
    type: str
    unit: str | None = None
    named: bool = False


class CaveatCode(StrEnum):
    """What an answer has to say about itself."""

    UNMATCHED_ROWS = "unmatched_rows"
    MISSING_VALUES = "missing_values"
    MISSING_KEPT = "missing_kept"
    TIES_CUT = "ties_cut"
    TIES_KEPT = "ties_kept"
    CUT_AT_LIMIT = "cut_at_limit"
    SAMPLED = "sampled"
    INCOMPLETE_PERIOD = "incomplete_period"
    FEW_VALUES = "few_values"


class Caveat(Record):
    """A limit of an answer, as facts.

    Attributes:
        code: `unmatched_rows`: `count` of `of` rows of `table` found no row in `column`'s table;
            `missing_values`: `count` of `of` rows have no `column`; `missing_kept`: `count` of the rows that
            pass a negation have no `column`; `ties_cut`, `ties_kept`: `count` rows equal the last one;
            `cut_at_limit`: there are more rows than `count`; `sampled`: `count` rows stand for more;
            `incomplete_period`: the last `count` periods were left out; `few_values`: only `count` values,
            `of` needed.
    """

    code: CaveatCode
    count: int
    of: int | None = None
    table: str | None = None
    column: str | None = None


class Result(Record):
    """Rows of plain values.

    Attributes:
        rows: Each as long as `columns`.
        row_count: Rows in `rows`.
        sql: The SELECT that was executed, never cut.
        caveats: In the order in which they matter.
    """

    columns: tuple[ResultColumn, ...]
    rows: tuple[Row, ...]
    row_count: int
    sql: str
    caveats: tuple[Caveat, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)
