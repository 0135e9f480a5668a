"""The frame around every page: top bar, notes, and the list of keys."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ui.html import part, render
from ui.results.kept import SHIPPED_FOLDER

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
        results: Folder of the results that ship with it.
    """

    durable: bool | None = None
    version: str = ""
    results: Path = SHIPPED_FOLDER


def shell(page: str) -> None:
    """Declares the parts that every page has."""
    part("bar", render("bar.html", navigation=NAVIGATION, page=page))
    part("notes", render("notes.html"))
    part("keys", render("keys.html"))
