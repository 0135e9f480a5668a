"""What the page knows of one environment beyond its schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from envs.kernel.play import AnyEpisode
from envs.scene import Piece
from ui.plays import analyst, fleet, forecast_audit, ledgershield, moderation
from ui.plays.inquiry import Inquiry

if TYPE_CHECKING:
    from ui.frame import Frame


def _nothing(episode: AnyEpisode) -> tuple[Piece, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Play:
    """An environment's bespoke pieces.

    Attributes:
        act: A recorded action as a few words, from its JSON.
        level_field: The field of a reset request that takes one of the environment's levels.
        left_out: Fields of a reset request that practice on the page does not offer.
        curated: Tracks on which a seed changes nothing that a player sees.
        elsewhere: By track, the baselines that were made for another one and prove nothing on this.
        told: What a finished episode is told beyond its scene, below the heading.
        inquiry: What may be asked when it has ended.
        paint: Its own line, scene, act and reward as HTML by these names, where it has other ones than
            the rest; the timeline is everybody's.
        rewarded: Whether its steps are worth anything.
    """

    act: Callable[[Mapping[str, Any]], str]
    level_field: str = ""
    left_out: frozenset[str] = frozenset()
    curated: frozenset[str] = frozenset()
    elsewhere: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    told: Callable[[AnyEpisode], tuple[Piece, ...]] = _nothing
    inquiry: Inquiry | None = None
    paint: Callable[[Frame], dict[str, str]] | None = None
    rewarded: bool = True


def _first_word(action: Mapping[str, Any]) -> str:
    return next((value for value in action.values() if isinstance(value, str) and value), "step")


PLAYS: Mapping[str, Play] = {
    "analyst": Play(analyst.act, curated=frozenset({"open"}), paint=analyst.paint, rewarded=False),
    "forecast-audit": Play(
        forecast_audit.act,
        "difficulty",
        frozenset({"split"}),
        frozenset({"contract"}),
        {"contract": frozenset({"hampel-linear", "curve-only", "reference"})},
    ),
    "fleet": Play(fleet.act, "task_id", frozenset({"split"}), told=fleet.told, inquiry=fleet.INQUIRY),
    "ledgershield": Play(ledgershield.act, "level", frozenset({"split", "family"})),
    "moderation": Play(moderation.act, "task", frozenset({"split", "task_id"})),
}
PLAIN = Play(_first_word, "level")


def play_of(slug: str) -> Play:
    """The environment's bespoke pieces, or plain ones."""
    return PLAYS.get(slug, PLAIN)
