"""What lives in memory: folded instances, least recently used ones first out."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Generator, Iterator
from contextlib import contextmanager
from itertools import islice

from envs.kernel.play import AnyEpisode
from instances.model import Entry, Instance

RECENT = 32


class Slot:
    """One instance in memory: the fold so far, the lock of its steps, and who listens.

    Attributes:
        turn: Held by an action that calls out, so that the next one waits and everybody can look meanwhile.
    """

    __slots__ = ("episode", "folded", "gone", "instance", "listeners", "lock", "n", "recent", "turn", "users")

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.episode: AnyEpisode | None = None
        self.n = 0
        self.folded = False
        self.gone = False
        self.users = 0
        self.lock = asyncio.Lock()
        self.turn = asyncio.Lock()
        self.listeners: set[asyncio.Event] = set()
        self.recent: deque[Entry] = deque(maxlen=RECENT)

    def hold(self, episode: AnyEpisode | None, n: int) -> None:
        """Takes a fold as the truth."""
        self.episode, self.n, self.folded = episode, n, True

    def unfold(self) -> None:
        """Forgets the fold; the next call reads the journal again."""
        self.episode, self.n, self.folded = None, 0, False
        self.recent.clear()

    def advance(self, episode: AnyEpisode, entry: Entry) -> None:
        """Takes a committed entry and wakes the listeners."""
        self.episode, self.n = episode, entry.n
        self.recent.append(entry)
        self.wake()

    def wake(self) -> None:
        """Tells every listener to look again."""
        for listener in self.listeners:
            listener.set()

    def since(self, after: int) -> tuple[Entry, ...] | None:
        """The entries numbered above `after`, None when memory does not reach back that far."""
        if after >= self.n:
            return ()
        if not self.recent or self.recent[0].n > after + 1:
            return None
        return tuple(entry for entry in self.recent if entry.n > after)


class Slots:
    """The slots of one process, at most `size` of them and those in use."""

    def __init__(self, size: int, find: Callable[[str], Awaitable[Instance]]) -> None:
        self._size = size
        self._find = find
        self._slots: OrderedDict[str, Slot] = OrderedDict()
        self._ids: dict[str, str] = {}
        self.changes = 0

    def __iter__(self) -> Iterator[Slot]:
        return iter(list(self._slots.values()))

    def of(self, instance_id: str) -> tuple[Slot, ...]:
        """The instance's slot, if it is in memory."""
        slot = self._slots.get(instance_id)
        return () if slot is None else (slot,)

    async def get(self, ref: str) -> Slot:
        """The slot of the instance with this id or watch id."""
        slot = self._slots.get(self._ids.get(ref, ref))
        if slot is None:
            instance = await self._current(ref)
            # Somebody may have put it there while this call was reading.
            slot = self._slots.get(instance.id) or self._put(Slot(instance))
        self._slots.move_to_end(slot.instance.id)
        return slot

    async def _current(self, ref: str) -> Instance:
        while True:
            changes = self.changes
            instance = await self._find(ref)
            # What was read while an instance ended or a round changed may be out of date already.
            if changes == self.changes:
                return instance

    def put(self, instance: Instance) -> Slot:
        """The slot of an instance that was just made, with its empty journal already folded."""
        slot = self._put(Slot(instance))
        slot.hold(None, 0)
        return slot

    def drop(self, slot: Slot) -> None:
        """Takes an ended instance out and sends its listeners away."""
        self.changes += 1
        slot.gone = True
        slot.wake()
        self._remove(slot)

    @contextmanager
    def using(self, slot: Slot) -> Generator[Slot]:
        """Keeps the slot in memory meanwhile: two slots of one instance would be two locks."""
        slot.users += 1
        try:
            yield slot
        finally:
            slot.users -= 1

    def _put(self, slot: Slot) -> Slot:
        self._slots[slot.instance.id] = slot
        self._ids[slot.instance.watch_id] = slot.instance.id
        self._evict(slot)
        return slot

    def _evict(self, newest: Slot) -> None:
        """Takes the longest unused slots out, but never the one that somebody is about to use."""
        surplus = len(self._slots) - self._size
        if surplus > 0:
            unused = (slot for slot in self._slots.values() if slot.users == 0 and slot is not newest)
            for slot in list(islice(unused, surplus)):
                self._remove(slot)

    def _remove(self, slot: Slot) -> None:
        if self._slots.get(slot.instance.id) is slot:
            del self._slots[slot.instance.id]
            self._ids.pop(slot.instance.watch_id, None)
