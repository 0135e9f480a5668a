"""Our own questions: 60 in two languages over the embedded shop, and 40 that it cannot answer.

The reference of each is an IR, so that any copy of the shop has right answers by construction.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, TypeAdapter

from agents.analyst.engines import Database, run
from agents.analyst.planning.outcome import Planned
from agents.analyst.planning.parsing import ground
from agents.analyst.planning.planner import Planner
from envs.analyst.ir import QueryIR
from envs.analyst.problems import QueryProblem
from envs.analyst.results import Result
from evals.nl2sql.matching import same
from evals.nl2sql.verdicts import Verdict

AS_OF = datetime.fromisoformat("2026-04-12T12:00:00")
"""The shop's newest day."""
FOLDER = Path(__file__).parent / "shop"


class Answerable(BaseModel):
    """A question in both languages, the IR that answers it, and which of its columns were asked for."""

    en: str
    id: str
    answer: tuple[str, ...]
    ir: QueryIR


class Unanswerable(BaseModel):
    """A question without an answer, and why: nothing for it, several readings, or another subject."""

    question: str
    why: Literal["missing", "ambiguous", "scope"]


@dataclass(frozen=True, slots=True)
class OwnVerdict:
    """What became of one of our questions."""

    question: str
    verdict: Verdict
    detail: str
    has_answer: bool = True

    @property
    def failed(self) -> bool:
        """Whether it got another verdict than it should: asking back is right where there is no answer."""
        return self.verdict is not (Verdict.RIGHT if self.has_answer else Verdict.ASKED)


@cache
def answerable() -> tuple[Answerable, ...]:
    """The 60 pairs."""
    return tuple(Answerable.model_validate_json(line) for line in _lines("answerable.jsonl"))


@cache
def unanswerable() -> tuple[Unanswerable, ...]:
    """The 40 that must be refused or asked back."""
    lines = [json.loads(line) for line in _lines("unanswerable.jsonl")]
    return tuple(TypeAdapter(list[Unanswerable]).validate_python(lines))


def judge_answerable(database: Database) -> Iterator[OwnVerdict]:
    """The 120 questions on one copy of the shop."""
    planner = Planner([ground(database.source, database.values)])
    for pair in answerable():
        ir = pair.ir.model_copy(update={"source_id": database.source.source_id})
        reference = run(database, ir)
        for question in (pair.en, pair.id):
            yield _judged(question, pair, reference, planner, database)


def judge_unanswerable(database: Database) -> Iterator[OwnVerdict]:
    """The 40 questions; planning one is wrong, whatever its rows."""
    planner = Planner([ground(database.source, database.values)])
    for each in unanswerable():
        outcome = planner.plan(each.question, AS_OF)
        verdict = Verdict.WRONG if isinstance(outcome, Planned) else Verdict.ASKED
        yield OwnVerdict(each.question, verdict, repr(outcome), has_answer=False)


def _judged(
    question: str, pair: Answerable, reference: Result, planner: Planner, database: Database
) -> OwnVerdict:
    outcome = planner.plan(question, AS_OF)
    if not isinstance(outcome, Planned):
        return OwnVerdict(question, Verdict.ASKED, repr(outcome))
    try:
        result = run(database, outcome.ir)
    except QueryProblem as problem:
        return OwnVerdict(question, Verdict.UNANSWERED, f"{problem.code}: {problem}")
    before = tuple(name for name in result.names if name.endswith("_before"))
    answer = (*outcome.answer, *before)
    ordered = bool(pair.ir.order_by)
    right = same(_columns(result, answer), _columns(reference, pair.answer), ordered=ordered)
    return OwnVerdict(
        question, Verdict.RIGHT if right else Verdict.WRONG, outcome.ir.model_dump_json(exclude_defaults=True)
    )


def _columns(result: Result, names: tuple[str, ...]) -> list[list[str | int | float | bool | None]]:
    places = [result.names.index(name) for name in names]
    return [[row[at] for at in places] for row in result.rows]


def _lines(name: str) -> list[str]:
    return (FOLDER / name).read_text(encoding="utf-8").splitlines()
