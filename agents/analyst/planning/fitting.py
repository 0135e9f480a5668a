"""Fitting: how tests, absences and times of a sketch reach their columns from the rows of a base table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

from agents.analyst.planning.conditions import joined_at
from agents.analyst.planning.fittings import NotFitting
from agents.analyst.planning.outcome import Assumption
from agents.analyst.planning.reading import NUMERIC, TEMPORAL, Reading
from agents.analyst.planning.sketch import Pick, Presence, Test, Timing
from agents.analyst.planning.valuing import year_tests
from agents.analyst.planning.ways import ref
from agents.analyst.planning.words import name_words
from envs.analyst.catalogue import ColumnType
from envs.analyst.ir import (
    AllOf,
    AnyOf,
    Benchmark,
    Condition,
    Exists,
    Filter,
    Grain,
    Op,
    Ref,
    Scalar,
    TimeRange,
)

_NOTHING = (Op.IS_NULL, Op.NOT_NULL, Op.BLANK, Op.NOT_BLANK)
_MANY = (Op.IN, Op.NOT_IN, Op.BETWEEN)
_ORDERED = (Op.LT, Op.LE, Op.GT, Op.GE, Op.BETWEEN)
_JOINTS = frozenset({"and", "or", "dan", "atau", "&", "/", ","})


class Fitting:
    """The filters of an IR over a base table.

    Attributes:
        time_range: Over the base's time column; None without one.
        assumptions: What had to be chosen.
    """

    def __init__(self, reading: Reading, base: str) -> None:
        self._reading, self._graph, self._base = reading, reading.graph, base
        self._tests = list(reading.sketch.tests)
        self.time_range: TimeRange | None = None
        self.assumptions: list[Assumption] = []
        self._either_of: list[Filter] = []
        timings = self._apart(reading.sketch.timings)
        for timing in timings:
            self._time(timing)
        if reading.sketch.weekend:
            self._weekend()
        self._tests.sort(key=lambda test: test.place)

    def filters(self) -> tuple[Filter, ...]:
        """All tests and absences, as filters of the base's rows."""
        absent = [presence for presence in self._reading.sketch.presences if presence.negated]
        filters: list[Filter] = []
        inside: dict[int, list[Test]] = {presence.place: [] for presence in absent}
        outer: list[Test] = []
        for test in self._tests:
            owner = self._owner(test, absent)
            (outer if owner is None else inside[owner.place]).append(test)
        filters.extend(self._outer(outer))
        filters.extend(self._either_of)
        filters.extend(self._present())
        filters.extend(self._absence(presence, inside[presence.place]) for presence in absent)
        return tuple(dict.fromkeys(filters))

    def conditions(self, tests: Iterable[Test]) -> list[Condition]:
        """Tests of columns that the base's rows have or lead to, as conditions."""
        return [self._condition(test, self._base) for test in tests]

    def time_column(self) -> Pick | None:
        """The usual time column of the base's rows."""
        for table_id in sorted(
            self._graph.above[self._base], key=lambda table: self._graph.above[self._base][table]
        ):
            table = self._reading.vocabulary.table(table_id)
            if table.time_column is not None:
                column = table.column(table.time_column)
                if column is not None and column.type in TEMPORAL:
                    return Pick(table_id, table.time_column)
        return None

    def _owner(self, test: Test, absent: Iterable[Presence]) -> Presence | None:
        """The absence that a test belongs to: it stands behind it and is about its rows."""
        for presence in absent:
            about = self._graph.reaches(presence.table, test.pick.table)
            own = test.pick.table == self._base and test.pick.table != presence.table
            if (
                test.place > presence.place
                and about
                and not own
                and not self._graph.reaches(self._base, test.pick.table)
            ):
                return presence
            if test.pick.table == presence.table and test.pick.table != self._base:
                return presence
        return None

    def _outer(self, tests: list[Test]) -> list[Filter]:
        groups: list[list[Test]] = []
        for test in tests:
            if test.joined == "or" and groups:
                groups[-1].append(test)
            else:
                groups.append([test])
        filters: list[Filter] = []
        below: dict[str, list[list[Test]]] = {}
        for group in groups:
            child = self._below(group)
            if child is None:
                filters.append(self._any(group, self._base))
            else:
                below.setdefault(child, []).append(group)
        for child, inner in below.items():
            filters.extend(self._below_filters(child, inner))
        return filters

    def _below(self, group: list[Test]) -> str | None:
        """The table that refers to the base and leads to a test; None if the base leads there itself."""
        child: str | None = None
        for test in group:
            if not self._graph.reaches(self._base, test.pick.table):
                found = self._graph.below(self._base, test.pick.table)
                if found is None:
                    raise NotFitting(f"no foreign keys lead from {self._base} to {test.pick.table}")
                child = found
        return child

    def _below_filters(self, child: str, groups: list[list[Test]]) -> list[Filter]:
        """One row must meet all tests, unless they contradict each other: then there is a row for each."""
        said: set[Pick] = set()
        split = False
        for group in groups:
            equal = {test.pick for test in group if test.op is Op.EQ}
            split = split or bool(equal & said)
            said |= equal
        if split:
            return [Exists(exists=child, where=(self._any(group, child),)) for group in groups]
        return [Exists(exists=child, where=tuple(self._any(group, child) for group in groups))]

    def _any(self, group: list[Test], base: str) -> Filter:
        conditions = [self._condition(test, base) for test in group]
        return conditions[0] if len(conditions) == 1 else AnyOf(any_of=tuple(conditions))

    def _condition(self, test: Test, base: str) -> Condition:
        column = ref(self._reading, test.pick, base, test.place)
        if test.than is not None:
            than = Benchmark(agg=test.than, column=Ref(column=test.pick.column, table=test.pick.table))
            return Condition(column=column, op=test.op, than=than)
        if test.other is not None:
            return Condition(
                column=column, op=test.op, other=ref(self._reading, test.other, base, test.place)
            )
        if test.op in _NOTHING:
            return Condition(column=column, op=test.op)
        values = self._typed(test)
        if test.op in _MANY:
            return Condition(column=column, op=test.op, values=values, missing=test.missing, grain=test.grain)
        return Condition(column=column, op=test.op, value=values[0], missing=test.missing, grain=test.grain)

    def _typed(self, test: Test) -> tuple[Scalar, ...]:
        """Numbers as texts where a column keeps its numbers so.

        Raises:
            NotFitting: If texts of another length would be sorted otherwise than their numbers.
        """
        column = self._reading.column_record(test.pick)
        if column.type is not ColumnType.TEXT or all(isinstance(value, str) for value in test.values):
            return test.values
        texts = tuple(str(value) for value in test.values)
        kept = {len(str(sample)) if str(sample).isdigit() else 0 for sample in column.samples if sample}
        if test.op in _ORDERED and kept != {len(text) for text in texts}:
            raise NotFitting(f"{column.name} holds texts and no numbers to compare with")
        return texts

    def _present(self) -> list[Filter]:
        """Rows of tables that are only mentioned must be there where they refer to the base."""
        tested = {test.pick.table for test in self._tests}
        filters: list[Filter] = []
        for presence in self._reading.sketch.presences:
            if (
                presence.negated
                or self._graph.reaches(self._base, presence.table)
                or self._within_absence(presence)
            ):
                continue
            child = self._graph.below(self._base, presence.table)
            if child is None:
                continue
            if not any(
                self._graph.reaches(child, table) and not self._graph.reaches(self._base, table)
                for table in tested
            ):
                filters.append(Exists(exists=child))
        return filters

    def _within_absence(self, presence: Presence) -> bool:
        """`not enrolled in any course`: the course belongs to the enrolment that there is not."""
        return any(
            other.negated
            and other.place < presence.place
            and (
                self._graph.reaches(other.table, presence.table)
                or self._graph.below(self._base, other.table) == presence.table
            )
            for other in self._reading.sketch.presences
        )

    def _absence(self, presence: Presence, inside: list[Test]) -> Filter:
        if self._graph.reaches(self._base, presence.table):
            key = self._graph.reference(self._base, presence.table)
            if key is None:
                raise NotFitting(f"rows of {self._base} do not refer to {presence.table}")
            return Condition(column=Ref(column=key.columns[0]), op=Op.IS_NULL)
        child = self._graph.below(self._base, presence.table)
        if child is None:
            raise NotFitting(f"no foreign keys lead from {self._base} to {presence.table}")
        where = tuple(self._condition(test, child) for test in inside)
        return Exists(exists=child, where=where, negated=True)

    def _apart(self, timings: list[Timing]) -> list[Timing]:
        """Takes times that have no day in common and are enumerated: `in March and June`."""
        pick = self.time_column()
        ends = [(_moment(each.window.start), _moment(each.window.end)) for each in timings]
        closed = [(start, end) for start, end in ends if start is not None and end is not None]
        disjoint = all(one[1] <= other[0] for one, other in pairwise(sorted(closed)))
        if pick is None or len(timings) < 2 or len(closed) < len(timings) or not disjoint:
            return timings
        listed = any(item.text.lower() in _JOINTS for item in self._reading.items)
        if not listed or any(each.pick is not None for each in timings):
            return timings
        column = ref(self._reading, pick, self._base)
        spans = tuple(
            AllOf(
                all_of=(
                    Condition(column=column, op=Op.GE, value=start),
                    Condition(column=column, op=Op.LT, value=end),
                )
            )
            for start, end in closed
        )
        self._either_of.append(AnyOf(any_of=spans))
        return []

    def _weekend(self) -> None:
        pick = self.time_column()
        if pick is None:
            raise NotFitting(f"{self._base} has no dates")
        self._tests.append(Test(len(self._reading.items), pick, Op.GE, (6,), grain=Grain.WEEKDAY))

    def _of_deed(self, timing: Timing) -> Pick | None:
        """The time of what the rows did: `customers who ordered in 2025` did so then, and joined whenever."""
        if timing.pick is not None or self._reading.sketch.own_time:
            return None
        done = [
            presence.table
            for presence in self._reading.sketch.presences
            if presence.table != self._base and self._graph.reaches(presence.table, self._base)
        ]
        for table_id in reversed(done):
            time = self._reading.vocabulary.table(table_id).time_column
            if time is not None:
                return Pick(table_id, time)
        return None

    def _time(self, timing: Timing) -> None:
        deed = self._of_deed(timing)
        if deed is not None:
            self._tests.extend(_tests(timing, deed, self._is_temporal(deed)))
            return
        pick = timing.pick or self.time_column()
        if pick is None or self._reading.column_record(pick).type not in TEMPORAL:
            years = pick or self.years()
            if years is None:
                below = self._below_time()
                if below is None:
                    raise NotFitting(f"{self._base} has no dates")
                self._tests.extend(_tests(timing, below, self._is_temporal(below)))
                return
            self._tests.extend(year_tests(timing.place, timing, years))
            return
        window = timing.window
        if self._either(timing):
            if window.start is not None and window.end is not None:
                raise NotFitting("a time with two ends is one of two alternatives")
            joined = joined_at(self._reading, timing.place)
            self._tests.extend(replace(test, joined=joined) for test in _tests(timing, pick, temporal=True))
            return
        if self.time_range is not None and _apart(self.time_range, timing):
            raise NotFitting("two times that have no day in common")
        if self.time_range is not None or not self._graph.reaches(self._base, pick.table):
            self._tests.extend(_tests(timing, pick, temporal=True))
            return
        self.time_range = TimeRange(
            column=ref(self._reading, pick, self._base), start=_moment(window.start), end=_moment(window.end)
        )

    def _either(self, timing: Timing) -> bool:
        """Whether a time is one of two alternatives: `joined after 2018 or are younger than 20`."""
        behind = any(test.joined == "or" and test.place > timing.place for test in self._reading.sketch.tests)
        return joined_at(self._reading, timing.place) == "or" or (behind and not self._tests_before(timing))

    def _tests_before(self, timing: Timing) -> bool:
        return any(test.place < timing.place for test in self._reading.sketch.tests)

    def _is_temporal(self, pick: Pick) -> bool:
        return self._reading.column_record(pick).type in TEMPORAL

    def years(self) -> Pick | None:
        """A column of years of the base's rows, or of rows that they lead to."""
        reached = self._graph.above[self._base]
        for table_id in sorted(reached, key=lambda table: reached[table]):
            for column in self._reading.vocabulary.table(table_id).columns:
                if "year" in name_words(column.name) and column.type in (*NUMERIC, ColumnType.TEXT):
                    return Pick(table_id, column.name)
        return None

    def _below_time(self) -> Pick | None:
        """A time, or years, of rows that refer to the base, those first that the question mentions."""
        children = [
            table for table, above in self._graph.above.items() if self._base in above and table != self._base
        ]
        children.sort(
            key=lambda table: (table not in self._reading.mentioned, self._graph.above[table][self._base])
        )
        for table_id in children:
            table = self._reading.vocabulary.table(table_id)
            if table.time_column is not None:
                return Pick(table_id, table.time_column)
            for column in table.columns:
                if "year" in name_words(column.name):
                    return Pick(table_id, column.name)
        return None


def _tests(timing: Timing, pick: Pick, temporal: bool) -> tuple[Test, ...]:
    if not temporal:
        return year_tests(timing.place, timing, pick)
    window = timing.window
    tests: list[Test] = []
    if window.start is not None:
        tests.append(Test(timing.place, pick, Op.GE, (_moment(window.start) or "",)))
    if window.end is not None:
        tests.append(Test(timing.place, pick, Op.LT, (_moment(window.end) or "",)))
    return tuple(tests)


def _apart(one: TimeRange, other: Timing) -> bool:
    """Whether no row can be in both stretches of the usual time column."""
    start, end = _moment(other.window.start), _moment(other.window.end)
    after = None not in (one.start, end) and str(end) <= str(one.start)
    before = None not in (one.end, start) and str(one.end) <= str(start)
    return other.pick is None and (after or before)


def _moment(moment: datetime | None) -> str | None:
    if moment is None:
        return None
    whole = (moment.hour, moment.minute, moment.second) == (0, 0, 0)
    return moment.date().isoformat() if whole else moment.replace(microsecond=0).isoformat()
