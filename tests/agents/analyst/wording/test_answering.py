"""What an answer says in words: names of aggregates, times, and of many groups the greatest and the least."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.analyst.wording.answering import title
from envs.analyst.moments import moment
from envs.analyst.results import Cell, ResultColumn
from envs.analyst.turns import Language
from tests.agents.analyst.planning.asking import book


@pytest.mark.parametrize(
    ("name", "english", "indonesian"),
    [
        ("total_amount", "Total amount", "Total amount"),
        ("count_orders", "Number of orders", "Jumlah orders"),
        ("count_distinct_city", "Number of different city", "Jumlah berbeda city"),
        ("average_count_orders", "Average number of orders", "Rata-rata jumlah orders"),
        ("share_of_count_orders", "Share of orders", "Bagian orders"),
        ("customer_customer_id", "Customer id", "Customer id"),
        ("count", "Count", "Count"),
    ],
)
def test_the_name_of_an_aggregate_is_said_in_words(name: str, english: str, indonesian: str) -> None:
    assert title(name, Language.EN) == english
    assert title(name, Language.ID) == indonesian


@pytest.mark.parametrize(
    ("name", "kind", "cell", "english", "indonesian"),
    [
        ("ordered_at_month", "date", "2026-05-01", "May 2026", "Mei 2026"),
        ("quarter", "timestamp", "2026-04-01T00:00:00", "Q2 2026", "Q2 2026"),
        ("year", "date", "2026-01-01", "2026", "2026"),
        ("month", "date", "2026-05-03", "2026-05-03", "2026-05-03"),
        ("weekday", "integer", 7, "Sunday", "Minggu"),
        ("month_of_year", "integer", 8, "Aug", "Agu"),
        ("weekday", "integer", 8, None, None),
        ("city", "text", "2026-05-01", None, None),
    ],
)
def test_a_time_is_said_as_its_column_counts_it(
    name: str, kind: str, cell: Cell, english: str | None, indonesian: str | None
) -> None:
    column = ResultColumn(name=name, type=kind)
    assert moment(cell, column, Language.EN) == english
    assert moment(cell, column, Language.ID) == indonesian


def test_of_many_groups_in_no_order_the_ends_are_said_and_of_a_few_all(tmp_path: Path) -> None:
    rows = [(f"Maker {at}", at) for at in range(1, 8)]
    asked = book(tmp_path, makers=("name TEXT, sales INTEGER", rows))
    assert asked.ask("total sales by name").text.splitlines()[0] == (
        "Total sales, 7 rows: highest Maker 7 7; lowest Maker 1 1."
    )
    assert asked.ask("top 3 name by total sales").text.startswith("Total sales: Maker 7 7; Maker 6 6;")
