"""The fleet contract: ten routes, on the shared instance and on any other.

Decides how an episode looks on the wire. Rules, rewards and faults are the environment's.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from api.contracts.answers import Answers, Detail, acting, answered, constant, looking
from api.contracts.fleet_shapes import (
    ENVIRONMENT,
    EpisodeState,
    EvaluateAnswer,
    Evaluation,
    GateAnswer,
    HealthAnswer,
    MetadataAnswer,
    QueryAnswer,
    Question,
    ReportAnswer,
    ResetAnswer,
    ResetBody,
    RewardAnswer,
    SourceChunk,
    StateAnswer,
    StepAnswer,
    StepInfo,
    WorkerAnswer,
    WorkersAnswer,
)
from api.deps import Body, caller_of, header_ref, instance_of, service_of
from api.errors import STATUS, BadRequest, describe, extra_headers, json_response
from api.routes import Contract, JsonSchema, Route
from envs.fleet import Fleet, dynamics, index
from envs.fleet.models import Action, Observation
from envs.fleet.models import Request as ResetRequest
from envs.fleet.report import Played
from envs.fleet.report import report as report_of
from envs.fleet.works import Damage
from envs.kernel.play import Sealed, grade, look
from instances.errors import InstanceError, NotReset
from instances.looking import commons_id
from instances.model import Held

SLUG = "fleet"
PLOTS = Path(__file__).resolve().parents[2] / "assets" / "plots"
MEDIA_TYPES = {".json": "application/json", ".png": "image/png"}
SEALED = "This case is held out; what it came to opens when the round closes."
NOT_BUILT = "There is no index yet: finish a shift whose embedding worker (worker_2) ran, then ask again."

reset_body = Body(ResetBody, ignore_extra=True)
step_body = Body(Action, ignore_extra=True)
question_body = Body(Question, ignore_extra=True)

METADATA = MetadataAnswer(
    project=Fleet.title, version=str(Fleet.version), author="Auditorium", description=Fleet.tagline
)


class NotDone(Exception):
    """An evaluation before the end."""


class NoPlot(InstanceError):
    """A file that is not among the plots."""

    code = "not_found"


async def health(request: Request) -> Response:
    return await constant(request, SLUG, HealthAnswer())


async def metadata(request: Request) -> Response:
    return await constant(request, SLUG, METADATA)


async def reset(request: Request) -> Response:
    ref, _ = await instance_of(request, SLUG)
    body = await reset_body.read(request)
    asked = ResetRequest(task_id=str(body.task_id), seed=body.seed)
    answer = await service_of(request).reset(ref, asked, caller_of(request))
    episode = _episode(answer.held)
    result = ResetAnswer(task_id=episode.task.level, observation=_observation(episode))
    return answered(result, ref, answer.held)


async def step(request: Request) -> Response:
    ref, _ = await instance_of(request, SLUG)
    body = await step_body.read(request)
    answer = await service_of(request).step(ref, body, caller_of(request))
    episode = _episode(answer.held)
    last, now = episode.steps[-1], episode.state
    # The last look measures the index, which takes a while.
    seen = await asyncio.to_thread(_observation, episode) if episode.done else _observation(episode)
    result = StepAnswer(
        observation=seen,
        reward=RewardAnswer(**dict(last.reward.parts)),
        reward_total=last.reward.total,
        done=episode.done,
        info=StepInfo(
            step=now.step_count,
            message=last.reward.message,
            valid=last.legal,
            invalid_actions=now.invalid,
            total_reward=_total(episode),
        ),
    )
    return answered(result, ref, answer.held)


async def state(request: Request) -> Response:
    ref, _ = await instance_of(request, SLUG)
    held = await service_of(request).look(ref)
    episode = _episode(held)
    result = StateAnswer(
        state=EpisodeState(
            task_id=episode.task.level,
            step_count=episode.state.step_count,
            total_reward=_total(episode),
            oversight_budget_remaining=max(0, episode.task.max_steps - episode.state.step_count),
            is_done=episode.done,
        )
    )
    return answered(result, ref, held)


async def workers(request: Request) -> Response:
    ref, _ = await instance_of(request, SLUG)
    service = service_of(request)
    held = await service.look(ref)
    episode = _episode(held)
    # A watcher's look must not spoil what the player does.
    told = request.app.state.settings.debug_truth and held.instance.held_out is None and not held.read_only
    if told and not episode.done:
        await service.reveal(held)
    faults = episode.state.faults if told else ()
    truths = {fault.plan.worker: fault.strength(episode.state.step_count) for fault in faults if fault}
    result = WorkersAnswer(
        workers={
            worker.worker_id: WorkerAnswer(
                last_action_name=worker.last_action_name,
                budget_remaining=worker.budget_remaining,
                anomaly_flag=worker.anomaly_flag,
                status=worker.status,
                step_count=worker.step_count,
                risk_score=round(truths.get(place, 0.0), 4) if told else None,
                is_anomalous=place in truths if told else None,
            )
            for place, worker in enumerate(_observation(episode).workers)
        }
    )
    return answered(result, ref, held)


async def report(request: Request) -> Response:
    ref, _ = await instance_of(request, SLUG)
    held = await service_of(request).look(ref)
    episode = _episode(held)
    if episode.sealed:
        raise Sealed(SEALED)
    told = await asyncio.to_thread(report_of, episode)
    return answered(ReportAnswer(report=told), ref, held)


async def evaluate(request: Request) -> Response:
    ref, _ = await instance_of(request, SLUG)
    held = await service_of(request).look(ref)
    episode = _episode(held)
    if not episode.done:
        raise NotDone("The episode is not finished; spend its steps or submit_audit first.")
    score, closing = grade(ENVIRONMENT, episode).score, episode.state.closing
    assert closing is not None
    found = await asyncio.to_thread(dynamics.gates, closing)
    gates = {
        gate.name: GateAnswer(passed=gate.passed, value=gate.value, threshold=gate.threshold)
        for gate in found
    }
    result = Evaluation(gates=gates, passed=all(gate.passed for gate in found), score=score)
    return answered(EvaluateAnswer(evaluation=result), ref, held)


async def query(request: Request) -> Response:
    ref, _ = await instance_of(request, SLUG)
    asked = await question_body.read(request)
    held = await service_of(request).look(ref)
    if held.episode is not None and held.episode.sealed:
        return answered(QueryAnswer(error=SEALED), ref, held)
    damage = _damage(held)
    if damage is None or not damage.embedded:
        return answered(QueryAnswer(error=NOT_BUILT), ref, held)
    result = await asyncio.to_thread(_asked, damage, asked.question)
    return answered(result, ref, held)


async def plot(request: Request) -> Response:
    ref, _ = await instance_of(request, SLUG)
    name = request.path_params["filename"]
    known = {file.name: file for file in PLOTS.iterdir() if file.is_file()} if PLOTS.is_dir() else {}
    if name not in known:
        listed = ", ".join(sorted(known)) or "none yet; a training run writes them"
        raise NoPlot(f"There is no plot {name[:100]!r}; there are: {listed}.")
    content = await asyncio.to_thread(known[name].read_bytes)
    media_type = MEDIA_TYPES.get(known[name].suffix, "application/octet-stream")
    return Response(content, headers={"X-Instance-Id": ref}, media_type=media_type)


def errors(request: Request, error: Exception) -> Response:
    """Everything in `detail`: complaints about a body as a list, all else in words."""
    ours = isinstance(error, NotDone | Sealed)
    code, message, details = ("episode_over", str(error), None) if ours else describe(error)
    body = {"detail": details if isinstance(error, BadRequest) else message}
    ref = header_ref(request) or commons_id(ENVIRONMENT)
    return json_response(body, STATUS[code], extra_headers(code, error, ref))


def _asked(damage: Damage, question: str) -> QueryAnswer:
    """What the index answers."""
    found = index.built(damage).ask(question)
    return QueryAnswer(
        error=found.error,
        answer=found.answer,
        source_chunks=tuple(
            SourceChunk(chunk_id=chunk.chunk_id, text=chunk.text, score=chunk.score)
            for chunk in found.source_chunks
        ),
        confidence=found.confidence,
    )


def _damage(held: Held) -> Damage | None:
    """How the index of the last complete shift came about."""
    episode: Played | None = held.episode
    if episode is None:
        return None
    closing = episode.state.closing
    return episode.memory.index if closing is None else closing.damage


def _episode(held: Held) -> Played:
    if held.episode is None:
        raise NotReset("There is no episode yet; call POST /fleet/reset first.")
    return held.episode


def _observation(episode: Played) -> Observation:
    return look(ENVIRONMENT, episode)


def _total(episode: Played) -> float:
    closing = episode.state.closing
    return episode.state.earned if closing is None else closing.total


LOOK = looking(Detail)
SEEN: Answers = {**LOOK, 409: (Detail, "There is no episode yet, it is not finished, or it is held out.")}
ACT = acting(
    Detail,
    impossible="There is no such case.",
    moved="There is no episode or it is finished, somebody else moved first, or a key was used twice.",
)
EXAMPLE: JsonSchema = {"action_type": "monitor", "worker_id": "worker_2", "reason": "flag up twice"}

CONTRACT = Contract(
    SLUG,
    (
        Route("GET", "/health", health, "Liveness probe", {200: (HealthAnswer, "Alive."), **LOOK}),
        Route(
            "GET", "/metadata", metadata, "Project metadata", {200: (MetadataAnswer, "The project."), **LOOK}
        ),
        Route(
            "POST",
            "/fleet/reset",
            reset,
            "Start a new episode",
            {200: (ResetAnswer, "A new episode."), **ACT},
            ResetBody,
            {"task_id": "easy_fleet", "seed": 42},
            acts=True,
        ),
        Route(
            "POST",
            "/fleet/step",
            step,
            "Take an oversight action",
            {200: (StepAnswer, "What it led to."), **ACT},
            Action,
            EXAMPLE,
            acts=True,
        ),
        Route(
            "GET",
            "/fleet/state",
            state,
            "Current episode state",
            {200: (StateAnswer, "The episode."), **SEEN},
        ),
        Route(
            "GET",
            "/fleet/workers",
            workers,
            "Worker partial observations; on practice instances with the truth, which marks the episode",
            {200: (WorkersAnswer, "The workers."), **SEEN},
        ),
        Route(
            "GET", "/fleet/report", report, "Run summary report", {200: (ReportAnswer, "The report."), **SEEN}
        ),
        Route(
            "POST",
            "/fleet/evaluate",
            evaluate,
            "Gate evaluation",
            {200: (EvaluateAnswer, "The gates."), **SEEN},
        ),
        Route(
            "POST",
            "/rag/query",
            query,
            "Query the index that the last complete shift built",
            {200: (QueryAnswer, "The answer, or why there is none."), **LOOK, 413: ACT[413], 422: ACT[422]},
            Question,
            {"question": "Who may switch a worker off?"},
        ),
        Route(
            "GET",
            "/plots/{filename}",
            plot,
            "Serve training plot files",
            {200: (None, "The file."), **LOOK, 404: (Detail, "There is no such plot or instance.")},
        ),
    ),
    errors,
)
