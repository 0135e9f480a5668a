"""Batch routes: many resets or steps in one request, each answered on its own, one commit.

Decides how entries are read and answered; an entry's answer is what OpenEnv's routes give. What moves of one
batch are to each other is the service's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, cast

from pydantic import Field
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from api.deps import caller_of, read_body, service_of
from api.errors import STATUS, bad, describe, json_response
from api.guard import Guard
from api.hub import ACT
from api.hub_models import JsonObject
from api.openenv.shapes import Metadata
from api.openenv.system import System, parsed
from api.routes import CALLER_HEADERS, Endpoint, Route
from envs.kernel.protocol import Refusal
from envs.kernel.records import Record
from instances import errors
from instances.batch import LARGEST_BATCH
from instances.buckets import CLIENT
from instances.model import Answer, Caller, Move, Surface
from instances.pacing import Pace

# A batch may be as large as this many bodies of other routes.
BODIES = 16
# A number is added to it for each entry.
LONGEST_KEY = 250


class BatchEntry(Record):
    """One move: an instance's id and what its reset or step takes."""

    id: Annotated[str, Field(max_length=100)]
    body: JsonObject = Field(default_factory=dict)


class BatchBody(Record):
    """The moves; those on one instance are played in the order given."""

    entries: Annotated[tuple[BatchEntry, ...], Field(max_length=LARGEST_BATCH)]


class Played(Record):
    """What a move led to."""

    observation: JsonObject
    reward: float | None
    done: bool
    metadata: Metadata


class BatchAnswerEntry(Record):
    """A move's answer: a body where `status` is 200, else an error."""

    id: str
    status: int
    body: Played | None = None
    error: JsonObject | None = None


class BatchAnswer(Record):
    """The answers, in the order of the moves."""

    entries: tuple[BatchAnswerEntry, ...]


Read = Callable[[System, JsonObject], Any]
"""Makes a request or an action of an entry's body."""


async def reset(request: Request) -> Response:
    return await _answer(request, lambda system, body: system.request(body)[0])


async def step(request: Request) -> Response:
    return await _answer(request, lambda system, body: system.action(body, "body"))


async def _answer(request: Request, read: Read) -> Response:
    entries = _entries(parsed(await read_body(request, BODIES)))
    guard: Guard = request.app.guard
    guard.charge(CLIENT.get(), len(entries) - 1)
    caller, told = _caller(request), [JsonObject() for _ in entries]
    service = service_of(request)
    systems: Mapping[str, System] = request.app.state.systems
    moves: list[tuple[int, System, Move]] = []
    turns: Counter[str] = Counter()
    for place, entry in enumerate(entries):
        try:
            ref, body = _parts(entry)
            system = systems[(await service.find(ref)).environment]
            turns[ref] += 1
            moves.append((place, system, Move(ref, read(system, body), _keyed(caller, turns[ref]))))
        except Exception as error:
            told[place] = _refused(entry, error)
    outcomes = await service.batch([move for _, _, move in moves])
    pace = Pace()
    for (place, system, move), outcome in zip(moves, outcomes, strict=True):
        told[place] = _told(system, move.ref, outcome)
        await pace.breathe()
    return json_response(to_json({"entries": told}))


def _caller(request: Request) -> Caller:
    """Who calls; what a caller believes of one instance says nothing of many."""
    caller = replace(caller_of(request, Surface.BATCH), expected_step=None)
    if caller.idempotency_key is not None and len(caller.idempotency_key) > LONGEST_KEY:
        raise bad(("header", "Idempotency-Key"), f"use up to {LONGEST_KEY} characters for a batch")
    return caller


def _keyed(caller: Caller, turn: int) -> Caller:
    """The caller with a key of this entry's own, so that a batch that is sent again plays nothing twice.

    Args:
        turn: Which of the batch's moves on its instance it is: in whatever order the instances are named.
    """
    key = caller.idempotency_key
    return caller if key is None else replace(caller, idempotency_key=f"{key}#{turn}")


def _entries(body: JsonObject) -> Sequence[object]:
    """The entries of a batch, not yet looked into.

    Raises:
        BadRequest: If there are none to be found, too many, or something beside them.
    """
    entries = body.get("entries")
    if not isinstance(entries, list):
        raise bad(("body", "entries"), 'Send {"entries": [{"id": …, "body": {…}}, …]}', "list_type")
    if body.keys() != {"entries"}:
        raise bad(("body",), "A batch has entries and nothing else", "extra_forbidden")
    found = cast("list[object]", entries)
    if len(found) > LARGEST_BATCH:
        raise bad(
            ("body", "entries"),
            f"{len(found)} entries, {LARGEST_BATCH} are allowed; send several",
            "too_long",
        )
    return found


def _parts(entry: object) -> tuple[str, JsonObject]:
    """Id and body of an entry.

    Raises:
        BadRequest: If it has none.
    """
    if isinstance(entry, dict):
        fields = cast("JsonObject", entry)
        ref, body = fields.get("id"), fields.get("body", {})
        if isinstance(ref, str) and isinstance(body, dict) and fields.keys() <= {"id", "body"}:
            return ref, cast("JsonObject", body)
    raise bad(("entry",), 'An entry is {"id": an instance\'s id, "body": {…}} and nothing else')


def _told(system: System, ref: str, outcome: Answer | errors.InstanceError | Refusal) -> JsonObject:
    match outcome:
        case Answer():
            return {"id": ref, "status": 200, "body": system.answer(ref, outcome.held)}
        case errors.InstanceError() | Refusal():
            return _refused({"id": ref}, outcome)


def _refused(entry: object, error: Exception) -> JsonObject:
    ref = cast("JsonObject", entry).get("id") if isinstance(entry, dict) else None
    code, message, details = describe(error)
    told = {"code": code, "message": message, "details": details}
    return {"id": ref if isinstance(ref, str) else "", "status": STATUS[code], "error": told}


ANSWERS: dict[int, tuple[Any, str]] = {
    200: (BatchAnswer, "Each move's own answer."),
    **{status: ACT[status] for status in (413, 422, 429, 503)},
}


def _route(name: str, endpoint: Endpoint, summary: str) -> Route:
    path = f"/instances/batch/{name}"
    return Route("POST", path, endpoint, summary, ANSWERS, BatchBody, {"entries": []}, CALLER_HEADERS[:2])


ROUTES = (
    _route("reset", reset, "Open episodes on many instances"),
    _route("step", step, "Play actions on many instances"),
)
