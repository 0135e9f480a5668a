"""The Forecast-Audit contract: seven routes, on the shared instance and on any other.

Decides how an episode looks on the wire. Rules, rewards and cases are the environment's.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from api.contracts.answers import Detail, acting, answered, constant, looking
from api.deps import Body, caller_of, header_ref, instance_headers, instance_of, service_of
from api.errors import STATUS, BadRequest, describe, extra_headers, json_response
from api.routes import Contract, Route
from envs.forecast_audit import ForecastAudit
from envs.forecast_audit.catalogue import ORDER, Memory
from envs.forecast_audit.dynamics import State
from envs.forecast_audit.models import Action, IssueType, Observation, Operation
from envs.forecast_audit.models import Request as ResetRequest
from envs.forecast_audit.tasks import Task
from envs.kernel.outcome import Reward
from envs.kernel.play import Episode, look
from envs.kernel.records import Record
from instances.errors import NotReset
from instances.looking import commons_id
from instances.model import Held

SLUG = "forecast-audit"
ENVIRONMENT = ForecastAudit()

Played = Episode[ResetRequest, Memory, Task, State, Action]

reset_body = Body(ResetRequest, ignore_extra=True)
step_body = Body(Action, ignore_extra=True)


class RootAnswer(Record):
    """Service-level metadata."""

    name: str = "forecast-audit-openenv"
    status: str = "running"
    docs: str = "/docs"
    health: str = "/health"


class HealthAnswer(Record):
    """Service health."""

    status: str = "healthy"


class MetadataAnswer(Record):
    """Task order and high-level metadata."""

    name: str
    description: str
    version: str
    task_order: tuple[str, ...]
    reward_range: tuple[float, float]


class SchemaAnswer(Record):
    """JSON schemas of the core models."""

    action: dict[str, Any]
    observation: dict[str, Any]
    reward: dict[str, Any]
    state: dict[str, Any]


class RewardAnswer(Record):
    """A step's reward: the sum of the components, held within 0 and 1."""

    score: float
    components: dict[str, float]
    message: str


class ResetAnswer(Record):
    """A new episode."""

    observation: Observation
    done: bool


class StepInfo(Record):
    """What else there is to know; the expected operation only after the end."""

    task_id: str
    difficulty: str
    issue_type: IssueType
    max_steps: int
    step_count: int
    expected_operation: Operation | None


class StepAnswer(Record):
    """What an action led to."""

    observation: Observation
    reward: RewardAnswer
    done: bool
    info: StepInfo


class StateAnswer(Record):
    """The episode as it stands."""

    task_id: str
    difficulty: str
    domain: str
    step_count: int
    max_steps: int
    done: bool
    total_reward: float
    last_reward: RewardAnswer | None
    observation: Observation


METADATA = MetadataAnswer(
    name=ForecastAudit.title,
    description=ForecastAudit.tagline,
    version=str(ForecastAudit.version),
    task_order=tuple(task.task_id for task in ORDER),
    reward_range=(0.0, 1.0),
)
SCHEMA = SchemaAnswer(
    action=Action.model_json_schema(),
    observation=Observation.model_json_schema(),
    reward=RewardAnswer.model_json_schema(),
    state=StateAnswer.model_json_schema(),
)


async def root(request: Request) -> Response:
    return await constant(request, SLUG, RootAnswer())


async def health(request: Request) -> Response:
    return await constant(request, SLUG, HealthAnswer())


async def metadata(request: Request) -> Response:
    return await constant(request, SLUG, METADATA)


async def schema(request: Request) -> Response:
    return await constant(request, SLUG, SCHEMA)


async def reset(request: Request) -> Response:
    ref, _ = await instance_of(request, SLUG)
    body = await reset_body.read(request)
    answer = await service_of(request).reset(ref, body, caller_of(request))
    episode = _episode(answer.held)
    return answered(ResetAnswer(observation=_observation(episode), done=episode.done), ref, answer.held)


async def step(request: Request) -> Response:
    ref, _ = await instance_of(request, SLUG)
    body = await step_body.read(request)
    answer = await service_of(request).step(ref, body, caller_of(request))
    episode = _episode(answer.held)
    last = episode.steps[-1]
    if not last.legal:
        # It is recorded, so its number goes out: the caller's next expectation counts it.
        headers = instance_headers(ref, answer.held.n)
        return json_response({"detail": last.reward.message}, 400, headers)
    result = StepAnswer(
        observation=_observation(episode),
        reward=_reward(last.reward),
        done=episode.done,
        info=_info(episode),
    )
    return answered(result, ref, answer.held)


async def state(request: Request) -> Response:
    ref, _ = await instance_of(request, SLUG)
    held = await service_of(request).look(ref)
    episode = _episode(held)
    now, task = episode.state, episode.task
    result = StateAnswer(
        task_id=task.task_id,
        difficulty=task.level,
        domain=task.domain,
        step_count=now.step_count,
        max_steps=task.max_steps,
        done=episode.done,
        total_reward=now.total_reward,
        last_reward=None if now.last_reward is None else _reward(now.last_reward),
        observation=_observation(episode),
    )
    return answered(result, ref, held)


def errors(request: Request, error: Exception) -> Response:
    """Everything in `detail`: complaints about a body as a list, all else in words."""
    code, message, details = describe(error)
    status = 400 if code in ("refused", "episode_over", "not_reset") else STATUS[code]
    body = {"detail": details if isinstance(error, BadRequest) else message}
    ref = header_ref(request) or commons_id(ENVIRONMENT)
    return json_response(body, status, extra_headers(code, error, ref))


def _episode(held: Held) -> Played:
    if held.episode is None:
        raise NotReset("There is no episode yet; call reset first.")
    return held.episode


def _observation(episode: Played) -> Observation:
    return look(ENVIRONMENT, episode)


def _reward(reward: Reward) -> RewardAnswer:
    return RewardAnswer(score=reward.total, components=dict(reward.parts), message=reward.message)


def _info(episode: Played) -> StepInfo:
    task = episode.task
    return StepInfo(
        task_id=task.task_id,
        difficulty=task.level,
        issue_type=task.issue_type,
        max_steps=task.max_steps,
        step_count=episode.state.step_count,
        expected_operation=task.gold.operation if episode.done and not episode.sealed else None,
    )


LOOK = looking(Detail)
ACT = acting(
    Detail,
    impossible="The case, the level or the action is not possible now.",
    moved="Somebody else moved first, or the idempotency key was used with another body.",
)

EXAMPLE: dict[str, Any] = {
    "operation": "impute",
    "target_index": 3,
    "predicted_value": 135.0,
    "severity": "low",
    "violated_constraints": [],
    "rationale": "Series follows a +5 linear trend.",
}

CONTRACT = Contract(
    SLUG,
    (
        Route(
            "POST",
            "/step",
            step,
            "Submit an action and receive its reward",
            {200: (StepAnswer, "The action was played."), **ACT},
            Action,
            EXAMPLE,
            acts=True,
        ),
        Route(
            "POST",
            "/reset",
            reset,
            "Start a new episode",
            {200: (ResetAnswer, "A new episode."), **ACT},
            ResetRequest,
            {"difficulty": "easy"},
            acts=True,
        ),
        Route(
            "GET",
            "/state",
            state,
            "The episode as it stands",
            {200: (StateAnswer, "The episode."), **LOOK, 400: (Detail, "There is no episode yet.")},
        ),
        Route("GET", "/", root, "Root service metadata", {200: (RootAnswer, "The service."), **LOOK}),
        Route(
            "GET", "/health", health, "Health check", {200: (HealthAnswer, "The service is healthy."), **LOOK}
        ),
        Route(
            "GET",
            "/metadata",
            metadata,
            "Task order and metadata",
            {200: (MetadataAnswer, "Metadata."), **LOOK},
        ),
        Route(
            "GET",
            "/schema",
            schema,
            "JSON schemas of action, observation, reward and state",
            {200: (SchemaAnswer, "Schemas."), **LOOK},
        ),
    ),
    errors,
)
