"""The HTTP application: contracts and hub over one instance service."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Collection, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace

from fastapi import FastAPI
from fastapi.openapi.docs import get_swagger_ui_html
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from agents.runs import Runs
from api import batch, export, hub, runs, submissions
from api.contracts import CONTRACTS
from api.errors import error_response, hub_error, json_response
from api.guard import Guard
from api.openenv.document import with_document
from api.openenv.http import contract
from api.openenv.sessions import Sessions
from api.openenv.socket import SocketDoor, refuse_unknown
from api.openenv.system import System
from api.routes import Contract, DirectRoutes, RawRoute, Route, add_route, describe_app
from api.settings import Settings
from instances.buckets import Buckets
from instances.errors import InstanceError, UnknownEnvironment
from instances.service import Service

log = logging.getLogger(__name__)

DOCS_FILES = "/docs-files"
DOCUMENT = "/docs/openapi.json"
TIDY_EVERY_S = 3_600.0
SWEEP_EVERY_S = 10.0
SOCKET = "WEBSOCKET"
"""Stands for the method of an address where sockets are opened."""
DESCRIPTION = "People and agents on the same instances of systems of professional judgement."


class Auditorium(FastAPI):
    """FastAPI with a door of its own for contract routes.

    A contract step passes seven layers of middleware and a list of routes on the usual way, which cost as
    much as the step; none of them does anything for a route that reads and answers by itself.
    """

    def __init__(
        self,
        service: Service,
        settings: Settings,
        systems: Mapping[str, System],
        root_paths: Collection[str],
    ) -> None:
        super().__init__(
            title="Auditorium",
            version="0.1.0",
            description=DESCRIPTION,
            lifespan=_lifespan,
            # What is served at the root may have a document of its own there.
            openapi_url=None if "/openapi.json" in root_paths else "/openapi.json",
            docs_url=None,
            redoc_url=None,
        )
        self.state.service = service
        self.state.settings = settings
        self.state.systems = systems
        self.state.open_streams = Counter()
        self.state.judging = {}
        self.state.judge = asyncio.Lock()
        self.state.reveals = submissions.Reveals()
        self.state.runs = Runs(service, settings.agents)
        self.guard = Guard(
            Buckets(settings.requests_per_s, settings.request_burst),
            settings.trusted_proxies,
            root_paths,
        )
        self.sessions = Sessions(settings.sessions)
        self.direct: DirectRoutes[RawRoute | SocketDoor] = DirectRoutes()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await super().__call__(scope, receive, send)
            return
        refusal = self.guard.refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        door = self.direct.find(scope, scope.get("method", SOCKET))
        scope["app"] = self
        if door is not None:
            await door.handle(scope, receive, send)
        elif scope["type"] == "websocket" and scope["path"].startswith("/openenv/"):
            await refuse_unknown(self.state.service, scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


def create_app(service: Service, settings: Settings) -> Auditorium:
    """The application without the page."""
    systems = {slug: System(entry) for slug, entry in service.catalog.items()}
    wires = {slug: with_document(contract(system)) for slug, system in systems.items()}
    rooted = _rooted(settings, wires)
    app = Auditorium(service, settings, systems, [route.path for route in rooted.routes] if rooted else ())
    for slug, routes in CONTRACTS.items():
        _serve_everywhere(app, routes, f"/envs/{slug}", slug)
    for slug, routes in wires.items():
        _serve_everywhere(app, routes, f"/openenv/{slug}", f"openenv-{slug}")
        _open_sockets(app, systems[slug], settings)
    if rooted is not None:
        _serve(app, rooted, "", "root")
    else:
        _serve_own(app, (hub.HOME, hub.HEALTH), "hub")
    _serve_own(app, (*hub.ROUTES, *export.ROUTES, *batch.ROUTES, *runs.ROUTES), "hub")
    _serve_own(app, submissions.ROUTES, "rounds")
    app.add_route("/docs", _docs, include_in_schema=False)
    app.add_route(DOCUMENT, _document, include_in_schema=False)
    app.mount(DOCS_FILES, StaticFiles(packages=[("fastapi_offline", "static")]))
    app.openapi = describe_app(app)
    app.add_exception_handler(HTTPException, _missing)
    app.add_exception_handler(Exception, _broken)
    return app


def _serve_everywhere(app: Auditorium, contract: Contract, prefix: str, tag: str) -> None:
    """On any instance that the address names, and without one."""
    _serve(app, contract, f"{prefix}/instances/{{instance_id}}", tag)
    _serve(app, contract, prefix, tag)


def _serve_own(app: Auditorium, routes: Iterable[Route], tag: str) -> None:
    for route in routes:
        added = add_route(app, route, hub_error, tag)
        if "{" not in route.path:
            app.direct.add([route.method], route.path, added)


def _open_sockets(app: Auditorium, system: System, settings: Settings) -> None:
    door = SocketDoor(system, app.state.service, app.sessions, app.guard.turn, settings.body_bytes)
    prefixes = [f"/openenv/{system.slug}/instances/{{instance_id}}", f"/openenv/{system.slug}"]
    if settings.root_protocol == "openenv" and system.slug == settings.root_env:
        prefixes.append("")
    for prefix in prefixes:
        app.direct.add([SOCKET], f"{prefix}/ws", door)


def _serve(app: Auditorium, contract: Contract, prefix: str, tag: str) -> None:
    for route in contract.under(prefix):
        added = add_route(app, route, contract.errors, tag)
        app.direct.add([route.method], route.path, added)


def _rooted(settings: Settings, wires: Mapping[str, Contract]) -> Contract | None:
    """What is served at the root beside the hub, with a `/` that still sends browsers to the page."""
    if settings.root_env is None:
        return None
    contracts = wires if settings.root_protocol == "openenv" else CONTRACTS
    chosen = contracts[settings.root_env]
    routes = tuple(
        replace(route, endpoint=hub.to_page(route.endpoint)) if route.path == "/" else route
        for route in chosen.routes
    )
    return replace(chosen, routes=routes)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncGenerator[None]:
    assert isinstance(app, Auditorium)
    chores = [asyncio.create_task(_tidy(app.state.service)), asyncio.create_task(_sweep(app.sessions))]
    yield
    for chore in chores:
        chore.cancel()
    await asyncio.gather(*chores, return_exceptions=True)
    await app.state.runs.close()
    for effect in app.state.service.effects.values():
        await effect.close()


async def _tidy(service: Service) -> None:
    while True:
        try:
            await service.tidy()
        except InstanceError as error:
            log.warning("tidying is put off: %s", error)
        await asyncio.sleep(TIDY_EVERY_S)


async def _sweep(sessions: Sessions) -> None:
    while True:
        await asyncio.sleep(SWEEP_EVERY_S)
        await sessions.sweep()


async def _document(request: Request) -> Response:
    """The hub's document, where nothing else can take its place."""
    return json_response(request.app.openapi())


async def _docs(request: Request) -> Response:
    """Swagger's page, with every file from here: its own default asks a CDN and a validator."""
    return get_swagger_ui_html(
        openapi_url=DOCUMENT,
        title="Auditorium: API",
        swagger_js_url=f"{DOCS_FILES}/swagger-ui-bundle.js",
        swagger_css_url=f"{DOCS_FILES}/swagger-ui.css",
        swagger_favicon_url=f"{DOCS_FILES}/favicon.png",
        swagger_ui_parameters={"validatorUrl": None},
    )


def _missing(request: Request, error: Exception) -> Response:
    """An address or a method that no route has."""
    assert isinstance(error, HTTPException)
    path = request.url.path
    if path.startswith(("/envs/", "/openenv/")):
        return json_response({"detail": _told(request, error)}, error.status_code, error.headers)
    code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "invalid_request")
    message = f"{request.method} {request.url.path}: {error.detail}. The addresses are listed at /docs."
    return error_response(code, message, headers=error.headers)


def _told(request: Request, error: HTTPException) -> str:
    """What is said of an address that is not there: a wrong name of an environment is told the right ones."""
    service: Service = request.app.state.service
    try:
        service.environment(request.url.path.split("/")[2])
    except UnknownEnvironment as unknown:
        return unknown.message
    return error.detail


def _broken(request: Request, error: Exception) -> Response:
    """A mistake of ours: logged with its trace, told without it."""
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return error_response("internal", "This is a mistake of the server; nothing was acknowledged.")
