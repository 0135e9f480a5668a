"""Where evaluations keep their files: in the store, or nowhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from envs.kernel.records import Action, Request
from instances.model import Actor, ActorKind, Caller, Surface
from instances.service import Service


class Shelf(Protocol):
    """Files by name, and a place for episodes."""

    async def put(self, name: str, media_type: str, content: bytes) -> None:
        """Keeps a file; an earlier one of that name is replaced."""
        ...

    async def get(self, name: str) -> bytes | None:
        """The content of a file, None when there is none."""
        ...

    async def names(self, prefix: str) -> Sequence[str]:
        """Names that start with `prefix`, in order."""
        ...

    async def record(
        self, slug: str, request: Request, seed: int, actions: Sequence[Action], agent: str, label: str
    ) -> None:
        """Keeps a whole episode beside those that were played by hand."""
        ...


class StoreShelf:
    """The shelf in a store; `episodes=False` keeps files alone."""

    def __init__(self, service: Service, *, episodes: bool = True) -> None:
        self._service = service
        self._episodes = episodes

    async def put(self, name: str, media_type: str, content: bytes) -> None:
        await self._service.put_artifact(name, media_type, content)

    async def get(self, name: str) -> bytes | None:
        found = await self._service.artifact(name)
        return None if found is None else found[1]

    async def names(self, prefix: str) -> Sequence[str]:
        return await self._service.artifacts(prefix)

    async def record(
        self, slug: str, request: Request, seed: int, actions: Sequence[Action], agent: str, label: str
    ) -> None:
        if self._episodes:
            caller = Caller(Actor(ActorKind.BASELINE, agent), Surface.BATCH)
            await self._service.record(slug, request, seed, actions, caller, label)


class MemoryShelf:
    """Files of this process alone: what gates need, which must never pass on yesterday's rows."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}

    async def put(self, name: str, media_type: str, content: bytes) -> None:
        self._files[name] = content

    async def get(self, name: str) -> bytes | None:
        return self._files.get(name)

    async def names(self, prefix: str) -> Sequence[str]:
        return sorted(name for name in self._files if name.startswith(prefix))

    async def record(
        self, slug: str, request: Request, seed: int, actions: Sequence[Action], agent: str, label: str
    ) -> None:
        pass
