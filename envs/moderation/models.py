"""What crosses the table: requests, actions and observations.

Pure data. Nothing here is hidden from a player; the case with its truth is in `tasks`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from envs.kernel import records

LEVELS = ("easy", "medium", "hard")
SPLITS = ("public", "held-out")


class Act(StrEnum):
    """What a player can do with a case: look, classify, decide."""

    FETCH_USER_HISTORY = "fetch_user_history"
    FETCH_THREAD_CONTEXT = "fetch_thread_context"
    CHECK_POLICY_CLAUSE = "check_policy_clause"
    MARK_VIOLATION_TYPE = "mark_violation_type"
    ALLOW = "allow"
    FLAG = "flag"
    REMOVE = "remove"
    ESCALATE = "escalate"


class Decision(StrEnum):
    """What can become of a post, from the mildest to the strictest."""

    ALLOW = "allow"
    FLAG = "flag"
    REMOVE = "remove"
    ESCALATE = "escalate"


class Violation(StrEnum):
    """What a post does that it must not; none where it is allowed."""

    NONE = "none"
    HARASSMENT = "harassment"
    HATE = "hate"
    THREAT = "threat"
    PRIVACY = "privacy"
    MISINFORMATION = "misinformation"
    SELF_HARM = "self_harm"
    SPAM = "spam"


class Engagement(StrEnum):
    """How far a post has spread."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Request(records.Request):
    """Which case to open; `task` and `task_id` mean the same, and the easy task is the default."""

    task: Annotated[
        str | None, Field(max_length=200, description="easy, medium or hard, or the task's long name.")
    ] = None
    task_id: Annotated[str | None, Field(max_length=200, description="Another word for task.")] = None
    split: Annotated[str, Field(max_length=200, description="public or held-out: which cases.")] = "public"


class Action(records.Action):
    """One thing done with the case."""

    action: Annotated[Act, Field(description="What to do.")]
    violation_type: Annotated[
        Violation | None, Field(description="For mark_violation_type: what the post does.")
    ] = None
    # Which clauses there are is the case's rule, not the schema's: an invented one is illegal, not malformed.
    clause_id: Annotated[
        str | None, Field(max_length=200, description="For check_policy_clause: one of available_context.")
    ] = None


class Observation(records.Observation):
    """The case as a player sees it; what was not looked at yet is null."""

    task: str
    post_content: str
    geo: str
    engagement: Engagement
    reports: Annotated[int, Field(ge=0)]
    available_context: tuple[str, ...]
    user_history: tuple[str, ...] | None
    thread_context: tuple[str, ...] | None
    policy_context: str | None
    predicted_violation: Violation | None
    final_action: Decision | None
    ruling: str | None
    escalations_left: Annotated[int, Field(ge=0)]
    step_count: Annotated[int, Field(ge=0)]
    max_steps: Annotated[int, Field(ge=1)]
