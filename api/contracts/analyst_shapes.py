"""The analyst contract's bodies and answers, key for key."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from api.contracts.analyst_texts import AnalysisId, MessageText, UserId
from envs.analyst.catalogue import Source
from envs.analyst.models import QUESTIONS, BusinessQuestion, Objective
from envs.analyst.turns import Intent, Planning, SourceUsed, ToolCall
from envs.kernel.records import Record


class ChatRequest(Record):
    """A message; a `message_id` that is sent is ignored, as all that is unknown."""

    user_id: UserId
    analysis_id: AnalysisId
    message: MessageText


class HelpRequest(Record):
    """A question how to go on."""

    user_id: UserId
    analysis_id: AnalysisId


class Aim(Record):
    """What an analysis is for."""

    user_id: UserId
    objective: Objective
    business_questions: Annotated[tuple[BusinessQuestion, ...], Field(max_length=QUESTIONS)] = ()


class AnalysisAnswer(Aim):
    """An analysis after its objective was set."""

    analysis_id: str


class ToolItem(Record):
    """One tool of the slash menu."""

    command: str
    name: str
    type: str
    description: str


class ToolsAnswer(Record):
    """The slash menu."""

    count: int
    tools: tuple[ToolItem, ...]


class Traceability(Record):
    """How an answer came about; `thinking` is always null."""

    analysis_id: str
    message_id: str
    user_id: str
    intent: Intent
    generated_at: str
    planning: Planning | None
    thinking: None = None
    tool_calls: tuple[ToolCall, ...]
    sources: tuple[SourceUsed, ...]


class SourceAnswer(Source):
    """A source of an analysis; `removable`: somebody uploaded it."""

    removable: bool


class SourcesAnswer(Record):
    """What an analysis can be asked about.

    Attributes:
        sources: The preferred one first.
        suggestions: Questions that fit the preferred source with tables.
        accepts_uploads: Whether its id is one that nobody can guess, and the caller's own.
    """

    sources: tuple[SourceAnswer, ...]
    suggestions: tuple[str, ...]
    accepts_uploads: bool


TOOLS = ToolsAnswer(
    count=1,
    tools=(
        ToolItem(
            command="/help",
            name="help",
            type="skill",
            description="Show what the assistant can do and guide your next step.",
        ),
    ),
)
