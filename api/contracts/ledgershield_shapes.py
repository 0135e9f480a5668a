"""What the LedgerShield contract's bodies and answers look like; what is in them is the routes'."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from envs.kernel.play import Episode, grade, look
from envs.kernel.records import Record
from envs.ledgershield import LedgerShield
from envs.ledgershield.grader import unsafe
from envs.ledgershield.inference.hypotheses import Decision, Hypothesis
from envs.ledgershield.models import Action, Family
from envs.ledgershield.models import Request as ResetRequest
from envs.ledgershield.seen import (
    Observation,
    PendingEvent,
    RewardMachine,
    RewardModel,
    SprtState,
    ToolRankings,
    ToolResult,
)
from envs.ledgershield.state import Memory, State
from envs.ledgershield.tasks import Task

ENVIRONMENT = LedgerShield()

Played = Episode[ResetRequest, Memory, Task, State, Action]
Json = dict[str, Any]

BLIND_HIDES = ("sprt_state", "tool_rankings", "reward_machine")


class StepRequest(Record):
    """An action and what it takes."""

    action_type: Annotated[str, Field(max_length=100, description="One of allowed_actions.")]
    payload: Annotated[
        dict[str, Any] | None, Field(description="What the action takes; other keys are ignored.")
    ] = None


class Nothing(Record):
    """No action was played yet."""


class Seen(Observation):
    """An observation as the contract has it: what a track hides is not there."""

    last_tool_result: ToolResult | Nothing  # pyright: ignore[reportIncompatibleVariableOverride, reportGeneralTypeIssues]
    sprt_state: SprtState | None = None
    tool_rankings: ToolRankings | None = None
    reward_machine: RewardMachine | None = None


class Outcome(Record):
    """What was behind the case."""

    true_hypothesis: Hypothesis | None
    right_decision: Decision | None
    unsafe: bool


class Info(Record):
    """What else there is to know; grade and outcome only after the end, and not of a held-out case."""

    case_id: str
    tool_name: str | None = None
    success: bool | None = None
    message: str | None = None
    reward_model: RewardModel | None = None
    terminal_reason: str | None = None
    final_score: float | None = None
    score_breakdown: dict[str, float] | None = None
    outcome: Outcome | None = None


class Envelope(Record):
    """What a reset or a step answers."""

    observation: Seen
    reward: float
    done: bool
    truncated: bool
    terminated: bool
    info: Info


class Move(Record):
    """One action as it was played."""

    step: int
    action_type: str
    payload: dict[str, Any]
    success: bool
    cost: float


class StateAnswer(Record):
    """The public state of the episode."""

    episode_id: str
    case_id: str
    task_type: Family
    budget_total: float
    budget_remaining: float
    step_count: int
    case_clock: int
    max_steps: int
    trajectory: tuple[Move, ...]
    interventions_taken: tuple[str, ...]
    observed_risk_signals: tuple[str, ...]
    pending_events: tuple[PendingEvent, ...]
    pressure_events_seen: tuple[str, ...]
    terminal_reason: str
    done: bool
    sprt_state: SprtState | None = None
    tool_rankings: ToolRankings | None = None
    reward_machine_state: RewardMachine | None = None


class RootAnswer(Record):
    """Service probe."""

    status: str = "ok"
    service: str = "LedgerShield OpenEnv"


class HealthAnswer(Record):
    """Service health."""

    status: str = "ok"


def envelope(episode: Played) -> Json:
    """The episode as a reset or a step answers it."""
    last = episode.steps[-1] if episode.steps else None
    terminated = episode.state.submission is not None
    return {
        "observation": seen(look(ENVIRONMENT, episode)),
        "reward": 0.0 if last is None else last.reward.total,
        "done": episode.done,
        "truncated": episode.done and not terminated,
        "terminated": terminated,
        "info": _given(_info(episode)),
    }


def seen(observation: Observation) -> Json:
    """An observation as the contract has it."""
    body = observation.model_dump(mode="json")
    result = observation.last_tool_result
    body["last_tool_result"] = {} if result is None else _given(result)
    return {name: value for name, value in body.items() if value is not None or name not in BLIND_HIDES}


def _given(record: Record) -> Json:
    """A record without its fields that are null; below them null says that something is not there."""
    body = record.model_dump(mode="json")
    return {name: value for name, value in body.items() if value is not None}


def _info(episode: Played) -> Info:
    info = Info(case_id=episode.task.task_id)
    result = episode.state.last
    if result is None:
        return info
    told = {
        "tool_name": result.tool_name,
        "success": result.success,
        "message": result.message,
        "reward_model": result.reward_model,
    }
    if not episode.done:
        return info.model_copy(update=told)
    told["terminal_reason"] = episode.state.ended
    if not episode.sealed:
        judged = grade(ENVIRONMENT, episode)
        told |= {
            "final_score": judged.score,
            "score_breakdown": dict(judged.parts),
            "outcome": _outcome(episode),
        }
    return info.model_copy(update=told)


def _outcome(episode: Played) -> Outcome:
    task, action = episode.task, episode.state.submission
    if task.family is Family.A:
        return Outcome(true_hypothesis=None, right_decision=None, unsafe=False)
    return Outcome(
        true_hypothesis=task.truth.hypothesis,
        right_decision=task.truth.decision,
        unsafe=action is not None and unsafe(episode.state, action),
    )
