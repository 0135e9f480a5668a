"""The analyst contract's bodies and answers, key for key."""

from __future__ import annotations

from typing import Annotated, Literal

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


class UploadForm(Record):
    """A file to ask about; how its columns are read can be chosen for delimited text and workbooks.

    Attributes:
        numbers: How numbers such as `1,500` or `1.500` alone are read.
        dates: How dates such as `04/03/2026` alone are read.
        mixed: What becomes of numbers with other words among them: `number` leaves those out.
        columns: A JSON object of single columns, each with one of the words above.
    """

    file: Annotated[str, Field(json_schema_extra={"format": "binary"})]
    numbers: Literal["thousands", "decimal"] | None = None
    dates: Literal["day first", "month first"] | None = None
    mixed: Literal["number", "text"] | None = None
    columns: Annotated[str | None, Field(json_schema_extra={"examples": ['{"price": "decimal"}']})] = None


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
