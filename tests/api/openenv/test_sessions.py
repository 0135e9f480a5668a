"""Who has a place and for how long, by a clock that the test moves."""

from __future__ import annotations

import pytest

from api.openenv.sessions import IDLE_S, PER_CLIENT, SILENT_S, Occupied, Seat, Sessions
from instances.errors import AtCapacity
from tests.api.calls import OUTSIDE, TASK, opened
from tests.api.inside import Api
from tests.api.openenv.sockets import connected, error_of


class Peer:
    """A socket's peer, as silent as the test says."""

    def __init__(self, client: str = "198.51.100.1") -> None:
        self.silent_s = 0.0
        self.told: list[str] = []
        self.seat = Seat(client, lambda: self.silent_s, self._hang_up)

    async def _hang_up(self, why: str) -> None:
        self.told.append(why)


@pytest.fixture
def now() -> list[float]:
    return [1_000.0]


@pytest.fixture
def sessions(now: list[float]) -> Sessions:
    return Sessions(2, clock=lambda: now[0])


async def test_a_full_server_refuses_while_everybody_lives(sessions: Sessions):
    for _ in range(2):
        await sessions.open(Peer().seat)
    with pytest.raises(AtCapacity, match="2 of 2 sessions"):
        await sessions.open(Peer().seat)
    assert len(sessions) == 2


async def test_a_dead_peer_frees_its_place_within_a_minute(sessions: Sessions):
    dead, alive, newcomer = Peer(), Peer(), Peer()
    await sessions.open(dead.seat)
    await sessions.open(alive.seat)
    dead.silent_s = SILENT_S
    await sessions.open(newcomer.seat)
    assert len(sessions) == 2
    assert dead.told
    assert not alive.told


async def test_a_peer_that_is_silent_but_not_in_the_way_keeps_its_place(sessions: Sessions, now: list[float]):
    peer = Peer()
    await sessions.open(peer.seat)
    peer.silent_s = 20 * SILENT_S
    now[0] += 20 * SILENT_S
    await sessions.sweep()
    sessions.claim(peer.seat, "x")
    assert (len(sessions), peer.told) == (1, [])


async def test_a_dead_writer_loses_the_instance_to_the_next_who_writes(sessions: Sessions):
    dead, heir = Peer(), Peer()
    await sessions.open(dead.seat)
    await sessions.open(heir.seat)
    sessions.claim(dead.seat, "x")
    with pytest.raises(Occupied):
        sessions.claim(heir.seat, "x")
    dead.silent_s = SILENT_S
    sessions.claim(heir.seat, "x")
    dead.silent_s = 0.0
    with pytest.raises(Occupied):
        sessions.claim(dead.seat, "x")


async def test_a_writer_that_leaves_frees_the_instance_at_once(sessions: Sessions):
    first, second = Peer(), Peer()
    await sessions.open(first.seat)
    await sessions.open(second.seat)
    sessions.claim(first.seat, "x")
    sessions.close(first.seat)
    sessions.close(first.seat)
    sessions.claim(second.seat, "x")
    assert len(sessions) == 1


async def test_a_living_idle_peer_is_kept_for_half_an_hour_and_then_sent_away(
    sessions: Sessions, now: list[float]
):
    idle, busy = Peer(), Peer()
    await sessions.open(idle.seat)
    await sessions.open(busy.seat)
    now[0] += IDLE_S - 1
    await sessions.sweep()
    assert len(sessions) == 2
    sessions.heard(busy.seat)
    now[0] += 1
    await sessions.sweep()
    assert len(sessions) == 1
    assert "join it by its id" in idle.told[0]
    assert not busy.told


async def test_one_client_cannot_take_every_place():
    sessions = Sessions(10_000)
    for _ in range(PER_CLIENT):
        await sessions.open(Peer().seat)
    with pytest.raises(AtCapacity, match="already"):
        await sessions.open(Peer().seat)
    await sessions.open(Peer("203.0.113.7").seat)


async def test_on_a_real_socket_a_minute_of_silence_cuts_nobody_and_half_an_hour_does(
    api: Api, monkeypatch: pytest.MonkeyPatch
):
    now = [0.0]
    monkeypatch.setattr(api.app.sessions, "_clock", lambda: now[0])
    async with connected(api.app, silence_s=lambda: 60.0 + now[0]) as socket:
        await socket.ask("reset", TASK)
        now[0] = 60.0
        await api.app.sessions.sweep()
        assert (await socket.ask("step", OUTSIDE))["type"] == "observation"
        now[0] = 60.0 + IDLE_S
        await api.app.sessions.sweep()
        assert error_of(await socket.heard())[0] == "SESSION_ERROR"
        assert await socket.closed() == 1001
    assert len(api.app.sessions) == 0


async def test_a_silent_writer_loses_its_place_on_a_real_socket(api: Api):
    ref = await opened(api)
    silent_s = [0.0]
    query = f"session_id={ref}"
    async with (
        connected(api.app, query=query, silence_s=lambda: silent_s[0]) as first,
        connected(api.app, query=query) as second,
    ):
        await first.ask("step", OUTSIDE)
        assert error_of(await second.ask("step", OUTSIDE))[0] == "SESSION_ERROR"
        silent_s[0] = SILENT_S
        assert (await second.ask("step", OUTSIDE))["type"] == "observation"
        assert error_of(await first.ask("step", OUTSIDE))[0] == "SESSION_ERROR"
