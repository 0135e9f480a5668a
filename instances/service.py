"""The instance service: every way to open, play, fork and end an instance.

Decides in what order things happen to an instance. Leaves rules to the kernel and words to the callers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from typing import Any

from sqlalchemy import Connection

from envs.kernel.play import AnyEpisode, open_episode, play
from envs.kernel.protocol import AnyEnvironment
from envs.kernel.records import Action, Record, Request, encode
from instances import errors, journal
from instances.buckets import CLIENT, Buckets
from instances.looking import Looking, commons_id, held_by, is_commons, owned_by, refolded
from instances.model import (
    Actor,
    ActorKind,
    Answer,
    Caller,
    Entry,
    EntryKind,
    Held,
    Instance,
    Round,
    Submission,
)
from instances.rounds import case_order, case_seed
from instances.slots import Slot
from instances.store import bury, entry_row, forget_before, instance_row, put_artifact
from instances.writer import Conflict

# A conflict means that another process wrote first; each turn sees what it wrote.
TURNS = 16


class Service(Looking):
    """All instances of one store, to look at and to change.

    Args:
        secret: What held-out cases are drawn from; without one the store's own, made when it has none.
    """

    def __init__(self, *args: Any, secret: bytes | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._count: int | None = None
        self._creations = Buckets(self.limits.creations_per_s, self.limits.creation_burst)
        self._secret = secret or self._store.secret(self._token() + self._token())

    # Opening and ending

    async def create(self, slug: str, label: str = "") -> Instance:
        """A new instance without an episode."""
        instance = self.fresh(slug, label)
        await self.admit()
        await self._store.writer.write([instance_row(instance)])
        self._slots.put(instance)
        return instance

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
            origin = self._writable(slot, ref).instance
            if origin.held_out is not None:
                raise errors.HeldOutCase("A held-out case cannot be forked; fork a practice instance.")
            entries = await self._episode_until(slot, at)
        instance = replace(self.fresh(origin.environment, label=""), assisted=True)
        await self.admit()
        copied = [entry_row(instance.id, _copied(entry, n)) for n, entry in enumerate(entries, start=1)]
        await self._store.writer.write([instance_row(instance)], copied)
        return instance

    async def erase(self, ref: str) -> None:
        """Deletes the journal and leaves a tombstone without personal data."""
        # What can no longer be played, because it is of an older version or does not replay, can be erased.
        async with self._open(ref, fold=False) as slot:
            instance = owned_by(slot, ref).instance
            if is_commons(instance):
                raise errors.ReadOnly("The shared instance belongs to everybody and cannot be erased.")
            written = self._store.writer.apply(partial(bury, instance_ids=[instance.id], reason="erased"))
            try:
                await _decided(written)
            finally:
                if written.done() and written.exception() is None:
                    self._count = None
                    self._slots.drop(slot)

    async def tidy(self) -> int:
        """Ends what was left unfinished too long and shortens endless journals; returns how many it ended."""
        before = self._clock() - self.limits.unfinished_s
        shared = {commons_id(entry.environment) for entry in self.catalog.values()}
        idle = await self._read(lambda: list(self._store.idle(before)))
        ended = [await self._expire(instance_id, before) for instance_id in idle if instance_id not in shared]
        for instance_id, n in await self._read(lambda: self._store.overlong(self.limits.instance_entries)):
            await self._store.writer.apply(partial(forget_before, instance_id=instance_id, n=n))
        self._count = None
        return sum(ended)

    async def _expire(self, instance_id: str, before: float) -> bool:
        """Ends an instance under its lock, if nobody has moved since it was found idle."""
        try:
            async with self._open(instance_id, fold=False) as slot:
                if not await self._read(lambda: list(self._store.idle(before, instance_id))):
                    return False
                await _decided(
                    self._store.writer.apply(partial(bury, instance_ids=[instance_id], reason="expired"))
                )
                self._slots.drop(slot)
                return True
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

    async def change(self, work: Callable[[Connection], None]) -> None:
        """Carries out other statements on the store, in turn with the journal's."""
        await self._store.writer.apply(work)

    def case_order(self, submission_id: str, cases: int) -> tuple[int, ...]:
        """The order in which a submission meets its cases."""
        return case_order(self._secret, submission_id, cases)

    def case_seed(self, round_name: str, case: int) -> int:
        """The seed of a round's case; not for players before the round closes."""
        return case_seed(self._secret, round_name, case)

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

    # Playing

    async def reset(self, ref: str, request: Request, caller: Caller) -> Answer:
        """Opens the next episode.

        Raises:
            Refusal: What the environment says of the request; nothing is recorded.
        """
        seed = self._draw() if request.seed is None else request.seed

        def act(env: AnyEnvironment, slot: Slot) -> tuple[AnyEpisode, Entry]:
            if slot.instance.held_out is not None:
                episode = self._drawn(env, slot)
            elif env.reserved(request):
                raise errors.HeldOutCase(
                    "Held-out cases are drawn by a round: enter one with POST /submissions, "
                    "or practise on public cases."
                )
            else:
                episode = journal.reset(env, slot.episode, request, seed)
            return episode, journal.reset_entry(episode, slot.n + 1, caller, self._clock())

        return await self._act(ref, request, caller, act)

    async def step(self, ref: str, action: Action, caller: Caller) -> Answer:
        """Plays an action; answered after its entry is committed.

        Raises:
            NotReset, EpisodeOver: Nothing is recorded.
        """

        def act(env: AnyEnvironment, slot: Slot) -> tuple[AnyEpisode, Entry]:
            if slot.episode is None:
                raise errors.NotReset("There is no episode yet; call reset first.")
            if len(slot.episode.steps) >= self.limits.episode_entries:
                raise errors.JournalFull(
                    f"This episode already has {len(slot.episode.steps)} recorded steps, "
                    f"{self.limits.episode_entries} are allowed; call reset."
                )
            episode = play(env, slot.episode, action)
            return episode, journal.step_entry(episode, slot.n + 1, caller, self._clock())

        return await self._act(ref, action, caller, act)

    async def _act(
        self,
        ref: str,
        body: Record,
        caller: Caller,
        act: Callable[[AnyEnvironment, Slot], tuple[AnyEpisode, Entry]],
    ) -> Answer:
        async with self._open(ref) as slot:
            self._writable(slot, ref)
            env = self.environment(slot.instance.environment)
            for _ in range(TURNS):
                earlier = await self._earlier(slot, body, caller)
                if earlier is not None:
                    return earlier
                _expect(slot, caller)
                self._in_time(slot)
                episode, entry = act(env, slot)
                try:
                    await self._commit(slot, entry, body, caller)
                except Conflict:
                    slot.unfold()
                    await self._fold(slot, env)
                    continue
                slot.advance(episode, entry)
                told = self._told(slot.instance, (entry,))
                return Answer(self._shown(held_by(slot, ref)), told[0])
        raise errors.StoreUnavailable(
            "Other writers were faster every time; the step did not happen. Try again."
        )

    def _drawn(self, env: AnyEnvironment, slot: Slot) -> AnyEpisode:
        """The episode of a held-out case, which the round drew and the caller cannot choose."""
        place = slot.instance.held_out
        assert place is not None
        if slot.episode is not None:
            raise errors.HeldOutCase("A held-out case is played once; it cannot be reset.")
        seed = self.case_seed(place.round.name, place.case)
        return journal.reset(env, None, env.held_out(place.round.level, seed), seed)

    def _in_time(self, slot: Slot) -> None:
        place = slot.instance.held_out
        if place is None:
            return
        if place.submission.closed_at is not None:
            raise errors.HeldOutCase("This submission was closed; make another to play on.")
        if self._clock() >= place.round.closes_at:
            raise errors.HeldOutCase(f"Round {place.round.name} has closed; submit to one that is open.")

    async def _commit(self, slot: Slot, entry: Entry, body: Record, caller: Caller) -> None:
        row = entry_row(slot.instance.id, entry)
        if caller.idempotency_key is None:
            written = self._store.writer.write((), (row,))
        else:
            key = (slot.instance.id, caller.idempotency_key, entry.n, _fingerprint(entry.kind, body))
            written = self._store.writer.write((), (row,), (key,))
        try:
            await _decided(written)
        except asyncio.CancelledError:
            # The row may be committed although nobody waits for it any more.
            slot.unfold()
            slot.wake()
            raise

    async def _earlier(self, slot: Slot, body: Record, caller: Caller) -> Answer | None:
        """The first answer to this idempotency key, if there was one."""
        key = caller.idempotency_key
        if key is None:
            return None
        found = await self._read(lambda: self._store.key(slot.instance.id, key))
        if found is None:
            return None
        n, fingerprint = found
        kind = EntryKind.RESET if isinstance(body, Request) else EntryKind.STEP
        if fingerprint != _fingerprint(kind, body):
            raise errors.KeyReused(f"Idempotency-Key {key!r} was used with another body; use a new key.")
        entries = await self._episode_until(slot, n)
        episode = refolded(self.environment(slot.instance.environment), entries)
        told = self._told(slot.instance, entries[-1:])
        return Answer(self._shown(Held(slot.instance, episode, n)), told[0], replayed=True)

    async def _episode_until(self, slot: Slot, at: int) -> tuple[Entry, ...]:
        """The entries from the last reset at or before entry `at`, up to it."""
        entries = await self._read(lambda: self._store.episode(slot.instance.id, at))
        if not entries or entries[-1].n != at:
            raise errors.BadFork(f"The journal has no entry {at}; its last one is {slot.n}.")
        return entries

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


async def _decided(written: asyncio.Future[None]) -> None:
    """Waits for the writer; a cancelled caller leaves only when it is known what became of its rows."""
    try:
        await asyncio.shield(written)
    except asyncio.CancelledError:
        await asyncio.wait([written])
        raise


def _copied(entry: Entry, n: int) -> Entry:
    """The entry for a fork: without a caller's label, which an erasure of the original would not reach."""
    ours = entry.actor.kind is ActorKind.BASELINE
    actor = entry.actor if ours else Actor(entry.actor.kind)
    return replace(entry, n=n, actor=actor)


def _expect(slot: Slot, caller: Caller) -> None:
    if caller.expected_step is not None and caller.expected_step != slot.n:
        raise errors.StaleStep(
            f"You expected entry {caller.expected_step} to be the last, it is {slot.n}; "
            "look at the state and decide again."
        )


def _fingerprint(kind: EntryKind, body: Record) -> str:
    return blake2b(kind.encode() + encode(body), digest_size=16).hexdigest()
