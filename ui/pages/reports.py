"""The page of reports: what was measured of every environment, with its tables, files and commands."""

from __future__ import annotations

from ui.html import render
from ui.pages.results import Place
from ui.results.kept import Shelves
from ui.results.summary import bar, summary, zero
from ui.results.words import ends, number


async def paint(shelves: Shelves, _place: Place) -> str:
    """The page's content."""
    shown = [summary(await shelves.results(slug)) for slug in shelves.slugs]
    return render(
        "reports.html",
        failed=False,
        shown=shown,
        agents=shelves.agents,
        bar=bar,
        zero=zero,
        ends=ends,
        number=number,
    )
