"""The export route: an episode as other programs read it.

Decides how it is asked for. What goes where is in `instances.export`.
"""

from __future__ import annotations

from pydantic_core import to_json
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from api.deps import LARGEST_N, service_of
from api.errors import bad, json_response
from api.hub import LOOK, named, ref_of, whole_number, whole_parameter
from api.hub_models import HubError, JsonObject
from api.routes import Route
from envs.kernel.records import Record
from instances.export import atif, chat

FORMATS = {"chat": chat, "atif": atif}


class ChatRow(Record):
    """`format=chat`: a row of a dataset; `prompt` and `completion` together are the messages."""

    prompt: tuple[JsonObject, ...]
    completion: tuple[JsonObject, ...]
    tools: tuple[JsonObject, ...]
    reward: float
    info: JsonObject


class Trajectory(Record):
    """`format=atif`: a trajectory in the Agent Trajectory Interchange Format."""

    schema_version: str
    session_id: str
    agent: JsonObject
    steps: tuple[JsonObject, ...]
    final_metrics: JsonObject
    extra: JsonObject


async def export(request: Request) -> Response:
    service, ref = service_of(request), ref_of(request)
    await named(service, ref)
    wanted = request.query_params.get("format", "chat")
    if wanted not in FORMATS:
        raise bad(("query", "format"), f"{wanted[:40]!r} is not one of {', '.join(FORMATS)}")
    recorded = await service.recorded(ref, whole_number(request, "at", 0, LARGEST_N) or None)
    around = service.catalog[recorded.instance.environment]
    # A long episode takes a while to put into words.
    made = await run_in_threadpool(FORMATS[wanted], around, recorded)
    # The end of a line, so that answers which are written one after the other are JSON lines.
    return json_response(to_json(made) + b"\n", headers={"X-Instance-Id": ref})


ROUTES = (
    Route(
        "GET",
        "/instances/{instance_id}/export",
        export,
        "An episode for other programs",
        {
            200: (ChatRow | Trajectory, "The episode."),
            **LOOK,
            400: (HubError, "The journal has no such entry."),
            409: (HubError, "There is no episode yet."),
        },
        query=(
            {
                "name": "format",
                "in": "query",
                "description": "`chat`: a row for TRL and verifiers. `atif`: a trajectory for Harbor.",
                "schema": {"type": "string", "enum": list(FORMATS), "default": "chat"},
            },
            whole_parameter("at", "The episode that this entry is in, as far as it had come then."),
        ),
    ),
)
