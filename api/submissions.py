"""Routes of held-out rounds: entering one, seeing how far one is, closing, and the administrator's.

Decides what is told before a round closes: never more than that a case was played.
"""

from __future__ import annotations

import asyncio
import hmac
import re
from collections import OrderedDict
from contextlib import ExitStack
from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from api.deps import Body, service_of
from api.errors import Forbidden, bad, json_response
from api.hub import ACT, LOOK, base_of
from api.hub_models import HubError, moment
from api.routes import Route
from api.settings import Settings
from envs.kernel.records import Record
from evals.executors import open_executor
from evals.held_out import Judge
from evals.shelf import StoreShelf
from instances.buckets import CLIENT, REMEMBERED_CLIENTS, Buckets
from instances.model import Instance, Round, Submission
from instances.service import Service
from instances.submissions import Submissions

# The skill of fewer cases would tell what each of them was worth.
FEWEST_CASES = 10
REVEALS = 3
PATIENCE_S = 5.0

Name = Annotated[str, StringConstraints(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]+$")]
RoundName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]{0,95}$")]
ROUND_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,95}")


class SubmissionBody(Record):
    """Who enters a round, and with how many cases."""

    environment: Annotated[str, Field(max_length=64)]
    agent: Name
    version: Name
    level: Annotated[str, Field(max_length=32)]
    cases: Annotated[int, Field(ge=FEWEST_CASES, le=10_000)]
    round: RoundName | None = None


class RoundBody(Record):
    """An administrator's round."""

    environment: Annotated[str, Field(max_length=64)]
    level: Annotated[str, Field(max_length=32)]
    cases: Annotated[int, Field(ge=1, le=10_000)]
    closes_at: Annotated[str, Field(max_length=40, description="ISO 8601 with an offset or Z.")]


class CaseAnswer(Record):
    """One case of a submission, in the submission's order; `number` tells nothing of the case."""

    number: int
    instance_id: str
    base_url: str
    done: bool


class RoundAnswer(Record):
    """A round. `open`: its cases are sealed."""

    name: str
    environment: str
    level: str
    cases: int
    closes_at: str
    open: bool


class SkillAnswer(Record):
    """Skill with its 95 % interval: 0 is the best policy that never looks, 1 the reference."""

    value: float
    low: float
    high: float
    cases: int


class SubmissionAnswer(Record):
    """A submission. `skill` is null until it is closed and measured; ask again after a while."""

    id: str
    round: RoundAnswer
    agent: str
    version: str
    closed: bool
    cases: tuple[CaseAnswer, ...]
    skill: SkillAnswer | None


class Entered(Record):
    """A new submission: play every case at its base URL, each once."""

    id: str
    round: str
    cases: tuple[CaseAnswer, ...]


submission_body = Body(SubmissionBody, ignore_extra=False)
round_body = Body(RoundBody, ignore_extra=False)


async def submit(request: Request) -> Response:
    body = await submission_body.read(request)
    submission, opened = await _submissions(request).submit(
        body.environment, body.agent, body.version, body.level, body.cases, body.round
    )
    cases = tuple(_case(request, n, instance, done=False) for n, instance in enumerate(opened, start=1))
    return json_response(to_json(Entered(id=submission.id, round=submission.round.name, cases=cases)), 201)


async def look(request: Request) -> Response:
    return await _told(request, await _submissions(request).submission(_id(request)))


async def close(request: Request) -> Response:
    return await _told(request, await _submissions(request).close(_id(request)))


async def put_round(request: Request) -> Response:
    _demand_administrator(request)
    body = await round_body.read(request)
    name: str = request.path_params["name"]
    if not ROUND_NAME.fullmatch(name):
        raise bad(("path", "name"), "use 1 to 96 of a-z, 0-9, dot, dash and underscore, the first no sign")
    held = Round(name, body.environment, body.level, body.cases, _seconds(body.closes_at))
    return json_response(to_json(_round(request, await _submissions(request).put_round(held))))


async def _told(request: Request, submission: Submission) -> Response:
    service, submissions = service_of(request), _submissions(request)
    opened = await submissions.instances(submission)
    done = {n: (await service.progress(instance.id))[2] for n, instance in opened}
    result = SubmissionAnswer(
        id=submission.id,
        round=_round(request, submission.round),
        agent=submission.agent,
        version=submission.agent_version,
        closed=submission.closed_at is not None,
        cases=tuple(_case(request, n, instance, done=done[n]) for n, instance in opened),
        skill=await _skill(request, submission),
    )
    return json_response(to_json(result))


async def _skill(request: Request, submission: Submission) -> SkillAnswer | None:
    """The submission's skill when it is closed and measured; it is measured once and kept.

    Before the round closes a client sees it for a few submissions only: from many, each off by one case, it
    could be worked out what every case is worth.
    """
    if submission.closed_at is None:
        return None
    early = service_of(request).now() < submission.round.closes_at
    if early and not request.app.state.reveals.allows(CLIENT.get(), submission.id):
        return None
    kept = await service_of(request).artifact(f"submissions/{submission.id}.json")
    if kept is not None:
        return SkillAnswer.model_validate_json(kept[1])
    state = request.app.state
    judging: dict[str, asyncio.Task[SkillAnswer]] = state.judging
    if submission.id not in judging:
        judging[submission.id] = asyncio.create_task(_judged(service_of(request), submission, state.judge))
        judging[submission.id].add_done_callback(lambda _: judging.pop(submission.id))
    # The first of a round takes a while: its yardsticks are played. Nobody's line is kept open for that.
    done, _ = await asyncio.wait([judging[submission.id]], timeout=PATIENCE_S)
    return done.pop().result() if done else None


async def _judged(service: Service, submission: Submission, judging: asyncio.Lock) -> SkillAnswer:
    seeds, episodes = await Submissions(service).played(submission)
    # Another process measures, so that players do not wait for it, nor for its end; one at a time.
    async with judging:
        stack = ExitStack()
        try:
            judge = Judge(StoreShelf(service, episodes=False), stack.enter_context(open_executor(1)))
            measured = await judge.skill(submission.round, seeds, episodes)
        finally:
            await asyncio.to_thread(stack.close)
    figures = {name: round(getattr(measured, name), 2) for name in ("estimate", "low", "high")}
    answer = SkillAnswer(
        value=figures["estimate"], low=figures["low"], high=figures["high"], cases=len(seeds)
    )
    await service.put_artifact(f"submissions/{submission.id}.json", "application/json", to_json(answer))
    return answer


class Reveals:
    """Which submissions' skill a client has seen before their round closed: the first few of each day."""

    def __init__(self) -> None:
        self._tokens = Buckets(REVEALS / 86_400.0, REVEALS)
        self._seen: OrderedDict[tuple[str, str], None] = OrderedDict()

    def allows(self, client: str, submission_id: str) -> bool:
        """Whether the client may see it; seeing one again costs nothing."""
        if (client, submission_id) not in self._seen:
            if self._tokens.wait_s(client):
                return False
            self._seen[client, submission_id] = None
            if len(self._seen) > REMEMBERED_CLIENTS:
                self._seen.popitem(last=False)
        return True


def _demand_administrator(request: Request) -> None:
    settings: Settings = request.app.state.settings
    given = request.headers.get("authorization", "").encode()
    if settings.admin_token is None:
        raise Forbidden("This server has no administrator; set AUDITORIUM_ADMIN_TOKEN where it runs.")
    if not hmac.compare_digest(given, f"Bearer {settings.admin_token}".encode()):
        raise Forbidden("Send the administrator's token: Authorization: Bearer <AUDITORIUM_ADMIN_TOKEN>.")


def _case(request: Request, number: int, instance: Instance, *, done: bool) -> CaseAnswer:
    base = f"{base_of(request)}/envs/{instance.environment}/instances/{instance.id}"
    return CaseAnswer(number=number, instance_id=instance.id, base_url=base, done=done)


def _round(request: Request, held: Round) -> RoundAnswer:
    return RoundAnswer(
        name=held.name,
        environment=held.environment,
        level=held.level,
        cases=held.cases,
        closes_at=moment(held.closes_at),
        open=service_of(request).now() < held.closes_at,
    )


def _seconds(text: str) -> float:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        at = None
    if at is None or at.tzinfo is None:
        raise bad(("body", "closes_at"), f"{text!r} is no time; write e.g. 2027-01-01T00:00:00Z")
    return at.timestamp()


def _submissions(request: Request) -> Submissions:
    return Submissions(service_of(request))


def _id(request: Request) -> str:
    return request.path_params["submission_id"]


ENTER = {
    **ACT,
    400: (HubError, "There are no such held-out cases."),
    409: (HubError, "The round has closed, or has not that many cases."),
}
ADMINISTRATOR = {
    "name": "Authorization",
    "in": "header",
    "description": "Bearer and the administrator's token.",
    "schema": {"type": "string"},
}

ROUTES = (
    Route(
        "POST",
        "/submissions",
        submit,
        "Enter a round of held-out cases",
        {201: (Entered, "Entered."), **ENTER},
        SubmissionBody,
        {"environment": "forecast-audit", "agent": "my-agent", "version": "1", "level": "easy", "cases": 20},
    ),
    Route(
        "GET",
        "/submissions/{submission_id}",
        look,
        "How far a submission is; its skill when it is closed",
        {200: (SubmissionAnswer, "The submission."), **LOOK},
    ),
    Route(
        "POST",
        "/submissions/{submission_id}/close",
        close,
        "Close a submission and see its skill",
        {200: (SubmissionAnswer, "Closed."), **ACT},
    ),
    Route(
        "PUT",
        "/rounds/{name}",
        put_round,
        "Keep a round (administrator)",
        {200: (RoundAnswer, "Kept."), **ENTER},
        RoundBody,
        {"environment": "forecast-audit", "level": "easy", "cases": 50, "closes_at": "2027-01-01T00:00:00Z"},
        query=(ADMINISTRATOR,),
    ),
)
