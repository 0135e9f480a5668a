"""Looking at instances: everything that changes nothing.

Decides what is read and when. What changes an instance is the service's.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from dataclasses import replace
from functools import partial
from hashlib import blake2b

from envs.kernel.outcome import Status
from envs.kernel.protocol import AnyEnvironment
from instances import errors
from instances.holding import Holding, held_by, refolded
from instances.inserts import Conflict
from instances.model import Actor, Entry, Held, Instance, Recorded
from instances.revealing import revealed
from instances.rows import instance_row
from instances.sealing import sealed_entry, sealed_episode
from instances.slots import Slot


def commons_id(environment: AnyEnvironment) -> str:
    """The id of the instance that callers share who name none; one for each version."""
    return _commons_id(environment.slug, environment.version)


def is_commons(instance: Instance) -> bool:
    """Whether this is, or was for an older version, the instance that everybody shares."""
    return instance.id == _commons_id(instance.environment, instance.version)


def _commons_id(slug: str, version: int) -> str:
    return f"default-{slug}-v{version}"


def named_id(environment: AnyEnvironment, name: str) -> str:
    """The id of the instance that callers share who chose this name; one for each version.

    Nobody is ever given such an id, and no name makes one that somebody was given.
    """
    plain = name if _PLAIN.fullmatch(name) else f"~{blake2b(name.encode(), digest_size=16).hexdigest()}"
    return f"{environment.slug}-v{environment.version}-{plain}"


def is_shared(instance: Instance) -> bool:
    """Whether its id can be guessed: the commons, and what stands under a name that a caller chose."""
    return _MINTED.fullmatch(instance.id) is None


# An id has room for 64 characters.
_PLAIN = re.compile(r"[A-Za-z0-9._-]{1,40}")
_MINTED = re.compile(r"[0-9a-f]{32}")


class Looking(Holding):
    """The instances of one store, to look at."""

    async def commons(self, slug: str) -> Instance:
        """The shared instance of callers that name none."""
        env = self.environment(slug)
        shared = commons_id(env)
        try:
            return (await self._slots.get(shared)).instance
        except errors.UnknownInstance:
            return await self._stand(env, shared)

    async def _stand(self, env: AnyEnvironment, instance_id: str) -> Instance:
        """Makes a shared instance, unless somebody was faster."""
        instance = Instance(
            instance_id, self._token(), env.slug, env.version, "", self._clock(), assisted=False
        )
        try:
            await self._store.writer.write([instance_row(instance)])
        except Conflict:
            return (await self._slots.get(instance_id)).instance
        return instance

    async def look(self, ref: str) -> Held:
        """The instance and its latest episode, for whoever holds the id or the watch link."""
        async with self._open(ref) as slot:
            self._current(slot)
            await self._catch_up(slot)
            return self._shown(held_by(slot, ref))

    async def find(self, ref: str) -> Instance:
        """The instance alone, also of an older version, as this process knows it.

        Another process may have ended it meanwhile; whatever is asked or done next will say so.
        """
        return (await self._slots.get(ref)).instance

    async def entries(self, ref: str, after: int = 0) -> tuple[Entry, ...]:
        """The journal above entry `after`, also of an older version."""
        slot = await self._present(ref)
        entries = slot.since(after) if slot.folded and not self._store.shared else None
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
        self._hear()
        with self._slots.using(slot):
            listener = asyncio.Event()
            slot.listeners.add(listener)
            try:
                seen = (await self.progress(ref))[0] if after is None else after
                yield None
                while not slot.gone:
                    listener.clear()
                    for entry in await self._news(slot, seen):
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
        instance = (await self._present(ref)).instance
        entries = await self._read(lambda: self._store.entries(instance.id, after, limit=limit))
        latest = await self._read(lambda: self._store.episode(instance.id))
        running = bool(latest) and latest[-1].status is Status.RUNNING
        return self._told(instance, entries), latest[0].n if running else None

    async def recorded(self, ref: str, at: int | None = None) -> Recorded:
        """An episode with its entries: the latest one, or as far as it had come at entry `at`.

        Raises:
            NotReset: If there is no episode.
            BadFork: If the journal has no entry `at`.
            Retired, Diverged: If it does not replay here.
        """
        slot = await self._present(ref)
        self._current(slot)
        instance, env = slot.instance, self.environment(slot.instance.environment)
        entries = await self._read(lambda: self._store.episode(instance.id, at))
        if at is not None and (not entries or entries[-1].n != at):
            raise errors.BadFork(f"The journal has no entry {at}; the transcript shows those it has.")
        episode = await self._read(lambda: refolded(env, entries))
        if episode is None:
            raise errors.NotReset("There is no episode yet; call reset first.")
        shown = self._shown(Held(instance, episode, entries[-1].n)).episode
        assert shown is not None
        assisted = instance.assisted or await self.revealed(instance, entries[0].n)
        return Recorded(replace(instance, assisted=assisted), shown, self._told(instance, entries))

    async def revealed(self, instance: Instance, first: int) -> bool:
        """Whether the player of the episode that entry `first` opened was shown its truth while it ran."""
        return await self.read(partial(revealed, instance_id=instance.id, n=first))

    async def progress(self, ref: str) -> tuple[int, int, bool]:
        """Number of the last entry, steps of the latest episode, whether it is done; of any version."""
        instance = (await self._present(ref)).instance
        latest = await self._read(lambda: self._store.episode(instance.id))
        if not latest:
            return 0, 0, False
        return latest[-1].n, len(latest) - 1, latest[-1].status is not Status.RUNNING

    async def actors(self, ref: str) -> tuple[tuple[Actor, int], ...]:
        """Who acted on this instance, and how often."""
        instance = (await self._present(ref)).instance
        return await self._read(lambda: self._store.actors(instance.id))

    async def artifact(self, name: str) -> tuple[str, bytes] | None:
        """Media type and content of a kept file."""
        return await self._read(lambda: self._store.artifact(name))

    async def artifacts(self, prefix: str = "") -> tuple[str, ...]:
        """Names of the kept files that start with `prefix`, in order."""
        return await self._read(lambda: self._store.artifacts(prefix))

    def watchers(self, instance: Instance) -> int:
        """How many listen to this instance in this process."""
        return next((len(s.listeners) for s in self._slots if s.instance.id == instance.id), 0)

    async def _news(self, slot: Slot, seen: int) -> tuple[Entry, ...]:
        """What a listener has not seen; nothing while the store cannot be read."""
        ours = slot.since(seen) if slot.folded and slot.instance.held_out is None else None
        if ours:
            return ours
        try:
            return await self.entries(slot.instance.id, seen)
        except (errors.Gone, errors.StoreUnavailable):
            # The end shows in the slot; when the store is back, every listener is woken.
            return ()

    def _shown(self, held: Held) -> Held:
        """What the caller gets to see: of a held-out case nothing that its round keeps to itself."""
        if held.episode is None or not held.instance.sealed(self._clock()):
            return held
        env = self.environment(held.instance.environment)
        return held._replace(episode=sealed_episode(env, held.episode))

    def _told(self, instance: Instance, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        if not instance.sealed(self._clock()):
            return entries
        return tuple(sealed_entry(entry) for entry in entries)
