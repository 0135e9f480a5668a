"""Scope: the rows of one table with the columns that foreign keys add to them.

No join in a scope multiplies its rows: every step finds at most one row, and what refers to a row is counted
before it is joined. Leaves to `conditions` which rows count and to `compiling` what is made of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agents.analyst.engines.dialects import Dialect, unbound
from envs.analyst.catalogue import Column, Source
from envs.analyst.checking import column_of, table_of
from envs.analyst.ir import AllOf, AnyOf, Condition, Exists, Filter, Ref
from envs.analyst.paths import Hop, Way, placed, referral, way


class Scope:
    """Rows of `home`, whose columns are named as seen from `base`.

    First everything that is needed is named by `need`, then `joined` gives the rows.

    Attributes:
        home: The table whose rows these are.
        base: The IR's own table: `home` itself, or one that it refers to.
    """

    def __init__(self, source: Source, dialect: Dialect, home: str, base: str | None = None) -> None:
        self.source = source
        self.dialect = dialect
        self.home = home
        self.base = base or home
        self._columns: dict[Way, dict[str, None]] = {(): {}}
        self._prefixes: dict[Way, str] = {(): ""}
        self._marks: dict[Exists, str] = {}
        self._rows: Any = None

    def need(self, refs: Iterable[Ref] = (), filters: Iterable[Filter | AllOf] = ()) -> None:
        """Names columns that will be used, and filters with all columns in them."""
        for ref in refs:
            self._add(placed(self.source, self.home, self.base, ref), ref.column)
        for each in filters:
            match each:
                case Condition():
                    self.need([each.column, *([each.other] if each.other else [])])
                case AnyOf():
                    self.need(filters=each.any_of)
                case AllOf():
                    self.need(filters=each.all_of)
                case Exists():
                    self._mark(each)

    def need_way(self, ref: Ref, columns: Iterable[str]) -> tuple[str, ...]:
        """Names columns at the end of a column's way; returns what they are called in the rows."""
        taken = placed(self.source, self.home, self.base, ref)
        for column in columns:
            self._add(taken, column)
        return tuple(self._called(taken, column) for column in columns)

    def key_of(self, ref: Ref) -> tuple[str, ...]:
        """What tells rows apart at the end of a column's way; needs at least one step."""
        return placed(self.source, self.home, self.base, ref)[-1].to_columns

    def joined(self, marks: Mapping[Exists, Any], inner: bool = False) -> Any:
        """The rows with all that was needed.

        Args:
            marks: For each `Exists`: the table of `rows_that_refer`, from `conditions`.
            inner: Whether rows without a partner are left out.
        """
        rows = unbound(table_of(self.source, self.home))
        if len(self._columns) > 1 or self._marks:
            rows = rows.select(*self._columns[()])
        for taken in sorted(self._columns, key=len)[1:]:
            rows = self._join(rows, taken, inner)
        for exists, name in self._marks.items():
            rows = self._joined_mark(rows, exists, name, marks[exists])
        self._rows = rows
        return rows

    def use(self, rows: Any) -> None:
        """From now on `column` speaks of these rows, such as the filtered ones."""
        self._rows = rows

    def column(self, ref: Ref) -> Any:
        """A needed column of the rows."""
        return self._rows[self._called(placed(self.source, self.home, self.base, ref), ref.column)]

    def described(self, ref: Ref) -> Column:
        """What the catalogue says of the column."""
        return column_of(self.source, self.base, ref)

    def count_of(self, exists: Exists) -> Any:
        """How many rows refer to each row, 0 for none."""
        return self._rows[f"{self._marks[exists]}.rows"].fill_null(0)

    @property
    def rows(self) -> Any:
        """The rows that `column` speaks of."""
        return self._rows

    @property
    def exists(self) -> tuple[Exists, ...]:
        """All tests for rows that refer to these, in the order of their need."""
        return tuple(self._marks)

    def partners(self) -> tuple[tuple[Hop, str], ...]:
        """Each last step of a way, and the name of a joined column that is NULL where it found nothing."""
        found = (
            (taken[-1], self._called(taken, taken[-1].to_columns[0])) for taken in self._columns if taken
        )
        return tuple(found)

    def _add(self, taken: Way, column: str) -> None:
        for length in range(len(taken) + 1):
            part = taken[:length]
            if part not in self._columns:
                self._columns[part] = {}
                self._prefixes[part] = self._prefix(part[-1].to_table)
            if part:
                self._columns[part].update(dict.fromkeys(part[-1].to_columns))
                self._columns[part[:-1]].update(dict.fromkeys(part[-1].columns))
        self._columns[taken][column] = None

    def _prefix(self, table: str) -> str:
        prefix, number = f"{table}.", 2
        while prefix in self._prefixes.values():
            prefix, number = f"{table}_{number}.", number + 1
        return prefix

    def _called(self, taken: Way, column: str) -> str:
        return self._prefixes[taken] + column

    def _join(self, rows: Any, taken: Way, inner: bool) -> Any:
        hop = taken[-1]
        partner = unbound(table_of(self.source, hop.to_table))
        partner = partner.select(
            **{self._called(taken, name): partner[name] for name in self._columns[taken]}
        )
        pairs = zip(hop.columns, hop.to_columns, strict=True)
        equal = [
            _same(rows[self._called(taken[:-1], ours)], partner[self._called(taken, theirs)])
            for ours, theirs in pairs
        ]
        return rows.join(partner, equal, how="inner" if inner else "left")

    def _mark(self, exists: Exists) -> None:
        if exists in self._marks:
            return
        self._marks[exists] = f"has_{exists.exists}_{len(self._marks) + 1}"
        ahead = () if self.home == self.base else way(self.source, self.home, self.base)
        for column in self._referred(exists):
            self._add(ahead, column)

    def _referred(self, exists: Exists) -> tuple[str, ...]:
        """The columns of `base` that the other table refers to."""
        return referral(self.source, exists.exists, self.base, exists.via)[-1].to_columns

    def _joined_mark(self, rows: Any, exists: Exists, name: str, counted: Any) -> Any:
        ahead = () if self.home == self.base else way(self.source, self.home, self.base)
        referred = self._referred(exists)
        names = {f"{name}.{at}": counted[f"key_{at}"] for at in range(len(referred))}
        partner = counted.select(**names, **{f"{name}.rows": counted["rows"]})
        equal = [
            _same(rows[self._called(ahead, column)], partner[f"{name}.{at}"])
            for at, column in enumerate(referred)
        ]
        return rows.join(partner, equal, how="left")


def _same(ours: Any, theirs: Any) -> Any:
    """Whether two keys are equal; SQLite lets a text `7` refer to the number 7."""
    if ours.type().is_string() == theirs.type().is_string():
        return ours == theirs
    return ours.cast("string") == theirs.cast("string")
