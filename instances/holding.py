"""Holding: instances folded in memory, and how they are brought up to what the store says.

Decides what may be believed without asking the store. What callers see and do is in the classes on top of it.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from envs.catalog import Entry as CatalogEntry
from envs.kernel.play import AnyEpisode
from envs.kernel.protocol import AnyEnvironment
from envs.kernel.records import LARGEST_SEED
from instances import errors, journal
from instances.hearing import Hearing
from instances.model import Entry, Held, Instance, Limits
from instances.slots import Slot, Slots
from instances.store import Store

log = logging.getLogger(__name__)

T = TypeVar("T")

ENDED = {
    "erased": "This instance was erased by somebody who held it; open another with POST /instances.",
    "expired": "This instance was left unfinished for too long and expired; open another: POST /instances.",
}


class Holding:
    """The instances of one store, in memory. Its coroutines belong to one event loop.

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
        self._hearing: Hearing | None = None

    def close(self) -> None:
        """Ends the threads that read and listen; the store is the caller's."""
        if self._hearing is not None:
            self._hearing.close()
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

    def now(self) -> float:
        """Seconds since 1970, by this service's clock."""
        return self._clock()

    def token(self) -> str:
        """An unguessable name."""
        return self._token()

    async def read(self, query: Callable[[Connection], T]) -> T:
        """What a query on the store answers."""
        return await self._read(lambda: self._store.answer(query))

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
            if fold and slot.instance.held_out is not None:
                # Its round or its submission may have been closed elsewhere.
                await self._catch_up(slot)
        except BaseException:
            leave(slot)
            raise
        return slot

    async def _fold(self, slot: Slot, env: AnyEnvironment) -> None:
        if slot.instance.version != env.version:
            return
        entries = await self._read(lambda: self._store.episode(slot.instance.id))
        slot.hold(refolded(env, entries), entries[-1].n if entries else 0)

    async def _catch_up(self, slot: Slot) -> bool:
        """Takes over, under the slot's lock, what other processes have committed; whether there was any."""
        return self._store.shared and await self._refresh(slot)

    async def _refresh(self, slot: Slot) -> bool:
        before = slot.instance, slot.n, slot.folded
        newest = await self._reread(slot)
        if not slot.folded or newest != slot.n:
            slot.unfold()
            await self._fold(slot, self.environment(slot.instance.environment))
        return before != (slot.instance, slot.n, slot.folded)

    async def _reread(self, slot: Slot) -> int:
        """Brings the slot's instance up to date; returns the number of its newest entry.

        Raises:
            Gone: If it has ended.
        """
        standing = await self._read(lambda: self._store.find(slot.instance.id))
        assert standing is not None, f"{slot.instance.id} was there, and tombstones stay"
        if standing.ended is not None:
            self._slots.drop(slot)
            raise errors.Gone(ENDED[standing.ended])
        slot.instance = standing.instance
        return standing.newest

    async def _present(self, ref: str) -> Slot:
        """The slot of an instance that certainly lives."""
        slot = await self._slots.get(ref)
        if self._store.shared:
            await self._reread(slot)
        return slot

    def _hear(self) -> None:
        """Starts listening for what other processes commit."""
        if self._hearing is None:
            loop = asyncio.get_running_loop()

            def told(instance_id: str | None, newest: int | None) -> None:
                if not loop.is_closed():
                    loop.call_soon_threadsafe(self._heard, instance_id, newest)

            self._hearing = self._store.listen(told)

    def _heard(self, instance_id: str | None, newest: int | None) -> None:
        for slot in self._slots if instance_id is None else self._slots.of(instance_id):
            # What this process committed itself its listeners know already.
            if newest is None or newest > slot.n:
                slot.wake()

    def _current(self, slot: Slot) -> AnyEnvironment:
        """The instance's environment, if this process runs the version that it was made for."""
        env = self.environment(slot.instance.environment)
        if slot.instance.version != env.version:
            raise errors.Retired(
                f"This instance was played on {env.slug} version {slot.instance.version}; "
                f"version {env.version} runs now. Its transcript can be read; open a new instance to play on."
            )
        return env

    async def _search(self, ref: str) -> Instance:
        found = await self._read(lambda: self._store.find(ref))
        if found is None:
            raise errors.UnknownInstance(f"There is no instance {ref!r}; open one with POST /instances.")
        if found.ended is not None:
            raise errors.Gone(ENDED[found.ended])
        return found.instance

    async def _read(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._readers, work)
        except SQLAlchemyError as error:
            log.warning("the store cannot be read: %s", error)
            raise errors.StoreUnavailable("The database cannot be read now; try again.") from error


class _Opened:
    """`async with` over a slot; written out because a generator-based one costs as much as a validation."""

    __slots__ = ("_fold", "_holding", "_ref", "_slot")

    def __init__(self, holding: Holding, ref: str, fold: bool) -> None:
        self._holding = holding
        self._ref = ref
        self._fold = fold
        self._slot: Slot | None = None

    async def __aenter__(self) -> Slot:
        self._slot = await self._holding._enter(self._ref, self._fold)  # pyright: ignore[reportPrivateUsage]
        return self._slot

    async def __aexit__(self, *_exc: object) -> None:
        assert self._slot is not None
        leave(self._slot)


def leave(slot: Slot) -> None:
    """Gives up the lock of a slot that was entered."""
    slot.lock.release()
    slot.users -= 1


def held_by(slot: Slot, ref: str) -> Held:
    return Held(slot.instance, slot.episode, slot.n, read_only=ref != slot.instance.id)


def owned_by(slot: Slot, ref: str) -> Held:
    """The same for whoever holds the id; a watch link is refused."""
    held = held_by(slot, ref)
    if held.read_only:
        raise read_only()
    return held


def read_only() -> errors.ReadOnly:
    """What the holder of a watch link is told who wants to act."""
    return errors.ReadOnly("This is a watch link: it may look, not act. Ask for the instance's own link.")


def refolded(env: AnyEnvironment, entries: Sequence[Entry]) -> AnyEpisode | None:
    """The latest episode of these entries.

    Raises:
        Diverged: If they do not replay to their digests.
    """
    try:
        return journal.fold(env, entries)
    except journal.Divergence as error:
        raise errors.Diverged(f"This instance cannot be continued: {error}. Open a new instance.") from error
