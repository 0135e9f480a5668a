"""Open sockets: how many there may be, who has an instance's place, and who has been silent for too long.

Decides on signs of life only. A peer that has shown none for a minute keeps its socket, because a tunnel may
have swallowed its pongs, but loses its place to whoever wants it: the writer's place on an instance to who
writes next, its place on a full server to who comes next. Who sends no frame for half an hour is sent away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import monotonic

from instances.errors import AtCapacity

SILENT_S = 60.0
IDLE_S = 1_800.0
# A class behind one address may play together; a flood of idle connections may not.
PER_CLIENT = 300


class Occupied(Exception):
    """Somebody else writes on this instance through a socket."""


@dataclass(eq=False, slots=True)
class Seat:
    """One open socket.

    Attributes:
        client: Where it comes from, as the guard saw it.
        silence_s: Seconds since its peer last showed that it lives, by frames, pings or pongs.
        hang_up: Tells the peer why and closes.
        spoke_at: When it last sent a frame.
    """

    client: str
    silence_s: Callable[[], float]
    hang_up: Callable[[str], Awaitable[None]]
    spoke_at: float = 0.0


class Sessions:
    """The sockets of one process.

    Args:
        most: How many may be open at once.
        clock: Seconds that only grow.
    """

    def __init__(self, most: int, clock: Callable[[], float] = monotonic) -> None:
        self.most = most
        self._clock = clock
        self._seats: set[Seat] = set()
        self._writers: dict[str, Seat] = {}
        self._clients: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._seats)

    async def open(self, seat: Seat) -> None:
        """Lets a socket in; on a full server the longest silent one has to go.

        Raises:
            AtCapacity: If there is no place for it.
        """
        if self._clients[seat.client] >= PER_CLIENT:
            raise AtCapacity(f"{seat.client} has {PER_CLIENT} open sessions already; close some of these.")
        if len(self._seats) >= self.most:
            silent = max(self._seats, key=lambda other: other.silence_s())
            if silent.silence_s() < SILENT_S:
                open_now = len(self._seats)
                raise AtCapacity(
                    f"Server at capacity: {open_now} of {self.most} sessions are open; try again later."
                )
            self.close(silent)
            await silent.hang_up("You were silent, and the server needed your place.")
        self._seats.add(seat)
        self._clients[seat.client] += 1
        self.heard(seat)

    def close(self, seat: Seat) -> None:
        """Forgets a socket and frees its places."""
        if seat not in self._seats:
            return
        self._seats.remove(seat)
        self._clients[seat.client] -= 1
        if not self._clients[seat.client]:
            del self._clients[seat.client]
        for instance_id in [held for held, writer in self._writers.items() if writer is seat]:
            del self._writers[instance_id]

    def heard(self, seat: Seat) -> None:
        """Notes a frame."""
        seat.spoke_at = self._clock()

    def claim(self, seat: Seat, instance_id: str) -> None:
        """Makes this socket the one that writes on an instance.

        Raises:
            Occupied: If another one is, and lives.
        """
        writer = self._writers.get(instance_id)
        if writer is not None and writer is not seat and writer.silence_s() < SILENT_S:
            raise Occupied(
                "Another socket writes on this instance; look on with state, or write when it is gone. "
                "Over HTTP and on the page you can act beside it."
            )
        self._writers[instance_id] = seat

    async def sweep(self) -> None:
        """Sends away who has sent no frame for `IDLE_S`."""
        now = self._clock()
        for seat in [seat for seat in self._seats if now - seat.spoke_at >= IDLE_S]:
            self.close(seat)
            await seat.hang_up("No frame came for 30 minutes. Your instance is kept: join it by its id.")
