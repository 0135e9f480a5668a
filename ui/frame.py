"""One look at an instance: the episode, the step looked at, and what the journal says of the way there.

Decides nothing about HTML.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import orjson

from envs.catalog import Entry as CatalogEntry
from envs.kernel.play import AnyEpisode, look
from envs.kernel.records import Observation
from envs.scene import Chart, Heading, Line, Piece, Scene
from instances.model import Actor, ActorKind, Entry, EntryKind, Held
from instances.service import Service, commons_id
from ui.plays import Play, play_of
from ui.reward import signed


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: the label they act under and how far their clock is from UTC."""

    label: str
    offset: timedelta = timedelta()


@dataclass(frozen=True, slots=True)
class Chip:
    """One entry of the timeline. `step` 0 is the reset."""

    step: int
    n: int
    who: str
    kind: ActorKind
    act: str
    at: str
    reward: str
    legal: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """An instance as one viewer sees it, at one step.

    Attributes:
        entries: The journal of the latest episode, from its reset on.
        step: The step looked at; 0 is the start.
    """

    entry: CatalogEntry
    held: Held
    episode: AnyEpisode
    entries: tuple[Entry, ...]
    step: int
    viewer: Viewer

    @property
    def last(self) -> int:
        return len(self.episode.steps)

    @property
    def looking_back(self) -> bool:
        return self.step < self.last

    @property
    def open(self) -> bool:
        """Whether the end is looked at and may be told."""
        return self.episode.done and not self.looking_back and not self.episode.sealed

    @property
    def told(self) -> tuple[Piece, ...]:
        """What stands below the heading at the end alone."""
        return self.play.told(self.episode) if self.open else ()

    @property
    def play(self) -> Play:
        return play_of(self.held.instance.environment)

    @property
    def start(self) -> int:
        """Number of the journal entry that opened the episode."""
        return self.held.n - self.last

    @property
    def shown(self) -> AnyEpisode:
        return self.episode.until(self.step)

    @property
    def track(self) -> str:
        return self.entry.environment.track(self.episode.request)

    @property
    def title(self) -> str:
        """What the case is about: its heading, else the environment's name."""
        headings = (piece.title for piece in self.scene().pieces if isinstance(piece, Heading))
        return next(headings, self.entry.environment.title)

    @property
    def moved(self) -> str:
        """When the last entry was written, by the viewer's clock: `5 January, 12:00`."""
        at = self._at(self.entries[-1])
        return f"{at.day} {at:%B, %H:%M}"

    @property
    def commons(self) -> bool:
        return self.held.instance.id == commons_id(self.entry.environment)

    def observation(self) -> Observation:
        """What the player knew after the step looked at."""
        return look(self.entry.environment, self.shown)

    def scene(self) -> Scene:
        """The scene after the step looked at, with what was changed since the start laid over it."""
        now = self.entry.scene(self.observation())
        if self.step == 0:
            return now
        laid = overlaid(self.entry.scene(look(self.entry.environment, self.episode.until(0))), now)
        heading, *rest = laid.pieces
        return Scene(pieces=(heading, *self.told, *rest))

    def chips(self) -> tuple[Chip, ...]:
        return tuple(self._chip(step, entry) for step, entry in enumerate(self.entries))

    def taken(self) -> str:
        """The action that led to the step looked at, as it was sent, as indented JSON; empty at the start."""
        if self.step == 0:
            return ""
        known = self.entry.environment.action_type.model_fields
        body = orjson.loads(self.entries[self.step].body)
        sent = {name: value for name, value in body.items() if name in known}
        return orjson.dumps(sent, option=orjson.OPT_INDENT_2).decode()

    def others(self) -> tuple[Chip, ...]:
        """The latest chip of everybody else who took a step in this episode."""
        found = {(chip.kind, chip.who): chip for chip in self.chips()[1:] if chip.who != "you"}
        return tuple(found.values())

    def _chip(self, step: int, entry: Entry) -> Chip:
        act = self.play.act
        reset = entry.kind is EntryKind.RESET
        taken = None if reset else self.episode.steps[step - 1]
        return Chip(
            step=step,
            n=entry.n,
            who=self._who(entry.actor),
            kind=entry.actor.kind,
            act="reset" if reset else act(orjson.loads(entry.body)),
            at=f"{self._at(entry):%H:%M:%S}",
            reward=signed(taken.reward.total) if taken is not None and self.play.rewarded else "",
            legal=taken is None or taken.legal,
        )

    def _at(self, entry: Entry) -> datetime:
        return datetime.fromtimestamp(entry.at, UTC) + self.viewer.offset

    def _who(self, actor: Actor) -> str:
        if actor.kind is ActorKind.HUMAN and actor.label == self.viewer.label:
            return "you"
        return actor.label or str(actor.kind)


async def frame(
    service: Service, catalog: Mapping[str, CatalogEntry], held: Held, viewer: Viewer, step: int | None
) -> Frame | None:
    """The frame at that step, at the last one for None; no frame before the first reset."""
    if held.episode is None:
        return None
    last = len(held.episode.steps)
    start = held.n - last
    ref = held.instance.watch_id if held.read_only else held.instance.id
    entries = await service.entries(ref, start - 1)
    mine = tuple(entry for entry in entries if entry.n <= held.n)
    shown = last if step is None else min(step, last)
    return Frame(catalog[held.instance.environment], held, held.episode, mine, shown, viewer)


def overlaid(first: Scene, now: Scene) -> Scene:
    """The scene with each chart's first values as observed and what has changed since as repaired."""
    before = [piece for piece in first.pieces if isinstance(piece, Chart)]
    pieces = (
        _overlaid(before.pop(0), piece) if isinstance(piece, Chart) and before else piece
        for piece in now.pieces
    )
    return Scene(pieces=tuple(pieces))


def _overlaid(first: Chart, now: Chart) -> Chart:
    if first.lines == now.lines or len(first.lines) != len(now.lines) or first.labels != now.labels:
        return now
    lines = list(first.lines)
    for old, new in zip(first.lines, now.lines, strict=True):
        changed = [i for i, pair in enumerate(zip(old.values, new.values, strict=True)) if pair[0] != pair[1]]
        near = {i + d for i in changed for d in (-1, 0, 1)}
        if changed:
            values = tuple(value if i in near else None for i, value in enumerate(new.values))
            lines.append(Line(name="after the steps so far", values=values, role="repaired"))
    return now.model_copy(update={"lines": tuple(lines)})
