"""Pages that have nothing to show yet: each says what it will hold and what can be had today."""

from __future__ import annotations

from collections.abc import Callable

from ui.html import part, render
from ui.pages.shell import PageSettings

Build = Callable[[PageSettings], None]


def _page(name: str) -> Build:
    def build(settings: PageSettings) -> None:
        part("page", render(f"{name}.html", settings=settings))

    return build


PAGES: tuple[tuple[str, str, Build], ...] = (
    ("leaderboard", "Leaderboard", _page("leaderboard")),
    ("human-baseline", "Human baseline", _page("human-baseline")),
)
