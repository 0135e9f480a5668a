"""Questions of a text-to-SQL set: read from a file, with the shape of each reference query."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import sqlglot
from pydantic import BaseModel, TypeAdapter
from sqlglot import exp


class Shape(StrEnum):
    """What a reference query is made of; the first that applies."""

    SET = "set operation"
    NESTED = "nested"
    JOIN = "join"
    SINGLE = "single table"


class Question(BaseModel):
    """One line: a question, the database it is about, and a query that answers it."""

    question: str
    db: str
    query: str

    @property
    def shape(self) -> Shape:
        tree = sqlglot.parse_one(self.query, read="sqlite")
        if tree.find(exp.SetOperation):
            return Shape.SET
        if len(list(tree.find_all(exp.Select))) > 1:
            return Shape.NESTED
        return Shape.JOIN if tree.find(exp.Join) else Shape.SINGLE

    @property
    def tables(self) -> int:
        """How many different tables its query reads."""
        tree = sqlglot.parse_one(self.query, read="sqlite")
        return len({table.name.lower() for table in tree.find_all(exp.Table)})

    @property
    def ordered(self) -> bool:
        """Whether the reference query sorts its rows."""
        return sqlglot.parse_one(self.query, read="sqlite").args.get("order") is not None


class Unreadable(ValueError):
    """A file of questions that is none; the text says which line."""


def load(path: Path) -> tuple[Question, ...]:
    """The questions of a JSON-lines file, or of one JSON list.

    Raises:
        Unreadable: Naming the line that has no `question`, `db` and `query`.
    """
    text = path.read_text(encoding="utf-8")
    if text.lstrip().startswith("["):
        return tuple(TypeAdapter(list[Question]).validate_json(text))
    found: list[Question] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                found.append(Question.model_validate_json(line))
            except ValueError as error:
                raise Unreadable(
                    f"line {number} of {path.name} needs `question`, `db` and `query` as texts"
                ) from error
    return tuple(found)
