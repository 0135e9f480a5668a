"""Which instance an analysis_id means, and that an analysis is open on it.

The hub's ids mean their instances. Any other id is a name that its caller chose: it stands for an analysis
that everybody shares who knows the name.
"""

from __future__ import annotations

from contextlib import suppress

from pydantic import TypeAdapter, ValidationError
from starlette.requests import Request

from api.contracts.analyst_texts import AnalysisId, MessageId
from api.deps import caller_of, header_ref, service_of
from api.errors import bad, invalid
from envs.analyst.models import Request as ResetRequest
from instances.errors import StaleStep, UnknownInstance
from instances.looking import commons_id, named_id
from instances.model import Caller, Instance
from instances.service import Service

SLUG = "analyst"

ANALYSIS_ID: TypeAdapter[str] = TypeAdapter(AnalysisId)
MESSAGE_ID: TypeAdapter[str] = TypeAdapter(MessageId)


class OtherAnalysis(Exception):
    """The address names one analysis, the body, query or path another."""


async def opened(request: Request, analysis_id: str) -> str:
    """The reference to act by, with an analysis open on its instance; made on first use.

    Raises:
        OtherAnalysis: If the address or the header names another.
        UnknownInstance: If the id is of another environment's instance.
    """
    ref, _ = await found(request, analysis_id, opening=True)
    service, caller = service_of(request), caller_of(request)
    held = await service.look(ref)
    if held.episode is None or held.episode.done:
        # Somebody else may open it meanwhile.
        with suppress(StaleStep):
            await service.reset(ref, ResetRequest(), Caller(caller.actor, caller.surface, None, held.n))
    return ref


async def found(request: Request, analysis_id: str, *, opening: bool = False) -> tuple[str, Instance]:
    """The reference by which the caller named an analysis, and its instance.

    Args:
        opening: Whether a name that nobody has used yet opens an analysis.
    Raises:
        OtherAnalysis, UnknownInstance: As `opened` has it.
    """
    addressed = header_ref(request)
    name = analysis_id if addressed is None else addressed
    ref, instance = await _meant(service_of(request), name, opening=opening)
    if analysis_id not in (name, instance.id):
        raise OtherAnalysis(
            f"The address names analysis {name!r}, the request {analysis_id!r}; name the same one in both."
        )
    return ref, instance


def given(request: Request, name: str, kind: TypeAdapter[str]) -> str:
    """A query parameter that names an analysis or a message.

    Raises:
        BadRequest: If it is not there, or is no name.
    """
    text = request.query_params.get(name)
    if text is None:
        raise bad(("query", name), "Field required", "missing")
    return _read(kind, text, "query", name)


def in_path(request: Request) -> str:
    """The analysis_id of the path.

    Raises:
        UnknownInstance: If no analysis can have it.
    """
    try:
        return ANALYSIS_ID.validate_python(request.path_params["analysis_id"])
    except ValidationError as error:
        told = error.errors(include_url=False, include_context=False)[0]["msg"]
        raise UnknownInstance(f"{told[:1].upper()}{told[1:]}.") from None


def _read(kind: TypeAdapter[str], text: str, *where: str) -> str:
    try:
        return kind.validate_python(text)
    except ValidationError as error:
        raise invalid(error, *where) from error


async def _meant(service: Service, name: str, *, opening: bool) -> tuple[str, Instance]:
    env = service.environment(SLUG)
    if name in ("default", commons_id(env)):
        instance = await service.commons(SLUG)
        return instance.id, instance
    try:
        instance = await service.find(name)
    except UnknownInstance:
        instance = await (service.named(SLUG, name) if opening else service.find(named_id(env, name)))
        return instance.id, instance
    if instance.environment != SLUG:
        raise UnknownInstance(f"Instance {name!r} belongs to {instance.environment}, not to {SLUG}.")
    return name, instance
