"""The API tab: addresses of the instance in play, every route to try, and baselines to attach.

`build` puts the tab's parts into the page, once. `fragments` says what the part with the addresses shows for
one frame; it is called with every paint of the Play tab. All else is filled in by `assets/js/api.js`, the
routes from the server's own document.
"""

from __future__ import annotations

from instances.looking import is_commons
from instances.model import Held
from instances.service import Service
from ui.agents import agent_functions, described
from ui.frame import Frame
from ui.html import part, render

TITLE = "api"
ROOM = "api-room"
SPEEDS_MS = (("slow", "2 s", 2_000), ("steady", "1 s", 1_000), ("fast", "0.1 s", 100))


def build(service: Service) -> None:
    """Declares the tab's parts; called inside the tab's column.

    Args:
        service: On which an attached baseline plays.
    """
    part(TITLE)
    room = render("api_room.html", agents=described(service.catalog), speeds=SPEEDS_MS)
    part(ROOM, room, functions=agent_functions(service))


def fragments(shown: Frame, base: str) -> dict[str, str]:
    """HTML by part name for an instance with an episode.

    Args:
        base: Address under which the browser reaches this server, without a slash at its end.
    """
    return start_fragments(shown.held, base)


def start_fragments(held: Held, base: str) -> dict[str, str]:
    """HTML by part name for an instance without an episode."""
    return {TITLE: render("api.html", held=held, base=base, commons=is_commons(held.instance))}
