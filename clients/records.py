"""What the server answers, as frozen records.

Keys that a newer server adds are left out; a key that is missing is an `UnexpectedAnswer`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from clients.errors import Refused, UnexpectedAnswer, UnknownEnvironment
from clients.wire import Answer, JsonObject, object_of, told_error

R = TypeVar("R")


class Status(StrEnum):
    """Where an episode stands. Terminated by what happened is not truncated by the clock."""

    RUNNING = "running"
    TERMINATED = "terminated"
    TRUNCATED = "truncated"


@dataclass(frozen=True, slots=True)
class TimeStep:
    """What a reset or a step led to.

    Attributes:
        observation: All that a player may know, as JSON.
        reward: Of this step; None after a reset.
        reward_parts: What the reward is made of.
        legal: False if the action was recorded and the rules do not allow it; `message` says why.
        message: What the environment says of the action.
        n: Number of the last entry of the journal.
    """

    observation: JsonObject
    reward: float | None
    reward_parts: Mapping[str, float]
    status: Status
    legal: bool
    message: str
    n: int

    @property
    def text(self) -> str:
        """The observation for a reader; the first of an episode also says what to do."""
        return self.observation["text"]

    @property
    def done(self) -> bool:
        return self.status is not Status.RUNNING


@dataclass(frozen=True, slots=True)
class State:
    """The episode as it stands: nothing but its place in the journal before the first reset.

    Attributes:
        status: None before the first reset.
        task_id: None also while the case is held out.
        n: Number of the last entry of the journal.
    """

    episode_id: str | None
    step_count: int
    task_id: str | None
    status: Status | None
    total_reward: float
    n: int


@dataclass(frozen=True, slots=True)
class Opened:
    """A new instance: who holds the id plays, who holds the watch id looks."""

    id: str
    watch_id: str
    environment: str
    base_url: str
    openenv_url: str | None
    ui_url: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One journal entry; no digest while its episode runs."""

    n: int
    kind: str
    actor: JsonObject
    surface: str
    at: str
    body: JsonObject
    outcome: JsonObject
    seed: int | None
    digest: str | None


@dataclass(frozen=True, slots=True)
class Environment:
    """One catalogued environment."""

    slug: str
    title: str
    field: str
    tagline: str
    version: int
    levels: tuple[str, ...]
    tracks: tuple[str, ...]
    horizon: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Catalog:
    """What there is to play. `durable`: whether what is played outlives the server's container."""

    environments: tuple[Environment, ...]
    durable: bool

    def environment(self, slug: str) -> Environment:
        """The environment with this slug.

        Raises:
            UnknownEnvironment: If there is none; the message lists those that there are.
        """
        for environment in self.environments:
            if environment.slug == slug:
                return environment
        known = ", ".join(environment.slug for environment in self.environments)
        raise UnknownEnvironment(
            "unknown_environment", f"There is no environment {slug!r}; there are: {known}.", status=404
        )


@dataclass(frozen=True, slots=True)
class Schemas:
    """JSON schemas of an environment's action, observation and state."""

    action: JsonObject
    observation: JsonObject
    state: JsonObject


BatchAnswer = tuple[str, TimeStep | Refused]
"""An instance's id, and what its move led to or the error that it earned."""


def read(answer: Answer, build: Callable[[JsonObject], R]) -> R:
    """The record that an answer holds.

    Raises:
        UnexpectedAnswer: If it holds no such record.
    """
    body = object_of(answer)
    try:
        return build(body)
    except (KeyError, TypeError, ValueError) as error:
        raise UnexpectedAnswer(
            f"the answer does not fit this client ({type(error).__name__}: {error}); "
            "use a client and a server of the same release"
        ) from error


def time_step(body: JsonObject) -> TimeStep:
    metadata = body["metadata"]
    return TimeStep(
        observation=body["observation"],
        reward=body["reward"],
        reward_parts=metadata["reward_parts"],
        status=Status(metadata["status"]),
        legal=metadata["legal"],
        message=metadata["message"],
        n=metadata["entry"],
    )


def state(body: JsonObject) -> State:
    return State(
        episode_id=body["episode_id"],
        step_count=body["step_count"],
        task_id=body["task_id"],
        status=None if body["status"] is None else Status(body["status"]),
        total_reward=body["total_reward"],
        n=body["entry"],
    )


def opened(body: JsonObject) -> Opened:
    return Opened(
        id=body["id"],
        watch_id=body["watch_id"],
        environment=body["environment"],
        base_url=body["base_url"],
        openenv_url=body["openenv_url"],
        ui_url=body["ui_url"],
    )


def entry(body: JsonObject) -> Entry:
    return Entry(
        n=body["n"],
        kind=body["kind"],
        actor=body["actor"],
        surface=body["surface"],
        at=body["at"],
        body=body["body"],
        outcome=body["outcome"],
        seed=body["seed"],
        digest=body["digest"],
    )


def catalog(body: JsonObject) -> Catalog:
    return Catalog(tuple(map(_environment, body["environments"])), body["health"]["durable"])


def schemas(body: JsonObject) -> Schemas:
    return Schemas(body["action"], body["observation"], body["state"])


def batch_answers(body: JsonObject) -> list[BatchAnswer]:
    return [_batch_answer(entry) for entry in body["entries"]]


def _batch_answer(body: JsonObject) -> BatchAnswer:
    if "error" in body:
        return body["id"], told_error(body["error"], body["status"])
    return body["id"], time_step(body["body"])


def _environment(body: JsonObject) -> Environment:
    low, high = body["horizon"]
    return Environment(
        slug=body["slug"],
        title=body["title"],
        field=body["field"],
        tagline=body["tagline"],
        version=body["version"],
        levels=tuple(body["levels"]),
        tracks=tuple(body["tracks"]),
        horizon=(low, high),
    )
