"""The sources of an analysis: what it can be asked about, an upload more, and one less.

An analysis whose id can be guessed takes no uploads: whoever guesses it would read them.
"""

from __future__ import annotations

from typing import Any

from pydantic_core import to_json
from python_multipart.exceptions import MultipartParseError
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message

from agents.analyst.conversing.conversation import Conversation
from agents.analyst.conversing.helping import suggestions
from agents.analyst.sources.receiving import UploadRefused
from api.contracts.analyst_naming import SLUG, found, in_path
from api.contracts.analyst_shapes import SourceAnswer, SourcesAnswer
from api.deps import header, service_of
from api.errors import BodyTooLarge, bad, json_response
from envs.analyst.catalogue import Source
from instances.holding import read_only
from instances.looking import is_shared

FIELD = "file"
ENVELOPE = 65_536
"""Bytes of a multipart body that are not its file, at most."""


class SharedAnalysis(Exception):
    """An upload to an analysis whose id can be guessed."""


class NoSuchSource(Exception):
    """A source that is not there, or that nobody uploaded."""


async def listed(request: Request) -> Response:
    """The sources, the preferred one first."""
    ref, instance = await found(request, in_path(request), opening=True)
    conversation = conversation_of(request)
    sources = await conversation.workshop.catalogue(instance.id)
    removable = await conversation.uploaded(instance.id)
    result = SourcesAnswer(
        sources=tuple(_answer(each, removable=each.source_id in removable) for each in sources),
        suggestions=suggestions(sources),
        accepts_uploads=ref == instance.id and not is_shared(instance),
    )
    return json_response(to_json(result), headers={"X-Instance-Id": ref})


async def attach(request: Request) -> Response:
    """Adds a file as a source."""
    ref, instance_id = await _owned(request)
    conversation = conversation_of(request)
    async with conversation.receiving:
        filename, content = await _uploaded(request, conversation.settings.upload_bytes)
        source = await conversation.workshop.add(instance_id, filename, content)
    return json_response(to_json(_answer(source, removable=True)), 201, {"X-Instance-Id": ref})


async def detach(request: Request) -> Response:
    """Removes an uploaded source with everything of it."""
    ref, instance_id = await _owned(request)
    source_id = request.path_params["source_id"]
    try:
        await conversation_of(request).workshop.remove(instance_id, source_id)
    except KeyError:
        raise NoSuchSource(
            f"This analysis has no uploaded source {source_id!r}; GET …/sources lists what there is."
        ) from None
    return Response(status_code=204, headers={"X-Instance-Id": ref})


def conversation_of(request: Request) -> Conversation:
    """The one conversation of this process."""
    conversation = service_of(request).effects[SLUG]
    assert isinstance(conversation, Conversation)
    return conversation


def upload_status(refused: UploadRefused) -> int:
    """The status of a file that is not taken."""
    return {"too_large": 413, "too_many": 409}.get(refused.code, 422)


async def _owned(request: Request) -> tuple[str, str]:
    """The reference and the id of an analysis that takes uploads from this caller."""
    ref, instance = await found(request, in_path(request))
    if is_shared(instance):
        raise SharedAnalysis(
            f"Analysis {ref!r} is open to everybody who knows its name and takes no uploads; open one of your"
            f' own with POST /instances {{"environment": "{SLUG}"}} and use its id.'
        )
    if ref != instance.id:
        raise read_only()
    return ref, instance.id


async def _uploaded(request: Request, limit: int) -> tuple[str, bytes]:
    """Name and content of the file in a multipart body.

    Raises:
        BadRequest: If there is no such body, or no file in it.
        BodyTooLarge: As soon as it grows over the limit.
    """
    if not (header(request, b"content-type") or "").lower().startswith("multipart/form-data"):
        raise bad(("body", FIELD), f"send multipart/form-data with a field {FIELD!r}", "missing")
    bounded = Request(request.scope, _bounded(request, limit + ENVELOPE))
    try:
        async with bounded.form(max_files=1, max_fields=8) as form:
            part = form.get(FIELD)
            if not isinstance(part, UploadFile):
                raise bad(("body", FIELD), f"the form has no file in its field {FIELD!r}", "missing")
            return part.filename or "upload", await part.read()
    except (HTTPException, MultiPartException, MultipartParseError) as error:
        raise bad(("body",), f"the multipart body cannot be read: {error}") from error


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


def _answer(source: Source, *, removable: bool) -> SourceAnswer:
    return SourceAnswer(**dict(source), removable=removable)
