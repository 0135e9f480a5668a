"""What the moderation contract's bodies and answers look like; what is in them is the routes'."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from envs.kernel.play import Episode
from envs.kernel.records import Record, Seed
from envs.moderation import Moderation
from envs.moderation.dynamics import Memory, State
from envs.moderation.models import Act, Action, Decision, Engagement, Observation, Violation
from envs.moderation.models import Request as ResetRequest
from envs.moderation.tasks import LEVELS, Task

ENVIRONMENT = Moderation()

Played = Episode[ResetRequest, Memory, Task, State, Action]


class StepRequest(Record):
    """An action and what it takes."""

    action: Annotated[str, Field(max_length=200, description=f"One of: {', '.join(Act)}.")]
    parameters: Annotated[
        dict[str, Any] | None,
        Field(description="violation_type (or type) for a mark, clause_id for a clause; others are ignored."),
    ] = None


class RunRequest(Record):
    """Which case an agent shall play, and which model it is."""

    task_id: Annotated[str | None, Field(max_length=200, description="Short or long name of a task.")] = None
    task: Annotated[str | None, Field(max_length=200, description="Another word for task_id.")] = None
    seed: Seed | None = None
    model: Annotated[str | None, Field(max_length=200, description="Leave out for Gemini 2.5 Flash.")] = None


class CaseState(Record):
    """The case as far as it was looked at; keys that stand for nothing yet are left out."""

    post_content: str
    user_history: tuple[str, ...]
    reports: int
    engagement: Engagement
    geo: str
    available_context: tuple[str, ...]
    thread_context: tuple[str, ...] | None = None
    policy_context: str | None = None
    predicted_violation: Violation | None = None
    final_action: Decision | None = None


class ResetAnswer(Record):
    """A new episode."""

    state: CaseState
    available_actions: tuple[Act, ...]
    done: bool


class StepInfo(Record):
    """How many steps were spent and what came of the last one."""

    step: int
    message: str


class StepAnswer(Record):
    """What an action led to."""

    state: CaseState
    reward: float
    done: bool
    info: StepInfo


class StateAnswer(Record):
    """The episode as it stands."""

    state: CaseState
    step_count: int
    done: bool


class TaskEntry(Record):
    """One task."""

    name: str
    description: str


class ActionSchema(Record):
    """What a step takes."""

    action: str = "string"
    parameters: str = "object (optional)"
    actions: dict[str, tuple[str, ...]]
    violation_types: tuple[Violation, ...]


class TasksAnswer(Record):
    """The tasks and what a step takes."""

    tasks: tuple[TaskEntry, ...]
    action_schema: ActionSchema


class Breakdown(Record):
    """The parts of a grade, each in [0, 1]."""

    final_action: float
    violation: float
    investigation: float
    efficiency: float


class GraderAnswer(Record):
    """The grade of the finished episode."""

    score: float
    breakdown: Breakdown
    steps_taken: int
    max_steps: int


class Score(Record):
    """A grade as the runs have it; the breakdown is what each part adds to the total."""

    final_action_score: float
    classification_score: float
    investigation_score: float
    efficiency_score: float
    total: float
    breakdown: dict[str, float]


class Move(Record):
    """An action as the runs have it."""

    action_type: Act
    parameters: dict[str, str]


class Moment(Record):
    """One step of a run."""

    step: int
    action: Move
    reward: float
    reward_reason: str


class RunAnswer(Record):
    """A whole run."""

    task_id: str
    seed: int
    score: Score
    trajectory: tuple[Moment, ...]


class HealthAnswer(Record):
    """Liveness."""

    status: str = "healthy"


class Broken(Record):
    """An agent that did not finish, and what it did until then."""

    detail: str
    trajectory: tuple[Moment, ...]


class Error(Record):
    """An error in words; an unknown action is told what it would cost, a finished episode that it is done."""

    error: str
    reward: float | None = None
    done: bool | None = None


TASKS = TasksAnswer(
    tasks=tuple(TaskEntry(name=own.level, description=own.description) for own in LEVELS.values()),
    action_schema=ActionSchema(
        actions={
            **dict.fromkeys(Act, ()),
            Act.CHECK_POLICY_CLAUSE: ("clause_id",),
            Act.MARK_VIOLATION_TYPE: ("violation_type",),
        },
        violation_types=tuple(Violation),
    ),
)


def case_state(seen: Observation) -> CaseState:
    """An observation as the contract has it."""
    return CaseState(
        post_content=seen.post_content,
        user_history=seen.user_history or (),
        reports=seen.reports,
        engagement=seen.engagement,
        geo=seen.geo,
        available_context=seen.available_context,
        thread_context=seen.thread_context,
        policy_context=seen.policy_context,
        predicted_violation=seen.predicted_violation,
        final_action=seen.final_action,
    )
