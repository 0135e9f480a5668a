"""The form of an upload: its file, as it comes over the wire, and how its columns shall be read.

A large file waits on the disk and not in memory. Leaves to the workshop what is made of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError
from python_multipart.exceptions import MultipartParseError
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.types import Message

from agents.analyst.sources.receiving import Choice, Readings
from agents.analyst.working.places import Places
from api.contracts.analyst_shapes import UploadForm
from api.deps import header
from api.errors import BodyTooLarge, bad, invalid

FIELD = "file"
ENVELOPE = 65_536
"""Bytes of a multipart body that are not its file, at most."""
WAIT_S = 10.0
"""How long it waits until it may come."""
SENDING_S = 300.0
"""How long an upload may be under way."""

_columns: TypeAdapter[dict[str, Choice]] = TypeAdapter(dict[str, Choice])


@dataclass(frozen=True, slots=True)
class Arrived:
    """An upload that has come in whole."""

    file: UploadFile
    filename: str
    readings: Readings


@asynccontextmanager
async def arrived(request: Request, places: Places, caller: str, limit: int) -> AsyncGenerator[Arrived]:
    """The upload in a multipart body; its file is deleted afterwards.

    Args:
        limit: Bytes of the file.
    Raises:
        BadRequest: If there is no such body, no file in it, or a field that does not fit.
        BodyTooLarge: As soon as it grows over the limit.
        Busy: If too many uploads are under way.
    """
    if not (header(request, b"content-type") or "").lower().startswith("multipart/form-data"):
        raise bad(("body", FIELD), f"send multipart/form-data with a field {FIELD!r}", "missing")
    form = await _form(request, places, caller, limit)
    try:
        file = form.get(FIELD)
        if not isinstance(file, UploadFile):
            raise bad(("body", FIELD), f"the form has no file in its field {FIELD!r}", "missing")
        yield Arrived(file, file.filename or "upload", _readings(form))
    finally:
        await form.close()


async def _form(request: Request, places: Places, caller: str, limit: int) -> FormData:
    bounded = Request(request.scope, _bounded(request, limit + ENVELOPE))
    try:
        async with places.place(caller, WAIT_S), asyncio.timeout(SENDING_S):
            return await bounded.form(max_files=1, max_fields=8)
    except TimeoutError as error:
        raise bad(("body",), f"the upload did not come in {SENDING_S:g} s; send a smaller file") from error
    except (HTTPException, MultiPartException, MultipartParseError) as error:
        raise bad(("body",), f"the multipart body cannot be read: {error}") from error


def _readings(form: FormData) -> Readings:
    """How columns shall be read; a field that is empty is as if it were not there."""
    known = UploadForm.model_fields.keys() - {FIELD}
    fields: dict[str, Any] = {name: value for name, value in form.items() if value and name in known}
    try:
        told = UploadForm.model_validate({**fields, FIELD: ""}, strict=False)
    except ValidationError as error:
        raise invalid(error, "body") from error
    try:
        columns = _columns.validate_json(told.columns) if told.columns else {}
    except ValidationError as error:
        raise invalid(error, "body", "columns") from error
    others = frozenset(each for each in (told.numbers, told.dates, told.mixed) if each is not None)
    return Readings({name: choice.value for name, choice in columns.items()}, others)


def _bounded(request: Request, limit: int) -> Any:
    """The request's messages, refused as soon as their bodies grow over the limit."""
    declared = header(request, b"content-length") or "0"
    if declared.isdecimal() and int(declared) > limit:
        raise BodyTooLarge(f"The upload has {declared} bytes, {limit} are allowed.")
    size = 0

    async def receive() -> Message:
        nonlocal size
        message = await request.receive()
        size += len(message.get("body", b""))
        if size > limit:
            raise BodyTooLarge(f"The upload has more than {limit} bytes, {limit} are allowed.")
        return message

    return receive
