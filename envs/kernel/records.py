"""Frozen records and the one way they become bytes and digests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from hashlib import blake2b
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import to_json


class Record(BaseModel):
    """A value: frozen, strict, without room for a key that nobody declared."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with other values; what was cached for the old ones is not carried along."""
        if deep:
            return super().model_copy(update=update, deep=True)
        # Every step copies a state; pydantic's own way through `copy` takes five times as long.
        values, given = vars(self), dict(update or {})
        kept = {name: values[name] for name in type(self).__pydantic_fields__} | given
        copied = type(self).__new__(type(self))
        object.__setattr__(copied, "__dict__", kept)
        object.__setattr__(copied, "__pydantic_fields_set__", self.__pydantic_fields_set__ | given.keys())
        object.__setattr__(copied, "__pydantic_extra__", None)
        object.__setattr__(copied, "__pydantic_private__", None)
        return copied


class Hidden:
    """Marks a field that no player may know: `gold: Annotated[Gold, HIDDEN]`.

    The laws swap marked fields between states and demand the same observation.
    """


HIDDEN = Hidden()

# 2**53 - 1: the largest integer that a JSON reader in JavaScript keeps exact.
LARGEST_SEED = 9_007_199_254_740_991
Seed = Annotated[int, Field(ge=0, le=LARGEST_SEED)]


class Request(Record):
    """What a reset asks for. Environments add their own fields."""

    seed: Seed | None = None


class Memory(Record):
    """What an instance carries from one episode to the next. Default: nothing."""


class Task(Record):
    """One case, solvable by construction. Environments add its facts and its gold."""

    task_id: str
    level: str
    max_steps: Annotated[int, Field(ge=1)]

    @cached_property
    def fingerprint(self) -> bytes:
        """16 bytes that stand for the task in the digests of its states."""
        return blake2b(to_json(self), digest_size=16).digest()


class State(Record):
    """Everything an episode is at one moment. `step_count` counts the steps that were spent.

    Environments keep the task, which no step changes, in a field `task`.
    """

    step_count: Annotated[int, Field(ge=0)] = 0


class Action(Record):
    """What a player does."""


class Observation(Record):
    """All that a player may know."""


def encode(record: Record) -> bytes:
    """The record as compact JSON, fields in the order of their declaration."""
    return to_json(record)


def digest(state: State) -> str:
    """128-bit BLAKE2b of the state as 32 hex digits; the task in it is hashed once, not with every step."""
    task: object = getattr(state, "task", None)
    if isinstance(task, Task):
        return blake2b(task.fingerprint + to_json(state, exclude={"task"}), digest_size=16).hexdigest()
    return blake2b(to_json(state), digest_size=16).hexdigest()
