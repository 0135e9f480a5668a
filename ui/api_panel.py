"""The API tab: the seam between the page and what stands on that tab.

`build` puts the tab's parts into the page, once. `fragments` says what those parts show for one frame; it is
called with every paint of the Play tab, so that both tabs move together. The tab's scripts belong into
`assets/js/api.js`.
"""

from __future__ import annotations

from instances.model import Held
from instances.service import Service
from ui.frame import Frame
from ui.html import part, render

TITLE = "api"


def build(service: Service) -> None:
    """Declares the tab's parts; called inside the tab's column.

    Args:
        service: For functions that a part offers to its script (`part(name, functions=[…])`).
    """
    part(TITLE)


def fragments(shown: Frame, base: str) -> dict[str, str]:
    """HTML by part name for an instance with an episode.

    Args:
        base: Address under which the browser reaches this server, without a slash at its end.
    """
    return {TITLE: render("api.html", held=shown.held, base=base)}


def start_fragments(held: Held, base: str) -> dict[str, str]:
    """HTML by part name for an instance without an episode."""
    return {TITLE: render("api.html", held=held, base=base)}
