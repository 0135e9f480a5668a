"""The frames of OpenEnv's WebSocket: what a client may send, and what it is answered when that was wrong."""

from __future__ import annotations

from enum import StrEnum
from typing import cast

from pydantic_core import from_json

from api.errors import STATUS, BadRequest, describe, extra_headers
from api.openenv.sessions import Occupied
from envs.kernel.tools import JsonObject
from instances import errors

TYPES = ("reset", "step", "state", "close", "mcp")
_WITH_DATA = ("reset", "step", "mcp")

_OF_THE_SESSION = (
    errors.UnknownEnvironment,
    errors.UnknownInstance,
    errors.Gone,
    errors.Retired,
    errors.Diverged,
    errors.ReadOnly,
)


class Code(StrEnum):
    """What was wrong, in OpenEnv's words."""

    INVALID_JSON = "INVALID_JSON"
    UNKNOWN_TYPE = "UNKNOWN_TYPE"
    VALIDATION_ERROR = "VALIDATION_ERROR"
    EXECUTION_ERROR = "EXECUTION_ERROR"
    CAPACITY_REACHED = "CAPACITY_REACHED"
    SESSION_ERROR = "SESSION_ERROR"


class BadFrame(Exception):
    """A frame that is none of ours."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code = code


def read(raw: str | bytes, most: int) -> tuple[str, JsonObject]:
    """Type and data of a frame.

    Args:
        most: How many bytes it may have.
    Raises:
        BadFrame: If it cannot be understood.
    """
    if isinstance(raw, bytes):
        raise BadFrame(Code.INVALID_JSON, "Send text frames, not binary ones.")
    content = raw.encode()
    if len(content) > most:
        raise BadFrame(
            Code.VALIDATION_ERROR, f"The frame has {len(content)} bytes, {most} are allowed; send less."
        )
    try:
        frame = from_json(content)
    except ValueError as error:
        raise BadFrame(Code.INVALID_JSON, f"Invalid JSON: {error}") from error
    if not isinstance(frame, dict):
        raise BadFrame(Code.VALIDATION_ERROR, 'A frame is an object: {"type": …, "data": …}.')
    return _opened(cast("JsonObject", frame))


def failure(error: Exception) -> JsonObject:
    """The frame that tells an error; `reason` and `status` are what our other routes say of it."""
    match error:
        case BadFrame():
            return _error(error.code, str(error))
        case Occupied():
            return _error(Code.SESSION_ERROR, str(error), reason="occupied", status=409)
        case _:
            pass
    reason, message, details = describe(error)
    told: JsonObject = {"reason": reason, "status": STATUS[reason]}
    wait = extra_headers(reason, error, None).get("Retry-After")
    if wait is not None:
        told["retry_after_s"] = int(wait)
    match error:
        case BadRequest():
            return _error(Code.VALIDATION_ERROR, message, errors=details, **told)
        case errors.AtCapacity() | errors.TooManyRequests():
            return _error(Code.CAPACITY_REACHED, message, **told)
        case _:
            of_the_session = isinstance(error, _OF_THE_SESSION)
            return _error(Code.SESSION_ERROR if of_the_session else Code.EXECUTION_ERROR, message, **told)


def _opened(frame: JsonObject) -> tuple[str, JsonObject]:
    kind = frame.get("type")
    if kind not in TYPES:
        raise BadFrame(
            Code.UNKNOWN_TYPE, f"Unknown message type: {str(kind)[:64]}; there are: {', '.join(TYPES)}"
        )
    allowed = {"type", "data"} if kind in _WITH_DATA else {"type"}
    strange = frame.keys() - allowed
    if strange:
        raise BadFrame(
            Code.VALIDATION_ERROR, f"A {kind} frame has {', '.join(sorted(allowed))} and nothing else."
        )
    data = frame.get("data", {} if kind != "step" else None)
    if not isinstance(data, dict):
        raise BadFrame(Code.VALIDATION_ERROR, f"The data of a {kind} frame is an object.")
    return str(kind), cast("JsonObject", data)


def _error(code: Code, message: str, **more: object) -> JsonObject:
    return {"type": "error", "data": {"message": message, "code": code.value, **more}}
