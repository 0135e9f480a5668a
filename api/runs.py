"""Routes of runs: a model plays an instance in the background, and what became of it.

Decides how a run looks on the wire. A run is answered at once with its address, whatever a model takes: no
gateway has to keep a connection open for it.
"""

from __future__ import annotations

from typing import Annotated, Any

import orjson
from pydantic import Field
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from agents.ledger import Run, RunState
from agents.runs import Runs
from api.deps import Body, service_of
from api.errors import json_response
from api.hub import ACT, LOOK, base_of, ref_of
from api.hub_models import HubError, JsonObject, moment
from api.routes import Route
from envs.kernel.play import grade
from envs.kernel.records import Record, encode
from instances.buckets import CLIENT
from instances.errors import BadFork, Diverged, Gone, NotReset, Retired
from instances.model import Recorded

ASK_AGAIN_S = 2
UNREADABLE = (BadFork, Diverged, Gone, NotReset, Retired)
"""Why an episode that was played cannot be shown any more."""


class StartBody(Record):
    """Which model shall play; the server's first one when none is named."""

    model: Annotated[str | None, Field(max_length=100)] = None


class RunStep(Record):
    """One step of a run's episode, whoever took it."""

    step: int
    action: JsonObject
    reward: float
    reward_reason: str


class RunResult(Record):
    """The episode as far as the run came. `score`: null before the end, and while a case is held out."""

    done: bool
    score: float | None
    parts: dict[str, float]
    trajectory: tuple[RunStep, ...]


class RunUse(Record):
    """What a run used. `cost_usd`: null while nobody knows it."""

    calls: int
    unmetered_calls: int
    prompt_tokens: int
    output_tokens: int
    cost_usd: float | None


class RunStatus(Record):
    """A run, for whoever was given its address: they may look, not act.

    `watch_id`: of the instance; `detail`: why it ended, if not with its episode; `watch_id` and `result` are
    null when the instance is gone.
    """

    id: str
    url: str
    watch_id: str | None
    model: str
    state: RunState
    detail: str
    started_at: str
    ended_at: str | None
    use: RunUse
    result: RunResult | None


start_body = Body(StartBody, ignore_extra=False)


async def start(request: Request) -> Response:
    runs = runs_of(request)
    body = await start_body.read(request)
    run = await runs.start(ref_of(request), runs.model(body.model), CLIENT.get())
    return await accepted(request, run)


async def status(request: Request) -> Response:
    run = await runs_of(request).find(request.path_params["run_id"])
    headers = {} if run.ended_at else {"Retry-After": str(ASK_AGAIN_S)}
    return json_response(to_json(await _status(request, run)), headers=headers)


async def accepted(request: Request, run: Run) -> Response:
    """The answer to whoever started a run and does not wait for it.

    They alone are told the instance's own id, in the header.
    """
    answer = await _status(request, run)
    headers = {"Location": answer.url, "Retry-After": str(ASK_AGAIN_S), "X-Instance-Id": run.instance_id}
    return json_response(to_json(answer), 202, headers)


def runs_of(request: Request) -> Runs:
    """The runs of this process."""
    return request.app.state.runs


def address_of(request: Request, run: Run) -> str:
    """Where a run can be asked for."""
    return f"{base_of(request)}/runs/{run.id}"


async def _status(request: Request, run: Run) -> RunStatus:
    try:
        result = _result(request, await runs_of(request).played(run))
    except UNREADABLE:
        result = None
    return RunStatus(
        id=run.id,
        url=address_of(request, run),
        watch_id=await _watch_id(request, run),
        model=run.model,
        state=run.state,
        detail=run.detail,
        started_at=moment(run.started_at),
        ended_at=None if run.ended_at is None else moment(run.ended_at),
        use=RunUse(
            calls=run.calls,
            unmetered_calls=run.unmetered,
            prompt_tokens=run.prompt_tokens,
            output_tokens=run.output_tokens,
            cost_usd=run.cost_usd,
        ),
        result=result,
    )


async def _watch_id(request: Request, run: Run) -> str | None:
    try:
        return (await service_of(request).find(run.instance_id)).watch_id
    except Gone:
        return None


def _result(request: Request, recorded: Recorded) -> RunResult:
    episode = recorded.episode
    env = service_of(request).environment(recorded.instance.environment)
    judged = grade(env, episode) if episode.done and not episode.sealed else None
    trajectory = tuple(
        RunStep(
            step=number,
            action=orjson.loads(encode(action)),
            reward=step.reward.total,
            reward_reason=step.reward.message,
        )
        for number, (action, step) in enumerate(zip(episode.actions, episode.steps, strict=True), start=1)
    )
    return RunResult(
        done=episode.done,
        score=judged and judged.score,
        parts=dict(judged.parts) if judged else {},
        trajectory=trajectory,
    )


_MAY_RUN: dict[int, tuple[Any, str]] = {
    **ACT,
    400: (HubError, "The server does not offer this model."),
    409: (HubError, "There is no episode to play; call reset first."),
    429: (HubError, "Too many requests, or the day's share of models is used up: see Retry-After."),
    503: (HubError, "The server has no key for the model, plays enough already, or did not commit."),
}

ROUTES = (
    Route(
        "POST",
        "/instances/{instance_id}/runs",
        start,
        "Let a model play the running episode",
        {202: (RunStatus, "It is being played; ask for it at its URL."), **_MAY_RUN},
        StartBody,
        {},
    ),
    Route(
        "GET",
        "/runs/{run_id}",
        status,
        "What became of a run",
        {200: (RunStatus, "The run."), **LOOK},
    ),
)
