"""The page of plots: how skill is spread, for one environment and one kind of cases."""

from __future__ import annotations

from urllib.parse import urlencode

import orjson

from ui.html import render
from ui.pages.results import Place
from ui.results.figures import drawn_agent, plots
from ui.results.kept import Shelves
from ui.results.training import curves
from ui.results.view import kinds, view
from ui.results.words import number


async def paint(shelves: Shelves, place: Place) -> str:
    """The page's content."""
    slug = place.env if place.env in shelves.slugs else await _first(shelves)
    results = await shelves.results(slug)
    shown = view(results, place.cases)
    agent = drawn_agent(shown, place.agent) if shown else ""

    def query(**changes: str) -> str:
        here = {"env": slug, "cases": shown.cases if shown else "", "agent": agent}
        return "?" + urlencode({key: value for key, value in {**here, **changes}.items() if value})

    return render(
        "plots.html",
        failed=False,
        shown=results,
        view=shown,
        plots=(*(plots(shown, agent) if shown else ()), *curves(slug)),
        agent=agent,
        agents=shelves.agents,
        kinds=kinds(results),
        slugs=shelves.slugs,
        query=query,
        json=lambda figure: orjson.dumps(figure).decode(),
        number=number,
    )


async def _first(shelves: Shelves) -> str:
    """The first environment of which there is something to draw, else the first."""
    for slug in shelves.slugs:
        if (await shelves.results(slug)).runs:
            return slug
    return shelves.slugs[0]
