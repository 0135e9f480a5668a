"""The frame around every page: top bar, notes, and the list of keys."""

from __future__ import annotations

from dataclasses import dataclass

from ui.html import part, render

NAVIGATION = (
    ("play", "Play", "./"),
    ("reports", "Reports", "reports"),
    ("plots", "Plots", "plots"),
    ("leaderboard", "Leaderboard", "leaderboard"),
    ("human-baseline", "Human baseline", "human-baseline"),
    ("about", "About", "about"),
)


@dataclass(frozen=True, slots=True)
class PageSettings:
    """What the pages tell about this server.

    Attributes:
        durable: Whether what is played here survives a restart; None: not told.
        version: Of the software.
    """

    durable: bool | None = None
    version: str = ""


def shell(page: str) -> None:
    """Declares the parts that every page has."""
    part("bar", render("bar.html", navigation=NAVIGATION, page=page))
    part("notes", render("notes.html"))
    part("keys", render("keys.html"))
