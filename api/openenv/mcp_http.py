"""MCP over HTTP: one address, a JSON answer to each posted message, as streamable HTTP allows.

Decides how sessions and errors travel in headers and statuses. What a message does is in `mcp`.
"""

from __future__ import annotations

from collections.abc import Callable

from pydantic_core import from_json
from starlette.requests import Request
from starlette.responses import Response

from api.deps import caller_of, read_body, service_of
from api.errors import json_response
from api.openenv import shapes
from api.openenv.mcp import Call, Mcp, to_bytes, unreadable
from api.openenv.system import System
from api.routes import JsonSchema, Route
from instances.model import Surface

HEADER = "Mcp-Session-Id"
NOT_OPTIONS = frozenset({"session_id"})
PARAMETERS: tuple[JsonSchema, ...] = (
    {
        "name": "session_id",
        "in": "query",
        "description": "An instance to join.",
        "schema": {"type": "string"},
    },
    {
        "name": HEADER,
        "in": "header",
        "description": "The session that `initialize` answered with.",
        "schema": {"type": "string"},
    },
)


class McpDoor:
    """The endpoints of one environment's MCP address."""

    def __init__(self, system: System, named: Callable[[Request], str | None]) -> None:
        self._mcp = Mcp(system)
        self._named = named

    async def post(self, request: Request) -> Response:
        raw = await read_body(request)
        caller = caller_of(request, Surface.MCP)
        by_header = request.headers.get(HEADER)
        opens = self._mcp.system.queried(
            {name: value for name, value in request.query_params.items() if name not in NOT_OPTIONS}
        )
        try:
            message = from_json(raw)
        except ValueError as error:
            return json_response(unreadable(str(error)))
        reply = await self._mcp.answer(
            service_of(request), message, Call(self._named(request) or by_header, caller, opens)
        )
        if reply is None:
            return Response(status_code=202)
        # With a 404 a client knows that it has to initialize anew.
        status = 404 if reply.lost and by_header else 200
        headers = {} if reply.session is None else {HEADER: reply.session, "X-Instance-Id": reply.session}
        return json_response(to_bytes(reply.body), status, headers)

    async def end(self, request: Request) -> Response:
        """The end of a session, which is only a name for its instance: that stays."""
        return Response(status_code=204)

    def routes(self) -> tuple[Route, ...]:
        """The routes, relative to any prefix."""
        wrong = (shapes.Detail, "A parameter does not fit.")
        large = (shapes.Detail, "The body is too large.")
        busy = (shapes.Detail, "Too many requests; wait as long as Retry-After says.")
        down = (shapes.Detail, "The server is full.")
        common = {429: busy, 503: down}
        return (
            Route(
                "POST",
                "/mcp",
                self.post,
                "Model Context Protocol: one JSON-RPC message",
                {
                    200: (shapes.Rpc, "The answer, also when it is an error."),
                    202: (None, "A notification was taken."),
                    404: (shapes.Rpc, "There is no such session."),
                    413: large,
                    422: wrong,
                    **common,
                },
                shapes.RpcRequest,
                {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
                PARAMETERS,
                acts=True,
            ),
            Route("DELETE", "/mcp", self.end, "End an MCP session", {204: (None, "Ended."), **common}),
        )
