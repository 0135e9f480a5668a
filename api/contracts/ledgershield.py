"""The LedgerShield contract: service, reset, step and state, on the shared instance and on any other.

Decides how an episode looks on the wire. Rules, rewards and cases are the environment's.
"""

from __future__ import annotations

from uuid import NAMESPACE_URL, uuid5

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from api.contracts.answers import Detail, acting, answered, constant, looking
from api.contracts.ledgershield_shapes import (
    ENVIRONMENT,
    Envelope,
    HealthAnswer,
    Move,
    Played,
    RootAnswer,
    StateAnswer,
    StepRequest,
    envelope,
)
from api.deps import Body, caller_of, header_ref, instance_headers, instance_of, service_of
from api.errors import STATUS, BadRequest, describe, extra_headers, invalid, json_response
from api.routes import Contract, JsonSchema, Route
from envs.kernel.play import look
from envs.ledgershield.artifacts import Pressure
from envs.ledgershield.models import Action
from envs.ledgershield.models import Request as ResetRequest
from instances.errors import NotReset
from instances.looking import commons_id
from instances.model import Held

SLUG = "ledgershield"

reset_body = Body(ResetRequest, ignore_extra=True)
step_body = Body(StepRequest, ignore_extra=True)
_action: TypeAdapter[Action] = TypeAdapter(Action)


async def root(request: Request) -> Response:
    return await constant(request, SLUG, RootAnswer())


async def health(request: Request) -> Response:
    return await constant(request, SLUG, HealthAnswer())


async def reset(request: Request) -> Response:
    ref, _ = await instance_of(request, SLUG)
    body = await reset_body.read(request)
    answer = await service_of(request).reset(ref, body, caller_of(request))
    return json_response(envelope(_episode(answer.held)), headers=instance_headers(ref, answer.held.n))


async def step(request: Request) -> Response:
    ref, _ = await instance_of(request, SLUG)
    action = _read(await step_body.read(request))
    answer = await service_of(request).step(ref, action, caller_of(request))
    return json_response(envelope(_episode(answer.held)), headers=instance_headers(ref, answer.held.n))


async def state(request: Request) -> Response:
    ref, _ = await instance_of(request, SLUG)
    held = await service_of(request).look(ref)
    # What the track hides is left out here too.
    return answered(_state(held), ref, held, exclude_none=True)


def errors(request: Request, error: Exception) -> Response:
    """Everything in `detail`: complaints about a body as a list, all else in words."""
    code, message, details = describe(error)
    body = {"detail": details if isinstance(error, BadRequest) else message}
    ref = header_ref(request) or commons_id(ENVIRONMENT)
    return json_response(body, STATUS[code], extra_headers(code, error, ref))


def _read(body: StepRequest) -> Action:
    """The action of a step; what is null counts as missing, and keys that no action has are ignored.

    Raises:
        BadRequest: If something in the payload has the wrong type.
    """
    given = {name: value for name, value in (body.payload or {}).items() if value is not None}
    try:
        return _action.validate_json(to_json({**given, "action_type": body.action_type}), extra="ignore")
    except ValidationError as error:
        raise invalid(error, "body", "payload") from error


def _episode(held: Held) -> Played:
    if held.episode is None:
        raise NotReset("There is no episode yet; call reset first.")
    return held.episode


def _state(held: Held) -> StateAnswer:
    episode = _episode(held)
    now, task, seen = episode.state, episode.task, look(ENVIRONMENT, episode)
    return StateAnswer(
        episode_id=str(uuid5(NAMESPACE_URL, f"{held.instance.watch_id}:{held.n - len(episode.steps)}")),
        case_id=task.task_id,
        task_type=task.family,
        budget_total=task.budget,
        budget_remaining=now.remaining,
        step_count=now.step_count,
        case_clock=now.clock,
        max_steps=task.max_steps,
        trajectory=tuple(_moves(episode)),
        interventions_taken=tuple(seen.investigation_status.interventions_taken),
        observed_risk_signals=seen.risk_snapshot.signals,
        pending_events=now.pending,
        pressure_events_seen=tuple(shown.text for shown in now.revealed if isinstance(shown, Pressure)),
        terminal_reason=now.ended,
        done=episode.done,
        sprt_state=seen.sprt_state,
        tool_rankings=seen.tool_rankings,
        reward_machine_state=seen.reward_machine,
    )


def _moves(episode: Played) -> list[Move]:
    return [
        Move(
            step=number,
            action_type=action.action_type,
            payload=action.model_dump(mode="json", exclude={"action_type"}, exclude_defaults=True),
            success=trace.success,
            cost=trace.cost,
        )
        for number, (action, trace) in enumerate(
            zip(episode.actions, episode.state.trail, strict=True), start=1
        )
    ]


LOOK = looking(Detail)
ACT = acting(
    Detail,
    impossible="There is no such case, level, split, family or track.",
    moved="There is no running episode, somebody else moved first, or the idempotency key was used before.",
)
EXAMPLE: JsonSchema = {"action_type": "ocr", "payload": {"doc_id": "INV-D-001", "mode": "accurate"}}

CONTRACT = Contract(
    SLUG,
    (
        Route(
            "POST",
            "/reset",
            reset,
            "Open a case",
            {200: (Envelope, "A new episode."), **ACT},
            ResetRequest,
            {"seed": 42, "case_id": "CASE-D-001"},
            acts=True,
        ),
        Route(
            "POST",
            "/step",
            step,
            "Execute one action",
            {200: (Envelope, "The action was played; one that could not be done says why."), **ACT},
            StepRequest,
            EXAMPLE,
            acts=True,
        ),
        Route(
            "GET",
            "/state",
            state,
            "The public state of the episode",
            {200: (StateAnswer, "The state."), **LOOK, 409: (Detail, "There is no episode yet.")},
        ),
        Route("GET", "/", root, "Service probe", {200: (RootAnswer, "The service."), **LOOK}),
        Route("GET", "/health", health, "Health check", {200: (HealthAnswer, "Healthy."), **LOOK}),
    ),
    errors,
)
