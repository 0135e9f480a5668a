"""What is meant: questions that leave their measure to the reader give what SQL written by hand gives."""

from __future__ import annotations

import pytest

from agents.analyst.planning.outcome import AnalysisKind, Ask, Planned, Refuse
from envs.analyst.ir import Aggregate
from tests.agents.analyst.planning.asking import Book
from tests.agents.analyst.planning.market import Market

_WEST = "FROM orders o JOIN region g ON g.id = o.region_id WHERE g.name = 'West'"

CASES: dict[str, tuple[str, ...]] = {
    "SELECT sum(revenue) FROM orders WHERE ordered_on BETWEEN '2025-10-01' AND '2025-12-31'": (
        "How much did we sell in Q4 2025?",
        "how much money did we make in Q4 2025",
        "berapa yang kita jual di Q4 2025",
    ),
    "SELECT channel, sum(revenue) AS r FROM orders GROUP BY 1 ORDER BY r DESC LIMIT 1": (
        "Which channel brings in the most money?",
        "which channel earns us the most",
    ),
    "SELECT c.name, sum(revenue) AS r FROM orders o JOIN customer c ON c.id = o.customer_id"
    " GROUP BY 1 ORDER BY r DESC LIMIT 1": ("who earns us the most",),
    f"SELECT avg(o.revenue) {_WEST}": (
        "How much revenue per order in West?",
        "revenue per order in Barat",
    ),
    f"SELECT sum(o.revenue) {_WEST}": ("revenue di Barat", "total revenue in Barat"),
    f"SELECT count(*) {_WEST}": ("berapa orders di wilayah Barat",),
    "SELECT name FROM customer WHERE id NOT IN"
    " (SELECT customer_id FROM orders WHERE ordered_on >= '2026-03-01')": (
        "Which customers have never ordered in March 2026 or later?",
        "customers without orders since March 2026",
    ),
    "SELECT count(*) FROM customer WHERE joined_on BETWEEN '2025-01-01' AND '2025-12-31'": (
        "How many new customers joined in 2025",
        "berapa customer baru yang bergabung pada 2025",
    ),
}


@pytest.mark.parametrize(("sql", "question"), [(sql, each) for sql, asked in CASES.items() for each in asked])
def test_what_is_left_open_gives_what_its_sql_gives(small_market: Market, sql: str, question: str) -> None:
    expected = sorted(small_market.gold(sql), key=str)
    assert expected in [sorted(rows, key=str) for rows in small_market.says(question, len(expected[0]))]


@pytest.mark.parametrize("question", ["sales trend", "tren penjualan"])
def test_the_trend_of_sales_is_one_of_money(shop_book: Book, question: str) -> None:
    planned = shop_book.plan(question)
    assert isinstance(planned, Planned)
    assert [(each.agg, each.column and each.column.column) for each in planned.ir.measures] == [
        (Aggregate.SUM, "amount")
    ]


@pytest.mark.parametrize("question", ["How did West do against last year?",
    "how did West perform vs last year", "Bagaimana kinerja West dibanding tahun lalu?"])  # fmt: skip
def test_a_value_against_last_year_is_its_money_of_the_same_months(
    small_market: Market, question: str
) -> None:
    answer = small_market.answer(question)
    ir = answer.planned.ir
    assert [measure.alias for measure in ir.measures] == ["total_revenue"]
    assert answer.planned.analysis.kind is AnalysisKind.COMPARE
    assert ir.time_range is not None
    assert ir.comparison is not None
    assert (ir.time_range.start, ir.comparison.start) == ("2026-01-01", "2025-01-01")
    assert any(each.meant == "orders.revenue" for each in answer.planned.assumptions)


@pytest.mark.parametrize("question", ["What share of revenue do the top 3 customers make up?",
    "what percentage of revenue comes from the top 3 customers"])  # fmt: skip
def test_one_share_of_the_top_rows_is_not_answered_by_many(small_market: Market, question: str) -> None:
    assert isinstance(small_market.book.plan(question), Ask | Refuse)


@pytest.mark.parametrize("question", ["Top 3 products in each region in 2025", "best product"])
def test_a_measure_that_is_offered_is_worth_first_and_never_a_rate(shop_book: Book, question: str) -> None:
    asked = shop_book.plan(question)
    assert isinstance(asked, Ask)
    assert asked.options[0].endswith("by revenue")
    assert not any("discount" in option for option in asked.options)


def test_a_direction_that_was_translated_is_said(small_market: Market) -> None:
    assumed = small_market.answer("revenue di Barat").planned.assumptions
    assert ("Barat", "West") in [(each.said, each.meant) for each in assumed]
