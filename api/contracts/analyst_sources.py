"""The sources of an analysis: what it can be asked about, an upload more, and one less.

An analysis whose id can be guessed takes no uploads: whoever guesses it would read them.
"""

from __future__ import annotations

from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from agents.analyst.conversing.conversation import Conversation
from agents.analyst.conversing.helping import suggestions
from agents.analyst.sources.receiving import UploadRefused
from api.contracts.analyst_form import arrived
from api.contracts.analyst_naming import SLUG, found, in_path
from api.contracts.analyst_shapes import SourceAnswer, SourcesAnswer
from api.deps import service_of
from api.errors import json_response
from envs.analyst.catalogue import Source
from instances.buckets import CLIENT
from instances.holding import read_only
from instances.looking import is_shared


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
    conversation, caller = conversation_of(request), CLIENT.get() or instance_id
    workshop = conversation.workshop
    limit = conversation.settings.upload_bytes
    async with arrived(request, workshop.arriving, caller, limit) as upload, workshop.place(caller):
        content = await upload.file.read()
        source = await workshop.add(instance_id, upload.filename, content, upload.readings)
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


def _answer(source: Source, *, removable: bool) -> SourceAnswer:
    return SourceAnswer(**dict(source), removable=removable)
