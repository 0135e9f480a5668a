"""Questions that others answered wrongly (cases B11 to B30)."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.analyst.planning.outcome import Ask, AskAbout, Planned
from envs.analyst.results import CaveatCode
from tests.agents.analyst.planning.asking import Book, book

ORDERS = (
    "id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id)",
    [(1, 1), (2, 1), (3, 1), (4, 2)],
)


def test_top_means_the_largest_first(tmp_path: Path) -> None:
    asked = book(
        tmp_path, makers=("name TEXT, sales INTEGER", [("Kato", 12), ("Lume", 7), ("Mira", 31), ("Nox", 20)])
    )
    answer = asked.ask("top 2 by sales")
    assert [row[0] for row in answer.rows] == ["Mira", "Nox"]


def test_a_tie_at_the_edge_of_a_top_list_is_shown(tmp_path: Path) -> None:
    rows = [("A", 90), ("B", 70), ("C", 70), ("D", 70), ("E", 50)]
    answer = book(tmp_path, makers=("name TEXT, sales INTEGER", rows)).ask("top 2 by sales")
    assert sorted(str(row[0]) for row in answer.rows) == ["A", "B", "C", "D"]
    assert CaveatCode.TIES_KEPT in {caveat.code for caveat in answer.result.caveats}


@pytest.mark.parametrize("question", ["top 10001 by sales", "first 99999999999 makers by sales"])
def test_a_list_is_never_longer_than_an_answer_may_be(tmp_path: Path, question: str) -> None:
    asked = book(tmp_path, makers=("name TEXT, sales INTEGER", [("Kato", 12), ("Lume", 7)]))
    assert len(asked.ask(question).rows) == 2


def test_a_number_of_more_than_64_bits_is_compared(tmp_path: Path) -> None:
    asked = book(tmp_path, makers=("name TEXT, sales INTEGER", [("Kato", 12), ("Lume", 7)]))
    assert asked.ask("makers with sales below 9999999999999999999").result.row_count == 2
    assert asked.ask("makers with sales above 9999999999999999999").result.row_count == 0


def test_a_ratio_overall_divides_the_totals(tmp_path: Path) -> None:
    asked = book(tmp_path, batches=("kg REAL, bobbins INTEGER", [(10, 2), (30, 10)]))
    cell = asked.ask("kg per bobbin overall").cell
    assert isinstance(cell, float)
    assert round(cell, 2) == 3.33


def test_counting_lines_does_not_multiply_the_orders_they_belong_to(tmp_path: Path) -> None:
    lines = [(1, 1), (2, 1), (3, 1), (4, 2)]
    asked = book(
        tmp_path,
        orders=("id INTEGER PRIMARY KEY, amount INTEGER", [(1, 100), (2, 50)]),
        lines=("id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders(id)", lines),
    )
    assert asked.ask("total order amount and number of lines").rows == [(150, 4)]


def test_a_person_counts_once_however_often_they_ordered(tmp_path: Path) -> None:
    customers = (
        "id INTEGER PRIMARY KEY, name TEXT, age INTEGER",
        [(1, "u1", 20), (2, "u2", 40), (3, "u3", 90)],
    )
    asked = book(tmp_path, customers=customers, orders=ORDERS)
    assert asked.ask("average age of customers who ordered").cell == 30


def test_outside_a_value_keeps_rows_without_one_and_says_so(tmp_path: Path) -> None:
    asked = book(tmp_path, expenses=("dept TEXT, spend INTEGER", [("Ops", 1), ("HR", 2), (None, 4)]))
    answer = asked.ask("total spend outside HR")
    assert answer.cell == 5
    assert CaveatCode.MISSING_KEPT in {caveat.code for caveat in answer.result.caveats}


def test_not_active_and_unknown_are_told_apart(tmp_path: Path) -> None:
    asked = book(tmp_path, members=("name TEXT, active TEXT", [("a", "yes"), ("b", "no"), ("c", None)]))
    answer = asked.ask("how many are not active?")
    assert (answer.planned.answer, answer.rows) == (("not_active", "unknown"), [(1, 1)])


def test_an_empty_text_and_a_missing_value_are_both_without(tmp_path: Path) -> None:
    rows = [("a", ""), ("b", None), ("c", "555 0100")]
    asked = book(tmp_path, contacts=("name TEXT, phone TEXT", rows))
    assert len(asked.ask("contacts without a phone").rows) == 2


def test_a_share_is_of_what_the_time_leaves(tmp_path: Path) -> None:
    rows = [(2025, "East", 60), (2025, "West", 40), (2026, "East", 30), (2026, "West", 90)]
    asked = book(tmp_path, takings=("year INTEGER, region TEXT, sales INTEGER", rows))
    assert asked.ask("East's share of 2026 sales").cell == 25


def test_shares_in_a_top_list_are_of_all(tmp_path: Path) -> None:
    rows = [("a", 50), ("b", 30), ("c", 10), ("d", 10)]
    answer = book(tmp_path, makers=("name TEXT, amount INTEGER", rows)).ask("top 2 with share of total")
    assert answer.planned.analysis.kind == "share"
    assert answer.planned.analysis.top == 2
    assert [row[-1] for row in answer.rows] == [50, 30, 10, 10]


def test_case_and_blanks_do_not_hide_stored_values(tmp_path: Path) -> None:
    rows = [("Flooring",), ("flooring ",), ("FLOORING",), ("Floor",)]
    asked = book(tmp_path, items=("material TEXT", rows))
    assert asked.ask("how many flooring items?").cell == 3


def test_a_table_that_was_asked_for_has_a_row_a_group(tmp_path: Path) -> None:
    rows = [("r1", 2020), ("r2", 2020), ("r3", 2021)]
    asked = book(tmp_path, register=("code TEXT, year INTEGER", rows))
    assert sorted(asked.ask("table of code count by year").rows) == [(2020, 2), (2021, 1)]


def test_columns_named_like_words_of_sql_are_columns(tmp_path: Path) -> None:
    rows = [(1, "a", 5), (2, "b", 7), (3, "a", 1)]
    asked = book(tmp_path, upload=('"order" INTEGER, "group" TEXT, "select" INTEGER', rows))
    assert sorted(asked.ask("total select by group").rows) == [("a", 6), ("b", 7)]


def test_what_is_split_by_something_is_added_up_or_counted(shop_book: Book) -> None:
    assert shop_book.ask("orders by region").rows == shop_book.ask("how many orders per region?").rows
    assert shop_book.ask("sales by region").rows == shop_book.ask("total revenue by region").rows
    assert shop_book.ask("customers by segment").result.names == ("segment", "count_customer")


def test_an_average_of_nothing_is_asked_about(shop_book: Book) -> None:
    outcome = shop_book.plan("average by region")
    assert isinstance(outcome, Ask)
    assert outcome.about is AskAbout.METRIC


def test_rows_of_the_only_table_are_counted_without_its_name(tmp_path: Path) -> None:
    # H06
    asked = book(tmp_path, makers=("name TEXT, sales INTEGER", [("Kato", 12), ("Lume", 7)]))
    assert asked.ask("how many rows?").cell == 2
    assert not isinstance(asked.plan("how many people live in France?"), Planned)


def test_a_group_is_called_by_its_table(shop_book: Book) -> None:
    assert shop_book.ask("sales by region").result.names == ("region", "total_amount")


def test_a_list_shows_what_else_is_known_of_its_rows(shop_book: Book) -> None:
    answer = shop_book.ask("list all regions")
    assert answer.planned.answer == ("name",)
    assert answer.result.names[:3] == ("name", "region_id", "manager")
