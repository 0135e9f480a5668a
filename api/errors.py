"""How errors are answered: our own shape on hub routes, the contract's on contract routes."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from pydantic import ValidationError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from agents.llm.models import MissingKey
from envs.kernel.play import EpisodeOver
from envs.kernel.protocol import Refusal
from instances.errors import InstanceError, TooManyRequests

log = logging.getLogger(__name__)

STATUS: Mapping[str, int] = {
    "invalid_request": 422,
    "refused": 400,
    "episode_over": 409,
    "unknown_environment": 404,
    "unknown_instance": 404,
    "unknown_submission": 404,
    "unknown_round": 404,
    "unknown_run": 404,
    "forbidden": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "gone": 410,
    "retired": 410,
    "diverged": 410,
    "read_only": 403,
    "not_reset": 409,
    "stale_step": 409,
    "key_reused": 409,
    "journal_full": 409,
    "held_out": 409,
    "bad_fork": 400,
    "body_too_large": 413,
    "too_many_requests": 429,
    "at_capacity": 503,
    "store_unavailable": 503,
    "call_failed": 502,
    "missing_key": 503,
    "internal": 500,
}
"""Every error code of our own and its status; `docs/api.md` lists them."""

RETRY_AFTER_S = {"at_capacity": "60", "store_unavailable": "1"}


class BadRequest(Exception):
    """A body, header or parameter that does not fit; `details` are pydantic's, each loc, msg, type."""

    def __init__(self, details: list[dict[str, Any]]) -> None:
        super().__init__("; ".join(f"{'.'.join(map(str, d['loc']))}: {d['msg']}" for d in details))
        self.details = details


# What a header may carry; an id is 32 hex digits, the shared one's starts with `default-`.
_NAME = re.compile(r"[!-~]{1,100}")


class MethodNotAllowed(Exception):
    """The path is there, the method is not."""

    def __init__(self, allowed: Sequence[str]) -> None:
        super().__init__(f"This path takes {', '.join(allowed)}.")
        self.allowed = allowed


class Forbidden(Exception):
    """Only an administrator may do this."""


class BodyTooLarge(Exception):
    """A body over the limit."""


def invalid(error: ValidationError, *where: str) -> BadRequest:
    """Pydantic's complaint as a `BadRequest` whose locations start with `where`."""
    return BadRequest(
        [
            {"loc": [*where, *map(_printable, e["loc"])], "msg": e["msg"], "type": e["type"]}
            for e in error.errors(include_url=False, include_context=False, include_input=False)
        ]
    )


def bad(where: Sequence[str], message: str, kind: str = "value_error") -> BadRequest:
    """One complaint of our own."""
    return BadRequest([{"loc": list(where), "msg": message, "type": kind}])


def describe(error: Exception) -> tuple[str, str, Any]:
    """Code, message and details of an error; one of our own is logged with its trace and told without it."""
    match error:
        case BadRequest():
            return "invalid_request", str(error), error.details
        case BodyTooLarge():
            return "body_too_large", str(error), None
        case Forbidden():
            return "forbidden", str(error), None
        case MissingKey():
            return "missing_key", str(error), None
        case MethodNotAllowed():
            return "method_not_allowed", str(error), None
        case InstanceError():
            return error.code, error.message, None
        case EpisodeOver():
            return "episode_over", str(error), None
        case Refusal():
            return "refused", str(error), None
        case ClientDisconnect():
            return "invalid_request", "The body did not arrive.", None
        case _:
            log.error("a request failed", exc_info=error)
            return "internal", "This is a mistake of the server; nothing was acknowledged.", None


def json_response(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON answer; `body` may be bytes that are JSON already."""
    content = body if isinstance(body, bytes) else orjson.dumps(body)
    return Response(content, status, headers, "application/json")


def error_response(
    code: str, message: str, details: Any = None, headers: Mapping[str, str] | None = None
) -> Response:
    """The one error shape of the hub."""
    return json_response(
        {"error": {"code": code, "message": message, "details": details}}, STATUS[code], headers
    )


def extra_headers(code: str, error: Exception | None, ref: str | None) -> dict[str, str]:
    """What an error says in headers; `ref`: the instance that the caller named, whatever was sent as one."""
    headers = {"Retry-After": RETRY_AFTER_S[code]} if code in RETRY_AFTER_S else {}
    if isinstance(error, TooManyRequests):
        headers["Retry-After"] = str(error.retry_after_s)
    if ref is not None and _NAME.fullmatch(ref):
        headers["X-Instance-Id"] = ref
    if isinstance(error, MethodNotAllowed):
        headers["Allow"] = ", ".join(error.allowed)
    return headers


def hub_error(request: Request, error: Exception) -> Response:
    """Any error in the hub's shape."""
    code, message, details = describe(error)
    headers = extra_headers(code, error, request.path_params.get("instance_id"))
    return error_response(code, message, details, headers)


def _printable(part: int | str) -> int | str:
    """A location part that is UTF-8, whatever key the caller sent."""
    return part if isinstance(part, int) else part.encode("utf-8", "replace").decode()
