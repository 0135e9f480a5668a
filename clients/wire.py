"""One exchange with the server: what is sent, what came of it, and whether to send it again.

Does no I/O: `exchange` yields requests and pauses, and is sent what came of each. The drivers in `http` do
them; what the requests say is `protocol`'s.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from random import SystemRandom
from typing import Any, TypeVar, cast

from clients.errors import Refused, UnexpectedAnswer, Unreachable, refusal

T = TypeVar("T")
JsonObject = dict[str, Any]

# The server's word for: nothing happened.
NOTHING_HAPPENED = frozenset({429, 503})
# A proxy's word for: no answer came, whatever happened behind it.
NO_ONE_KNOWS = frozenset({502, 504})


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent.

    Attributes:
        repeatable: Whether it may arrive twice: it only reads, or its idempotency key tells the server.
    """

    method: str
    path: str
    body: JsonObject | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    query: Mapping[str, str] = field(default_factory=dict[str, str])
    repeatable: bool = True


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. `headers` are looked up by lower-case names."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Lost:
    """No answer came. `arrived`: whether the request may have reached the server."""

    why: str
    arrived: bool


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait before going on."""

    seconds: float


Flow = Generator[Request | Pause, Answer | Lost | None, T]
"""A call that a driver carries out: it yields what to do and is sent what came of it."""


def jitter() -> float:
    """A number in [0, 1) that no seed repeats: callers that were turned away together come back apart."""
    return SystemRandom().random()


@dataclass(frozen=True, slots=True)
class Retry:
    """When to try again: exponential back-off with jitter, and never sooner than the server asked for.

    Attributes:
        attempts: How often a request is sent at most.
        first_wait_s, longest_wait_s: The back-off before the second attempt, and its bound.
        patience_s: All pauses of one call together; a server that asks for more is not waited for.
        draw: Jitter in [0, 1); a pause is between half of the back-off and all of it.
    """

    attempts: int = 6
    first_wait_s: float = 0.25
    longest_wait_s: float = 8.0
    patience_s: float = 30.0
    draw: Callable[[], float] = jitter

    def wait_s(self, attempt: int, came: Answer | Lost | None) -> float:
        """Pause after the attempt with this number, from 1."""
        backoff = min(self.longest_wait_s, self.first_wait_s * 2 ** (attempt - 1))
        asked = retry_after_s(came) if isinstance(came, Answer) else None
        return max(backoff * (0.5 + 0.5 * self.draw()), asked or 0.0)


def exchange(request: Request, retry: Retry) -> Flow[Answer]:
    """Sends a request until it is answered or the policy gives up.

    Raises:
        Unreachable: If no answer came.
        Refused: If the answer is an error; of the class that its code names.
    """
    waited_s = 0.0
    attempt = 1
    while worth_another(came := (yield request), request) and attempt < retry.attempts:
        wait_s = retry.wait_s(attempt, came)
        if waited_s + wait_s > retry.patience_s:
            break
        yield Pause(wait_s)
        waited_s += wait_s
        attempt += 1
    if isinstance(came, Answer):
        if came.status >= 400:
            raise error_of(came)
        return came
    raise Unreachable(
        f"{request.method} {request.path} was not answered in {attempt} attempts"
        f" ({came.why if came else 'nothing came'}); see whether the server runs at this address"
    )


def worth_another(came: Answer | Lost | None, request: Request) -> bool:
    """Whether sending the request again may help and cannot play it twice."""
    match came:
        case Answer(status=status):
            return status in NOTHING_HAPPENED or (status in NO_ONE_KNOWS and request.repeatable)
        case Lost(arrived=arrived):
            return request.repeatable or not arrived
        case None:
            return False


def object_of(answer: Answer) -> JsonObject:
    """The JSON object in an answer.

    Raises:
        UnexpectedAnswer: If it is something else.
    """
    try:
        body = json.loads(answer.body)
    except ValueError:
        body = None
    if isinstance(body, dict):
        return cast("JsonObject", body)
    raise UnexpectedAnswer(
        f"the answer with status {answer.status} is not a JSON object but {answer.body[:80]!r}; "
        "use the address of an Auditorium, e.g. http://localhost:7860"
    )


def error_of(answer: Answer) -> Refused:
    """The error that an answer tells of: in the hub's shape, in OpenEnv's, or whatever a proxy says."""
    wait_s = retry_after_s(answer)
    unnamed = "too_many_requests" if answer.status == 429 else f"http_{answer.status}"
    try:
        told = object_of(answer)
    except UnexpectedAnswer:
        text = answer.body[:200].decode("utf-8", "replace").strip()
        return refusal(unnamed, text or f"status {answer.status}", None, answer.status, wait_s)
    if "error" in told:
        return told_error(told["error"], answer.status, wait_s)
    detail = told.get("detail", told)
    if isinstance(detail, str):
        return refusal(told.get("code", unnamed), detail, None, answer.status, wait_s)
    return refusal(told.get("code", unnamed), json.dumps(detail), detail, answer.status, wait_s)


def told_error(error: Any, status: int, wait_s: float | None = None) -> Refused:
    """An error in the hub's shape: code, message, details."""
    if not isinstance(error, dict):
        return refusal(f"http_{status}", str(error), None, status, wait_s)
    told = cast("JsonObject", error)
    code, message = str(told.get("code")), str(told.get("message"))
    return refusal(code, message, told.get("details"), status, wait_s)


def retry_after_s(answer: Answer) -> float | None:
    """The seconds in `Retry-After`; None without them (a date would need the caller's clock to be right)."""
    text = answer.headers.get("retry-after", "")
    return float(text) if text.isascii() and text.isdecimal() else None
