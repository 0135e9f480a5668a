"""Effects: what an action needs from outside, and how that enters the journal as recorded data.

An environment whose actions call out declares a `recorded_type`: its action type with what came of the call.
Callers send the former, the journal keeps the latter, and a replay calls nobody. Who is called is the
handler's.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from envs.kernel.play import AnyEpisode
from envs.kernel.protocol import AnyEnvironment
from envs.kernel.records import Action
from instances.model import Instance

Tell = Callable[[str], Awaitable[None]]
"""Takes a word on how it stands, for a caller who is waiting."""


@runtime_checkable
class CallsOut(Protocol):
    """An environment some of whose actions need something from outside."""

    recorded_type: type[Action]


@dataclass(frozen=True, slots=True)
class Asked:
    """An action that needs something from outside, and the episode that it is meant for."""

    instance: Instance
    episode: AnyEpisode
    action: Action
    tell: Tell


class Effect(Protocol):
    """The handler of one environment's calls. It may be cancelled and may fail: then nothing is recorded."""

    def needed(self, action: Action) -> bool:
        """Whether this action calls out."""
        ...

    async def carry_out(self, asked: Asked) -> Action:
        """The action with what came of it, of the environment's `recorded_type`."""
        ...

    async def close(self) -> None:
        """Ends whatever is still running."""
        ...


async def unheard(word: str) -> None:
    """Where nobody is waiting."""


def recorded_type(env: AnyEnvironment) -> type[Action]:
    """What the journal may hold beside the environment's actions; the same type where nothing calls out."""
    return env.recorded_type if isinstance(env, CallsOut) else env.action_type
