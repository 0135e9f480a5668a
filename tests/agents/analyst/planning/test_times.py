"""Times: what stretch a question means, and that the answer says it (cases B01 to B10, B31)."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from agents.analyst.planning.calendar import Calendar
from agents.analyst.planning.outcome import Ask, AskAbout, Planned
from agents.analyst.planning.planner import Rules
from tests.agents.analyst.planning.asking import NOW, Rows, book

TAKINGS = "day DATE, sales INTEGER"


def days(**sales: int) -> Rows:
    return [(day[1:].replace("_", "-"), amount) for day, amount in sales.items()]


@pytest.mark.parametrize(
    ("said", "start", "end"),
    [
        ("last month", "2026-04-01", "2026-05-01"),
        ("bulan lalu", "2026-04-01", "2026-05-01"),
        ("the past 30 days", "2026-04-14", "2026-05-14"),
        ("30 hari terakhir", "2026-04-14", "2026-05-14"),
        ("the last 7 days", "2026-05-07", "2026-05-14"),
        ("this month so far", "2026-05-01", "2026-05-14"),
        ("last quarter", "2026-01-01", "2026-04-01"),
        ("the last 5000 years", "0001-01-01", "2026-01-01"),
        ("the last 99999999999 days", "0001-01-01", "2026-05-14"),
        ("kuartal lalu", "2026-01-01", "2026-04-01"),
        ("3 bulan terakhir", "2026-02-01", "2026-05-01"),
        ("ytd", "2026-01-01", "2026-05-14"),
        ("q1 2025", "2025-01-01", "2025-04-01"),
        ("triwulan kedua 2025", "2025-04-01", "2025-07-01"),
        ("h2 2025", "2025-07-01", "2026-01-01"),
        ("in may", "2026-05-01", "2026-06-01"),
        ("3 march 2025", "2025-03-03", "2025-03-04"),
        ("between 10 and 13 may", "2026-05-10", "2026-05-14"),
        ("dari januari sampai maret 2025", "2025-01-01", "2025-04-01"),
        ("after 6 december", "2025-12-07", None),
        ("since 6 december", "2025-12-06", None),
        ("before 2015-03-02", None, "2015-03-02"),
        ("2014 or later", "2014-01-01", None),
    ],
)
def test_a_time_is_read_as_these_days(said: str, start: str | None, end: str | None) -> None:
    (window,) = Calendar(NOW).windows(said)
    assert window.start == (datetime.fromisoformat(start) if start else None)
    assert window.end == (datetime.fromisoformat(end) if end else None)


def test_the_verb_may_is_no_month() -> None:
    assert Calendar(NOW).windows("may we see it") == ()


def test_last_month_is_the_calendar_month_and_past_30_days_end_today(tmp_path: Path) -> None:
    rows = days(_2026_04_01=1, _2026_04_13=2, _2026_04_30=4, _2026_05_01=8, _2026_05_12=16)
    asked = book(tmp_path, takings=(TAKINGS, rows))
    month, rolling = asked.ask("sales last month"), asked.ask("sales in the past 30 days")
    assert (month.cell, rolling.cell) == (7, 28)
    assert "2026-04-01 to 2026-04-30" in month.text
    assert "2026-04-14 to 2026-05-13" in rolling.text


def test_the_last_7_days_are_seven_and_end_today(tmp_path: Path) -> None:
    asked = book(tmp_path, takings=(TAKINGS, [(f"2026-05-{day:02d}", 1) for day in range(5, 14)]))
    answer = asked.ask("total in the last 7 days")
    assert answer.cell == 7
    assert "2026-05-07 to 2026-05-13" in answer.text


def test_this_month_so_far_begins_on_its_first_day(tmp_path: Path) -> None:
    asked = book(tmp_path, takings=(TAKINGS, days(_2026_05_01=1, _2026_05_13=2, _2026_04_30=4)))
    assert asked.ask("this month so far").cell == 3


def test_a_fiscal_quarter_starts_where_the_question_says(tmp_path: Path) -> None:
    rows = days(_2026_01_31=1, _2026_02_01=2, _2026_04_30=4, _2026_05_01=8)
    asked = book(tmp_path, takings=(TAKINGS, rows))
    assert asked.ask("total sales in fiscal Q1 of the year starting February 2026").cell == 6


def test_a_fiscal_quarter_follows_the_rules_when_they_name_its_start(tmp_path: Path) -> None:
    rows = days(_2026_01_31=1, _2026_02_01=2, _2026_04_30=4, _2026_05_01=8)
    asked = book(tmp_path, Rules(fiscal_month=2), takings=(TAKINGS, rows))
    assert asked.ask("total sales in fiscal Q1 2026").cell == 6


def test_without_a_fiscal_calendar_its_start_is_asked_for(tmp_path: Path) -> None:
    asked = book(tmp_path, takings=(TAKINGS, days(_2026_02_01=2)))
    outcome = asked.plan("total sales in fiscal Q1 2026")
    assert isinstance(outcome, Ask)
    assert outcome.about is AskAbout.FISCAL_START


def test_a_named_quarter_is_all_of_it(tmp_path: Path) -> None:
    asked = book(tmp_path, takings=(TAKINGS, days(_2024_07_01=1, _2024_09_30=2, _2024_10_01=4)))
    assert asked.ask("total sales in Q3 2024").cell == 3


def test_between_two_days_takes_in_the_whole_last_day(tmp_path: Path) -> None:
    rows = [
        ("2026-05-10 10:00:00", 1), ("2026-05-12 23:59:00", 2), ("2026-05-13 00:00:00", 4),
        ("2026-05-13 18:30:00", 8), ("2026-05-14 00:00:00", 16),
    ]  # fmt: skip
    asked = book(tmp_path, takings=("at TIMESTAMP, sales INTEGER", rows))
    assert asked.ask("total sales between 10 and 13 May").cell == 15


def test_after_a_day_leaves_it_out_and_since_takes_it_in(tmp_path: Path) -> None:
    asked = book(tmp_path, takings=(TAKINGS, days(_2025_12_05=1, _2025_12_06=2, _2025_12_07=4)))
    assert asked.ask("total sales after 6 December").cell == 4
    assert asked.ask("total sales since 6 December").cell == 6


def test_the_last_hours_run_up_to_now(tmp_path: Path) -> None:
    rows = [("2026-05-13 11:50:00", 1), ("2026-05-13 12:10:00", 2), ("2026-05-13 10:30:00", 4)]
    asked = book(tmp_path, takings=("at TIMESTAMP, sales INTEGER", rows))
    answer = asked.ask("total sales in the last 2 hours")
    assert answer.cell == 3
    assert "2026-05-13 10:40 to 2026-05-13 12:40" in answer.text


def test_data_that_ended_long_ago_are_asked_about_as_of_their_newest_day(tmp_path: Path) -> None:
    asked = book(tmp_path, takings=(TAKINGS, days(_2023_01_10=1, _2023_02_10=2, _2023_03_10=4)))
    answer = asked.ask("total sales last month")
    assert answer.cell == 2
    assert "2023-03-10" in answer.text


@pytest.mark.parametrize(
    "question",
    ["sales in 2025 versus 2024", "compare sales 2025 and 2024", "how did sales grow in 2025 vs 2024"],
)
def test_two_times_side_by_side_are_held_against_each_other(tmp_path: Path, question: str) -> None:
    asked = book(tmp_path, takings=(TAKINGS, days(_2024_03_01=5, _2025_03_01=7, _2025_04_01=4)))
    ir = asked.ask(question).planned.ir
    assert ir.time_range is not None
    assert ir.comparison is not None
    assert (ir.time_range.start, ir.time_range.end) == ("2025-01-01", "2026-01-01")
    assert (ir.comparison.start, ir.comparison.end) == ("2024-01-01", "2025-01-01")
    assert ir.filters == ()


def test_two_times_that_no_row_can_have_are_no_question(tmp_path: Path) -> None:
    asked = book(tmp_path, takings=(TAKINGS, days(_2024_03_01=5, _2025_03_01=7)))
    assert not isinstance(asked.plan("total sales in 2025 during 2023"), Planned)


def test_a_time_that_none_comes_before_is_not_compared(tmp_path: Path) -> None:
    shop = book(tmp_path, takings=(TAKINGS, days(d2026_04_01=1, d2026_05_01=2)))
    assert not isinstance(shop.plan("sales growth in the last 1500 years"), Planned)
