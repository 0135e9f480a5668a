"""The contract of the data analyst: streamed answers, their traceability, and what an analysis is over."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from agents.analyst.sources.receiving import UploadRefused
from agents.analyst.working.places import Busy
from api.contracts.analyst_naming import (
    ANALYSIS_ID,
    MESSAGE_ID,
    SLUG,
    OtherAnalysis,
    found,
    given,
    in_path,
    opened,
)
from api.contracts.analyst_shapes import (
    TOOLS,
    Aim,
    AnalysisAnswer,
    ChatRequest,
    HelpRequest,
    SourceAnswer,
    SourcesAnswer,
    ToolsAnswer,
    Traceability,
    UploadForm,
)
from api.contracts.analyst_sources import (
    NoSuchSource,
    SharedAnalysis,
    attach,
    detach,
    listed,
    upload_status,
)
from api.contracts.analyst_stream import streamed
from api.contracts.answers import Answers, Complaints, Detail, acting, looking
from api.deps import Body, caller_of, header_ref, instance_headers, service_of
from api.errors import STATUS, BadRequest, describe, extra_headers, json_response
from api.routes import Contract, JsonSchema, Route
from envs.analyst.models import Act, Action, answered
from envs.analyst.problems import Stopped, Unavailable
from instances.errors import Gone, UnknownInstance

chat_body = Body(ChatRequest, ignore_extra=True)
help_body = Body(HelpRequest, ignore_extra=True)
aim_body = Body(Aim, ignore_extra=True)


class NoTrace(Exception):
    """A message that was not answered here."""


async def chat(request: Request) -> Response:
    body = await chat_body.read(request)
    ref = await opened(request, body.analysis_id)
    return await streamed(request, ref, Action(action=Act.ASK, message=body.message, user_id=body.user_id))


async def help_(request: Request) -> Response:
    body = await help_body.read(request)
    ref = await opened(request, body.analysis_id)
    return await streamed(request, ref, Action(action=Act.HELP, user_id=body.user_id))


async def tools(request: Request) -> Response:
    return json_response(to_json(TOOLS), headers=extra_headers("", None, header_ref(request)))


async def traceability(request: Request) -> Response:
    analysis_id = given(request, "analysis_id", ANALYSIS_ID)
    message_id = given(request, "message_id", MESSAGE_ID)
    try:
        ref, _ = await found(request, analysis_id)
        held = await service_of(request).look(ref)
    except (UnknownInstance, Gone):
        raise _untraced(message_id) from None
    actions = answered(held.episode.actions) if held.episode else ()
    action = next((each for each in actions if each.outcome.message_id == message_id), None)
    if action is None:
        raise _untraced(message_id)
    turn = action.outcome
    result = Traceability(
        analysis_id=analysis_id,
        message_id=turn.message_id,
        user_id=action.user_id,
        intent=turn.intent,
        generated_at=turn.generated_at,
        planning=turn.planning,
        tool_calls=turn.tool_calls,
        sources=turn.sources,
    )
    return json_response(to_json(result), headers=instance_headers(ref, held.n))


async def aim(request: Request) -> Response:
    body = await aim_body.read(request)
    analysis_id = in_path(request)
    ref = await opened(request, analysis_id)
    action = Action(
        action=Act.SET_OBJECTIVE,
        objective=body.objective,
        business_questions=body.business_questions,
        user_id=body.user_id,
    )
    answer = await service_of(request).step(ref, action, caller_of(request))
    result = AnalysisAnswer(analysis_id=analysis_id, **dict(body))
    return json_response(to_json(result), headers=instance_headers(ref, answer.held.n))


def errors(request: Request, error: Exception) -> Response:
    """All errors in `detail`, complaints about a body as a list."""
    ref = header_ref(request)
    match error:
        case OtherAnalysis():
            return _said(str(error), 409, ref)
        case SharedAnalysis():
            return _said(str(error), 403, ref)
        case NoSuchSource() | NoTrace():
            return _said(str(error), 404, ref)
        case UploadRefused():
            return _said(str(error), upload_status(error), ref)
        case Unavailable() | Stopped():
            return _said(str(error), 503, ref)
        case Busy():
            headers = {"Retry-After": str(error.retry_after_s), **extra_headers("", None, ref)}
            return json_response({"detail": str(error)}, 503, headers)
        case _:
            code, message, details = describe(error)
            detail: Any = details if isinstance(error, BadRequest) else message
            return json_response({"detail": detail}, STATUS[code], extra_headers(code, error, ref))


def _said(detail: str, status: int, ref: str | None) -> Response:
    return json_response({"detail": detail}, status, extra_headers("", None, ref))


def _untraced(message_id: str) -> NoTrace:
    return NoTrace(f"No traceability for message '{message_id}' yet.")


def _query(name: str, kind: TypeAdapter[str], words: str) -> JsonSchema:
    schema = kind.json_schema()
    return {"name": name, "in": "query", "required": True, "description": words, "schema": schema}


LOOK: Answers = {
    **looking(Detail),
    404: (Detail, "There is no such analysis, message or source."),
    409: (Detail, "The address names another analysis."),
    422: (Complaints, "A parameter does not fit."),
}
ACT: Answers = {
    **acting(
        Detail,
        impossible="The analysis does not take this.",
        moved="The address names another analysis, or somebody else moved first.",
    ),
    404: (Detail, "The id is of another environment's instance, or no analysis can have it."),
}
OWN: Answers = {
    **ACT,
    403: (Detail, "The analysis is open to everybody who knows its name, or this is a watch link."),
    404: (Detail, "There is no such analysis or uploaded source."),
}
STREAM = (
    "Server-sent events: `sources` ([]), `status` (text)…, `chunk` (text)…, then `done` ({message_id}) or"
    " `error` (text)."
)

CONTRACT = Contract(
    SLUG,
    (
        Route(
            "POST",
            "/api/v2/chat/stream",
            chat,
            "Stream the answer to one message",
            {200: (str, STREAM), **ACT},
            ChatRequest,
            {
                "user_id": "u_1a2b3c",
                "analysis_id": "an_42",
                "message": "What were total sales by region last quarter?",
            },
            acts=True,
            media_type="text/event-stream",
        ),
        Route(
            "GET",
            "/api/v1/tools/list",
            tools,
            "The tools of the slash menu",
            {200: (ToolsAnswer, "The tools."), **looking(Detail)},
        ),
        Route(
            "POST",
            "/api/v1/tools/help",
            help_,
            "Stream what can be done next",
            {200: (str, STREAM), **ACT},
            HelpRequest,
            {"user_id": "u_1a2b3c", "analysis_id": "an_42"},
            acts=True,
            media_type="text/event-stream",
        ),
        Route(
            "GET",
            "/api/v1/traceability",
            traceability,
            "How an answer came about",
            {200: (Traceability, "Plan, tool calls and sources."), **LOOK},
            query=(
                _query("analysis_id", ANALYSIS_ID, "The analysis."),
                _query("message_id", MESSAGE_ID, "The answer, as `done` named it."),
            ),
        ),
        Route(
            "PUT",
            "/api/v1/analyses/{analysis_id}",
            aim,
            "Set the objective and the business questions",
            {200: (AnalysisAnswer, "As they are set now."), **ACT},
            Aim,
            {
                "user_id": "u_1a2b3c",
                "objective": "Understand which regions drive revenue.",
                "business_questions": ["Which regions contribute most to total revenue?"],
            },
            acts=True,
        ),
        Route(
            "GET",
            "/api/v1/analyses/{analysis_id}/sources",
            listed,
            "The sources, the preferred one first",
            {200: (SourcesAnswer, "The sources."), **LOOK},
        ),
        Route(
            "POST",
            "/api/v1/analyses/{analysis_id}/sources",
            attach,
            "Upload a source",
            {
                201: (SourceAnswer, "The source; it is the preferred one now."),
                **OWN,
                413: (Detail, "The file is too large."),
                422: (Complaints | Detail, "There is no file, or it cannot be read."),
            },
            UploadForm,
            {"file": "sales.csv"},
            body_type="multipart/form-data",
        ),
        Route(
            "DELETE",
            "/api/v1/analyses/{analysis_id}/sources/{source_id}",
            detach,
            "Remove an uploaded source",
            {204: (None, "Removed."), **OWN},
        ),
    ),
    errors,
)
