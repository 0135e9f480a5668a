"""The talk of an analysis as its page shows it: who asked what, what was answered, and how it came about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

from envs.analyst.models import Act, Action, Answered
from envs.analyst.turns import JsonObject, Planning, SourceUsed, ToolCall, Turn
from ui.plays.analyst.charts import Picture, picture
from ui.plays.analyst.reading import Line, read
from ui.plays.analyst.tables import Grid, grid

if TYPE_CHECKING:
    from ui.frame import Frame

WHOLE = 6
"""Of the newest answers everything is shown, of those before their words."""


@dataclass(frozen=True, slots=True)
class Said:
    """One message and its answer.

    Attributes:
        step: After which it stood.
        who: `you`, or whom the journal names.
        turn: What answered it; None where nobody did.
        text: Its words, without what stands beside them in another form.
        whole: Whether table, picture and evidence are shown too.
    """

    step: int
    who: str
    kind: str
    at: str
    message: str
    turn: Turn | None
    whole: bool

    @property
    def text(self) -> str:
        if self.turn is None:
            return ""
        beside = {*(f"- {option}" for option in self.turn.options), *self.caveats, *self.assumptions}
        lines = (line for line in self.turn.text.splitlines() if line.strip() not in beside)
        return "\n".join(lines).strip()

    @property
    def caveats(self) -> tuple[str, ...]:
        return self.turn.caveats if self.turn else ()

    @property
    def assumptions(self) -> tuple[str, ...]:
        return self.turn.planning.assumptions if self.turn and self.turn.planning else ()

    @property
    def table(self) -> Grid | None:
        turn = self.turn
        return grid(turn.table, turn.language) if turn and turn.table and turn.table.rows else None

    @property
    def picture(self) -> Picture | None:
        turn = self.turn
        return picture(turn.chart, turn.table, turn.language) if turn and turn.chart and turn.table else None

    @property
    def evidence(self) -> Evidence | None:
        """How it was answered; None where no tool was needed."""
        turn = self.turn
        if turn is None or not (turn.planning or turn.tool_calls or turn.sources):
            return None
        return Evidence(turn.planning, tuple(map(_called, turn.tool_calls)), turn.sources, turn.message_id)


@dataclass(frozen=True, slots=True)
class Called:
    """A tool that was called, and its input in words and as it was."""

    call: ToolCall
    lines: tuple[Line, ...]
    given: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What stands under "How this was answered"."""

    planning: Planning | None
    calls: tuple[Called, ...]
    sources: tuple[SourceUsed, ...]
    message_id: str


def talk(shown: Frame) -> tuple[Said, ...]:
    """Everything that was said up to the step looked at."""
    asked = tuple(_asked(shown))
    chips = shown.chips()
    return tuple(
        Said(
            step=step,
            who=chips[step].who,
            kind=chips[step].kind,
            at=chips[step].at[:5],
            message="/help" if action.action is Act.HELP else action.message or "",
            turn=action.outcome if isinstance(action, Answered) else None,
            whole=place >= len(asked) - WHOLE,
        )
        for place, (step, action) in enumerate(asked)
    )


def _asked(shown: Frame) -> Iterator[tuple[int, Action]]:
    """The legal messages, each with the number of its step."""
    episode = shown.shown
    for step, (action, taken) in enumerate(zip(episode.actions, episode.steps, strict=True), start=1):
        if taken.legal and action.action in (Act.ASK, Act.HELP):
            yield step, action


def _called(call: ToolCall) -> Called:
    return Called(call, read(call.input), indented(call.input))


def indented(given: JsonObject) -> str:
    """JSON to be read."""
    return orjson.dumps(given, option=orjson.OPT_INDENT_2).decode()
