"""Turning: a message into an answer, with every tool that was called for it.

The planner says what shall be done; here it is done. Leaves sources to `bench` and sentences to `wording`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, assert_never

from pydantic import TypeAdapter, ValidationError

from agents.analyst.engines import Stop, run
from agents.analyst.engines.database import Database
from agents.analyst.planning.outcome import (
    Ask,
    Blocked,
    Blocking,
    Chat,
    Check,
    Documents,
    Help,
    Outcome,
    OutOfScope,
    Planned,
    Refuse,
)
from agents.analyst.planning.planner import Planner, Turn
from agents.analyst.planning.routing import route
from agents.analyst.planning.words import language_of
from agents.analyst.sources.library import Library, Passage
from agents.analyst.wording.caveats import assumed, noted
from agents.analyst.wording.goals import restated
from agents.analyst.wording.quoting import quoted, without_orders
from agents.analyst.wording.statuses import inventoried, inventory, planning, running, stopped
from agents.analyst.wording.talk import said
from agents.analyst.working.analysing import Tooled, tooled
from agents.analyst.working.asked import Asked
from agents.analyst.working.calling import CHECK, KNOWLEDGE, RETRIEVE, Calls
from agents.analyst.working.saying import answered
from agents.analyst.working.showing import short, shown
from envs.analyst.analyses import Analysis
from envs.analyst.catalogue import Source
from envs.analyst.problems import Cancelled, QueryProblem
from envs.analyst.results import Caveat, Result
from envs.analyst.turns import (
    DatabaseUsed,
    Detail,
    DocumentUsed,
    Done,
    Intent,
    JsonObject,
    Planning,
    PlanStep,
    Stage,
    Worked,
)

if TYPE_CHECKING:
    from agents.analyst.planning.modelled import AskModel

_TURN: TypeAdapter[Turn] = TypeAdapter(Turn)
_INTENTS = {Chat: Intent.CHAT, Blocked: Intent.BLOCKED, OutOfScope: Intent.OUT_OF_SCOPE}
_TASKS = ("t1", "t2")


@dataclass(frozen=True, slots=True)
class Desk:
    """What an analysis can be asked of.

    Attributes:
        sources: The preferred one first.
        databases: Those with tables, by their id.
        library: All its documents as one, None without any.
    """

    sources: tuple[Source, ...]
    databases: dict[str, Database]
    library: Library | None
    planner: Planner


@dataclass(frozen=True, slots=True)
class Turning:
    """One message at a desk.

    Attributes:
        tell: Is given what happens now, for a person who waits.
        ask: Asks a model; None plans without one.
        stop: Ends its query.
    """

    desk: Desk
    asked: Asked
    tell: Callable[[str], None]
    ask: AskModel | None
    stop: Stop

    def worked(self) -> Worked:
        """What answering comes to.

        Raises:
            Cancelled, Unavailable: If nobody waits any more, or a source does not answer.
        """
        outcome = self._outcome()
        if self.stop.asked:
            raise Cancelled("the question was cancelled; nobody waits for its answer")
        match outcome:
            case Chat() | Blocked() | OutOfScope():
                return Worked(intent=_INTENTS[type(outcome)], language=outcome.language, text=said(outcome))
            case Help():
                return Worked(intent=Intent.HELP, language=outcome.language, text="")
            case Check():
                return self._checked(outcome)
            case Documents():
                return self._searched(outcome)
            case Ask() | Refuse():
                return self._unanswered(outcome)
            case Planned():
                return self._answered(outcome)
            case _:
                assert_never(outcome)

    def _outcome(self) -> Outcome:
        message, before = self.asked.message, _read(self.asked.before)
        now = datetime.fromisoformat(self.asked.now)
        language = language_of(message)
        if route(message, language) is None:
            self.tell(planning(language))
        if self.ask is None:
            return self.desk.planner.plan(message, now, before)
        # It brings every environment with it, and most servers have no model.
        from agents.analyst.planning.modelled import ModelledPlanner  # noqa: PLC0415

        return asyncio.run(ModelledPlanner(self.desk.planner, self.ask).plan(message, now, before))

    def _checked(self, check: Check) -> Worked:
        calls = Calls()
        calls.call(CHECK, {"source_hint": "all"}, lambda: self.desk.sources, None)
        text = inventoried(self.desk.sources, check.language)
        return Worked(intent=Intent.CHECK, language=check.language, text=text, tool_calls=calls.made)

    def _searched(self, documents: Documents) -> Worked:
        library = self.desk.library
        if library is None:
            nothing = OutOfScope(documents.language)
            return Worked(intent=Intent.OUT_OF_SCOPE, language=nothing.language, text=said(nothing))
        calls = Calls()
        query = documents.query
        found = calls.call(KNOWLEDGE, {"query": query}, lambda: library.search(query), None)
        if isinstance(found, QueryProblem):
            raise found
        text = quoted(query, found, documents.language)
        if text is None:
            refused = Blocked(Blocking.INSTRUCTION, documents.language)
            return Worked(intent=Intent.BLOCKED, language=refused.language, text=said(refused))
        return Worked(
            intent=Intent.UNSTRUCTURED_FLOW,
            language=documents.language,
            text=text,
            tool_calls=calls.made,
            sources=tuple(_cited(passage, query) for passage in found.passages),
            confidence=found.confidence,
        )

    def _unanswered(self, outcome: Ask | Refuse) -> Worked:
        """A question back, or what is missing; the sources were looked at and nothing else."""
        calls = Calls()
        self._inventory(calls)
        step = _step(1, Stage.DATA_UNDERSTANDING, inventory(outcome.language), Done.SUCCESS, (CHECK,))
        plan = Planning(goal_restated=short(self.asked.message), assumptions=(), steps=(step,))
        return Worked(
            intent=Intent.STRUCTURED_FLOW,
            language=outcome.language,
            text=said(outcome),
            planning=plan,
            tool_calls=calls.made,
            options=outcome.options if isinstance(outcome, Ask) else (),
        )

    def _answered(self, planned: Planned) -> Worked:
        calls = Calls()
        self.tell(running(3, planned.language))
        self._inventory(calls)
        database = self.desk.databases[planned.ir.source_id]
        written: JsonObject = {"ir": planned.ir.written()}
        result = calls.call(RETRIEVE, written, partial(run, database, planned.ir, stop=self.stop), _TASKS[1])
        if isinstance(result, QueryProblem):
            return self._failed(planned, calls, result, (RETRIEVE,), None)
        tool = tooled(planned, result, database.source.newest_date)
        analysis = calls.call(tool.tool.value, tool.given, tool.work, _TASKS[1])
        used = (RETRIEVE, tool.tool.value)
        if isinstance(analysis, QueryProblem):
            return self._failed(planned, calls, analysis, used, (database, result))
        caveats = tuple(dict.fromkeys((*result.caveats, *tool.caveats, *analysis.caveats)))
        return self._told(planned, calls, (database, result), tool, analysis, caveats)

    def _told(
        self,
        planned: Planned,
        calls: Calls,
        used: tuple[Database, Result],
        tool: Tooled,
        analysis: Analysis,
        caveats: tuple[Caveat, ...],
    ) -> Worked:
        language = planned.language
        goal = restated(planned)
        return Worked(
            intent=Intent.STRUCTURED_FLOW,
            language=language,
            text=answered(planned, used[1], analysis, caveats),
            planning=self._plan(planned, Done.SUCCESS, (RETRIEVE, tool.tool.value)),
            tool_calls=calls.made,
            sources=(_used(*used, planned),),
            table=shown(goal, analysis.columns, analysis.rows) if analysis.rows else None,
            chart=analysis.chart if analysis.rows else None,
            caveats=tuple(noted(each, language) for each in caveats),
            carried=_TURN.dump_python(Turn(self.asked.message, planned), mode="json"),
            confidence=planned.confidence,
        )

    def _failed(
        self,
        planned: Planned,
        calls: Calls,
        problem: QueryProblem,
        tools: tuple[str, ...],
        used: tuple[Database, Result] | None,
    ) -> Worked:
        """A tool that gave nothing; what was fetched before is shown."""
        result = used[1] if used else None
        return Worked(
            intent=Intent.STRUCTURED_FLOW,
            language=planned.language,
            text=stopped(str(problem), planned.language),
            planning=self._plan(planned, Done.ERROR, tools),
            tool_calls=calls.made,
            sources=(_used(*used, planned),) if used else (),
            table=shown(restated(planned), result.columns, result.rows) if result and result.rows else None,
            confidence=planned.confidence,
        )

    def _inventory(self, calls: Calls) -> None:
        asked = tuple(source for source in self.desk.sources if source.tables)
        calls.call(CHECK, {"source_hint": "structured"}, lambda: asked, _TASKS[0])

    def _plan(self, planned: Planned, status: Done, tools: tuple[str, ...]) -> Planning:
        goal = restated(planned)
        return Planning(
            goal_restated=short(goal),
            assumptions=tuple(assumed(each, planned.language) for each in planned.assumptions),
            steps=(
                _step(1, Stage.DATA_UNDERSTANDING, inventory(planned.language), Done.SUCCESS, (CHECK,)),
                _step(2, Stage.MODELING, goal, status, tools),
            ),
        )


def _step(number: int, stage: Stage, objective: str, status: Done, tools: tuple[str, ...]) -> PlanStep:
    return PlanStep(step=number, stage=stage, objective=short(objective), status=status, tools_used=tools)


def _used(database: Database, result: Result, planned: Planned) -> DatabaseUsed:
    return DatabaseUsed(
        source_id=database.source.source_id,
        name=database.source.name,
        query=result.sql,
        detail=Detail(table=planned.ir.table_id, row_count=result.row_count),
    )


def _cited(passage: Passage, query: str) -> DocumentUsed:
    return DocumentUsed(
        document_id=passage.document_id,
        filename=passage.filename,
        page_label=passage.page_label,
        query=query,
        snippet=short(without_orders(passage.text)),
        score=passage.score,
    )


def _read(before: JsonObject | None) -> Turn | None:
    """The turn before; what an older Auditorium wrote and this one cannot read is as if it were not."""
    if before is None:
        return None
    try:
        return _TURN.validate_python(before, strict=False)
    except ValidationError:
        return None
