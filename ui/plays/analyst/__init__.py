"""The data analyst on the page: a talk, with objective and sources beside it.

The answers come over the contract's own streams; see `assets/js/talk.js`. What was answered is painted from
the journal, so that everybody on the instance sees the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from envs.analyst.models import Act, Observation
from instances.looking import is_shared
from ui.html import render
from ui.plays.analyst.talk import talk

if TYPE_CHECKING:
    from ui.frame import Frame

SHORT = 48


def act(action: Mapping[str, Any]) -> str:
    """A question by its words, everything else by its name."""
    name = str(action.get("action", ""))
    if name != Act.ASK:
        return name.replace("_", " ")
    words = str(action.get("message") or "")
    return words if len(words) <= SHORT else f"{words[: SHORT - 1]}…"


def paint(shown: Frame) -> dict[str, str]:
    """The talk, and beside it what the analysis is for and from."""
    observation = shown.observation()
    assert isinstance(observation, Observation)
    said = talk(shown)
    asked = {each.message.casefold() for each in said}
    values = {
        "frame": shown,
        "seen": observation,
        "said": said,
        "open_questions": tuple(q for q in observation.business_questions if q.casefold() not in asked),
        "shared": is_shared(shown.held.instance),
        "live": not (shown.looking_back or shown.episode.done or shown.held.read_only),
    }
    painted = {name: render(f"analyst_{name}.html", **values) for name in ("line", "scene", "act")}
    return painted | {"reward": ""}
