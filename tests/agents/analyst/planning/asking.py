"""Asking: small databases made of a few rows, and questions put to them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from agents.analyst.engines import Database, open_sqlite, run
from agents.analyst.planning.outcome import Outcome, Planned
from agents.analyst.planning.parsing import ground
from agents.analyst.planning.planner import Planner, Rules, Turn
from agents.analyst.wording.answering import answer_text
from envs.analyst.results import Cell, Result

NOW = datetime.fromisoformat("2026-05-13T12:40:00")

Rows = Sequence[tuple[Cell, ...]]


@dataclass(frozen=True)
class Answer:
    """What was planned, and what it gave."""

    planned: Planned
    result: Result

    @property
    def rows(self) -> list[tuple[Cell, ...]]:
        """The columns that were asked for."""
        places = [self.result.names.index(name) for name in self.planned.answer]
        return [tuple(row[at] for at in places) for row in self.result.rows]

    @property
    def cell(self) -> Cell:
        """The only number."""
        assert len(self.rows) == 1, self.rows
        assert len(self.rows[0]) == 1, self.rows
        return self.rows[0][0]

    def column(self, name: str) -> list[Cell]:
        """One of the result's columns."""
        return [row[self.result.names.index(name)] for row in self.result.rows]

    @property
    def text(self) -> str:
        return answer_text(self.planned, self.result)


@dataclass(frozen=True)
class Book:
    """One database to ask."""

    database: Database
    rules: Rules

    def plan(self, question: str, before: Turn | None = None, now: datetime = NOW) -> Outcome:
        planner = Planner([ground(self.database.source, self.database.values)], rules=self.rules)
        return planner.plan(question, now, before)

    def ask(self, question: str, before: Turn | None = None, now: datetime = NOW) -> Answer:
        outcome = self.plan(question, before, now)
        assert isinstance(outcome, Planned), outcome
        return Answer(outcome, run(self.database, outcome.ir))


def book(folder: Path, rules: Rules | None = None, /, **tables: tuple[str, Rows]) -> Book:
    """A database with these tables, each its columns in SQL and its rows."""
    path = folder / "book.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        for name, (columns, rows) in tables.items():
            connection.execute(f"CREATE TABLE {name} ({columns})")
            if rows:
                connection.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(rows[0]))})", rows)
        connection.commit()
    return Book(open_sqlite(path), rules or Rules())
