"""The HTTP application: contracts and hub over one instance service."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

from fastapi import FastAPI
from fastapi.openapi.docs import get_swagger_ui_html
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from api import hub, submissions
from api.contracts import CONTRACTS
from api.errors import error_response, hub_error, json_response
from api.guard import Guard
from api.routes import Components, Contract, DirectRoutes, add_route, describe_app
from api.settings import Settings
from instances.buckets import Buckets
from instances.errors import InstanceError
from instances.service import Service

log = logging.getLogger(__name__)

DOCS_FILES = "/docs-files"
TIDY_EVERY_S = 3_600.0
DESCRIPTION = "People and agents on the same instances of systems of professional judgement."


class Auditorium(FastAPI):
    """FastAPI with a door of its own for contract routes.

    A contract step passes seven layers of middleware and a list of routes on the usual way, which cost as
    much as the step; none of them does anything for a route that reads and answers by itself.
    """

    def __init__(self, service: Service, settings: Settings) -> None:
        super().__init__(
            title="Auditorium",
            version="0.1.0",
            description=DESCRIPTION,
            lifespan=_lifespan,
            docs_url=None,
            redoc_url=None,
        )
        self.state.service = service
        self.state.settings = settings
        self.state.open_streams = Counter()
        self.state.judging = {}
        self.state.judge = asyncio.Lock()
        self.state.reveals = submissions.Reveals()
        self.guard = Guard(
            Buckets(settings.requests_per_s, settings.request_burst),
            settings.trusted_proxies,
            [route.path for route in CONTRACTS[settings.root_env].routes] if settings.root_env else (),
        )
        self.direct = DirectRoutes()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        refusal = self.guard.refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        route = self.direct.find(scope)
        if route is None:
            await super().__call__(scope, receive, send)
            return
        scope["app"] = self
        await route.handle(scope, receive, send)


def create_app(service: Service, settings: Settings) -> Auditorium:
    """The application without the page."""
    app = Auditorium(service, settings)
    components = Components()
    for slug, contract in CONTRACTS.items():
        _serve(app, contract, f"/envs/{slug}/instances/{{instance_id}}", slug, components)
        _serve(app, contract, f"/envs/{slug}", slug, components)
    if settings.root_env is not None:
        _serve(app, _at_root(CONTRACTS[settings.root_env]), "", "root", components)
    else:
        add_route(app, hub.HOME, "/", hub_error, "hub", components)
        add_route(app, hub.HEALTH, "/health", hub_error, "hub", components)
    for tag, routes in (("hub", hub.ROUTES), ("rounds", submissions.ROUTES)):
        for route in routes:
            add_route(app, route, route.path, hub_error, tag, components)
    app.add_route("/docs", _docs, include_in_schema=False)
    app.mount(DOCS_FILES, StaticFiles(packages=[("fastapi_offline", "static")]))
    app.openapi = describe_app(app, components)
    app.add_exception_handler(HTTPException, _missing)
    app.add_exception_handler(Exception, _broken)
    return app


def _serve(app: Auditorium, contract: Contract, prefix: str, tag: str, components: Components) -> None:
    for route in contract.routes:
        added = add_route(app, route, prefix + route.path, contract.errors, tag, components)
        app.direct.add(prefix + route.path, added)


def _at_root(contract: Contract) -> Contract:
    """The contract with `/` that still sends browsers to the page."""
    routes = tuple(
        replace(route, endpoint=hub.to_page(route.endpoint)) if route.path == "/" else route
        for route in contract.routes
    )
    return replace(contract, routes=routes)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncGenerator[None]:
    tidying = asyncio.create_task(_tidy(app.state.service))
    yield
    tidying.cancel()
    with suppress(asyncio.CancelledError):
        await tidying


async def _tidy(service: Service) -> None:
    while True:
        try:
            await service.tidy()
        except InstanceError as error:
            log.warning("tidying is put off: %s", error)
        await asyncio.sleep(TIDY_EVERY_S)


async def _docs(request: Request) -> Response:
    """Swagger's page, with every file from here: its own default asks a CDN and a validator."""
    return get_swagger_ui_html(
        openapi_url="/openapi.json",
        title="Auditorium: API",
        swagger_js_url=f"{DOCS_FILES}/swagger-ui-bundle.js",
        swagger_css_url=f"{DOCS_FILES}/swagger-ui.css",
        swagger_favicon_url=f"{DOCS_FILES}/favicon.png",
        swagger_ui_parameters={"validatorUrl": None},
    )


def _missing(request: Request, error: Exception) -> Response:
    """An address or a method that no route has."""
    assert isinstance(error, HTTPException)
    if request.url.path.startswith("/envs/"):
        return json_response({"detail": error.detail}, error.status_code, error.headers)
    code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "invalid_request")
    message = f"{request.method} {request.url.path}: {error.detail}. The addresses are listed at /docs."
    return error_response(code, message, headers=error.headers)


def _broken(request: Request, error: Exception) -> Response:
    """A mistake of ours: logged with its trace, told without it."""
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return error_response("internal", "This is a mistake of the server; nothing was acknowledged.")
