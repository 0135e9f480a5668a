"""Routes that read and answer by themselves, and how they come into the document."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count
from typing import Any, Generic, TypeVar, cast

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import BaseModel, TypeAdapter
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from api.deps import LARGEST_N
from api.errors import MethodNotAllowed

Endpoint = Callable[[Request], Awaitable[Response]]
ErrorShape = Callable[[Request, Exception], Response]
JsonSchema = dict[str, Any]
D = TypeVar("D")

CALLER_HEADERS: tuple[JsonSchema, ...] = (
    {
        "name": "X-Actor",
        "in": "header",
        "description": "Who acts: human, agent, baseline or anonymous, then optionally a colon and a label.",
        "schema": {"type": "string", "pattern": "^(human|agent|baseline|anonymous)(:[ -~]{0,80})?$"},
    },
    {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "A retry with the same key and body gets the first answer.",
        "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"},
    },
    {
        "name": "X-Expected-Step",
        "in": "header",
        "description": "The X-Step of the last answer you saw; 409 when somebody else moved since.",
        "schema": {"type": "integer", "minimum": 0, "maximum": LARGEST_N},
    },
)
INSTANCE_HEADER: JsonSchema = {
    "name": "X-Instance-Id",
    "in": "header",
    "description": "Which instance; without it the shared one.",
    "schema": {"type": "string"},
}
OWN_TAGS = ("hub", "rounds")
"""Tags of our own routes; all others are contracts."""

ANSWER_HEADERS: JsonSchema = {
    "X-Instance-Id": {"description": "The instance that answered.", "schema": {"type": "string"}},
    "X-Step": {"description": "Number of the last entry of its journal.", "schema": {"type": "integer"}},
}


@dataclass(frozen=True, slots=True)
class Route:
    """One documented route.

    Attributes:
        body: The body's type, None when the route has none.
        example: A body that does something sensible.
        answers: Status to the answer's type (None: no JSON body) and what it means.
        query: Further parameters, in OpenAPI's form.
        acts: Whether it takes the headers that say who acts.
        body_type: The media type of its body.
    """

    method: str
    path: str
    endpoint: Endpoint
    summary: str
    answers: Mapping[int, tuple[Any, str]]
    body: Any = None
    example: JsonSchema = field(default_factory=dict[str, Any])
    query: Sequence[JsonSchema] = ()
    acts: bool = False
    media_type: str = "application/json"
    body_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class Contract:
    """One contract: its routes relative to any prefix, and its way to answer errors.

    Attributes:
        named_by: Parameters that name an instance where the address does not.
    """

    slug: str
    routes: tuple[Route, ...]
    errors: ErrorShape
    named_by: tuple[JsonSchema, ...] = (INSTANCE_HEADER,)

    def under(self, prefix: str) -> tuple[Route, ...]:
        """Its routes under a prefix, with the parameters that they take there."""
        named = () if "{" in prefix else self.named_by
        return tuple(
            replace(route, path=prefix + route.path, query=(*route.query, *named)) for route in self.routes
        )


@dataclass(slots=True)
class Components:
    """The schemas that the document's routes point to."""

    schemas: JsonSchema = field(default_factory=dict[str, Any])
    _made: dict[tuple[Any, str], JsonSchema] = field(default_factory=dict[tuple[Any, str], JsonSchema])
    _models: dict[str, JsonSchema] = field(default_factory=dict[str, JsonSchema])

    def schema(self, kind: Any, owner: str) -> JsonSchema:
        """The JSON schema of a type; what it is made of goes into the components."""
        if (kind, owner) not in self._made:
            self._made[kind, owner] = self._make(kind, owner)
        return self._made[kind, owner]

    def _make(self, kind: Any, owner: str) -> JsonSchema:
        template = f"#/components/schemas/{owner}.{{model}}"
        schema = TypeAdapter(kind).json_schema(ref_template=template)
        parts: JsonSchema = schema.pop("$defs", {})
        whole = isinstance(kind, type) and issubclass(kind, BaseModel)
        if whole:
            parts[kind.__name__] = schema
        named = {name: self._name(f"{owner}.{name}", part) for name, part in parts.items()}
        refs = {template.format(model=name): f"#/components/schemas/{named[name]}" for name in named}
        self.schemas.update({named[name]: _redirected(part, refs) for name, part in parts.items()})
        return (
            {"$ref": f"#/components/schemas/{named[kind.__name__]}"} if whole else _redirected(schema, refs)
        )

    def _name(self, wanted: str, part: JsonSchema) -> str:
        """The name, or with a number behind it if another model has it: an owner may have two `Report`s."""
        names = (f"{wanted}{number or ''}" for number in chain((0,), count(2)))
        return next(name for name in names if self._models.setdefault(name, part) == part)


def _redirected(schema: Any, refs: Mapping[str, str]) -> Any:
    """The schema with other addresses in its references."""
    match schema:
        case dict():
            parts = cast(JsonSchema, schema)
            return {
                key: refs[part] if key == "$ref" else _redirected(part, refs) for key, part in parts.items()
            }
        case list():
            return [_redirected(part, refs) for part in cast("list[Any]", schema)]
        case _:
            return schema


class RawRoute(APIRoute):
    """A documented route whose endpoint reads the request and makes the answer by itself.

    FastAPI's body and response machinery costs as much as a whole step, so it stays out of the way; the
    schema comes from `openapi_extra`, which is made when somebody asks for the document.
    """

    error_shape: ErrorShape
    described: Route
    tag: str

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive, send)
        try:
            # A HEAD is a GET whose body the server leaves out.
            method = "GET" if scope["method"] == "HEAD" else scope["method"]
            if method not in (self.methods or ()):
                raise MethodNotAllowed(_allowed(scope["app"].routes, self.path))
            response: Response = await self.endpoint(request)
        except Exception as error:
            response = self.error_shape(request, error)
        await response(scope, receive, send)


def _allowed(routes: Sequence[object], path: str) -> list[str]:
    """The methods of every route at a path, each of which is registered for itself."""
    here = [route for route in routes if isinstance(route, RawRoute) and route.path == path]
    methods = {method for route in here for method in route.methods or ()}
    return sorted(methods | {"HEAD"} if "GET" in methods else methods)


class DirectRoutes(Generic[D]):
    """Doors by method and shape of their address: a look-up instead of a search."""

    def __init__(self) -> None:
        self._doors: dict[tuple[str, str], D] = {}

    def add(self, methods: Iterable[str], path: str, door: D) -> None:
        """Knows a door under a path whose only parameter, if any, is `{instance_id}`."""
        for method in methods:
            self._doors[method, path] = door

    def find(self, scope: Scope, method: str) -> D | None:
        """The door of this request, with its path parameter set; None leaves it to the usual way."""
        path: str = scope["path"]
        instance_id = None
        if path.startswith(("/envs/", "/openenv/")):
            parts = path.split("/", 5)
            if len(parts) == 6 and parts[3] == "instances" and parts[4]:
                instance_id, parts[4] = parts[4], "{instance_id}"
                path = "/".join(parts)
        door = self._doors.get((method, path))
        if door is not None:
            scope["path_params"] = {} if instance_id is None else {"instance_id": instance_id}
        return door


def add_route(app: FastAPI, route: Route, errors: ErrorShape, tag: str) -> RawRoute:
    """Serves a route; `describe_app` tells of it in the document."""
    app.router.add_api_route(
        route.path,
        route.endpoint,
        methods=[route.method],
        tags=[tag],
        summary=route.summary,
        operation_id=_operation_id(route.method, route.path),
        response_model=None,
        responses={},
        route_class_override=RawRoute,
    )
    added = app.router.routes[-1]
    assert isinstance(added, RawRoute)
    added.error_shape, added.described, added.tag = errors, route, tag
    return added


def describe_app(app: FastAPI) -> Callable[[], JsonSchema]:
    """What answers `/openapi.json`: FastAPI's document with our components in it."""

    def openapi() -> JsonSchema:
        if app.openapi_schema is None:
            components = Components()
            for route in app.routes:
                if isinstance(route, RawRoute):
                    route.openapi_extra = _describe(route.described, route.tag, components)
            document = get_openapi(
                title=app.title, version=app.version, description=app.description, routes=app.routes
            )
            schemas = document.setdefault("components", {}).setdefault("schemas", {})
            schemas.update(components.schemas)
            for operations in document["paths"].values():
                for operation in operations.values():
                    _drop_placeholder(operation)
            app.openapi_schema = document
        return app.openapi_schema

    return openapi


def _describe(route: Route, tag: str, components: Components) -> JsonSchema:
    named = [part[1:-1] for part in route.path.split("/") if part.startswith("{")]
    parameters: list[JsonSchema] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in named
    ]
    parameters += [*route.query, *(CALLER_HEADERS if route.acts else ())]
    extra: JsonSchema = {
        "parameters": parameters,
        "responses": {
            str(status): _answer(route, kind, meaning, tag, components)
            for status, (kind, meaning) in route.answers.items()
        },
    }
    if route.body is not None:
        schema = components.schema(route.body, tag)
        content = {route.body_type: {"schema": schema, "example": route.example}}
        described = components.schemas[f"{tag}.{route.body.__name__}"]
        if tag not in OWN_TAGS:
            # Contract routes ignore keys that they do not know.
            described.pop("additionalProperties", None)
        # No body counts as an empty object.
        extra["requestBody"] = {"content": content, "required": "required" in described}
    return extra


def _answer(route: Route, kind: Any, meaning: str, tag: str, components: Components) -> JsonSchema:
    answer: JsonSchema = {"description": meaning}
    if kind is not None:
        media_type = "application/json" if kind is not str else route.media_type
        answer["content"] = {media_type: {"schema": components.schema(kind, tag)}}
    if tag not in OWN_TAGS:
        answer["headers"] = ANSWER_HEADERS
    return answer


UNDECLARED = "Successful Response"


def _drop_placeholder(operation: JsonSchema) -> None:
    """FastAPI adds an empty 200 to routes that declare none, and empty JSON beside another media type."""
    declared = operation.get("responses", {})
    content = declared.get("200", {}).get("content", {})
    if content.get("application/json", {}).get("schema") == {}:
        del content["application/json"]
        if not content:
            del declared["200"]["content"]
        # A file's 200 has no content to describe either, but words of its own.
        if not content and declared["200"]["description"] == UNDECLARED:
            del declared["200"]


def _operation_id(method: str, path: str) -> str:
    return f"{method} {path}".lower().translate(str.maketrans("/ -", "___", "{}"))
