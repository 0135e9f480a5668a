"""Playing: how a move becomes a committed entry, exactly once.

Decides which moves are accepted and in what order they count. What a move leads to is the kernel's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, Self

from envs.kernel.play import AnyEpisode, play
from envs.kernel.protocol import AnyEnvironment, Refusal
from envs.kernel.records import Action, Request, encode
from instances import errors, journal
from instances.effects import Asked, Effect, Tell, unheard
from instances.holding import held_by, read_only, refolded
from instances.inserts import Conflict, Row
from instances.looking import Looking
from instances.model import Answer, Caller, Entry, EntryKind, Held, Instance
from instances.rounds import alias, case_order, case_seed
from instances.rows import entry_row
from instances.slots import Slot

# A conflict means that another process wrote first; each turn sees what it wrote.
TURNS = 16
OUTPACED = "Other writers were faster every time; the step did not happen. Try again."


class Playing(Looking):
    """The instances of one store, to look at and to play.

    Args:
        secret: What held-out cases are drawn from; without one the store's own, made when it has none.
        effects: What makes the handler of an environment's calls, by slug; it is given this service.

    Attributes:
        effects: The handlers by slug.
    """

    def __init__(
        self,
        *args: Any,
        secret: bytes | None = None,
        effects: Mapping[str, Callable[[Self], Effect]] = MappingProxyType({}),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.effects: Mapping[str, Effect] = {slug: make(self) for slug, make in effects.items()}
        self._calling: Mapping[type[Request | Action], Effect] = {
            self.environment(slug).action_type: each for slug, each in self.effects.items()
        }
        self._secret = secret or self._store.secret(self._token() + self._token())

    async def reset(self, ref: str, request: Request, caller: Caller) -> Answer:
        """Opens the next episode.

        Raises:
            Refusal: What the environment says of the request; nothing is recorded.
        """
        return await self._act(ref, request, caller)

    async def step(self, ref: str, action: Action, caller: Caller, tell: Tell = unheard) -> Answer:
        """Plays an action; answered after its entry is committed.

        Args:
            tell: Hears how it stands with an action that calls out.
        Raises:
            NotReset, EpisodeOver: Nothing is recorded.
            CallFailed: If what it needed from outside did not come; nothing is recorded.
        """
        if not self.calls_out(action):
            return await self._act(ref, action, caller)
        effect = self._calling[type(action)]
        slot = await self._slots.get(ref)
        with self._slots.using(slot):
            async with slot.turn:
                earlier, asked = await self._asked(ref, action, caller, tell)
                if earlier is not None:
                    return earlier
                return await self._act(ref, action, caller, await effect.carry_out(asked))

    def calls_out(self, body: Request | Action) -> bool:
        """Whether a move needs something from outside before it can be recorded."""
        effect = self._calling.get(type(body))
        return effect is not None and isinstance(body, Action) and effect.needed(body)

    async def _asked(
        self, ref: str, action: Action, caller: Caller, tell: Tell
    ) -> tuple[Answer | None, Asked]:
        """What a handler is told of an action, and the first answer to its key if there was one.

        The instance is let go of meanwhile: what others do to it is done, and whether the action still fits
        is decided when it is recorded.
        """
        async with self._open(ref) as slot:
            env = self._writable(slot, ref)
            await self._catch_up(slot)
            held = held_by(slot, ref)
            earlier = await self._earlier(slot, action, caller)
            if earlier is None:
                # Whoever is refused now need not be kept waiting for a call.
                self._moved(env, held, action, caller)
            assert held.episode is not None
            return earlier, Asked(held.instance, held.episode, action, tell)

    def case_order(self, submission_id: str, cases: int) -> tuple[int, ...]:
        """The order in which a submission meets its cases."""
        return case_order(self._secret, submission_id, cases)

    def case_seed(self, round_name: str, case: int) -> int:
        """The seed of a round's case; not for players before the round closes."""
        return case_seed(self._secret, round_name, case)

    def alias(self, client: str) -> str:
        """A name under which a client can be counted and which does not tell who it is."""
        return alias(self._secret, client)

    async def _act(
        self, ref: str, body: Request | Action, caller: Caller, played: Action | None = None
    ) -> Answer:
        """Plays a move and commits it.

        Args:
            played: The same action with what came of its call.
        """
        async with self._open(ref) as slot:
            env = self._writable(slot, ref)
            for _ in range(TURNS):
                earlier = await self._earlier(slot, body, caller)
                if earlier is not None:
                    return earlier
                try:
                    episode, entry = self._moved(env, held_by(slot, ref), played or body, caller)
                except (errors.InstanceError, Refusal):
                    # What another process has done meanwhile may have made it right.
                    if await self._catch_up(slot):
                        continue
                    raise
                try:
                    await self._commit(slot, entry, key_rows(slot.instance, entry, body, caller))
                except Conflict:
                    slot.unfold()
                    await self._refresh(slot)
                    continue
                slot.advance(episode, entry)
                return self._answer(held_by(slot, ref), entry)
        raise errors.StoreUnavailable(OUTPACED)

    def _writable(self, slot: Slot, ref: str) -> AnyEnvironment:
        """The environment of an instance that whoever holds `ref` may play on."""
        if ref != slot.instance.id:
            raise read_only()
        return self._current(slot)

    def _moved(
        self, env: AnyEnvironment, held: Held, body: Request | Action, caller: Caller
    ) -> tuple[AnyEpisode, Entry]:
        """What a move leads to, and its entry; nothing is recorded yet."""
        _expect(held, caller)
        self._in_time(held.instance)
        if isinstance(body, Request):
            episode = self._reopened(env, held, body)
            return episode, journal.reset_entry(episode, held.n + 1, caller, self._clock())
        episode = self._stepped(env, held, body)
        return episode, journal.step_entry(episode, held.n + 1, caller, self._clock())

    def _reopened(self, env: AnyEnvironment, held: Held, request: Request) -> AnyEpisode:
        if held.instance.held_out is not None:
            return self._drawn(env, held)
        if env.reserved(request):
            raise errors.HeldOutCase(
                "Held-out cases are drawn by a round: enter one with POST /submissions, "
                "or practise on public cases."
            )
        seed = self._draw() if request.seed is None else request.seed
        return journal.reset(env, held.episode, request, seed)

    def _stepped(self, env: AnyEnvironment, held: Held, action: Action) -> AnyEpisode:
        if held.episode is None:
            raise errors.NotReset("There is no episode yet; call reset first.")
        if len(held.episode.steps) >= self.limits.episode_entries:
            raise errors.JournalFull(
                f"This episode already has {len(held.episode.steps)} recorded steps, "
                f"{self.limits.episode_entries} are allowed; call reset."
            )
        return play(env, held.episode, action)

    def _drawn(self, env: AnyEnvironment, held: Held) -> AnyEpisode:
        """The episode of a held-out case, which the round drew and the caller cannot choose."""
        place = held.instance.held_out
        assert place is not None
        if held.episode is not None:
            raise errors.HeldOutCase("A held-out case is played once; it cannot be reset.")
        seed = self.case_seed(place.round.name, place.case)
        return journal.reset(env, None, env.held_out(place.round.level, seed), seed)

    def _in_time(self, instance: Instance) -> None:
        place = instance.held_out
        if place is None:
            return
        if place.submission.closed_at is not None:
            raise errors.HeldOutCase("This submission was closed; make another to play on.")
        if self._clock() >= place.round.closes_at:
            raise errors.HeldOutCase(f"Round {place.round.name} has closed; submit to one that is open.")

    def _answer(self, held: Held, entry: Entry, *, replayed: bool = False) -> Answer:
        told = self._told(held.instance, (entry,))
        return Answer(self._shown(held), told[0], replayed)

    async def _commit(self, slot: Slot, entry: Entry, keys: tuple[Row, ...]) -> None:
        written = self._store.writer.write((), (entry_row(slot.instance.id, entry),), keys)
        try:
            await written
        except (asyncio.CancelledError, errors.StoreUnavailable):
            # The row may be committed although nobody waits for it any more, or nobody could be told.
            slot.unfold()
            slot.wake()
            raise

    async def _earlier(self, slot: Slot, body: Request | Action, caller: Caller) -> Answer | None:
        """The first answer to this idempotency key, if there was one."""
        key = caller.idempotency_key
        if key is None:
            return None
        found = await self._read(lambda: self._store.key(slot.instance.id, key))
        if found is None:
            return None
        n, fingerprint = found
        if fingerprint != _fingerprint(body):
            raise errors.KeyReused(f"Idempotency-Key {key!r} was used with another body; use a new key.")
        entries = await self._episode_until(slot, n)
        episode = refolded(self.environment(slot.instance.environment), entries)
        return self._answer(Held(slot.instance, episode, n), entries[-1], replayed=True)

    async def _episode_until(self, slot: Slot, at: int) -> tuple[Entry, ...]:
        """The entries from the last reset at or before entry `at`, up to it."""
        entries = await self._read(lambda: self._store.episode(slot.instance.id, at))
        if not entries or entries[-1].n != at:
            raise errors.BadFork(f"The journal has no entry {at}; its last one is {slot.n}.")
        return entries


def key_rows(instance: Instance, entry: Entry, body: Request | Action, caller: Caller) -> tuple[Row, ...]:
    """The row that makes a retry of this move get its first answer, if the caller gave a key."""
    if caller.idempotency_key is None:
        return ()
    return ((instance.id, caller.idempotency_key, entry.n, _fingerprint(body)),)


def _expect(held: Held, caller: Caller) -> None:
    if caller.expected_step is not None and caller.expected_step != held.n:
        raise errors.StaleStep(
            f"You expected entry {caller.expected_step} to be the last, it is {held.n}; "
            "look at the state and decide again."
        )


def _fingerprint(body: Request | Action) -> str:
    kind = EntryKind.RESET if isinstance(body, Request) else EntryKind.STEP
    return blake2b(kind.encode() + encode(body), digest_size=16).hexdigest()
