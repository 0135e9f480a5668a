"""What the hub's routes take and answer."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

import orjson
from pydantic import Field

from api.deps import LARGEST_N
from envs.kernel.records import Record
from instances.model import Entry

JsonObject = dict[str, Any]
Label = Annotated[str, Field(max_length=80, pattern=r"^[^\x00-\x1f\x7f]*$")]


class CreateBody(Record):
    """Which environment to open an instance of."""

    environment: Annotated[str, Field(max_length=64)]
    label: Label = ""


class ForkBody(Record):
    """The journal entry after which the fork goes on."""

    at: Annotated[int, Field(ge=1, le=LARGEST_N)]


class Created(Record):
    """A new instance and its addresses."""

    id: str
    watch_id: str
    environment: str
    base_url: str
    openenv_url: str
    ui_url: str


class ActorCount(Record):
    """Who acted, and how often."""

    kind: str
    label: str
    entries: int


class Summary(Record):
    """An instance at a glance. `id` is null for those who only watch."""

    id: str | None
    watch_id: str
    environment: str
    version: int
    label: str
    created_at: str
    entries: int
    episode_steps: int
    done: bool
    assisted: bool
    read_only: bool
    retired: bool
    watchers: int
    actors: tuple[ActorCount, ...]


class EntryAnswer(Record):
    """One journal entry; no digest while its episode runs."""

    n: int
    kind: Literal["reset", "step"]
    actor: dict[str, str]
    surface: str
    at: str
    body: JsonObject
    outcome: JsonObject
    seed: int | None
    digest: str | None


class Transcript(Record):
    """The journal; `next` is the `after` of the next page, null at the end."""

    entries: tuple[EntryAnswer, ...]
    next: int | None


class EnvironmentAnswer(Record):
    """One catalogued environment."""

    slug: str
    title: str
    field: str
    tagline: str
    version: int
    levels: tuple[str, ...]
    tracks: tuple[str, ...]
    horizon: tuple[int, int]
    base_url: str
    shared_instance: str


class Health(Record):
    """How the server is. `durable`: whether what is played outlives this container."""

    status: Literal["healthy"]
    durable: bool
    note: str
    environments: tuple[str, ...]


class Catalog(Record):
    """What there is to play, and how the server is."""

    environments: tuple[EnvironmentAnswer, ...]
    health: Health


class HubError(Record):
    """The one error shape of the hub."""

    error: JsonObject


class Home(Record):
    """Where everything is."""

    name: str = "auditorium"
    ui: str = "/ui/"
    docs: str = "/docs"
    health: str = "/health"
    catalog: str = "/catalog"


def moment(at: float) -> str:
    """Seconds since 1970 as ISO 8601 with milliseconds, UTC."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")


def entry_answer(entry: Entry, open_from: int | None) -> EntryAnswer:
    """An entry as it is shown; `open_from`: number of the reset whose episode still runs."""
    running = open_from is not None and entry.n >= open_from
    return EntryAnswer(
        n=entry.n,
        kind=entry.kind.value,
        actor={"kind": entry.actor.kind.value, "label": entry.actor.label},
        surface=entry.surface.value,
        at=moment(entry.at),
        body=orjson.loads(entry.body),
        outcome=orjson.loads(entry.outcome),
        seed=entry.seed,
        digest=None if running or not entry.digest else entry.digest,
    )
