"""Instances, journal entries and callers, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from envs.kernel.outcome import Status
from envs.kernel.play import AnyEpisode
from envs.kernel.records import Action, Request


class ActorKind(StrEnum):
    """Who acted. Anonymous: a client that did not say."""

    HUMAN = "human"
    AGENT = "agent"
    BASELINE = "baseline"
    ANONYMOUS = "anonymous"


class Surface(StrEnum):
    """Through which door an action came."""

    UI = "ui"
    HTTP = "http"
    WS = "ws"
    MCP = "mcp"
    BATCH = "batch"


class EntryKind(StrEnum):
    """What a journal entry records."""

    RESET = "reset"
    STEP = "step"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who did it; the label is the caller's own word and untrusted text."""

    kind: ActorKind
    label: str = ""


@dataclass(frozen=True, slots=True)
class Caller:
    """One call on an instance.

    Attributes:
        idempotency_key: A retry with the same key gets the first answer.
        expected_step: Number of the last journal entry that the caller has seen; a stale one is refused.
    """

    actor: Actor
    surface: Surface
    idempotency_key: str | None = None
    expected_step: int | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """Held-out cases that are the same for everybody who plays it, and closed until `closes_at`.

    Attributes:
        cases: How many there are; case i is drawn from the server's secret, the name and i.
        closes_at: Seconds since 1970; before it nothing of its cases is told.
    """

    name: str
    environment: str
    level: str
    cases: int
    closes_at: float


@dataclass(frozen=True, slots=True)
class Submission:
    """One agent's play of a round: each case once, in an order of its own."""

    id: str
    round: Round
    agent: str
    agent_version: str
    cases: int
    created_at: float
    closed_at: float | None = None


@dataclass(frozen=True, slots=True)
class HeldOut:
    """The place of an instance in a submission."""

    submission: Submission
    case: int

    @property
    def round(self) -> Round:
        return self.submission.round


@dataclass(frozen=True, slots=True)
class Instance:
    """An addressable place to play. Holding `id` is the right to play, `watch_id` the right to look."""

    id: str
    watch_id: str
    environment: str
    version: int
    label: str
    created_at: float
    assisted: bool
    held_out: HeldOut | None = None

    def sealed(self, now: float) -> bool:
        """Whether its round has not closed yet."""
        return self.held_out is not None and now < self.held_out.round.closes_at


# Every step makes one or more of Entry, Held and Answer: a named tuple takes a fifth of the time.
class Entry(NamedTuple):
    """One line of a journal.

    Attributes:
        n: 1, 2, 3, … within the instance.
        at: Seconds since 1970, UTC.
        body: The accepted request or action, as JSON.
        seed: Of a reset: what everything random in its episode follows from.
        memory: Of a reset: what the instance carried into the episode, as JSON.
        outcome: Status, legality and reward of a step; status of a reset; as JSON.
        digest: Of the state that the entry led to.
    """

    n: int
    kind: EntryKind
    actor: Actor
    surface: Surface
    at: float
    body: str
    seed: int | None
    memory: str | None
    status: Status
    outcome: str
    digest: str


class Held(NamedTuple):
    """An instance and the fold of its journal.

    Attributes:
        episode: The latest episode, None before the first reset.
        n: Number of the journal's last entry, 0 when it has none.
        read_only: The caller came by the watch link.
    """

    instance: Instance
    episode: AnyEpisode | None
    n: int
    read_only: bool = False


class Answer(NamedTuple):
    """What a reset or step led to. `replayed`: it had been done before under the same key."""

    held: Held
    entry: Entry
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Recorded:
    """One episode of an instance, as much of it as the reader may know.

    Attributes:
        entries: Its reset and its steps, in the journal's order.
    """

    instance: Instance
    episode: AnyEpisode
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """One move of a batch: a request opens the next episode, an action is a step."""

    ref: str
    body: Request | Action
    caller: Caller


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on what one process keeps and one instance may grow to."""

    cached_instances: int = 1024
    episode_entries: int = 2_000
    instance_entries: int = 50_000
    instances: int = 500_000
    watchers: int = 256
    creations_per_s: float = 5.0
    creation_burst: float = 200.0
    unfinished_s: float = 14 * 86_400.0
