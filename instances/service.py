"""The instance service: every way to open, fork and end an instance.

Decides how instances come and go. How they are looked at and played is in the classes it builds on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from sqlalchemy import Connection

from envs.kernel.play import AnyEpisode, open_episode, play
from envs.kernel.records import Action, Request
from instances import errors, files, journal
from instances.batch import Batching
from instances.buckets import CLIENT, Buckets
from instances.holding import owned_by
from instances.looking import commons_id, is_shared, named_id
from instances.model import Actor, ActorKind, Caller, Entry, Held, Instance, Round, Submission
from instances.playing import TURNS
from instances.revealing import reveal
from instances.rows import entry_row, instance_row
from instances.store import put_artifact
from instances.upkeep import bury, expire, forget_before, idle, overlong, raise_up


class Service(Batching):
    """All instances of one store, to open, look at, play and end."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._count: int | None = None
        self._creations = Buckets(self.limits.creations_per_s, self.limits.creation_burst)

    async def create(self, slug: str, label: str = "") -> Instance:
        """A new instance without an episode."""
        instance = self.fresh(slug, label)
        await self.admit()
        await self._store.writer.write([instance_row(instance)])
        self._slots.put(instance)
        return instance

    async def named(self, slug: str, name: str) -> Instance:
        """The instance that callers share who chose this name, made on first use.

        One that has expired begins anew: a name is not used up.
        """
        env = self.environment(slug)
        shared = named_id(env, name)
        for _ in range(TURNS):
            try:
                return await self.find(shared)
            except errors.UnknownInstance:
                await self.admit()
                return await self._stand(env, shared)
            except errors.Gone:
                await self.admit()
                await self.change(
                    partial(raise_up, instance_id=shared, watch_id=self._token(), at=self._clock())
                )
        raise errors.StoreUnavailable("This name expires again and again; try again.")

    def fresh(self, slug: str, label: str) -> Instance:
        """An instance that nobody has heard of yet."""
        version = self.environment(slug).version
        return Instance(self._token(), self._token(), slug, version, label, self._clock(), assisted=False)

    async def fork(self, ref: str, at: int) -> Instance:
        """A new, assisted instance that stands where this one stood after entry `at`.

        Raises:
            BadFork: If the journal has no such entry.
        """
        async with self._open(ref) as slot:
            self._writable(slot, ref)
            await self._catch_up(slot)
            origin = slot.instance
            if origin.held_out is not None:
                raise errors.HeldOutCase("A held-out case cannot be forked; fork a practice instance.")
            entries = await self._episode_until(slot, at)
        instance = replace(self.fresh(origin.environment, label=""), assisted=True)
        await self.admit()
        copied = [entry_row(instance.id, _copied(entry, n)) for n, entry in enumerate(entries, start=1)]
        await self._store.writer.write([instance_row(instance)], copied)
        # In parts, as they came, so that a large file holds nobody up.
        for name, part in await self.read(partial(files.parts, instance_id=origin.id)):
            await self._store.writer.apply(
                partial(files.copy_part, origin=origin.id, instance_id=instance.id, name=name, part=part)
            )
        return instance

    async def erase(self, ref: str) -> None:
        """Deletes the journal and leaves a tombstone without personal data."""
        # What can no longer be played, because it is of an older version or does not replay, can be erased.
        async with self._open(ref, fold=False) as slot:
            instance = owned_by(slot, ref).instance
            if is_shared(instance):
                raise errors.ReadOnly("A shared instance belongs to everybody and cannot be erased.")
            await self._present(ref)
            written = self._store.writer.apply(partial(bury, instance_id=instance.id, reason="erased"))
            try:
                await written
            finally:
                if written.done() and written.exception() is None:
                    self._count = None
                    self._slots.drop(slot)

    async def tidy(self) -> int:
        """Ends what was left unfinished too long and shortens endless journals; returns how many it ended."""
        before = self._clock() - self.limits.unfinished_s
        shared = {commons_id(entry.environment) for entry in self.catalog.values()}
        left = await self.read(partial(idle, before=before))
        ended = [await self._expire(instance_id, before) for instance_id in left if instance_id not in shared]
        for instance_id, n in await self.read(partial(overlong, limit=self.limits.instance_entries)):
            await self._store.writer.apply(partial(forget_before, instance_id=instance_id, n=n))
        self._count = None
        return sum(ended)

    async def _expire(self, instance_id: str, before: float) -> bool:
        """Ends an instance under its lock, if nobody has moved since it was found idle."""
        ended: list[bool] = []

        def end(connection: Connection) -> None:
            ended.append(expire(connection, instance_id, before))

        try:
            async with self._open(instance_id, fold=False) as slot:
                await self._store.writer.apply(end)
                if ended[-1]:
                    self._slots.drop(slot)
                return ended[-1]
        except errors.Gone:
            return False

    async def record(
        self,
        slug: str,
        request: Request,
        seed: int,
        actions: Sequence[Action],
        caller: Caller,
        label: str = "",
    ) -> Instance:
        """A whole episode that was played elsewhere, as a new instance, in one commit.

        Raises:
            Refusal: If the environment does not open such a case, or an action comes after the end.
        """
        env = self.environment(slug)
        at = self._clock()
        episode: AnyEpisode = open_episode(env, request, env.memory_type(), seed)
        entries = [journal.reset_entry(episode, 1, caller, at)]
        for n, action in enumerate(actions, start=2):
            episode = play(env, episode, action)
            entries.append(journal.step_entry(episode, n, caller, at))
        instance = self.fresh(slug, label)
        await self.admit()
        rows = [entry_row(instance.id, entry) for entry in entries]
        await self._store.writer.write([instance_row(instance)], rows)
        return instance

    async def put_artifact(self, name: str, media_type: str, content: bytes) -> None:
        """Keeps a file of an evaluation; an earlier one of that name is replaced."""
        await self._store.writer.apply(
            partial(put_artifact, name=name, media_type=media_type, content=content)
        )

    async def reveal(self, held: Held) -> None:
        """Notes, before it happens, that the player of an episode is shown its truth: it is assisted then."""
        assert held.episode is not None
        first = held.n - len(held.episode.steps)
        if not await self.revealed(held.instance, first):
            await self.change(partial(reveal, instance_id=held.instance.id, n=first))

    async def change(self, work: Callable[[Connection], None]) -> None:
        """Carries out other statements on the store, in turn with the journal's."""
        await self._store.writer.apply(work)

    async def journal_of(self, instance_id: str) -> tuple[Entry, ...]:
        """The latest episode's entries as they were recorded, sealed by nothing; not for players."""
        return await self._read(lambda: self._store.episode(instance_id))

    def relearn(self, changed: Round | Submission) -> None:
        """Takes what has changed of a round or a submission over into the instances in memory."""
        self._slots.changes += 1
        for slot in self._slots:
            place = slot.instance.held_out
            if place is None:
                continue
            submission = place.submission
            if isinstance(changed, Submission) and submission.id == changed.id:
                submission = changed
            elif isinstance(changed, Round) and submission.round.name == changed.name:
                submission = replace(submission, round=changed)
            slot.instance = replace(slot.instance, held_out=replace(place, submission=submission))
            slot.wake()

    async def admit(self, count: int = 1) -> None:
        """Counts new instances in.

        Raises:
            TooManyRequests: If the client has opened too many of late.
            AtCapacity: If the server keeps no more.
        """
        client = CLIENT.get()
        wait = self._creations.wait_s(client, count) if client else 0.0
        if wait:
            raise errors.TooManyRequests.of(client, wait)
        if self._count is None:
            counted = await self._read(self._store.count)
            # Somebody may have counted, and come in, while this call was reading.
            self._count = counted if self._count is None else self._count
        if self._count + count > self.limits.instances:
            raise errors.AtCapacity(
                f"This server keeps at most {self.limits.instances} instances; try again later."
            )
        self._count += count


def _copied(entry: Entry, n: int) -> Entry:
    """The entry for a fork: without a caller's label, which an erasure of the original would not reach."""
    ours = entry.actor.kind is ActorKind.BASELINE
    actor = entry.actor if ours else Actor(entry.actor.kind)
    return entry._replace(n=n, actor=actor)
