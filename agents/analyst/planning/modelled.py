"""The planner with a model: the same outcomes over the same IR, and the planner without one where it fails.

A model only proposes: every name is checked against the catalogue, what is wrong is told to it once, and what
is still wrong is planned without it. Leaves who pays to the asker.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, ValidationError
from pydantic_core import to_json

from agents.analyst.planning.outcome import (
    Analysis,
    AnalysisKind,
    Ask,
    AskAbout,
    Assumption,
    AssumptionKind,
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
from agents.analyst.planning.planner import Planner, Turn, with_ties
from agents.analyst.planning.proposing import case_of, rules_of
from agents.analyst.planning.words import Language, language_of
from agents.llm.completion import Reply
from agents.llm.endpoint import Endpoint, EndpointError, Question, Style
from envs.analyst.checking import check
from envs.analyst.ir import QueryIR
from envs.analyst.problems import QueryProblem
from envs.kernel.records import Record
from envs.kernel.tools import JsonObject

CALL_S = 20.0
RETRIES = 1
STYLES = (Style.SCHEMA, Style.PLAIN)
"""json_schema first, then json_object; after that the planner without a model."""
CONFIDENCE = 0.9

AskModel = Callable[[Question, Style], Awaitable[Reply]]
"""One call, paid for; raises EndpointError."""


class JsonEndpoint(Endpoint):
    """An endpoint that is asked for a JSON object even where it takes no schema."""

    def _body(self, question: Question, style: Style) -> JsonObject:
        body = super()._body(question, style)
        return {**body, "response_format": {"type": "json_object"}} if style is Style.PLAIN else body


class Proposal(Record):
    """What a model answers.

    Attributes:
        query: For `answer`.
        analysis: For `answer`; what is done with the rows.
        question, options: For `ask`.
        missing: For `refuse`.
    """

    intent: Literal["answer", "ask", "refuse", "documents", "out_of_scope"]
    query: QueryIR | None = None
    analysis: AnalysisKind = AnalysisKind.AGGREGATE
    question: str = ""
    options: Annotated[tuple[str, ...], Field(max_length=3)] = ()
    missing: tuple[str, ...] = ()


class _Unusable(Exception):
    """A proposal that cannot be followed; the text tells the model why."""


class _Filtered(Exception):
    """The model's content filter stopped it."""


@dataclass(frozen=True, slots=True)
class ModelledPlanner:
    """Plans with a model first.

    Attributes:
        offline: Plans what needs no model, and what the model cannot.
        ask: Asks the model.
    """

    offline: Planner
    ask: AskModel

    async def plan(self, message: str, now: datetime, before: Turn | None = None) -> Outcome:
        """What shall be done about a message; see `Planner.plan`."""
        outcome = self.offline.plan(message, now, before)
        if isinstance(outcome, Chat | Help | Check | Blocked):
            return outcome
        language = language_of(message, before.planned.language if before else Language.EN)
        for style in STYLES:
            try:
                return await self._proposed(message, now, before, style, language)
            except _Filtered:
                return Blocked(Blocking.FILTER, language)
            except _Unusable:
                break
            except EndpointError as error:
                if not error.unsupported:
                    break
        return outcome

    async def _proposed(
        self, message: str, now: datetime, before: Turn | None, style: Style, language: Language
    ) -> Outcome:
        """The model's outcome, after one repair at most."""
        complaint = ""
        for repaired in (False, True):
            case = case_of(message, now, self.offline.grounds, before, complaint)
            schema = Proposal.model_json_schema()
            told = f"{case}\nThe schema: {to_json(schema).decode()}"
            question = Question(rules_of(), {Style.SCHEMA: case, Style.PLAIN: told}, (), schema)
            reply = await self._reply(question, style)
            if reply.refusal:
                raise _Filtered
            try:
                return self._outcome(reply.text, message, language)
            except _Unusable as unusable:
                if repaired:
                    raise
                complaint = str(unusable)
        raise AssertionError("the second round returns or raises")

    async def _reply(self, question: Question, style: Style) -> Reply:
        for failures in range(RETRIES + 1):
            try:
                return await self.ask(question, style)
            except EndpointError as error:
                if not error.again or failures == RETRIES:
                    raise
        raise AssertionError("the last failure raises")

    def _outcome(self, text: str, message: str, language: Language) -> Outcome:
        try:
            proposal = Proposal.model_validate_json(_object_in(text))
        except ValidationError as error:
            wrong = error.errors(include_url=False, include_context=False, include_input=False)[:3]
            told = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in wrong)
            raise _Unusable(f"that is no such object: {told}") from None
        match proposal.intent:
            case "answer":
                return self._planned(proposal, language)
            case "ask":
                return Ask(AskAbout.CHOICE, proposal.question or message, proposal.options, language)
            case "refuse":
                return Refuse(proposal.missing or (message,), (), language)
            case "documents":
                return Documents(message, language) if self.offline.library else OutOfScope(language)
            case "out_of_scope":
                return OutOfScope(language)

    def _planned(self, proposal: Proposal, language: Language) -> Planned:
        ir = proposal.query
        if ir is None:
            raise _Unusable("intent `answer` needs a `query`")
        ground = next((each for each in self.offline.grounds if each.source.source_id == ir.source_id), None)
        if ground is None:
            known = ", ".join(each.source.source_id for each in self.offline.grounds)
            raise _Unusable(f"there is no source {ir.source_id!r}; there are {known}")
        try:
            check(ir, ground.source)
        except QueryProblem as problem:
            raise _Unusable(f"{problem.code}: {problem}") from None
        measures = tuple(measure.alias for measure in ir.measures if measure.shown)
        answer = (*ir.names(), *measures) if ir.aggregates else ir.names()
        value = measures[0] if measures else None
        label = next((name for name in answer if name != value), None)
        return Planned(
            ir=with_ties(ir),
            answer=answer,
            analysis=Analysis(proposal.analysis, label=label, value=value),
            assumptions=_window(ir),
            confidence=CONFIDENCE,
            language=language,
        )


def _window(ir: QueryIR) -> tuple[Assumption, ...]:
    if ir.time_range is None:
        return ()
    return (Assumption(AssumptionKind.WINDOW, ir.time_range.start or "", ir.time_range.end or ""),)


def _object_in(text: str) -> str:
    """The JSON object of an answer: models put it into fences."""
    first, last = text.find("{"), text.rfind("}")
    return text[first : last + 1] if 0 <= first < last else text
