"""The hub's own routes: opening, watching, forking and ending instances of any environment."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from api.deps import LARGEST_N, Body, instance_headers, service_of
from api.errors import bad, json_response
from api.hub_models import (
    ActorCount,
    Catalog,
    CreateBody,
    Created,
    EnvironmentAnswer,
    ForkBody,
    Health,
    Home,
    HubError,
    JsonObject,
    Summary,
    Transcript,
    entry_answer,
    moment,
)
from api.routes import Route
from api.settings import Settings
from instances.buckets import CLIENT
from instances.errors import AtCapacity
from instances.looking import commons_id
from instances.model import Instance
from instances.service import Service

PAGE = 5_000
# A class behind one address may watch together; a flood of idle connections may not.
STREAMS = 300
create_body = Body(CreateBody, ignore_extra=False)
fork_body = Body(ForkBody, ignore_extra=False)


async def create(request: Request) -> Response:
    body = await create_body.read(request)
    instance = await service_of(request).create(body.environment, body.label)
    return _created(request, instance)


async def summary(request: Request) -> Response:
    service, ref = service_of(request), ref_of(request)
    instance = await named(service, ref)
    retired = instance.version != service.environment(instance.environment).version
    entries, steps, done = await service.progress(ref)
    result = Summary(
        id=instance.id if ref == instance.id else None,
        watch_id=instance.watch_id,
        environment=instance.environment,
        version=instance.version,
        label=instance.label,
        created_at=moment(instance.created_at),
        entries=entries,
        episode_steps=steps,
        done=done,
        assisted=instance.assisted or await service.revealed(instance, entries - steps),
        read_only=ref != instance.id,
        retired=retired,
        watchers=service.watchers(instance),
        actors=tuple(ActorCount(kind=a.kind, label=a.label, entries=n) for a, n in await service.actors(ref)),
    )
    return json_response(to_json(result), headers=instance_headers(ref, entries))


async def transcript(request: Request) -> Response:
    service, ref = service_of(request), ref_of(request)
    await named(service, ref)
    after = whole_number(request, "after", 0, LARGEST_N)
    limit = whole_number(request, "limit", PAGE, PAGE) or PAGE
    entries, open_from = await service.transcript(ref, after, limit)
    shown = tuple(entry_answer(entry, open_from) for entry in entries)
    result = Transcript(entries=shown, next=entries[-1].n if len(entries) == limit else None)
    return json_response(to_json(result), headers={"X-Instance-Id": ref})


async def events(request: Request) -> Response:
    service, ref = service_of(request), ref_of(request)
    await named(service, ref)
    last = request.headers.get("last-event-id", "")
    after = int(last) if last.isascii() and last.isdecimal() and len(last) < 11 else None
    if after is None and "after" in request.query_params:
        after = whole_number(request, "after", 0, LARGEST_N)
    headers = {"X-Instance-Id": ref, "Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    if request.method == "HEAD":
        return Response(headers=headers, media_type="text/event-stream")
    open_streams: Counter[str] = request.app.state.open_streams
    client = CLIENT.get()
    if open_streams[client] >= STREAMS:
        raise AtCapacity(f"{client} follows {STREAMS} instances already; close some of these streams.")
    stream = _stream(service, ref, after)
    # The first turn happens here, so that a refusal is still a status and not half a stream.
    first = await anext(stream)
    counted = _counted(first, stream, open_streams, client)
    return StreamingResponse(counted, headers=headers, media_type="text/event-stream")


async def fork(request: Request) -> Response:
    body = await fork_body.read(request)
    return _created(request, await service_of(request).fork(ref_of(request), body.at))


async def erase(request: Request) -> Response:
    await service_of(request).erase(ref_of(request))
    return Response(status_code=204, headers={"X-Instance-Id": ref_of(request)})


async def catalog(request: Request) -> Response:
    service = service_of(request)
    environments = tuple(
        EnvironmentAnswer(
            slug=slug,
            title=env.title,
            field=env.field,
            tagline=env.tagline,
            version=env.version,
            levels=env.levels,
            tracks=env.tracks,
            horizon=env.horizon,
            base_url=f"{base_of(request)}/envs/{slug}",
            shared_instance=commons_id(env),
        )
        for slug, env in ((slug, entry.environment) for slug, entry in service.catalog.items())
    )
    return json_response(to_json(Catalog(environments=environments, health=_health(request))))


async def health(request: Request) -> Response:
    return json_response(to_json(_health(request)))


async def home(request: Request) -> Response:
    return json_response(to_json(Home()))


def to_page(endpoint: Any) -> Any:
    """An endpoint for `/`: browsers go to the page, all others get `endpoint`."""

    async def negotiated(request: Request) -> Response:
        if "text/html" in request.headers.get("accept", ""):
            return RedirectResponse("/ui/")
        return await endpoint(request)

    return negotiated


async def _stream(service: Service, ref: str, after: int | None) -> AsyncIterator[str]:
    async for entry in service.feed(ref, after):
        if entry is None:
            yield ": still here\n\n"
        else:
            # Whether the episode still runs is not known here, so no digest goes out.
            shown = to_json(entry_answer(entry, 0)).decode()
            yield f"event: entry\nid: {entry.n}\ndata: {shown}\n\n"
    yield "event: gone\ndata: {}\n\n"


async def _counted(
    first: str, rest: AsyncIterator[str], open_streams: Counter[str], client: str
) -> AsyncIterator[str]:
    open_streams[client] += 1
    try:
        yield first
        async for part in rest:
            yield part
    finally:
        open_streams[client] -= 1
        if not open_streams[client]:
            del open_streams[client]


def _created(request: Request, instance: Instance) -> Response:
    base = base_of(request)
    result = Created(
        id=instance.id,
        watch_id=instance.watch_id,
        environment=instance.environment,
        base_url=f"{base}/envs/{instance.environment}/instances/{instance.id}",
        openenv_url=f"{base}/openenv/{instance.environment}/instances/{instance.id}",
        ui_url=f"{base}/ui/?env={instance.environment}&instance={instance.id}",
    )
    return json_response(to_json(result), 201, {"X-Instance-Id": instance.id})


def _health(request: Request) -> Health:
    settings: Settings = request.app.state.settings
    note = "" if settings.durable else "No durable disk: what is played here is lost when the Space restarts."
    slugs = tuple(service_of(request).catalog)
    return Health(status="healthy", durable=settings.durable, note=note, environments=slugs)


def base_of(request: Request) -> str:
    """Address under which the caller reaches this server, without a slash at its end."""
    return str(request.base_url).rstrip("/")


def ref_of(request: Request) -> str:
    """The id or watch id in the path."""
    return request.path_params["instance_id"]


async def named(service: Service, ref: str) -> Instance:
    """The instance, the shared ones made on first use."""
    for slug, entry in service.catalog.items():
        if ref == commons_id(entry.environment):
            return await service.commons(slug)
    return await service.find(ref)


def whole_number(request: Request, name: str, default: int, most: int) -> int:
    """A query parameter that is a whole number from 0 to `most`."""
    text = request.query_params.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) < 11 and int(text) <= most):
        raise bad(("query", name), f"{text[:40]!r} is not a whole number from 0 to {most}")
    return int(text)


NOT_THERE = (HubError, "There is no such instance.")
GONE = (HubError, "The instance has ended or belongs to an older version.")
WRONG = (HubError, "The body or a parameter does not fit.")
COMMON: dict[int, tuple[Any, str]] = {
    429: (HubError, "Too many requests; wait as long as Retry-After says."),
    503: (HubError, "The store did not commit, or the server is full; nothing happened."),
}
LOOK = {**COMMON, 404: NOT_THERE, 410: GONE, 422: WRONG}
ACT = {**LOOK, 403: (HubError, "A watch link may look, not act."), 413: (HubError, "The body is too large.")}


def whole_parameter(name: str, meaning: str, most: int = LARGEST_N) -> JsonObject:
    """The description of such a parameter."""
    schema = {"type": "integer", "minimum": 0, "maximum": most}
    return {"name": name, "in": "query", "description": meaning, "schema": schema}


ROUTES = (
    Route(
        "POST",
        "/instances",
        create,
        "Open an instance",
        {201: (Created, "Opened."), **ACT},
        CreateBody,
        {"environment": "forecast-audit"},
    ),
    Route(
        "GET",
        "/instances/{instance_id}",
        summary,
        "An instance at a glance",
        {200: (Summary, "The instance."), **LOOK},
    ),
    Route(
        "GET",
        "/instances/{instance_id}/transcript",
        transcript,
        "The journal",
        {200: (Transcript, "The journal."), **LOOK},
        query=(
            whole_parameter("after", "Only entries numbered above this."),
            whole_parameter("limit", "At most this many.", PAGE),
        ),
    ),
    Route(
        "GET",
        "/instances/{instance_id}/events",
        events,
        "The journal as it is written",
        {200: (str, "Server-sent events named `entry`, each a transcript entry."), **LOOK},
        query=(whole_parameter("after", "Start behind this entry; without it, with what comes next."),),
        media_type="text/event-stream",
    ),
    Route(
        "POST",
        "/instances/{instance_id}/fork",
        fork,
        "Play on from an entry, in a new instance",
        {
            201: (Created, "Forked."),
            **ACT,
            400: (HubError, "The journal has no such entry."),
            409: (HubError, "The case is held out."),
        },
        ForkBody,
        {"at": 1},
    ),
    Route("DELETE", "/instances/{instance_id}", erase, "Erase an instance", {204: (None, "Erased."), **ACT}),
    Route("GET", "/catalog", catalog, "What there is to play", {200: (Catalog, "The catalogue."), **COMMON}),
)
HOME = Route(
    "GET",
    "/",
    to_page(home),
    "Where everything is",
    {200: (Home, "The addresses."), 307: (None, "A browser goes to the page."), **COMMON},
)
HEALTH = Route("GET", "/health", health, "How the server is", {200: (Health, "Healthy."), **COMMON})
