"""Looking at instances: folding them into memory, and everything that changes nothing.

Decides what is read and when. What changes an instance is the service's.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from envs.catalog import Entry as CatalogEntry
from envs.kernel.outcome import Status
from envs.kernel.play import AnyEpisode
from envs.kernel.protocol import AnyEnvironment
from envs.kernel.records import LARGEST_SEED
from instances import errors, journal
from instances.model import Actor, Entry, Held, Instance, Limits
from instances.sealing import sealed_entry, sealed_episode
from instances.slots import Slot, Slots
from instances.store import Store, instance_row
from instances.writer import Conflict

T = TypeVar("T")

ENDED = {
    "erased": "This instance was erased by somebody who held it; open another with POST /instances.",
    "expired": "This instance was left unfinished for too long and expired; open another: POST /instances.",
}


def commons_id(environment: AnyEnvironment) -> str:
    """The id of the instance that callers share who name none; one for each version."""
    return _commons_id(environment.slug, environment.version)


def is_commons(instance: Instance) -> bool:
    """Whether this is, or was for an older version, the instance that everybody shares."""
    return instance.id == _commons_id(instance.environment, instance.version)


def _commons_id(slug: str, version: int) -> str:
    return f"default-{slug}-v{version}"


class Looking:
    """The instances of one store, to look at. Its coroutines belong to one event loop.

    Args:
        clock: Seconds since 1970.
        token: Makes an unguessable string of 32 hex digits.
        draw: Makes a seed for a reset that names none.
    """

    def __init__(
        self,
        store: Store,
        catalog: Mapping[str, CatalogEntry],
        limits: Limits = Limits(),  # noqa: B008 - frozen
        *,
        clock: Callable[[], float] = time.time,
        token: Callable[[], str] = partial(secrets.token_hex, 16),
        draw: Callable[[], int] = partial(secrets.randbelow, LARGEST_SEED + 1),
    ) -> None:
        self.catalog = catalog
        self.limits = limits
        self._store = store
        self._clock = clock
        self._token = token
        self._draw = draw
        self._slots = Slots(limits.cached_instances, self._search)
        self._readers = ThreadPoolExecutor(4, "journal-reader")

    def close(self) -> None:
        """Ends the readers; the store is the caller's."""
        self._readers.shutdown()

    def environment(self, slug: str) -> AnyEnvironment:
        """The environment of that slug.

        Raises:
            UnknownEnvironment: With the slugs that there are.
        """
        if slug not in self.catalog:
            known = ", ".join(self.catalog)
            raise errors.UnknownEnvironment(f"There is no environment {slug!r}; there are: {known}.")
        return self.catalog[slug].environment

    async def commons(self, slug: str) -> Instance:
        """The shared instance of callers that name none."""
        env = self.environment(slug)
        shared = commons_id(env)
        try:
            return (await self._slots.get(shared)).instance
        except errors.UnknownInstance:
            instance = Instance(shared, self._token(), slug, env.version, "", self._clock(), assisted=False)
            try:
                await self._store.writer.write([instance_row(instance)])
            except Conflict:
                return (await self._slots.get(shared)).instance
            return instance

    async def look(self, ref: str) -> Held:
        """The instance and its latest episode, for whoever holds the id or the watch link."""
        async with self._open(ref) as slot:
            self._current(slot)
            return self._shown(held_by(slot, ref))

    async def find(self, ref: str) -> Instance:
        """The instance alone, also of an older version."""
        return (await self._slots.get(ref)).instance

    async def entries(self, ref: str, after: int = 0) -> tuple[Entry, ...]:
        """The journal above entry `after`, also of an older version."""
        slot = await self._slots.get(ref)
        entries = slot.since(after) if slot.folded else None
        if entries is None:
            entries = await self._read(lambda: self._store.entries(slot.instance.id, after))
        return self._told(slot.instance, entries)

    async def feed(self, ref: str, after: int | None, pulse_s: float = 15.0) -> AsyncGenerator[Entry | None]:
        """Entries as they are committed; ends with the instance.

        None comes first, as soon as nothing more can be missed, and whenever nothing came for `pulse_s`.

        Args:
            after: Number of the last entry that the listener has; None: only what comes.
        """
        slot = await self._slots.get(ref)
        if len(slot.listeners) >= self.limits.watchers:
            raise errors.AtCapacity(
                f"This instance already has {self.limits.watchers} watchers; try again later."
            )
        with self._slots.using(slot):
            listener = asyncio.Event()
            slot.listeners.add(listener)
            try:
                seen = (await self.progress(ref))[0] if after is None else after
                yield None
                while not slot.gone:
                    listener.clear()
                    for entry in await self.entries(ref, seen):
                        seen = entry.n
                        yield entry
                    try:
                        async with asyncio.timeout(pulse_s):
                            await listener.wait()
                    except TimeoutError:
                        yield None
            finally:
                slot.listeners.discard(listener)

    async def transcript(self, ref: str, after: int, limit: int) -> tuple[tuple[Entry, ...], int | None]:
        """Up to `limit` entries above `after`, and where the running episode starts.

        Returns:
            The entries, and the number of the reset whose episode still runs, None when it has ended.
        """
        instance = await self.find(ref)
        entries = await self._read(lambda: self._store.entries(instance.id, after, limit=limit))
        latest = await self._read(lambda: self._store.episode(instance.id))
        running = bool(latest) and latest[-1].status is Status.RUNNING
        return self._told(instance, entries), latest[0].n if running else None

    async def progress(self, ref: str) -> tuple[int, int, bool]:
        """Number of the last entry, steps of the latest episode, whether it is done; of any version."""
        instance = await self.find(ref)
        latest = await self._read(lambda: self._store.episode(instance.id))
        if not latest:
            return 0, 0, False
        return latest[-1].n, len(latest) - 1, latest[-1].status is not Status.RUNNING

    async def actors(self, ref: str) -> tuple[tuple[Actor, int], ...]:
        """Who acted on this instance, and how often."""
        instance = await self.find(ref)
        return await self._read(lambda: self._store.actors(instance.id))

    async def artifact(self, name: str) -> tuple[str, bytes] | None:
        """Media type and content of a kept file."""
        return await self._read(lambda: self._store.artifact(name))

    async def artifacts(self, prefix: str = "") -> tuple[str, ...]:
        """Names of the kept files that start with `prefix`, in order."""
        return await self._read(lambda: self._store.artifacts(prefix))

    def now(self) -> float:
        """Seconds since 1970, by this service's clock."""
        return self._clock()

    def token(self) -> str:
        """An unguessable name."""
        return self._token()

    async def read(self, query: Callable[[Connection], T]) -> T:
        """What a query on the store answers."""
        return await self._read(lambda: self._store.answer(query))

    def watchers(self, instance: Instance) -> int:
        """How many listen to this instance in this process."""
        return next((len(s.listeners) for s in self._slots if s.instance.id == instance.id), 0)

    def _open(self, ref: str, *, fold: bool = True) -> _Opened:
        """The instance's slot, locked and folded (an older version's stays unfolded)."""
        return _Opened(self, ref, fold)

    async def _enter(self, ref: str, fold: bool) -> Slot:
        slot = await self._slots.get(ref)
        slot.users += 1
        try:
            await slot.lock.acquire()
        except BaseException:
            slot.users -= 1
            raise
        try:
            if slot.gone:
                raise errors.Gone(ENDED["erased"])
            if fold and not slot.folded:
                await self._fold(slot, self.environment(slot.instance.environment))
        except BaseException:
            _leave(slot)
            raise
        return slot

    async def _fold(self, slot: Slot, env: AnyEnvironment) -> None:
        if slot.instance.version != env.version:
            return
        entries = await self._read(lambda: self._store.episode(slot.instance.id))
        slot.hold(refolded(env, entries), entries[-1].n if entries else 0)

    def _shown(self, held: Held) -> Held:
        """What the caller gets to see: of a held-out case nothing that its round keeps to itself."""
        if held.episode is None or not held.instance.sealed(self._clock()):
            return held
        env = self.environment(held.instance.environment)
        return replace(held, episode=sealed_episode(env, held.episode))

    def _told(self, instance: Instance, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        if not instance.sealed(self._clock()):
            return entries
        return tuple(sealed_entry(entry) for entry in entries)

    def _current(self, slot: Slot) -> None:
        env = self.environment(slot.instance.environment)
        if slot.instance.version != env.version:
            raise errors.Retired(
                f"This instance was played on {env.slug} version {slot.instance.version}; "
                f"version {env.version} runs now. Its transcript can be read; open a new instance to play on."
            )

    def _writable(self, slot: Slot, ref: str) -> Held:
        held = owned_by(slot, ref)
        self._current(slot)
        return held

    async def _search(self, ref: str) -> Instance:
        found = await self._read(lambda: self._store.find(ref))
        if found is None:
            raise errors.UnknownInstance(f"There is no instance {ref!r}; open one with POST /instances.")
        instance, ended = found
        if ended is not None:
            raise errors.Gone(ENDED[ended])
        return instance

    async def _read(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._readers, work)
        except SQLAlchemyError as error:
            raise errors.StoreUnavailable(f"The store cannot be read now ({error}); try again.") from error


class _Opened:
    """`async with` over a slot; written out because a generator-based one costs as much as a validation."""

    __slots__ = ("_fold", "_looking", "_ref", "_slot")

    def __init__(self, looking: Looking, ref: str, fold: bool) -> None:
        self._looking = looking
        self._ref = ref
        self._fold = fold
        self._slot: Slot | None = None

    async def __aenter__(self) -> Slot:
        self._slot = await self._looking._enter(self._ref, self._fold)  # pyright: ignore[reportPrivateUsage]
        return self._slot

    async def __aexit__(self, *_exc: object) -> None:
        assert self._slot is not None
        _leave(self._slot)


def _leave(slot: Slot) -> None:
    slot.lock.release()
    slot.users -= 1


def held_by(slot: Slot, ref: str) -> Held:
    return Held(slot.instance, slot.episode, slot.n, read_only=ref != slot.instance.id)


def owned_by(slot: Slot, ref: str) -> Held:
    """The same for whoever holds the id; a watch link is refused."""
    held = held_by(slot, ref)
    if held.read_only:
        raise errors.ReadOnly("This is a watch link: it may look, not act. Ask for the instance's own link.")
    return held


def refolded(env: AnyEnvironment, entries: Sequence[Entry]) -> AnyEpisode | None:
    """The latest episode of these entries.

    Raises:
        Diverged: If they do not replay to their digests.
    """
    try:
        return journal.fold(env, entries)
    except journal.Divergence as error:
        raise errors.Diverged(f"This instance cannot be continued: {error}. Open a new instance.") from error
