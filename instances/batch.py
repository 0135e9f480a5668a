"""Batches: many moves in one call and one commit, each with an outcome of its own.

Decides what moves of one batch are to each other. What a single move is, is told in `playing`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from envs.kernel.play import AnyEpisode
from envs.kernel.protocol import AnyEnvironment, Refusal
from instances import errors
from instances.holding import held_by, leave, read_only
from instances.inserts import Conflict, Row
from instances.model import Answer, Entry, Held, Move
from instances.pacing import Pace
from instances.playing import OUTPACED, TURNS, Playing, key_rows
from instances.rows import entry_row
from instances.slots import Slot
from instances.writer import Decision

LARGEST_BATCH = 1_024

Outcome = Answer | errors.InstanceError | Refusal
"""What became of a move: its answer, or why nothing of it was recorded."""


@dataclass(slots=True)
class _Draft:
    """What a batch is about to do to one instance.

    Attributes:
        moves: The moves on it, each with its place in the batch, in the batch's order.
        played: What was accepted of them, and where it leads.
    """

    slot: Slot
    env: AnyEnvironment
    moves: Sequence[tuple[int, Move]]
    played: list[tuple[int, AnyEpisode, Entry]] = field(default_factory=list[tuple[int, AnyEpisode, Entry]])
    keys: list[Row] = field(default_factory=list[Row])

    def clear(self) -> None:
        self.played.clear()
        self.keys.clear()


class Batching(Playing):
    """The instances of one store, to look at and to play, one by one or many at once."""

    async def batch(self, moves: Sequence[Move]) -> tuple[Outcome, ...]:
        """Plays many moves; those that are accepted are committed together.

        Moves on the same instance are played in the order given, each on what the one before led to; what is
        refused changes nothing and the next one is played all the same. The moves on one instance are
        committed all or none; no instance suffers from another's failure.

        Args:
            moves: At most `LARGEST_BATCH`; an action must be of its instance's environment.
        Returns:
            For each move, in the order given, its answer or the error it earned.
        Raises:
            ValueError: If there are too many moves.
        """
        if len(moves) > LARGEST_BATCH:
            raise ValueError(f"a batch has at most {LARGEST_BATCH} moves, this one has {len(moves)}")
        outcomes: dict[int, Outcome] = {}
        drafts: list[_Draft] = []
        try:
            await self._enter_each(moves, drafts, outcomes)
            await self._play(drafts, outcomes)
        finally:
            for draft in drafts:
                leave(draft.slot)
        return tuple(outcomes[place] for place in range(len(moves)))

    async def _play(self, drafts: Sequence[_Draft], outcomes: dict[int, Outcome]) -> None:
        pace = Pace()
        for _ in range(TURNS):
            for draft in drafts:
                await self._draft(draft, outcomes, pace)
            drafts = await self._write(drafts, outcomes)
            if not drafts:
                break
        for draft in drafts:
            _fail(draft, errors.StoreUnavailable(OUTPACED), outcomes)

    async def _enter_each(
        self, moves: Sequence[Move], drafts: list[_Draft], outcomes: dict[int, Outcome]
    ) -> None:
        """Adds a draft for each instance that can be played; its slot is locked, and the caller leaves it."""
        by_ref: dict[str, list[tuple[int, Move]]] = {}
        for place, move in enumerate(moves):
            by_ref.setdefault(move.ref, []).append((place, move))
        # Two batches that meet would wait for each other for ever if each locked in an order of its own.
        for ref in sorted(by_ref):
            try:
                # By its watch link an instance would be locked, and waited for, a second time.
                if (await self.find(ref)).id != ref:
                    raise read_only()
                drafts.append(await self._entered(ref, by_ref[ref]))
            except errors.InstanceError as error:
                outcomes.update((place, error) for place, _ in by_ref[ref])

    async def _entered(self, ref: str, moves: Sequence[tuple[int, Move]]) -> _Draft:
        slot = await self._enter(ref, fold=True)
        try:
            return _Draft(slot, self._writable(slot, ref), moves)
        except errors.InstanceError:
            leave(slot)
            raise

    async def _draft(self, draft: _Draft, outcomes: dict[int, Outcome], pace: Pace) -> None:
        """Plays the moves on one instance, on what is committed; nothing is recorded yet."""
        try:
            # What another process has done meanwhile may have made right what was refused.
            if await self._try(draft, outcomes, pace) and await self._catch_up(draft.slot):
                await self._try(draft, outcomes, pace)
        except errors.InstanceError as error:
            _fail(draft, error, outcomes)
            draft.clear()

    async def _try(self, draft: _Draft, outcomes: dict[int, Outcome], pace: Pace) -> bool:
        """Whether a move was refused."""
        draft.clear()
        refused = False
        held = held_by(draft.slot, draft.slot.instance.id)
        for place, move in draft.moves:
            await pace.breathe()
            try:
                earlier = await self._earlier(draft.slot, move.body, move.caller)
                if earlier is not None:
                    outcomes[place] = earlier
                    continue
                _unused(draft, move)
                if self.calls_out(move.body):
                    raise Refusal("An action that calls out is played by itself and not in a batch.")
                episode, entry = self._moved(draft.env, held, move.body, move.caller)
            except (errors.InstanceError, Refusal) as error:
                outcomes[place] = error
                refused = True
                continue
            held = Held(held.instance, episode, entry.n)
            draft.played.append((place, episode, entry))
            draft.keys += key_rows(held.instance, entry, move.body, move.caller)
        return refused

    async def _write(self, drafts: Sequence[_Draft], outcomes: dict[int, Outcome]) -> list[_Draft]:
        """Commits the drafts; returns those that another process made out of date, folded anew."""
        full = [draft for draft in drafts if draft.played]
        # Handed over in one breath, they are one commit; if that fails, the writer tells them apart.
        written = [self._store.writer.write((), _rows(draft), draft.keys) for draft in full]
        await _all_decided(full, written)
        late: list[_Draft] = []
        for draft, decision in zip(full, written, strict=True):
            match decision.exception():
                case None:
                    self._accept(draft, outcomes)
                case Conflict():
                    draft.slot.unfold()
                    try:
                        await self._refresh(draft.slot)
                        late.append(draft)
                    except errors.InstanceError as error:
                        _fail(draft, error, outcomes)
                case errors.InstanceError() as error:
                    draft.slot.unfold()
                    _fail(draft, error, outcomes)
                case error:
                    raise error
        return late

    def _accept(self, draft: _Draft, outcomes: dict[int, Outcome]) -> None:
        instance = draft.slot.instance
        for place, episode, entry in draft.played:
            draft.slot.advance(episode, entry)
            outcomes[place] = self._answer(Held(instance, episode, entry.n), entry)


def _rows(draft: _Draft) -> list[Row]:
    return [entry_row(draft.slot.instance.id, entry) for _, _, entry in draft.played]


def _unused(draft: _Draft, move: Move) -> None:
    key = move.caller.idempotency_key
    if key is not None and any(row[1] == key for row in draft.keys):
        raise errors.KeyReused(f"Idempotency-Key {key!r} stands twice in this batch; give each move its own.")


def _fail(draft: _Draft, error: errors.InstanceError, outcomes: dict[int, Outcome]) -> None:
    """Gives every move that would have been recorded the same error."""
    outcomes.update((place, error) for place, _, _ in draft.played)


async def _all_decided(drafts: Sequence[_Draft], written: Sequence[Decision]) -> None:
    """Waits for the writer; a cancelled caller leaves only when it is known what became of the rows."""
    cancelled: asyncio.CancelledError | None = None
    for decision in written:
        try:
            await decision
        except asyncio.CancelledError as error:
            cancelled = error
        except (Conflict, errors.InstanceError):
            # Each draft is told its own.
            continue
    if cancelled is not None:
        for draft in drafts:
            draft.slot.unfold()
            draft.slot.wake()
        raise cancelled
