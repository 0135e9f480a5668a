"""The calls of the blocking and of the async client, on a real server."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Queue
from typing import Any

import httpx
import pytest

from clients.errors import (
    EpisodeOver,
    Gone,
    Malformed,
    NotPossible,
    NotReset,
    Refused,
    UnknownEnvironment,
    UnknownInstance,
)
from clients.http import Auditorium
from clients.records import Entry, Status
from tests.clients.conftest import Connect
from tests.clients.proxy import Fault, Proxy
from tests.laws.plays import CATALOGUE

SLUG = "number-hunt"
GIVE_UP = {"move": "give_up"}
FOUL = {"move": "guess", "number": 1_000}
MISS = {"move": "guess", "number": 1}


@pytest.fixture
def client(connect: Connect, url: str) -> Any:
    return connect(url, actor="agent:tester")


@pytest.fixture
def hunt(client: Any) -> Any:
    """A new instance in its first episode, whose hidden number is not 1."""
    made = client.open(SLUG, label="the hunt")
    made.reset(seed=2)
    return made


def test_the_catalog_lists_every_environment(client: Any):
    catalog = client.catalog()
    assert {environment.slug for environment in catalog.environments} == set(CATALOGUE)
    for slug, entry in CATALOGUE.items():
        environment = catalog.environment(slug)
        assert (environment.version, environment.levels) == (
            entry.environment.version,
            entry.environment.levels,
        )
        assert environment.horizon == entry.environment.horizon


def test_an_unknown_name_is_refused_at_the_start_with_the_known_ones(client: Any):
    for ask in (client.open, client.schemas, client.catalog().environment):
        with pytest.raises(UnknownEnvironment) as told:
            ask("ledgershieldd")
        assert "'ledgershieldd'" in str(told.value)
        assert all(slug in str(told.value) for slug in CATALOGUE)
        assert (told.value.code, told.value.status) == ("unknown_environment", 404)


def test_a_step_tells_what_came_of_it(hunt: Any):
    step = hunt.step(MISS)
    assert (step.reward, step.reward_parts) == (-0.05, {"miss": -0.05})
    assert (step.status, step.done, step.legal, step.n) == (Status.RUNNING, False, True, 2)
    assert step.observation["guesses"] == [{"number": 1, "answer": "higher"}]
    assert step.message == "A miss."
    assert "1  higher" in step.text


def test_an_illegal_action_is_played_and_says_why(hunt: Any):
    step = hunt.step(FOUL)
    assert (step.legal, step.reward, step.status) == (False, -0.1, Status.RUNNING)
    assert "use 1 to 31" in step.message


def test_what_happened_ends_an_episode_as_terminated_and_the_clock_as_truncated(hunt: Any):
    assert hunt.step(GIVE_UP).status is Status.TERMINATED
    hunt.reset(seed=2)
    statuses = [hunt.step(MISS).status for _ in range(5)]
    assert statuses == [Status.RUNNING] * 4 + [Status.TRUNCATED]


def test_the_state_tells_where_the_episode_stands(client: Any, hunt: Any):
    assert client.instance(SLUG, client.open(SLUG).id).state().status is None
    hunt.step(MISS)
    state = hunt.state()
    assert (state.step_count, state.task_id, state.status) == (1, "hunt-1", Status.RUNNING)
    assert (state.total_reward, state.n) == (-0.05, 2)


def test_the_transcript_has_who_did_what(hunt: Any):
    hunt.step(MISS)
    first, second = hunt.transcript()
    assert (first.kind, first.seed, second.kind, second.body["number"]) == ("reset", 2, "step", 1)
    assert second.actor == {"kind": "agent", "label": "tester"}
    assert hunt.transcript(after=1) == (second,)


def test_a_long_transcript_comes_whole(hunt: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("api.hub.PAGE", 2)
    for _ in range(4):
        hunt.step(FOUL)
    assert [entry.n for entry in hunt.transcript()] == [1, 2, 3, 4, 5]


def test_a_fork_plays_on_from_where_the_other_stood(hunt: Any):
    hunt.step(FOUL)
    hunt.step(GIVE_UP)
    fork = hunt.fork(at=2)
    assert fork.id != hunt.id
    assert fork.step(MISS).observation["fouls"] == 1
    assert hunt.state().status is Status.TERMINATED


def test_an_instance_comes_with_its_links(hunt: Any, url: str):
    opened = hunt.opened
    assert opened.base_url == f"{url}/envs/{SLUG}/instances/{hunt.id}"
    assert hunt.id in opened.ui_url
    assert httpx.get(f"{url}/instances/{opened.watch_id}").json()["label"] == "the hunt"


def test_erasing_twice_is_erasing_once(hunt: Any):
    hunt.erase()
    hunt.erase()
    with pytest.raises(Gone):
        hunt.state()


def test_an_erasure_whose_answer_is_lost_is_done(connect: Connect, proxy: Proxy):
    hunt = connect(proxy.url).open(SLUG)
    proxy.faults = [Fault(forward=True)]
    hunt.erase()
    assert [path for path, _ in proxy.seen if path.startswith("DELETE")] == [
        f"DELETE /instances/{hunt.id}"
    ] * 2


@pytest.mark.parametrize(
    ("move", "kind"),
    [
        (lambda hunt: hunt.step({"move": "fly"}), Malformed),
        (lambda hunt: hunt.step({}), Malformed),
        (lambda hunt: hunt.reset(level="harder"), Malformed),
        (lambda hunt: [hunt.step(GIVE_UP), hunt.step(GIVE_UP)], EpisodeOver),
        (lambda hunt: hunt.fork(at=9), Refused),
    ],
)
def test_each_refusal_has_its_class(hunt: Any, move: Any, kind: type[Refused]):
    with pytest.raises(kind) as told:
        move(hunt)
    assert type(told.value) is kind


def test_a_case_that_is_not_there_is_not_possible(client: Any):
    with pytest.raises(NotPossible, match="nothing_001"):
        client.open("forecast-audit").reset(task_id="nothing_001")


def test_an_instance_that_is_not_there_is_unknown(client: Any):
    with pytest.raises(UnknownInstance, match="Session not found"):
        client.instance(SLUG, "0" * 32).reset()


def test_a_step_before_the_reset_says_so(client: Any):
    with pytest.raises(NotReset):
        client.open(SLUG).step(MISS)


@pytest.mark.parametrize("address", ["localhost:7860", "", "ftp://example.org"])
def test_an_address_of_another_kind_is_refused_at_once(address: str):
    with pytest.raises(ValueError, match="http or https"):
        Auditorium(address)


def test_each_move_of_a_batch_is_answered_on_its_own(client: Any, hunt: Any):
    other = client.open("forecast-audit")
    nobody = "0" * 32
    resets = client.batch_reset(
        [(hunt.id, {"seed": 2}), (nobody, {}), (other.id, {"track": "audit", "seed": 1})]
    )
    assert [ref for ref, _ in resets] == [hunt.id, nobody, other.id]
    opened, refused, report = (outcome for _, outcome in resets)
    assert (opened.status, opened.n, report.observation["difficulty"]) == (Status.RUNNING, 2, "easy")
    assert type(refused) is UnknownInstance
    steps = client.batch_step(
        [(hunt.id, FOUL), (hunt.id, {"move": "fly"}), (hunt.id, GIVE_UP), (hunt.id, MISS)]
    )
    foul, malformed, end, late = (outcome for _, outcome in steps)
    assert (foul.legal, end.status) == (False, Status.TERMINATED)
    assert (type(malformed), type(late)) == (Malformed, EpisodeOver)
    assert [entry.surface for entry in hunt.transcript()] == ["http", "batch", "batch", "batch"]


def test_events_come_as_they_are_committed_and_end_with_the_instance(client: Any, hunt: Any):
    player = client.instance(SLUG, hunt.id)
    with _listening(hunt.events(after=0)) as heard:
        assert heard.get(timeout=20.0) == 1
        for n, action in ((2, MISS), (3, FOUL)):
            player.step(action)
            assert heard.get(timeout=20.0) == n
        player.erase()
        assert heard.get(timeout=20.0) is None


def test_events_start_behind_the_latest_entry(client: Any, hunt: Any):
    hunt.step(MISS)
    with _listening(hunt.events()) as heard:
        while heard.empty():
            hunt.step(FOUL)
        first = heard.get()
        assert first is not None
        assert first > 2
        hunt.erase()


def test_a_feed_that_breaks_goes_on_behind_its_last_entry(
    connect: Connect, proxy: Proxy, url: str, pauses: list[float]
):
    hunt = connect(url).open(SLUG)
    hunt.reset(seed=2)
    for _ in range(3):
        hunt.step(FOUL)
    proxy.faults = [Fault(forward=True, after=1), Fault(forward=False), Fault(forward=True, after=2)]
    events = iter(connect(proxy.url).instance(SLUG, hunt.id).events(after=0))
    assert [next(events).n for _ in range(4)] == [1, 2, 3, 4]
    opened = [path for path, _ in proxy.seen]
    assert opened[0].endswith("after=0")
    assert opened[-1].endswith("after=3")
    assert len(pauses) == len(opened) - 1
    hunt.erase()
    assert list(events) == []


@contextmanager
def _listening(events: Iterator[Entry]) -> Iterator[Queue[int | None]]:
    """The numbers of the entries that come, then None."""
    heard: Queue[int | None] = Queue()

    def listen() -> None:
        for entry in events:
            heard.put(entry.n)
        heard.put(None)

    listener = threading.Thread(target=listen)
    listener.start()
    yield heard
    listener.join()
