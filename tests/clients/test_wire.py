"""When a request is sent again, how long the pauses are, and what an error answer is told as."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.errors import STATUS
from clients.errors import (
    KINDS,
    Busy,
    EpisodeOver,
    HeldOut,
    Malformed,
    Refused,
    UnexpectedAnswer,
    Unreachable,
)
from clients.protocol import LARGEST_BATCH, Caller, Hub
from clients.wire import Answer, Flow, Lost, Pause, Request, Retry, error_of, exchange, object_of

GET = Request("GET", "/catalog")
ONCE = Request("POST", "/instances/batch/step", {}, repeatable=False)
FINE = Answer(200, {}, b"{}")


def _answer(status: int, body: Any = None, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, named, b"" if body is None else json.dumps(body).encode())


def _sent(flow: Flow[Any], outcomes: list[Answer | Lost]) -> tuple[int, list[float]]:
    """How often a flow sends, and how long it pauses, when this comes of each attempt."""
    sent, pauses = 0, []
    came: Answer | Lost | None = None
    left: Iterator[Answer | Lost] = iter(outcomes)
    try:
        while True:
            wanted = flow.send(came)
            came = None
            if isinstance(wanted, Pause):
                pauses.append(wanted.seconds)
            else:
                sent += 1
                came = next(left)
    except (StopIteration, Refused, Unreachable):
        return sent, pauses


@pytest.mark.parametrize(
    ("request_", "outcome", "sends"),
    [
        (GET, Lost("reset", arrived=True), 2),
        (GET, Lost("refused", arrived=False), 2),
        (GET, _answer(502), 2),
        (GET, _answer(504), 2),
        (GET, _answer(503), 2),
        (GET, _answer(429), 2),
        (ONCE, Lost("reset", arrived=True), 1),
        (ONCE, Lost("refused", arrived=False), 2),
        (ONCE, _answer(502), 1),
        (ONCE, _answer(504), 1),
        (ONCE, _answer(503), 2),
        (ONCE, _answer(429), 2),
        (GET, _answer(500), 1),
        (GET, _answer(404), 1),
        (GET, _answer(409), 1),
        (GET, _answer(422), 1),
    ],
)
def test_what_may_have_been_played_is_only_sent_again_under_a_key(
    request_: Request, outcome: Answer | Lost, sends: int
):
    assert _sent(exchange(request_, Retry()), [outcome, FINE])[0] == sends


def test_pauses_double_up_to_their_bound():
    retry = Retry(
        attempts=7, first_wait_s=0.5, longest_wait_s=4.0, patience_s=100.0, draw=lambda: 1.0 - 2**-53
    )
    _, pauses = _sent(exchange(GET, retry), [_answer(503)] * 7)
    assert pauses == pytest.approx([0.5, 1.0, 2.0, 4.0, 4.0, 4.0])


@given(draw=st.floats(0.0, 1.0, exclude_max=True), attempt=st.integers(1, 40))
def test_jitter_keeps_a_pause_between_half_of_the_back_off_and_all_of_it(draw: float, attempt: int):
    retry = Retry(draw=lambda: draw)
    backoff = min(retry.longest_wait_s, retry.first_wait_s * 2 ** (attempt - 1))
    assert backoff / 2 <= retry.wait_s(attempt, Lost("", arrived=True)) <= backoff


def test_a_pause_is_never_shorter_than_the_server_asks():
    assert Retry().wait_s(1, _answer(429, retry_after="9")) == 9.0
    assert Retry(draw=lambda: 0.0).wait_s(3, _answer(429, retry_after="0")) == 0.5


@pytest.mark.parametrize("date", ["Wed, 21 Oct 2026 07:28:00 GMT", "-1", "1.5", "²", ""])
def test_a_retry_after_that_is_no_count_of_seconds_leaves_the_back_off(date: str):
    assert Retry(draw=lambda: 0.0).wait_s(1, _answer(503, retry_after=date)) == 0.125


def test_all_pauses_of_a_call_stay_within_its_patience():
    retry = Retry(attempts=50, patience_s=30.0)
    _, pauses = _sent(exchange(GET, retry), [_answer(429, retry_after="7")] * 50)
    assert pauses == [7.0, 7.0, 7.0, 7.0]


def test_every_code_with_a_class_of_its_own_is_one_of_the_server():
    assert KINDS.keys() <= STATUS.keys()


@pytest.mark.parametrize(
    ("answer", "kind", "code", "message", "details"),
    [
        (
            _answer(422, {"error": {"code": "invalid_request", "message": "m", "details": [{"loc": []}]}}),
            Malformed,
            "invalid_request",
            "m",
            [{"loc": []}],
        ),
        (_answer(409, {"detail": "closed", "code": "held_out"}), HeldOut, "held_out", "closed", None),
        (
            _answer(422, {"detail": [{"msg": "x"}], "code": "invalid_request"}),
            Malformed,
            "invalid_request",
            '[{"msg": "x"}]',
            [{"msg": "x"}],
        ),
        (_answer(400, {"detail": "no such case"}), Refused, "http_400", "no such case", None),
        (Answer(502, {}, b"<html>Bad gateway</html>"), Refused, "http_502", "<html>Bad gateway</html>", None),
        (Answer(500, {}, b""), Refused, "http_500", "status 500", None),
        (_answer(404, {"error": "not found"}), Refused, "http_404", "not found", None),
        (_answer(500, [1]), Refused, "http_500", "[1]", None),
    ],
)
def test_an_error_is_told_whatever_its_shape(
    answer: Answer, kind: type[Refused], code: str, message: str, details: object
):
    error = error_of(answer)
    assert type(error) is kind
    assert (error.code, str(error), error.details) == (code, message, details)
    assert error.status == answer.status


@pytest.mark.parametrize("code", [{}, {"code": "too_many_requests"}], ids=["unnamed", "named"])
def test_a_busy_server_says_when_to_come_back(code: dict[str, str]):
    error = error_of(_answer(429, {"detail": "slow down", **code}, retry_after="3"))
    assert isinstance(error, Busy)
    assert (error.code, error.retry_after_s) == ("too_many_requests", 3.0)


def test_a_batch_goes_in_parts_that_the_server_takes():
    moves = [(str(place), {"place": place}) for place in range(2 * LARGEST_BATCH + 3)]
    flow = Hub(Caller()).batch_step(moves)
    sizes: list[int] = []
    wanted = next(flow)
    answered: tuple[Any, ...] = ()
    while not answered:
        assert isinstance(wanted, Request)
        assert wanted.body is not None
        entries = wanted.body["entries"]
        sizes.append(len(entries))
        error = {"code": "episode_over", "message": "m", "details": None}
        told = [{"id": entry["id"], "status": 409, "error": error} for entry in entries]
        try:
            wanted = flow.send(_answer(200, {"entries": told}))
        except StopIteration as end:
            answered = end.value
    assert sizes == [LARGEST_BATCH, LARGEST_BATCH, 3]
    assert [ref for ref, _ in answered] == [ref for ref, _ in moves]
    assert all(type(outcome) is EpisodeOver for _, outcome in answered)


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"null", b"\xff", b'"text"'])
def test_an_answer_of_something_else_says_what_address_is_wanted(body: bytes):
    with pytest.raises(UnexpectedAnswer, match="address of an Auditorium"):
        object_of(Answer(200, {}, body))


@pytest.mark.parametrize("body", [{}, {"environments": 3}, {"environments": [{"slug": "x"}], "health": {}}])
def test_an_answer_that_lacks_something_asks_for_the_same_release(body: Mapping[str, Any]):
    flow = Hub(Caller()).catalog()
    next(flow)
    with pytest.raises(UnexpectedAnswer, match="same release"):
        flow.send(_answer(200, body))
