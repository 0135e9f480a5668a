"""What the fleet contract's bodies and answers look like; what is in them is the routes'."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from envs.fleet import Fleet
from envs.fleet.models import DEFAULT_SEED, LEVELS, Observation, WorkerStatus
from envs.fleet.report import Report
from envs.kernel.records import Record, Seed

ENVIRONMENT = Fleet()


class TaskId(StrEnum):
    """The contract's tasks."""

    EASY_FLEET = LEVELS[0]
    MEDIUM_FLEET = LEVELS[1]
    HARD_FLEET = LEVELS[2]


class ResetBody(Record):
    """Which shift to open."""

    task_id: Annotated[TaskId, Field(description="Which task.")] = TaskId.EASY_FLEET
    seed: Annotated[Seed, Field(description="Which shift; the same seed is always the same shift.")] = (
        DEFAULT_SEED
    )


class Question(Record):
    """What to ask the index."""

    question: Annotated[str, Field(min_length=1, max_length=2000, description="In plain words.")]


class HealthAnswer(Record):
    """Liveness."""

    status: str = "healthy"


class MetadataAnswer(Record):
    """The project."""

    project: str
    version: str
    author: str
    description: str


class ResetAnswer(Record):
    """A new episode."""

    status: str = "ok"
    task_id: str
    observation: Observation


class RewardAnswer(Record):
    """A step's reward by its fields; what an act cannot earn is 0."""

    detection: float = 0.0
    approval: float = 0.0
    escalation: float = 0.0
    false_pos: float = 0.0
    missed: float = 0.0
    repeat_mon: float = 0.0
    needless_escalation: float = 0.0
    pause: float = 0.0
    resume: float = 0.0
    audit: float = 0.0


class StepInfo(Record):
    """What else there is to know of a step.

    Attributes:
        valid: Whether there is such a worker; without one the step is spent for nothing.
    """

    step: int
    message: str
    valid: bool
    invalid_actions: int
    total_reward: float


class StepAnswer(Record):
    """What an act led to."""

    observation: Observation
    reward: RewardAnswer
    reward_total: Annotated[float, Field(ge=-1.0, le=1.0)]
    done: bool
    info: StepInfo


class EpisodeState(Record):
    """The episode as it stands."""

    task_id: str
    step_count: int
    total_reward: float
    oversight_budget_remaining: int
    is_done: bool


class StateAnswer(Record):
    """The episode as it stands."""

    status: str = "ok"
    state: EpisodeState


class WorkerAnswer(Record):
    """One worker; `risk_score` and `is_anomalous` are the truth, where it may be told."""

    last_action_name: str
    budget_remaining: int
    anomaly_flag: int
    status: WorkerStatus
    step_count: int
    risk_score: float | None
    is_anomalous: bool | None


class WorkersAnswer(Record):
    """All workers by name."""

    workers: dict[str, WorkerAnswer]


class ReportAnswer(Record):
    """The report of the shift."""

    status: str = "ok"
    report: Report


class GateAnswer(Record):
    """One gate."""

    passed: bool
    value: float
    threshold: float


class Evaluation(Record):
    """All gates; the shift succeeds if each of them is passed."""

    gates: dict[str, GateAnswer]
    passed: bool
    score: float


class EvaluateAnswer(Record):
    """The shift evaluated."""

    status: str = "ok"
    evaluation: Evaluation


class SourceChunk(Record):
    """A chunk that an answer rests on."""

    chunk_id: str
    text: str
    score: float


class QueryAnswer(Record):
    """What the index answers; `error` says why there is nothing."""

    error: str | None = None
    answer: str | None = None
    source_chunks: tuple[SourceChunk, ...] = ()
    confidence: float = 0.0
