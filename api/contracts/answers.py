"""What contracts' routes have in common: how an answer goes out, and what any may answer beside its own."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from api.deps import instance_headers, instance_of
from api.errors import json_response
from envs.kernel.records import Record
from instances.model import Held

Answers = dict[int, tuple[Any, str]]


class Complaint(Record):
    """One thing that does not fit, and where."""

    loc: tuple[int | str, ...]
    msg: str
    type: str


class Complaints(Record):
    """Everything that does not fit."""

    detail: tuple[Complaint, ...]


class Detail(Record):
    """An error in words."""

    detail: str


def answered(result: BaseModel, ref: str, held: Held, *, exclude_none: bool = False) -> Response:
    """What an instance answers, with the headers that say which and how far it is."""
    return json_response(to_json(result, exclude_none=exclude_none), headers=instance_headers(ref, held.n))


async def constant(request: Request, slug: str, result: BaseModel, *, exclude_none: bool = False) -> Response:
    """What every instance of an environment answers alike, if it is there."""
    ref, _ = await instance_of(request, slug)
    return json_response(to_json(result, exclude_none=exclude_none), headers={"X-Instance-Id": ref})


def looking(error: Any) -> Answers:
    """Of a route that only looks.

    Args:
        error: The model of the contract's errors.
    """
    return {
        404: (error, "There is no such instance."),
        410: (error, "The instance has ended or belongs to an older version."),
        429: (error, "Too many requests; wait as long as Retry-After says."),
        503: (error, "The store did not commit, or the server is full; nothing happened."),
    }


def acting(error: Any, *, impossible: str, moved: str) -> Answers:
    """Of a route that resets or steps.

    Args:
        impossible: What a 400 means.
        moved: What a 409 means.
    """
    return {
        **looking(error),
        400: (error, impossible),
        403: (error, "A watch link may look, not act."),
        409: (error, moved),
        413: (error, "The body is too large."),
        422: (Complaints, "The body, a parameter or a header does not fit."),
    }
