"""Reports and Plots: painted when a page is opened, because what is kept changes while the server runs."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import Response
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ui.asks import Answer
from ui.html import part, render
from ui.results.kept import Shelves

log = logging.getLogger(__name__)


class Place(BaseModel):
    """What a page is asked to show; what is not known there falls back to what is.

    Attributes:
        cases: Track and split, e.g. `audit/held-out`.
        agent: Whose families are drawn.
    """

    model_config = ConfigDict(frozen=True, strict=True)

    env: Annotated[str, Field(max_length=64)] = ""
    cases: Annotated[str, Field(max_length=128)] = ""
    agent: Annotated[str, Field(max_length=200)] = ""


Paint = Callable[[Shelves, Place], Awaitable[str]]


def build(name: str, paint: Paint, shelves: Shelves) -> None:
    """Declares the page; `assets/js/results.js` asks for its content under the page's name."""

    async def function(body: dict[str, Any]) -> Response:
        try:
            html = await paint(shelves, Place.model_validate(body))
        except ValidationError:
            html = await paint(shelves, Place())
        except Exception:
            log.exception("the page %s could not be painted", name)
            html = render(f"{name}.html", failed=True, shown=None)
        return Response(Answer(parts={"page": html}).model_dump_json(), media_type="application/json")

    function.__name__ = name
    part("page", render(f"{name}.html", failed=False, shown=None), functions=[function])
