"""Calendar: which stretch of time a question means, in English and Indonesian.

Every window is half-open and counted from an anchor that the caller chose. Which column holds the time, and
whether the anchor is today or the newest date in the data, is the planner's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from agents.analyst.planning.months import add_months, midnight, month_number
from agents.analyst.planning.phrases import (
    AFTER,
    AT,
    BARE_DAYS,
    BEFORE,
    BETWEEN,
    DAY,
    EDGE,
    FISCAL_YEAR,
    HALF,
    NUMBERS,
    OR_LATER,
    ORDINALS,
    QUARTER,
    ROLLING,
    SINCE,
    STEP,
    TO_DATE,
    YEARS,
    Unit,
    unit_of,
)
from agents.analyst.planning.steps import floor, shift


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of time in a question.

    Attributes:
        first, last: Characters of the question that say it: [first, last).
        start, end: Half-open; None is open to that side.
        relative: Whether it was counted from the anchor.
        year_only: The year, when nothing but a year was said.
    """

    first: int
    last: int
    start: datetime | None
    end: datetime | None
    relative: bool = False
    year_only: int | None = None


class FiscalUnknown(Exception):
    """A fiscal period was asked for and nobody told when the fiscal year starts."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """Reads windows of time.

    Attributes:
        anchor: What "now" is.
        fiscal_month: Month in which the fiscal year starts, None when nobody told.
    """

    anchor: datetime
    fiscal_month: int | None = None

    def windows(self, text: str) -> tuple[Window, ...]:
        """All windows in a question in lower case, in order, the longest reading first; none overlap.

        Raises:
            FiscalUnknown: If a fiscal period is asked for and its start is not known.
        """
        taken: list[Window] = []
        for pattern, read in self._readers():
            for match in pattern.finditer(text):
                if any(match.start() < window.last and window.first < match.end() for window in taken):
                    continue
                window = read(match)
                if window is not None:
                    taken.append(window)
        return tuple(sorted(taken, key=lambda window: window.first))

    def _readers(self) -> Iterator[tuple[re.Pattern[str], Callable[[re.Match[str]], Window | None]]]:
        yield BETWEEN, self._between
        yield BARE_DAYS, self._bare_days
        yield YEARS, self._years
        yield OR_LATER, self._edge
        yield QUARTER, self._quarter
        yield FISCAL_YEAR, self._fiscal_year
        yield EDGE, self._edge
        yield HALF, self._half
        yield ROLLING, self._rolling
        yield TO_DATE, self._to_date
        yield STEP, self._step
        yield DAY, self._day
        yield AT, self._at

    def _between(self, match: re.Match[str]) -> Window | None:
        low, high = ("a", "b") if _said(match, "a") else ("c", "d")
        other = self._point(match, f"_{high}")
        one = self._point(match, f"_{low}", other[0].year if other else None)
        if one is None or other is None:
            return None
        start, end = min(one[0], other[0]), max(one[1], other[1])
        return Window(match.start(), match.end(), start, end)

    def _bare_days(self, match: re.Match[str]) -> Window | None:
        month = month_number(match["month"])
        year = int(match["year"]) if match["year"] else self._recent_year(month, int(match["low"]))
        start, end = _date(year, month, int(match["low"])), _date(year, month, int(match["high"]))
        if start is None or end is None:
            return None
        return Window(match.start(), match.end(), start, end + timedelta(days=1))

    def _years(self, match: re.Match[str]) -> Window:
        low, high = sorted((int(match["one"]), int(match["other"])))
        return Window(match.start(), match.end(), midnight(low), midnight(high + 1))

    def _edge(self, match: re.Match[str]) -> Window | None:
        point = self._point(match)
        if point is None:
            return None
        start, end = point
        edge = match["edge"]
        if "or later" in match[0] or (
            edge in ("later", "after", "onward", "onwards", "setelahnya", "sesudahnya")
            and match[0].endswith(edge)
        ):
            return Window(match.start(), match.end(), start, None)
        if match[0].endswith(edge):
            return Window(match.start(), match.end(), None, end)
        if re.fullmatch(SINCE, edge):
            return Window(match.start(), match.end(), start, None)
        if re.fullmatch(AFTER, edge):
            return Window(match.start(), match.end(), end, None)
        if re.fullmatch(BEFORE, edge):
            return Window(match.start(), match.end(), None, start)
        return Window(match.start(), match.end(), None, end)

    def _quarter(self, match: re.Match[str]) -> Window | None:
        if match["q_after"]:
            return self._months(match, int(match["year_q"]), 3 * int(match["q_after"]) - 2, 3)
        number = int(match["q"] or 0) or ORDINALS[match["ord"] or match["ord_id"]]
        first, year = 1, int(match["year"] or match["from_year"] or 0)
        if match["fiscal"] or match["fiscal_id"] or match["from"]:
            first = month_number(match["from"]) if match["from"] else self._fiscal()
        year = year or self._recent_year(first + 3 * (number - 1), 1)
        return self._months(match, year, first + 3 * (number - 1), 3)

    def _fiscal_year(self, match: re.Match[str]) -> Window:
        first = self._fiscal()
        return self._months(match, int(match["year"] or 0) or self._recent_year(first), first, 12)

    def _fiscal(self) -> int:
        if self.fiscal_month is None:
            raise FiscalUnknown
        return self.fiscal_month

    def _half(self, match: re.Match[str]) -> Window:
        word = match["h"] or match["ord"] or match["ord_id"]
        first = 1 if ORDINALS[word] == 1 else 7
        year = int(match["year"] or 0) or self._recent_year(first)
        return self._months(match, year, first, 6)

    def _months(self, match: re.Match[str], year: int, month: int, count: int) -> Window:
        start = add_months(midnight(year), month - 1)
        return Window(match.start(), match.end(), start, add_months(start, count))

    def _rolling(self, match: re.Match[str]) -> Window:
        word = match["n"] or match["n_id"]
        count = NUMBERS.get(word) or int(word)
        unit = unit_of(match["unit"] or match["unit_id"])
        if unit is Unit.HOUR:
            end = self.anchor
        elif unit is Unit.DAY:
            end = floor(self.anchor, Unit.DAY) + timedelta(days=1)
        else:
            # As "last month" is the whole month before this one, so are the last three.
            end = floor(self.anchor, unit)
        try:
            start = shift(end, unit, -count)
        except (ValueError, OverflowError):
            # So long a time takes in all that any calendar has.
            start = midnight(1)
        return Window(match.start(), match.end(), start, end, relative=True)

    def _step(self, match: re.Match[str]) -> Window:
        unit = unit_of(match["unit"] or match["unit_id"])
        which = match["which"] or match["which_id"]
        now = floor(self.anchor, unit)
        if which in ("this", "current", "ini", "berjalan"):
            return Window(match.start(), match.end(), now, self._tomorrow(unit), relative=True)
        step = 1 if which in ("next", "depan") else -1
        start = shift(now, unit, step)
        return Window(match.start(), match.end(), start, shift(start, unit, 1), relative=True)

    def _to_date(self, match: re.Match[str]) -> Window:
        short = {"y": "year", "m": "month", "q": "quarter", "w": "week"}.get(match["short"] or "")
        unit = unit_of(short or match["unit"] or match["unit_id"])
        return Window(
            match.start(), match.end(), floor(self.anchor, unit), self._tomorrow(unit), relative=True
        )

    def _tomorrow(self, unit: Unit) -> datetime:
        """The end of a period that is still running: today is in it."""
        return self.anchor if unit is Unit.HOUR else floor(self.anchor, Unit.DAY) + timedelta(days=1)

    def _day(self, match: re.Match[str]) -> Window:
        start = floor(self.anchor, Unit.DAY)
        if match["day"] in ("yesterday", "kemarin"):
            start -= timedelta(days=1)
        return Window(match.start(), match.end(), start, start + timedelta(days=1), relative=True)

    def _at(self, match: re.Match[str]) -> Window | None:
        if (
            match["month3"] == "may"
            and not match["year3"]
            and not match.string[: match.start()].rstrip().endswith(("in", "of", "for", "during", "since"))
        ):
            return None
        point = self._point(match)
        if point is None:
            return None
        only = int(match["year5"]) if match["year5"] else None
        return Window(match.start(), match.end(), *point, year_only=only)

    def _point(
        self, match: re.Match[str], tag: str = "", year_else: int | None = None
    ) -> tuple[datetime, datetime] | None:
        """The half-open stretch of one date, month, quarter or year; `year_else` where it names no year."""

        def said(name: str) -> str:
            return match[name + tag] or ""

        if said("iso"):
            parts = [int(part) for part in said("iso").split("-")]
            return _day_or_month(parts[0], parts[1], parts[2] if len(parts) > 2 else None)
        if said("slash"):
            one, other, year = (int(part) for part in said("slash").split("/"))
            day, month = (one, other) if other <= 12 else (other, one)
            return _day_or_month(year, month, day)
        if said("year5"):
            year = int(said("year5"))
            return midnight(year), midnight(year + 1)
        if said("quarter") or said("quarter6"):
            month = 3 * int(said("quarter") or said("quarter6")) - 2
            year = int(said("year4") or said("year6") or 0) or year_else or self._recent_year(month)
            start = midnight(year, month)
            return start, add_months(start, 3)
        month = month_number(said("month") or said("month2") or said("month3"))
        day = int(said("day") or said("day2") or 0)
        year = int(said("year") or said("year2") or said("year3") or 0) or year_else
        return _day_or_month(year or self._recent_year(month, day or 1), month, day or None)

    def _recent_year(self, month: int, day: int = 1) -> int:
        """The year of the newest such date that is not after the anchor."""
        turns, month = divmod(month - 1, 12)
        start = _date(self.anchor.year, month + 1, day)
        if turns:
            return self.anchor.year - turns
        return self.anchor.year if start is not None and start <= self.anchor else self.anchor.year - 1


def _said(match: re.Match[str], tag: str) -> bool:
    return any(text and name.endswith(f"_{tag}") for name, text in match.groupdict().items())


def _date(year: int, month: int, day: int) -> datetime | None:
    try:
        return midnight(year, month, day)
    except ValueError:
        return None


def _day_or_month(year: int, month: int, day: int | None) -> tuple[datetime, datetime] | None:
    start = _date(year, month, day or 1)
    if start is None:
        return None
    return start, (start + timedelta(days=1) if day else add_months(start, 1))
