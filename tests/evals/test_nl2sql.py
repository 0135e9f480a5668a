"""Scoring text-to-SQL: what counts as right, and what a set of questions comes to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.nl2sql import command
from evals.nl2sql.development.databases import make
from evals.nl2sql.matching import same
from evals.nl2sql.questions import Question, Shape, Unreadable, load
from evals.nl2sql.verdicts import MissingDatabase, Verdict

QUESTIONS = (
    {"question": "How many books are there?", "db": "library", "query": "SELECT count(*) FROM book"},
    {"question": "How many members are there?", "db": "library", "query": "SELECT count(*) + 1 FROM member"},
    {"question": "How many dragons are there?", "db": "library", "query": "SELECT 0"},
)


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("databases")
    make(folder)
    return folder


def written(folder: Path, *questions: dict[str, str]) -> Path:
    path = folder / "questions.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in questions))
    return path


@pytest.mark.parametrize(
    ("found", "reference", "ordered", "right"),
    [
        ([(1, "a"), (2, "b")], [("b", 2), ("a", 1)], False, True),
        ([(1, "a"), (2, "b")], [(2, "b"), (1, "a")], True, False),
        ([("x", 2), ("y", 2), ("z", 1)], [("y", 2), ("x", 2), ("z", 1)], True, True),
        ([(1.0000001,)], [(1,)], False, True),
        ([(1,), (1,)], [(1,)], False, False),
        ([(1, 2)], [(1,)], False, False),
        ([(None,)], [(0,)], False, False),
    ],
)
def test_rows_match_as_a_multiset_and_in_order_where_the_reference_sorts(
    found: list[tuple[int, ...]], reference: list[tuple[int, ...]], ordered: bool, right: bool
):
    assert same(found, reference, ordered=ordered) is right


@pytest.mark.parametrize(
    ("query", "shape", "tables"),
    [
        ("SELECT a FROM t", Shape.SINGLE, 1),
        ("SELECT a FROM t JOIN u ON t.i = u.i", Shape.JOIN, 2),
        ("SELECT a FROM t WHERE i IN (SELECT i FROM t)", Shape.NESTED, 1),
        ("SELECT a FROM t EXCEPT SELECT a FROM u", Shape.SET, 2),
    ],
)
def test_a_query_has_a_shape(query: str, shape: Shape, tables: int):
    question = Question(question="?", db="d", query=query)
    assert (question.shape, question.tables) == (shape, tables)


def test_right_wrong_and_asked_are_counted_apart(databases: Path, tmp_path: Path):
    judged = command.score(written(tmp_path, *QUESTIONS), databases)
    assert [each.verdict for each in judged] == [Verdict.RIGHT, Verdict.WRONG, Verdict.ASKED]
    figures = command.figures(judged)["all"]
    assert (figures["right"], figures["wrong_but_confident"], figures["asked"]) == (1 / 3, 1 / 3, 1 / 3)


def test_a_line_without_a_query_is_named(tmp_path: Path):
    with pytest.raises(Unreadable, match="line 1"):
        load(written(tmp_path, {"question": "?", "db": "d"}))


def test_a_database_that_is_not_there_is_named(databases: Path, tmp_path: Path):
    path = written(tmp_path, {"question": "?", "db": "nowhere", "query": "SELECT 1"})
    with pytest.raises(MissingDatabase, match="nowhere"):
        command.score(path, databases)


def test_the_development_set_has_200_questions_over_six_schemas_whose_queries_run(databases: Path):
    questions = load(Path(command.__file__).parent / "development" / "questions.jsonl")
    assert len(questions) >= 200
    assert len({question.db for question in questions}) >= 6
