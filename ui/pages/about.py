"""The page that says what this is, how to connect, what is kept, and which versions run."""

from __future__ import annotations

from collections.abc import Mapping

from envs.catalog import Entry
from ui.html import part, render
from ui.pages.shell import PageSettings


def build(settings: PageSettings, catalog: Mapping[str, Entry]) -> None:
    """Declares the page's parts."""
    part("page", render("about.html", settings=settings, entries=catalog.values()))
