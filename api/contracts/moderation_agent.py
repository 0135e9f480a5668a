"""`/agent/run`: a language model plays a case on an instance, and the contract tells what came of it.

Decides where the model plays and how its caller is kept. A run that takes longer than a gateway waits is told
its address at once and answered piece by piece: white space, which JSON allows, and then the answer.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from agents.ledger import Run, RunState
from agents.llm.models import MissingKey
from agents.spending import until_tomorrow_s
from api.contracts import moderation_runs as runs
from api.contracts.moderation_shapes import Broken, RunRequest
from api.deps import Body, instance_of, service_of
from api.errors import describe, json_response
from api.routes import JsonSchema
from api.runs import UNREADABLE, accepted, address_of, runs_of
from api.settings import Settings
from envs.moderation.models import Request as ResetRequest
from instances.buckets import CLIENT
from instances.looking import is_commons
from instances.model import Actor, ActorKind, Caller, Instance, Surface

PULSE_S = 5.0

PREFER: JsonSchema = {
    "name": "Prefer",
    "in": "header",
    "description": "respond-async: do not wait; 202 with the run's address.",
    "schema": {"type": "string"},
}

run_body = Body(RunRequest, ignore_extra=True)


async def agent_run(request: Request, slug: str) -> Response:
    """Plays on the instance that the address names; callers that name none get one of their own."""
    named, instance = await instance_of(request, slug)
    body = await run_body.read(request)
    wanted = runs.requested(body.task_id, body.task, body.seed)
    settings: Settings = request.app.state.settings
    agents, client = runs_of(request), CLIENT.get()
    try:
        model = agents.model(body.model)
    except MissingKey as missing:
        return json_response({"detail": str(missing)}, 500, {"X-Instance-Id": named})
    await agents.ready(model, client)
    ref = await _seat(request, named, instance, wanted, Actor(ActorKind.AGENT, model.name))
    run = await agents.start(ref, model, client)
    if "respond-async" in request.headers.get("prefer", ""):
        return await accepted(request, run)
    run = await agents.wait(run.id, settings.agents.answer_s)
    if run.state is not RunState.RUNNING:
        return await _told(request, run)
    headers = {**_headers(request, run), "X-Accel-Buffering": "no"}
    return StreamingResponse(_kept(request, run), headers=headers, media_type="application/json")


async def _seat(request: Request, ref: str, instance: Instance, wanted: ResetRequest, actor: Actor) -> str:
    """The instance to play on, with the case open."""
    service = service_of(request)
    if is_commons(instance):
        # What everybody shares is not taken away from those who are playing there.
        ref = (await service.create(instance.environment)).id
    held = await service.look(ref)
    # A held-out case is opened once; who has opened it already may let a model go on.
    if held.episode is None or instance.held_out is None:
        await service.reset(ref, wanted, Caller(actor, Surface.HTTP))
    return ref


async def _kept(request: Request, run: Run) -> AsyncIterator[bytes]:
    """A sign of life now and then, and the answer at the end."""
    while run.state is RunState.RUNNING:
        yield b" "
        run = await runs_of(request).wait(run.id, PULSE_S)
    try:
        answer = await _told(request, run)
    except Exception as error:
        answer = json_response({"detail": describe(error)[1]})
    yield bytes(answer.body)


async def _told(request: Request, run: Run) -> Response:
    """The ended run as the contract has it; of an episode that went with its instance, how the run ended."""
    try:
        episode = (await runs_of(request).played(run)).episode
    except UNREADABLE as gone:
        return _failed(request, run, Broken(detail=run.detail or gone.message, trajectory=()))
    if run.state is RunState.FINISHED:
        return json_response(to_json(runs.told(episode)), headers=_headers(request, run))
    return _failed(request, run, Broken(detail=run.detail, trajectory=tuple(runs.trajectory(episode))))


def _failed(request: Request, run: Run, broken: Broken) -> Response:
    headers = _headers(request, run)
    if run.state is RunState.SPENT:
        headers["Retry-After"] = str(until_tomorrow_s(service_of(request).now()))
        return json_response(to_json(broken), 429, headers)
    return json_response(to_json(broken), 502, headers)


def _headers(request: Request, run: Run) -> dict[str, str]:
    return {"X-Instance-Id": run.instance_id, "Location": address_of(request, run)}
