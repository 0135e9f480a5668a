"""What is lost on the way is sent again and never played twice, by the blocking client and the async one."""

from __future__ import annotations

import threading

import pytest

from clients.errors import Busy, Refused, StaleStep, Unreachable
from clients.wire import Retry
from tests.clients.conftest import Connect
from tests.clients.proxy import LOST_ANSWER, LOST_REQUEST, Fault, Proxy

SLUG = "number-hunt"
FOUL = {"move": "guess", "number": 1_000}
GATEWAY = {
    status: Fault(forward=True, status=status, body=b"<html>Bad gateway</html>") for status in (502, 504)
}


@pytest.mark.parametrize("fault", [LOST_ANSWER, *GATEWAY.values()], ids=["lost", "502", "504"])
def test_a_step_whose_answer_is_lost_is_played_once_and_gets_the_first_answer(
    connect: Connect, proxy: Proxy, url: str, fault: Fault
):
    hunt = connect(proxy.url).open(SLUG)
    hunt.reset(seed=1)
    proxy.faults = [fault, fault]
    step = hunt.step(FOUL)
    assert (step.n, step.observation["fouls"]) == (2, 1)
    assert [entry.kind for entry in hunt.transcript()] == ["reset", "step"]
    keys = [key for path, key in proxy.seen if "/step" in path]
    assert len(keys) == 3
    assert len(set(keys)) == 1


def test_each_move_has_a_key_of_its_own(connect: Connect, proxy: Proxy):
    hunt = connect(proxy.url).open(SLUG)
    hunt.reset(seed=1)
    hunt.step(FOUL)
    hunt.step(FOUL)
    keys = [key for path, key in proxy.seen if "session_id" in path]
    assert len(set(keys)) == len(keys) == 3
    assert None not in keys


def test_a_reset_whose_answer_is_lost_opens_one_episode(connect: Connect, proxy: Proxy):
    hunt = connect(proxy.url).open(SLUG)
    proxy.faults = [LOST_ANSWER]
    hunt.reset(seed=5)
    assert [entry.seed for entry in hunt.transcript()] == [5]


def test_a_time_out_after_the_step_was_played_is_no_second_step(
    connect: Connect, proxy: Proxy, pauses: list[float]
):
    hunt = connect(proxy.url, timeout_s=1.0).open(SLUG)
    hunt.reset(seed=1)
    given_up = threading.Event()
    proxy.faults = [Fault(forward=True, until=given_up)]
    assert hunt.step(FOUL).n == 2
    given_up.set()
    assert pauses
    assert [entry.kind for entry in hunt.transcript()] == ["reset", "step"]


def test_a_busy_server_is_waited_for_as_long_as_it_asks(connect: Connect, proxy: Proxy, pauses: list[float]):
    hunt = connect(proxy.url).open(SLUG)
    busy = (
        b'{"detail": "Too many requests", "code": "too_many_requests"}',
        b'{"error": {"code": "store_unavailable", "message": "m", "details": null}}',
    )
    proxy.faults = [
        Fault(forward=False, status=status, headers=(("Retry-After", wait),), body=body)
        for status, wait, body in ((429, "7", busy[0]), (503, "2", busy[1]))
    ]
    hunt.reset(seed=1)
    assert pauses == [7.0, 2.0]


def test_a_server_that_asks_for_more_than_the_patience_is_not_waited_for(
    connect: Connect, proxy: Proxy, pauses: list[float]
):
    hunt = connect(proxy.url).open(SLUG)
    proxy.faults = [
        Fault(
            forward=False,
            status=503,
            headers=(("Retry-After", "60"),),
            body=b'{"detail": "The server is full", "code": "at_capacity"}',
        )
    ]
    with pytest.raises(Busy, match="full") as told:
        hunt.reset(seed=1)
    assert (told.value.retry_after_s, told.value.status, pauses) == (60.0, 503, [])


def test_an_error_that_waiting_does_not_change_is_told_at_once(
    connect: Connect, proxy: Proxy, pauses: list[float]
):
    hunt = connect(proxy.url).open(SLUG)
    with pytest.raises(Refused) as told:
        hunt.step(FOUL)
    assert (told.value.code, told.value.status) == ("not_reset", 409)
    assert pauses == []


def test_a_server_that_never_answers_is_given_up(connect: Connect, proxy: Proxy, pauses: list[float]):
    client = connect(proxy.url, retry=Retry(attempts=3, draw=lambda: 0.0))
    proxy.faults = [LOST_REQUEST] * 3
    with pytest.raises(Unreachable, match="3 attempts"):
        client.catalog()
    assert pauses == [0.125, 0.25]


def test_a_batch_whose_answer_is_lost_is_not_sent_again(connect: Connect, proxy: Proxy, pauses: list[float]):
    client = connect(proxy.url)
    proxy.faults = [LOST_ANSWER]
    with pytest.raises(Unreachable):
        client.batch_step([("0" * 32, FOUL)])
    assert pauses == []


def test_a_step_on_a_state_that_somebody_changed_is_refused_and_plays_nothing(connect: Connect, url: str):
    client = connect(url)
    hunt = client.open(SLUG)
    hunt.reset(seed=1)
    client.instance(SLUG, hunt.id).step(FOUL)
    with pytest.raises(StaleStep):
        hunt.step(FOUL)
    assert len(hunt.transcript()) == 2
    assert hunt.state().n == 2
    assert hunt.step(FOUL).n == 3
