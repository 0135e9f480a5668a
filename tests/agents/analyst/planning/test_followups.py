"""Follow-ups: a message that goes on from the question before changes that question's IR and nothing else."""

from __future__ import annotations

from datetime import datetime

import pytest

from agents.analyst.planning.outcome import Ask, AssumptionKind, Planned
from agents.analyst.planning.planner import Turn
from envs.analyst.ir import Aggregate, Condition, Grain
from evals.nl2sql.own import AS_OF
from tests.agents.analyst.planning.asking import Book

FIRST = "What were total sales by region last quarter?"


def turn(book: Book, question: str = FIRST, now: datetime = AS_OF) -> Turn:
    outcome = book.plan(question, now=now)
    assert isinstance(outcome, Planned), outcome
    return Turn(question, outcome)


def goes_on(book: Book, message: str, question: str = FIRST) -> Planned:
    outcome = book.plan(message, turn(book, question), AS_OF)
    assert isinstance(outcome, Planned), outcome
    return outcome


@pytest.mark.parametrize("message", ["only West", "hanya West"])
def test_only_a_value_filters_by_it(shop_book: Book, message: str) -> None:
    ir = goes_on(shop_book, message).ir
    assert [each.value for each in ir.filters if isinstance(each, Condition)] == ["West"]
    assert ir.group_by == turn(shop_book).planned.ir.group_by


@pytest.mark.parametrize("message", ["by month instead", "per bulan saja"])
def test_by_month_instead_puts_time_in_place_of_the_groups(shop_book: Book, message: str) -> None:
    assert [each.grain for each in goes_on(shop_book, message).ir.group_by] == [Grain.MONTH]


@pytest.mark.parametrize("message", ["and last year?", "dan tahun lalu?"])
def test_another_time_takes_the_place_of_the_one_before(shop_book: Book, message: str) -> None:
    span = goes_on(shop_book, message).ir.time_range
    assert span is not None
    assert (span.start, span.end) == ("2025-01-01", "2026-01-01")


def test_another_dimension_takes_the_place_of_the_one_before(shop_book: Book) -> None:
    ir = goes_on(shop_book, "by channel instead").ir
    assert [each.column.table for each in ir.group_by] == ["channel"]


def test_another_aggregate_keeps_its_column(shop_book: Book) -> None:
    (measure,) = goes_on(shop_book, "average instead").ir.measures
    assert measure.agg is Aggregate.AVG
    assert measure.column is not None
    assert measure.column.column == "amount"


def test_a_whole_question_starts_anew(shop_book: Book) -> None:
    outcome = shop_book.plan("How many customers do we have?", turn(shop_book), AS_OF)
    assert isinstance(outcome, Planned)
    assert (outcome.ir.table_id, outcome.ir.time_range) == ("customer", None)


@pytest.mark.parametrize("message", ["share of revenue by channel", "forecast revenue by month"])
def test_a_short_question_that_is_whole_starts_anew(shop_book: Book, message: str) -> None:
    outcome = shop_book.plan(message, turn(shop_book), AS_OF)
    assert isinstance(outcome, Planned)
    assert (outcome.ir.time_range, outcome.ir) == (None, planned(shop_book, message).ir)


def test_an_extreme_of_another_table_is_no_follow_up(shop_book: Book) -> None:
    assert isinstance(shop_book.plan("best product", turn(shop_book), AS_OF), Ask)
    assert goes_on(shop_book, "best region").ir.limit == 1


def test_what_was_added_up_is_not_said_of_an_average(shop_book: Book) -> None:
    summed = goes_on(shop_book, "top 2", "sales by region").assumptions
    averaged = goes_on(shop_book, "average instead", "sales by region").assumptions
    assert [AssumptionKind.SUMMED in {each.kind for each in found} for found in (summed, averaged)] == [
        True,
        False,
    ]


def planned(book: Book, message: str) -> Planned:
    outcome = book.plan(message, now=AS_OF)
    assert isinstance(outcome, Planned)
    return outcome
