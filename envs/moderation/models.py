"""What crosses the table: requests, actions and observations.

Pure data. Nothing here is hidden from a player; the case with its truth is in `tasks`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from envs.kernel import records
from envs.kernel.choices import Choice, Choices

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


CHOICES = Choices(
    {
        Act.FETCH_USER_HISTORY: Choice("Open the author's history: strikes, registrations, what they wrote."),
        Act.FETCH_THREAD_CONTEXT: Choice("Open the thread: who said what below the post."),
        Act.CHECK_POLICY_CLAUSE: Choice("Read a clause of the policy with its notices.", ("clause_id",)),
        Act.MARK_VIOLATION_TYPE: Choice(
            "Say what the post does; only the first mark counts, and it is scored with the decision.",
            ("violation_type",),
        ),
        Act.ALLOW: Choice("Decide that the post stays up; this ends the case."),
        Act.FLAG: Choice(
            "Decide that the post stays up with a note and waits for review; this ends the case."
        ),
        Act.REMOVE: Choice("Decide that the post is taken down; this ends the case."),
        Act.ESCALATE: Choice("Decide that the case goes to a specialist; this ends the case."),
    }
)


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

    action: Annotated[Act, Field(description="What to do."), CHOICES]
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
