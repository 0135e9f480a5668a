"""The moderation contract: eight routes, on the shared instance and on any other.

Decides how an episode looks on the wire. Rules, rewards and cases are the environment's.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from api.contracts import moderation_runs as runs
from api.contracts.answers import Answers, Detail, acting, answered, constant, looking
from api.contracts.moderation_agent import PREFER
from api.contracts.moderation_agent import agent_run as play_by_model
from api.contracts.moderation_shapes import (
    ENVIRONMENT,
    TASKS,
    Breakdown,
    Broken,
    Error,
    GraderAnswer,
    HealthAnswer,
    Played,
    ResetAnswer,
    RunAnswer,
    RunRequest,
    StateAnswer,
    StepAnswer,
    StepInfo,
    StepRequest,
    TasksAnswer,
    case_state,
)
from api.deps import Body, caller_of, header_ref, instance_of, service_of
from api.errors import STATUS, BadRequest, bad, describe, extra_headers, invalid, json_response
from api.routes import Contract, JsonSchema, Route
from api.runs import RunStatus
from envs.kernel.play import Sealed, grade, look
from envs.kernel.protocol import Refusal
from envs.kernel.records import LARGEST_SEED, Seed
from envs.moderation.environment import level_of
from envs.moderation.models import Act, Action
from envs.moderation.models import Request as ResetRequest
from instances.errors import NotReset
from instances.looking import commons_id
from instances.model import Held

SLUG = "moderation"
UNKNOWN_ACTION_COSTS = -0.2

reset_body = Body(ResetRequest, ignore_extra=True)
step_body = Body(StepRequest, ignore_extra=True)
_action: TypeAdapter[Action] = TypeAdapter(Action)
_seed: TypeAdapter[int] = TypeAdapter(Seed)

NEEDED = {Act.CHECK_POLICY_CLAUSE: ("clause_id",), Act.MARK_VIOLATION_TYPE: ("violation_type", "type")}
"""What an action takes, by every spelling of it; the first is its name."""


class UnknownAction(Exception):
    """An action that the contract does not have."""


class NotDone(Exception):
    """A grade before the end."""


async def health(request: Request) -> Response:
    return await constant(request, SLUG, HealthAnswer(), exclude_none=True)


async def tasks(request: Request) -> Response:
    return await constant(request, SLUG, TASKS, exclude_none=True)


async def reset(request: Request) -> Response:
    ref, _ = await instance_of(request, SLUG)
    body = await reset_body.read(request)
    if body.seed is None:
        # The contract's episodes are reproducible: a task without a seed is always the same case.
        body = body.model_copy(update={"seed": level_of(body).seed})
    answer = await service_of(request).reset(ref, body, caller_of(request))
    episode = _episode(answer.held)
    result = ResetAnswer(
        state=case_state(look(ENVIRONMENT, episode)), available_actions=tuple(Act), done=episode.done
    )
    return _answer(result, ref, answer.held)


async def step(request: Request) -> Response:
    ref, _ = await instance_of(request, SLUG)
    action = _read(await step_body.read(request))
    answer = await service_of(request).step(ref, action, caller_of(request))
    episode = _episode(answer.held)
    last = episode.steps[-1]
    result = StepAnswer(
        state=case_state(look(ENVIRONMENT, episode)),
        reward=last.reward.total,
        done=episode.done,
        info=StepInfo(step=episode.state.step_count, message=last.reward.message),
    )
    return _answer(result, ref, answer.held)


async def state(request: Request) -> Response:
    ref, _ = await instance_of(request, SLUG)
    held = await service_of(request).look(ref)
    episode = _episode(held)
    result = StateAnswer(
        state=case_state(look(ENVIRONMENT, episode)),
        step_count=episode.state.step_count,
        done=episode.done,
    )
    return _answer(result, ref, held)


async def grader(request: Request) -> Response:
    ref, _ = await instance_of(request, SLUG)
    held = await service_of(request).look(ref)
    episode = _episode(held)
    if not episode.done:
        raise NotDone("The episode is not finished; decide with allow, flag, remove or escalate first.")
    judged = grade(ENVIRONMENT, episode)
    result = GraderAnswer(
        score=judged.score,
        breakdown=Breakdown(**dict(judged.parts)),
        steps_taken=episode.state.step_count,
        max_steps=episode.task.max_steps,
    )
    return _answer(result, ref, held)


async def baseline(request: Request) -> Response:
    ref, _ = await instance_of(request, SLUG)
    query = request.query_params
    episode = runs.opened(query.get("task_id"), query.get("task"), _queried_seed(query.get("seed")))
    return json_response(
        to_json(runs.told(runs.baseline(episode)), exclude_none=True), headers={"X-Instance-Id": ref}
    )


async def agent_run(request: Request) -> Response:
    return await play_by_model(request, SLUG)


def errors(request: Request, error: Exception) -> Response:
    """The contract's own errors in its words; complaints about a body as a list, all else in `error`."""
    code, message, details = describe(error) if not _ours(error) else ("refused", str(error), None)
    headers = extra_headers(code, error, header_ref(request) or commons_id(ENVIRONMENT))
    match error, code:
        case BadRequest(), _:
            return json_response({"detail": details}, STATUS[code], headers)
        case UnknownAction(), _:
            body: Any = {"error": "Invalid action", "reward": UNKNOWN_ACTION_COSTS}
            return json_response(body, 400, headers)
        case ((NotDone() | Sealed()), _):
            return json_response({"detail": message}, 409, headers)
        case _, "episode_over":
            return json_response({"error": "Episode finished", "done": True}, 409, headers)
        case _, "not_reset":
            return json_response({"error": message}, 400, headers)
        case _:
            return json_response({"error": message}, STATUS[code], headers)


def _ours(error: Exception) -> bool:
    return isinstance(error, UnknownAction | NotDone)


def _read(body: StepRequest) -> Action:
    """The action of a step, with what it needs under any of its spellings.

    Raises:
        UnknownAction: If the contract has no such action.
        Refusal: If it lacks what it needs.
        BadRequest: If that is of the wrong type.
    """
    if body.action not in tuple(Act):
        raise UnknownAction(body.action)
    fields: dict[str, Any] = {"action": body.action}
    given = body.parameters or {}
    for name, *others in [NEEDED[act] for act in NEEDED if act == body.action]:
        spelt = next((spelling for spelling in (name, *others) if given.get(spelling) is not None), None)
        if spelt is None:
            raise Refusal(f"Missing required parameter: {name}")
        fields[name] = given[spelt]
    try:
        return _action.validate_json(to_json(fields))
    except ValidationError as error:
        raise invalid(error, "body", "parameters") from error


def _queried_seed(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 16):
        raise bad(("query", "seed"), f"{text[:40]!r} is not a whole number from 0 to 2**53 - 1")
    try:
        return _seed.validate_python(int(text))
    except ValidationError as error:
        raise invalid(error, "query", "seed") from error


def _episode(held: Held) -> Played:
    if held.episode is None:
        raise NotReset("There is no episode yet; call POST /reset first.")
    return held.episode


_answer = partial(answered, exclude_none=True)
"""An answer without the keys that stand for nothing yet."""

LOOK = looking(Error)
SEEN: Answers = {**LOOK, 400: (Error, "There is no episode yet; call reset first.")}
ACT = acting(
    Error,
    impossible="There is no such task or action, a parameter is missing, or there is no episode yet.",
    moved="The episode is finished, somebody else moved first, or a key was used with another body.",
)
RUN: Answers = {**LOOK, 400: (Error, "There is no such task."), 422: ACT[422]}

EXAMPLE: JsonSchema = {"action": "mark_violation_type", "parameters": {"violation_type": "misinformation"}}


def _query(name: str, schema: JsonSchema, words: str) -> JsonSchema:
    return {"name": name, "in": "query", "description": words, "schema": schema}


SEED: JsonSchema = {"type": "integer", "minimum": 0, "maximum": LARGEST_SEED}
QUERY = (
    _query("task_id", {"type": "string"}, "Short or long name of a task; easy_harassment unless said."),
    _query("task", {"type": "string"}, "Another word for task_id."),
    _query("seed", SEED, "Which case; the task's own unless said."),
)

CONTRACT = Contract(
    SLUG,
    (
        Route(
            "POST",
            "/step",
            step,
            "Apply an action",
            {200: (StepAnswer, "What it led to."), **ACT},
            StepRequest,
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
            {"task": "easy", "seed": 42},
            acts=True,
        ),
        Route(
            "GET", "/state", state, "The episode as it stands", {200: (StateAnswer, "The episode."), **SEEN}
        ),
        Route("GET", "/tasks", tasks, "Tasks and what a step takes", {200: (TasksAnswer, "Tasks."), **LOOK}),
        Route(
            "GET",
            "/grader",
            grader,
            "The grade of the finished episode",
            {200: (GraderAnswer, "The grade."), **SEEN, 409: (Detail, "It is not finished, or held out.")},
        ),
        Route(
            "GET",
            "/baseline",
            baseline,
            "Run the rule-based agent on a case of its own",
            {200: (RunAnswer, "The run."), **RUN},
            query=QUERY,
        ),
        Route(
            "POST",
            "/agent/run",
            agent_run,
            "Let a language model play a case, on this instance or on one of its own",
            {
                200: (RunAnswer, "The run; of one that took long, what a failure would have told."),
                202: (RunStatus, "It is being played; ask for it at its URL."),
                **RUN,
                400: (Error, "There is no such task or model."),
                403: (Error, "A watch link may look, not act."),
                409: (Error, "The case is held out and over, or somebody else moved first."),
                413: (Error, "The body is too large."),
                429: (Error | Broken, "Too many requests, or the day's share of models is used up."),
                500: (Detail, "The server has no key for the model."),
                502: (Broken, "The model failed; what was done until then."),
            },
            RunRequest,
            {"task_id": "hard_misinformation", "seed": 777},
            query=(PREFER,),
        ),
        Route("GET", "/health", health, "Liveness check", {200: (HealthAnswer, "Alive."), **LOOK}),
    ),
    errors,
)
