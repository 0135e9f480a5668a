"""Our own questions: 120 that have an answer get it, and 40 that have none get no number."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.analyst.engines import Database
from agents.analyst.sources.shop.making import tables
from evals.nl2sql.copies import on_sqlite
from evals.nl2sql.own import OwnVerdict, answerable, judge_answerable, judge_unanswerable, unanswerable
from evals.nl2sql.verdicts import Verdict

LEAST_RIGHT = 0.95
MOST_WRONG = 0.03


@pytest.fixture
def another_shop(tmp_path: Path) -> Iterator[Database]:
    """The shop with other orders in it."""
    with on_sqlite(tmp_path / "shop.sqlite", tables(seed=1)) as database:
        yield database


def assert_answered(verdicts: list[OwnVerdict]) -> None:
    right = sum(each.verdict is Verdict.RIGHT for each in verdicts)
    wrong = [each for each in verdicts if each.verdict is Verdict.WRONG]
    assert right >= LEAST_RIGHT * len(verdicts), [
        each for each in verdicts if each.verdict is not Verdict.RIGHT
    ]
    assert len(wrong) <= MOST_WRONG * len(verdicts), wrong


def test_there_are_120_questions_with_an_answer_and_40_without() -> None:
    assert (2 * len(answerable()), len(unanswerable())) == (120, 40)


def test_the_shop_answers_its_own_questions(shop: Database) -> None:
    assert_answered(list(judge_answerable(shop)))


@pytest.mark.slow
def test_the_same_questions_are_answered_on_sqlite_with_other_orders(another_shop: Database) -> None:
    assert_answered(list(judge_answerable(another_shop)))


def test_no_question_without_an_answer_is_given_one(shop: Database) -> None:
    assert [each for each in judge_unanswerable(shop) if each.verdict is not Verdict.ASKED] == []
