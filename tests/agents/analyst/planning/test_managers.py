"""What a manager types: each family of questions gives what SQL written by hand gives."""

from __future__ import annotations

import pytest

from agents.analyst.planning.outcome import Ask
from tests.agents.analyst.planning.market import Market

_TOP = """SELECT {of}, sum(o.revenue) AS r FROM orders o JOIN product p ON p.id = o.product_id
JOIN region g ON g.id = o.region_id JOIN customer c ON c.id = o.customer_id {where}
GROUP BY {of} {having} ORDER BY r DESC LIMIT {n}"""
_WITHIN = """SELECT g, n, r FROM (SELECT g, n, r, rank() OVER (PARTITION BY g ORDER BY r DESC) AS k FROM (
SELECT {g} AS g, {n} AS n, {what} AS r FROM orders o JOIN product p ON p.id = o.product_id
JOIN region g ON g.id = o.region_id JOIN customer c ON c.id = o.customer_id GROUP BY 1, 2)) WHERE k <= {k}"""
_BY_REGION = "sum(o.revenue) FROM orders o JOIN region g ON g.id = o.region_id"

CASES: dict[str, tuple[str, tuple[str, ...]]] = {
    "the best of each group": (
        _WITHIN.format(g="g.name", n="p.name", what="sum(o.revenue)", k=1),
        (
            "Which product has the highest revenue in each region?",
            "best product in each region by revenue",
            "top product per region by revenue",
            "produk dengan revenue tertinggi di setiap region",
            "for each region, the product with the most revenue",
        ),
    ),
    "the first two of each group": (
        _WITHIN.format(g="g.name", n="o.channel", what="sum(o.revenue)", k=2),
        (
            "top 2 channels per region by revenue",
            "2 best channels by revenue in every region",
            "2 channel teratas di setiap region berdasarkan revenue",
        ),
    ),
    "the customer with most orders of each city": (
        _WITHIN.format(g="c.city", n="c.name", what="count(*)", k=1),
        ("customer with the most orders in each city", "which customer has the most orders in each city?"),
    ),
    "a test of a sum": (
        (
            "SELECT p.name, sum(o.revenue) FROM orders o JOIN product p ON p.id = o.product_id"
            " GROUP BY 1 HAVING sum(o.revenue) > 6000"
        ),
        (
            "products with revenue above 6000",
            "which products have a revenue of more than 6000?",
            "products whose total revenue exceeds 6000",
            "produk dengan revenue di atas 6000",
        ),
    ),
    "customers by what they spent": (
        (
            "SELECT c.name, sum(o.revenue) FROM orders o JOIN customer c ON c.id = o.customer_id"
            " GROUP BY 1 HAVING sum(o.revenue) > 5000"
        ),
        ("customers who spent more than 5000", "customers that spent over 5000 dollars"),
    ),
    "a test of a row": (
        "SELECT id FROM orders WHERE revenue > 1000",
        ("orders above 1000 dollars", "orders over 1000", "orders with revenue above 1000"),
    ),
    "a row between two amounts": (
        "SELECT id FROM orders WHERE revenue BETWEEN 100 AND 200",
        ("orders between 100 and 200 dollars", "orders with revenue between 100 and 200"),
    ),
    "who ordered in a year": (
        "SELECT count(DISTINCT customer_id) FROM orders WHERE substr(ordered_on, 1, 4) = '2025'",
        (
            "how many customers ordered in 2025?",
            "How many customers placed an order in 2025?",
            "how many different customers bought something in 2025",
            "berapa customer yang memesan pada 2025?",
            "berapa customer yang membeli di tahun 2025",
        ),
    ),
    "who joined in a year": (
        "SELECT count(*) FROM customer WHERE joined_on BETWEEN '2025-01-01' AND '2025-12-31'",
        (
            "how many new customers in 2025?",
            "how many customers joined in 2025?",
            "berapa customer baru tahun 2025?",
            "number of new customers in 2025",
        ),
    ),
    "the month with most": (
        (
            "SELECT substr(ordered_on, 1, 7) || '-01', sum(revenue) AS r FROM orders GROUP BY 1 ORDER"
            " BY r DESC LIMIT 1"
        ),
        (
            "which month had the highest revenue?",
            "What was the best month by revenue?",
            "month with the most revenue",
            "bulan apa yang revenue-nya tertinggi?",
            "bulan dengan revenue tertinggi",
        ),
    ),
    "the busiest day of the week": (
        (
            "SELECT (strftime('%w', ordered_on) + 6) % 7 + 1 AS d, count(*) AS n FROM orders GROUP BY 1"
            " ORDER BY n DESC, 1 DESC LIMIT 1"
        ),
        ("which weekday has the most orders?", "hari apa paling ramai?", "busiest day of the week"),
    ),
    "two groups, one of them time": (
        "SELECT substr(ordered_on, 1, 7) || '-01', g.name, "
        + _BY_REGION
        + " WHERE ordered_on >= '2026-01-01' GROUP BY 1, 2",
        (
            "Plot revenue by region and month for 2026",
            "Show a line chart of revenue by region and month in 2026",
            "chart revenue per month and region for 2026",
            "grafik revenue per region dan bulan untuk 2026",
        ),
    ),
    "a chart of groups": (
        "SELECT g.name, " + _BY_REGION + " GROUP BY 1",
        (
            "bar chart of revenue by region",
            "Show me revenue by region as a pie chart",
            "grafik batang revenue per region",
            "plot revenue by region",
            "make a graph of revenue by region",
        ),
    ),
    "a mean of counts": (
        "SELECT avg(n) FROM (SELECT count(*) AS n FROM orders GROUP BY substr(ordered_on, 1, 7))",
        (
            "average orders per month",
            "How many orders per month on average?",
            "average number of orders per month",
            "rata-rata pesanan orders per bulan",
            "berapa rata-rata orders per bulan?",
        ),
    ),
    "a mean of sums over people": (
        "SELECT avg(r) FROM (SELECT sum(revenue) AS r FROM orders GROUP BY customer_id)",
        (
            "average revenue per customer",
            "what is the average revenue per customer?",
            "rata-rata revenue per customer",
        ),
    ),
    "a mean of sums over time": (
        "SELECT avg(r) FROM (SELECT sum(revenue) AS r FROM orders GROUP BY substr(ordered_on, 1, 7))",
        ("average monthly revenue", "average revenue per month", "rata-rata revenue per bulan"),
    ),
    "a bare amount": ("SELECT sum(revenue) FROM orders", ("revenue", "Revenue?", "total revenue")),
    "a bare table": ("SELECT count(*) FROM orders", ("orders", "orders?", "how many orders")),
    "the largest rows": (
        "SELECT id FROM orders ORDER BY revenue DESC LIMIT 5",
        ("5 orders with highest revenue", "top 5 orders by revenue", "5 largest orders", "5 orders terbesar"),
    ),
    "the largest row": (
        "SELECT id FROM orders ORDER BY revenue DESC LIMIT 1",
        ("largest order", "biggest order", "orders terbesar", "order with the highest revenue"),
    ),
    "the cheapest": (
        "SELECT name FROM product ORDER BY price LIMIT 1",
        ("cheapest product", "which product is the cheapest?", "product termurah"),
    ),
    "values side by side": (
        "SELECT g.name, " + _BY_REGION + " WHERE g.name IN ('East', 'West') GROUP BY 1",
        (
            "compare revenue of East and West",
            "compare revenue East vs West",
            "East versus West revenue",
            "bandingkan revenue East dan West",
            "revenue East vs West",
        ),
    ),
    "without a value": (
        "SELECT g.name, " + _BY_REGION + " WHERE g.name <> 'South' GROUP BY 1",
        (
            "revenue by region without South",
            "revenue by region excluding South",
            "revenue by region but not South",
            "revenue per region tanpa South",
        ),
    ),
    "without what was returned": (
        "SELECT sum(revenue) FROM orders WHERE status <> 'returned'",
        (
            "revenue excluding returns",
            "revenue without returned orders",
            "total revenue excluding returned orders",
        ),
    ),
    "not by a channel": (
        "SELECT sum(revenue) FROM orders WHERE channel <> 'online'",
        ("revenue not online", "total revenue that is not online", "revenue selain online"),
    ),
    "at least as many": (
        (
            "SELECT c.name, count(*) FROM orders o JOIN customer c ON c.id = o.customer_id GROUP BY 1"
            " HAVING count(*) >= 14"
        ),
        ("customers with at least 14 orders", "customers who placed at least 14 orders"),
    ),
    "two months": (
        "SELECT sum(revenue) FROM orders WHERE substr(ordered_on, 1, 7) IN ('2025-03', '2025-04')",
        (
            "revenue in March and April 2025",
            "revenue for March and April 2025",
            "revenue Maret dan April 2025",
        ),
    ),
    "months apart": (
        "SELECT sum(revenue) FROM orders WHERE substr(ordered_on, 1, 7) IN ('2025-03', '2025-06')",
        ("revenue in March and June 2025", "total revenue in March 2025 and June 2025"),
    ),
    "half a year": (
        "SELECT sum(revenue) FROM orders WHERE ordered_on BETWEEN '2025-01-01' AND '2025-06-30'",
        ("revenue in the first half of 2025", "revenue H1 2025", "revenue semester 1 tahun 2025"),
    ),
    "on weekends": (
        "SELECT sum(revenue) FROM orders WHERE strftime('%w', ordered_on) IN ('0', '6')",
        ("revenue on weekends", "weekend revenue", "revenue di akhir pekan"),
    ),
    "since a month": (
        "SELECT count(*) FROM orders WHERE ordered_on >= '2025-06-01'",
        ("how many orders since June?", "number of orders since June 2025"),
    ),
    "before a year": (
        "SELECT sum(revenue) FROM orders WHERE ordered_on < '2025-01-01'",
        ("revenue before 2025", "revenue sebelum 2025"),
    ),
    "a median": (
        "SELECT revenue FROM orders ORDER BY revenue LIMIT 1",
        ("smallest order revenue", "what is the minimum order revenue"),
    ),
    "the second highest": (
        "SELECT DISTINCT revenue FROM orders ORDER BY revenue DESC LIMIT 1 OFFSET 1",
        (
            "what is the second highest order revenue?",
            "second highest revenue of an order",
            "the 2nd highest order revenue",
        ),
    ),
    "the second best of groups": (
        (
            "SELECT p.name, sum(o.revenue) AS r FROM orders o JOIN product p ON p.id = o.product_id"
            " GROUP BY 1 ORDER BY r DESC LIMIT 1 OFFSET 1"
        ),
        ("second best product by revenue", "product with the second highest revenue"),
    ),
    "the top tenth": (
        _TOP.format(of="c.name", where="", having="", n=3),
        (
            "top 10 % customers by revenue",
            "top 10% of customers by revenue",
            "top 10 percent of customers by revenue",
        ),
    ),
    "how many different": (
        "SELECT count(DISTINCT customer_id) FROM orders",
        (
            "how many distinct customers ordered?",
            "how many different customers placed orders",
            "number of unique customers who ordered",
        ),
    ),
    "the part that was returned": (
        "SELECT 100.0 * sum(status = 'returned') / count(*) FROM orders",
        (
            "percentage of orders that were returned",
            "what share of orders was returned?",
            "what percent of orders were returned",
            "berapa persen orders yang returned",
        ),
    ),
    "one value's share": (
        "SELECT 100 * sum(CASE WHEN g.name = 'East' THEN o.revenue END) / "
        + _BY_REGION
        + " WHERE ordered_on >= '2026-01-01'",
        (
            "share of East in 2026 revenue",
            "East's share of revenue in 2026",
            "what percentage of 2026 revenue came from East",
        ),
    ),
    "an amount a row": (
        "SELECT avg(revenue) FROM orders",
        ("revenue per order", "average revenue per order", "average order revenue"),
    ),
    "what sold": (
        (
            "SELECT p.name, sum(o.quantity) AS q FROM orders o JOIN product p ON p.id = o.product_id"
            " GROUP BY 1 ORDER BY q DESC LIMIT 1"
        ),
        ("which product sold the most?", "best selling product", "product terlaris", "most sold product"),
    ),
}
_ORDERED = {"the largest rows"}


def _questions() -> list[tuple[str, str]]:
    return [(family, question) for family, (_, questions) in CASES.items() for question in questions]


@pytest.mark.parametrize(("family", "question"), _questions())
def test_a_family_of_questions_gives_what_its_sql_gives(
    small_market: Market, family: str, question: str
) -> None:
    expected = small_market.gold(CASES[family][0])
    if family not in _ORDERED:
        expected = sorted(expected, key=str)
    found = small_market.says(question, len(expected[0]))
    rows = list(found) if family in _ORDERED else [sorted(each, key=str) for each in found]
    assert expected in rows


TILL = {
    "SELECT store, sum(units) AS u FROM till GROUP BY 1 ORDER BY u DESC, 1 LIMIT 1": (
        "Which store sold most?",
        "which store sold the most units",
        "toko mana yang paling banyak menjual?",
        "best selling store",
    ),
    "SELECT date, sum(units) AS u FROM till GROUP BY 1 ORDER BY u DESC, 1 LIMIT 1": (
        "which day was best by units",
        "which day sold the most",
        "best day by units",
    ),
    "SELECT substr(date, 1, 7) || '-01', sum(units) AS u FROM till GROUP BY 1 ORDER BY u DESC, 1 LIMIT 1": (
        "which month had the highest units",
        "month with the most units",
    ),
    (
        "SELECT (strftime('%w', date) + 6) % 7 + 1, sum(units) AS u FROM till GROUP BY 1 ORDER BY"
        " u DESC, 1 LIMIT 1"
    ): (
        "hari apa paling ramai",
        "what is the busiest weekday",
    ),
    "SELECT sum(units) FROM till": ("units", "total units", "how many units were sold?"),
    "SELECT store, sum(units) FROM till GROUP BY 1": ("units by store", "bar chart of units per store"),
}


@pytest.mark.parametrize(("sql", "question"), [(sql, each) for sql, asked in TILL.items() for each in asked])
def test_a_small_upload_gives_what_its_sql_gives(small_till: Market, sql: str, question: str) -> None:
    expected = sorted(small_till.gold(sql), key=str)
    assert expected in [sorted(rows, key=str) for rows in small_till.says(question, len(expected[0]))]


@pytest.mark.parametrize("question", ["which regions declined", "region mana yang turun",
    "regions with falling revenue", "which regions fell last quarter?",
    "which regions saw revenue decline in Q1 2026"])  # fmt: skip
def test_those_that_declined_are_only_those(small_market: Market, question: str) -> None:
    sql = (
        "SELECT n FROM (SELECT g.name AS n, sum(CASE WHEN ordered_on >= '2026-01-01' THEN revenue END) AS a,"
        " sum(CASE WHEN ordered_on < '2026-01-01' THEN revenue END) AS b FROM orders o JOIN region g"
        " ON g.id = o.region_id WHERE ordered_on BETWEEN '2025-10-01' AND '2026-03-31' GROUP BY 1)"
        " WHERE a < b"
    )
    answer = small_market.answer(question)
    assert sorted(map(str, answer.column("region"))) == [str(row[0]) for row in small_market.gold(sql)]


def test_those_that_grew_are_the_others(small_market: Market) -> None:
    fell, grew = (
        set(small_market.answer(f"which regions {verb} last quarter").column("region"))
        for verb in ("fell", "grew")
    )
    assert fell
    assert grew
    assert not fell & grew


@pytest.mark.parametrize("question", ["why did revenue fall?", "Kenapa revenue turun?", "why",
    "best product", "best month", "best product in each region", "top 2 channels per region"])  # fmt: skip
def test_every_option_of_a_question_back_is_a_whole_question(small_market: Market, question: str) -> None:
    asked = small_market.book.plan(question)
    assert isinstance(asked, Ask)
    assert len(set(asked.options)) == len(asked.options) >= 1
    for option in asked.options:
        assert small_market.answer(option).result.rows, option
