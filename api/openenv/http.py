"""OpenEnv's HTTP routes: reset, step, state and what describes an environment.

Decides which session a call means: the path's, then `?session_id=`, then `X-Session-Id`. A reset without one
opens an instance; nothing else does.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl

from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from api.deps import caller_of, header, instance_headers, read_body, service_of
from api.errors import STATUS, BadRequest, describe, extra_headers, json_response
from api.openenv import shapes
from api.openenv.calls import as_result, called, listed
from api.openenv.mcp_http import McpDoor
from api.openenv.system import System, parsed
from api.routes import Contract, JsonSchema, Route
from envs.kernel.records import Record
from instances.errors import NotReset
from instances.model import Held
from instances.service import Service

SESSION: tuple[JsonSchema, ...] = (
    {
        "name": "session_id",
        "in": "query",
        "description": "Which session, by the id of its instance.",
        "schema": {"type": "string"},
    },
    {
        "name": "X-Session-Id",
        "in": "header",
        "description": "Which session, where the query names none.",
        "schema": {"type": "string"},
    },
)


class Door:
    """The HTTP endpoints of one environment."""

    def __init__(self, system: System) -> None:
        self.system = system
        env = system.environment
        self._metadata = shapes.MetadataAnswer(
            name=env.title,
            description=env.tagline,
            version=str(env.version),
            readme_content=env.__doc__ or "",
            documentation_url="/docs",
        )

    @cached_property
    def _schema(self) -> shapes.SchemaAnswer:
        return shapes.SchemaAnswer(
            action=self.system.environment.action_type.model_json_schema(),
            observation=self.system.shapes.observation.model_json_schema(),
            state=shapes.StateAnswer.model_json_schema(),
        )

    async def reset(self, request: Request) -> Response:
        options, episode_id = self.system.request(parsed(await read_body(request)))
        caller, service = caller_of(request), service_of(request)
        ref = session_ref(request)
        if ref is None:
            self.system.opens(options)
            ref = (await service.create(self.system.slug)).id
        else:
            await self.system.joined(service, ref)
        answer = await service.reset(ref, options, caller)
        self.system.name_episode(answer.held, episode_id)
        return self._played(ref, answer.held)

    async def step(self, request: Request) -> Response:
        body = parsed(await read_body(request))
        payload = self.system.step_payload(body)
        tools = listed(payload, self.system.tools)
        if tools is not None:
            return json_response(tools)
        service, ref = await self._session(request)
        answer = await service.step(ref, self.system.action(payload, "body", "action"), caller_of(request))
        return self._played(ref, answer.held, called(payload))

    async def state(self, request: Request) -> Response:
        service, ref = await self._session(request)
        held = await service.look(ref)
        return json_response(to_json(self.system.state(held)), headers=_headers(ref, held))

    async def health(self, request: Request) -> Response:
        return _constant(shapes.HealthAnswer())

    async def metadata(self, request: Request) -> Response:
        return _constant(self._metadata)

    async def schema(self, request: Request) -> Response:
        return _constant(self._schema)

    async def home(self, request: Request) -> Response:
        paths = (
            "/reset",
            "/step",
            "/state",
            "/health",
            "/metadata",
            "/schema",
            "/openapi.json",
            "/mcp",
            "/ws",
        )
        return _constant(shapes.HomeAnswer(name=self.system.slug, routes=paths))

    async def _session(self, request: Request) -> tuple[Service, str]:
        """The service, and the session that the call names.

        Raises:
            NotReset: If it names none.
        """
        service, ref = service_of(request), session_ref(request)
        if ref is None:
            raise NotReset(
                "This call names no session. Reset first and send the session_id of the answer's metadata "
                "back, as ?session_id=… or in X-Session-Id."
            )
        await self.system.joined(service, ref)
        return service, ref

    def _played(self, ref: str, held: Held, tool: str | None = None) -> Response:
        answer = self.system.answer(ref, held)
        told = answer if tool is None else as_result(answer, tool)
        return json_response(to_json(told), headers=_headers(ref, held))


def session_ref(request: Request) -> str | None:
    """The session that a call names, None when it names none."""
    return request.path_params.get("instance_id") or _queried(request) or header(request, b"x-session-id")


def _queried(request: Request) -> str | None:
    # `request.query_params` makes a list and two mappings of it.
    return dict(parse_qsl(request.scope["query_string"].decode("latin-1"))).get("session_id")


def errors(request: Request, error: Exception) -> Response:
    """Everything in `detail`, as OpenEnv's server has it, and beside it our stable code."""
    code, message, details = describe(error)
    body = {"detail": details if isinstance(error, BadRequest) else message, "code": code}
    return json_response(body, STATUS[code], extra_headers(code, error, session_ref(request)))


def contract(system: System) -> Contract:
    """All HTTP routes of one environment, relative to any prefix."""
    door, kinds = Door(system), system.shapes
    return Contract(
        system.slug,
        (
            _route("POST", "/reset", door.reset, "Open an episode", kinds.reset_answer, kinds.reset_body),
            _route("POST", "/step", door.step, "Play an action", kinds.step_answer, kinds.step_body),
            _route("GET", "/state", door.state, "Where the session stands", shapes.StateAnswer),
            _described("/health", door.health, "Health check", shapes.HealthAnswer),
            _described("/metadata", door.metadata, "The environment in words", shapes.MetadataAnswer),
            _described("/schema", door.schema, "JSON schemas", shapes.SchemaAnswer),
            _described("/", door.home, "Where everything is", shapes.HomeAnswer),
            *McpDoor(system, session_ref).routes(),
        ),
        errors,
        named_by=(),
    )


BUSY = (shapes.Detail, "Too many requests; wait as long as Retry-After says.")
DOWN = (shapes.Detail, "The store did not commit, or the server is full; nothing happened.")
DESCRIBED: dict[int, tuple[Any, str]] = {429: BUSY, 503: DOWN}
LOOK: dict[int, tuple[Any, str]] = {
    **DESCRIBED,
    404: (shapes.Detail, "There is no such session."),
    409: (shapes.Detail, "There is no episode, it is over, it is held out, or somebody else moved first."),
    410: (shapes.Detail, "The instance has ended or belongs to an older version."),
}
ACT: dict[int, tuple[Any, str]] = {
    **LOOK,
    400: (shapes.Detail, "The environment does not open such a case."),
    403: (shapes.Detail, "A watch link may look, not act."),
    413: (shapes.Detail, "The body is too large."),
    422: (shapes.Detail, "The body or a header does not fit."),
}


def _route(method: str, path: str, endpoint: Any, summary: str, kind: Any, body: Any = None) -> Route:
    answers = {200: (kind, summary + "."), **(LOOK if body is None else ACT)}
    return Route(method, path, endpoint, summary, answers, body, {}, SESSION, acts=body is not None)


def _described(path: str, endpoint: Any, summary: str, kind: Any) -> Route:
    return Route("GET", path, endpoint, summary, {200: (kind, summary + "."), **DESCRIBED})


def _headers(ref: str, held: Held) -> dict[str, str]:
    return {**instance_headers(ref, held.n), "X-Session-Id": ref}


def _constant(result: Record) -> Response:
    return json_response(to_json(result))
