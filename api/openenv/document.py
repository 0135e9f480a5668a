"""The OpenAPI document of one environment's OpenEnv routes, with addresses as that protocol has them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import orjson
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from api.errors import json_response
from api.routes import Contract, Route, add_route, describe_app

VERSION = "1.0.0"
"""Of OpenEnv's HTTP interface, which its validator reads from the document."""


def with_document(contract: Contract) -> Contract:
    """The contract with a route that answers its own document, wherever it is served."""

    @cache
    def document() -> bytes:
        app = FastAPI(title=f"{contract.slug}: OpenEnv", version=VERSION, openapi_url=None)
        for route in routes:
            add_route(app, route, contract.errors, contract.slug)
        return orjson.dumps(describe_app(app)())

    async def answer(request: Request) -> Response:
        return json_response(document())

    told: dict[int, tuple[Any, str]] = {200: (dict[str, Any], "The document."), **_common(contract)}
    routes = (*contract.routes, Route("GET", "/openapi.json", answer, "This document", told))
    return replace(contract, routes=routes)


def _common(contract: Contract) -> dict[int, tuple[Any, str]]:
    """What every route of the contract may answer."""
    first, *others = (route.answers for route in contract.routes)
    return {
        status: kind for status, kind in first.items() if status >= 400 and all(status in o for o in others)
    }
