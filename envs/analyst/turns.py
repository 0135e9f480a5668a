"""Turns: one question of an analysis and everything that answered it, as the journal keeps it.

Pure records with the contract's names. Leaves to `agents.analyst` how an answer comes about, and to the
contract what of it is told to whom.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from envs.analyst.charts import Chart
from envs.analyst.results import Cell, ResultColumn, Row
from envs.kernel.records import Record

PREVIEWED = 5
"""Rows of a tool's output that are kept."""
LONGEST = 300
"""Characters of any text in a tool's input or output and of a snippet; the rest is cut."""
TABLED = 200
"""Rows of an answer's table that are kept."""

JsonObject = dict[str, JsonValue]


class Intent(StrEnum):
    """What a message was taken for, by the contract's words."""

    CHAT = "chat"
    HELP = "help"
    CHECK = "check"
    UNSTRUCTURED_FLOW = "unstructured_flow"
    STRUCTURED_FLOW = "structured_flow"
    OUT_OF_SCOPE = "out_of_scope"
    BLOCKED = "blocked"


class Language(StrEnum):
    """What an answer is written in."""

    EN = "en"
    ID = "id"


class Done(StrEnum):
    """How a step or a tool call came out."""

    SUCCESS = "success"
    ERROR = "error"


class Stage(StrEnum):
    """What a step of a plan is for."""

    DATA_UNDERSTANDING = "data_understanding"
    DATA_PREPARATION = "data_preparation"
    MODELING = "modeling"
    EVALUATION = "evaluation"


class PlanStep(Record):
    """One step of a plan; `step` counts from 1."""

    step: Annotated[int, Field(ge=1)]
    stage: Stage
    objective: str
    status: Done
    tools_used: tuple[str, ...]


class Planning(Record):
    """What was planned for a question to the data; `assumptions` are sentences in the answer's language."""

    goal_restated: str
    assumptions: tuple[str, ...]
    steps: tuple[PlanStep, ...]


class TableOutput(Record):
    """A table that a tool made: its first rows, and how many there are."""

    kind: Literal["table"] = "table"
    columns: tuple[str, ...]
    row_count: Annotated[int, Field(ge=0)]
    preview: Annotated[tuple[Row, ...], Field(max_length=PREVIEWED)]


class DocumentsOutput(Record):
    """How many passages a search found."""

    kind: Literal["documents"] = "documents"
    row_count: Annotated[int, Field(ge=0)]


Output = Annotated[TableOutput | DocumentsOutput, Field(discriminator="kind")]


class ToolCall(Record):
    """One tool that was called.

    Attributes:
        order: From 1.
        task_id: Of the plan's step that it belongs to; None outside a plan.
        output: None where it failed.
        error: Why it failed, one sentence.
    """

    order: Annotated[int, Field(ge=1)]
    task_id: str | None = None
    name: str
    input: JsonObject
    output: Output | None
    status: Done
    error: str | None = None


class Detail(Record):
    """What of a database was read."""

    table: str
    row_count: Annotated[int, Field(ge=0)]


class DatabaseUsed(Record):
    """A query that was executed; never cut."""

    type: Literal["database"] = "database"
    source_id: str
    name: str
    query: str
    detail: Detail


class DocumentUsed(Record):
    """A passage that was found."""

    type: Literal["document"] = "document"
    document_id: str
    filename: str
    page_label: str
    query: str
    snippet: Annotated[str, Field(max_length=LONGEST)]
    score: Annotated[float, Field(ge=0.0, le=1.0)]


SourceUsed = Annotated[DatabaseUsed | DocumentUsed, Field(discriminator="type")]


class Shown(Record):
    """The table that stands beside an answer.

    Attributes:
        caption: What it shows, a few words in the answer's language.
        rows: The first `TABLED`, each as long as `columns`.
        row_count: How many there are.
    """

    caption: str = ""
    columns: tuple[ResultColumn, ...]
    rows: Annotated[tuple[tuple[Cell, ...], ...], Field(max_length=TABLED)]
    row_count: Annotated[int, Field(ge=0)]


class Told(Record):
    """What everybody sees of an answer.

    Attributes:
        text: The whole answer in `language`; of a question back its options are in it, one a line.
        options: Of a question back: each can be sent as the answer.
        table, chart: What the answer shows; None without rows.
        caveats: Sentences in `language`; they stand in `text` too.
    """

    intent: Intent
    language: Language
    text: str
    sources: tuple[SourceUsed, ...] = ()
    options: tuple[str, ...] = ()
    table: Shown | None = None
    chart: Chart | None = None
    caveats: tuple[str, ...] = ()


class Worked(Told):
    """What answering a message came to.

    Attributes:
        planning: Of a question to the data; else None.
        carried: What a follow-up goes on from, as the planner wrote it; None where nothing was planned.
        confidence: In [0, 1], how sure the planner or the search was; None where neither was needed.
    """

    planning: Planning | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    carried: JsonObject | None = None
    confidence: Annotated[float, Field(ge=0.0, le=1.0)] | None = None

    @property
    def substantive(self) -> bool:
        """Whether an `analyze_*` step succeeded."""
        return any(
            call.status is Done.SUCCESS and call.name.startswith("analyze_") for call in self.tool_calls
        )


class Turn(Worked):
    """What answering a message came to, under the id by which it is asked for.

    Attributes:
        message_id: A UUID.
        generated_at: UTC, `2026-07-06T03:21:09.114Z`.
    """

    message_id: str
    generated_at: str

    def told(self) -> Told:
        """What everybody sees of it."""
        return Told(**{name: getattr(self, name) for name in Told.model_fields})
