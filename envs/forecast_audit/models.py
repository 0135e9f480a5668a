"""What crosses the table: requests, actions and observations.

Pure data. Nothing here is hidden from a player; the case with its gold is in `tasks`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from envs.kernel import records
from envs.kernel.choices import Choice, Choices

LEVELS = ("easy", "medium", "hard")
TRACKS = ("contract", "audit")
SPLITS = ("public", "held-out")

_INT64 = 2**63

Series = tuple[float | None, ...]
"""Values in the order of their timestamps; None is a gap."""


class Operation(StrEnum):
    """What to do with the report."""

    IMPUTE = "impute"
    FLAG_ANOMALY = "flag_anomaly"
    ACCEPT = "accept"
    REPAIR_AND_FINALIZE = "repair_and_finalize"
    ESCALATE = "escalate"


class Severity(StrEnum):
    """How much harm publishing the fault would do."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


_SAID = ("severity", "violated_constraints", "rationale")
_MARKS = "On the audit track this marks one fault and the audit goes on."

CHOICES = Choices(
    {
        Operation.IMPUTE: Choice(
            f"Write the right value where one is missing. {_MARKS}",
            ("target_index", "predicted_value"),
            _SAID,
        ),
        Operation.FLAG_ANOMALY: Choice(
            f"Mark a value that cannot be right, and say what it should have been if you can tell. {_MARKS}",
            ("target_index",),
            ("predicted_value", *_SAID),
        ),
        Operation.ACCEPT: Choice("Let the report go out as it stands; this ends an audit.", (), _SAID),
        Operation.REPAIR_AND_FINALIZE: Choice(
            "Let the report go out repaired, with the value given here or, on the audit track, with those "
            "already written; this ends an audit.",
            (),
            ("target_index", "predicted_value", *_SAID),
        ),
        Operation.ESCALATE: Choice(
            "Hold the report back and hand it to somebody else; this ends an audit.",
            (),
            ("target_index", "predicted_value", *_SAID),
        ),
    }
)


class IssueType(StrEnum):
    """What kind of fault the report was queued for; the audit track does not say."""

    MISSING_VALUE = "missing_value"
    ANOMALY = "anomaly"
    INVALID_FORECAST = "invalid_forecast"
    UNDISCLOSED = "undisclosed"


class Request(records.Request):
    """Which case to open; on the contract track, with neither name nor level, the next of the catalogue."""

    task_id: Annotated[str | None, Field(max_length=200, description="A case by name.")] = None
    difficulty: Annotated[
        str | None, Field(max_length=200, description="easy, medium or hard: the next case of that level.")
    ] = None
    track: Annotated[
        str, Field(max_length=200, description="contract: curated cases. audit: generated ones, blind.")
    ] = "contract"
    split: Annotated[
        str,
        Field(max_length=200, description="public or held-out: which generated cases; for the audit track."),
    ] = "public"


class Action(records.Action):
    """One judgement of the report."""

    operation: Annotated[Operation, Field(description="What to do with the report."), CHOICES]
    # Bounds of the series are the case's rule, not the schema's: an index outside is illegal, not malformed.
    target_index: Annotated[
        int | None, Field(ge=-_INT64, lt=_INT64, description="Position of the faulty value, from 0.")
    ] = None
    predicted_value: Annotated[
        float | None, Field(description="What the value should be, in the metric's unit.")
    ] = None
    severity: Annotated[Severity | None, Field(description="How serious the fault is.")] = None
    violated_constraints: Annotated[
        tuple[Annotated[str, Field(max_length=500)], ...],
        Field(max_length=64, description="The broken constraints, word for word."),
    ] = ()
    rationale: Annotated[
        str, Field(max_length=4000, description="One sentence: a fact of this case and the reason.")
    ] = ""


class Observation(records.Observation):
    """The report as a player sees it."""

    task_id: str
    difficulty: str
    domain: str
    metric_name: str
    timestamps: tuple[str, ...]
    values: Series
    issue_type: IssueType
    constraints: tuple[str, ...]
    analyst_note: str
    step_count: Annotated[int, Field(ge=0)]
    max_steps: Annotated[int, Field(ge=1)]
    history_summary: str
