"""Scoring: how often the planner's rows are those of the reference query, on databases it has not seen.

An answer that is asked back or refused is counted apart: it is neither right nor wrong.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from agents.analyst.engines import Database, Limits, open_sqlite, run
from agents.analyst.planning.outcome import Planned
from agents.analyst.planning.parsing import ground
from agents.analyst.planning.planner import Planner
from envs.analyst.problems import QueryProblem
from envs.analyst.results import Cell
from evals.nl2sql.matching import same
from evals.nl2sql.questions import Question
from evals.nl2sql.verdicts import Judged, MissingDatabase, Verdict

AS_OF = datetime.fromisoformat("2026-01-01T00:00:00")
"""What "today" is; databases that end earlier are asked about as of their newest day."""
REFERENCE_STEPS = 50_000_000
"""Virtual machine steps after which a reference query is given up."""


def judge(questions: Sequence[Question], folder: Path) -> Iterator[Judged]:
    """Verdicts in the order of the databases; each database is opened once.

    Raises:
        MissingDatabase: If `<db>/<db>.sqlite` is not in the folder.
    """
    for name in dict.fromkeys(question.db for question in questions):
        path = folder / name / f"{name}.sqlite"
        if not path.is_file():
            raise MissingDatabase(
                f"{folder} has no {name}/{name}.sqlite, which {name!r} in the questions needs"
            )
        with open_sqlite(path) as database, closing(_opened(path)) as connection:
            planner = Planner([ground(database.source, database.values)])
            for question in questions:
                if question.db == name:
                    yield _judged(question, planner, database, connection)


def _judged(
    question: Question, planner: Planner, database: Database, connection: sqlite3.Connection
) -> Judged:
    try:
        reference = connection.execute(question.query).fetchall()
    except sqlite3.Error as error:
        return Judged(question, Verdict.UNREFERENCED, str(error))
    outcome = planner.plan(question.question, AS_OF)
    if not isinstance(outcome, Planned):
        return Judged(question, Verdict.ASKED, repr(outcome))
    try:
        result = run(database, outcome.ir, Limits())
    except QueryProblem as problem:
        return Judged(question, Verdict.UNANSWERED, f"{problem.code}: {problem}", outcome.confidence)
    places = [result.names.index(name) for name in outcome.answer]
    rows: list[tuple[Cell, ...]] = [tuple(row[at] for at in places) for row in result.rows]
    verdict = Verdict.RIGHT if same(rows, reference, ordered=question.ordered) else Verdict.WRONG
    return Judged(question, verdict, outcome.ir.model_dump_json(exclude_defaults=True), outcome.confidence)


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"file:{quote(str(path.resolve()))}?mode=ro", uri=True)
    connection.text_factory = lambda text: text.decode("utf-8", errors="replace")
    connection.set_progress_handler(lambda: 1, REFERENCE_STEPS)
    return connection
