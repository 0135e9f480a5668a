"""What calls out enters the journal as recorded data: once, in order, and never again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from envs.analyst.models import Act, Action, Answered, Request, answered
from envs.analyst.turns import Intent, Language, Turn
from envs.catalog import ENVIRONMENTS
from envs.kernel import records
from envs.kernel.protocol import Refusal
from instances.effects import Asked
from instances.errors import CallFailed, ReadOnly, StaleStep, UnknownInstance
from instances.export import chat
from instances.looking import is_shared
from instances.model import Actor, ActorKind, Caller, Move, Surface
from instances.service import Service
from instances.store import Store, open_engine
from instances.upkeep import bury

pytestmark = pytest.mark.anyio

SLUG = "analyst"
SET = Action(action=Act.SET_OBJECTIVE, objective="Find out why.")


def ask(message: str = "how many orders?") -> Action:
    return Action(action=Act.ASK, message=message)


def by(*, key: str | None = None, expected: int | None = None) -> Caller:
    return Caller(Actor(ActorKind.AGENT), Surface.HTTP, key, expected)


@dataclass
class Oracle:
    """Answers every question with its number, once the test lets it.

    Attributes:
        asked: What it was asked.
        fails: What it raises instead.
    """

    asked: list[Asked] = field(default_factory=list[Asked])
    free: asyncio.Event = field(default_factory=asyncio.Event)
    called: asyncio.Event = field(default_factory=asyncio.Event)
    fails: Exception | None = None

    def needed(self, action: records.Action) -> bool:
        return isinstance(action, Action) and action.action is Act.ASK

    async def carry_out(self, asked: Asked) -> records.Action:
        self.asked.append(asked)
        self.called.set()
        await asked.tell("thinking")
        await self.free.wait()
        if self.fails is not None:
            raise self.fails
        number = len(self.asked)
        turn = Turn(
            intent=Intent.CHAT,
            language=Language.EN,
            text=str(number),
            message_id=f"m{number}",
            generated_at="2026-07-06T03:21:09.114Z",
        )
        return Answered(**dict(asked.action), outcome=turn)

    async def close(self) -> None:
        """Nothing is running."""


@dataclass
class World:
    oracle: Oracle
    service: Service
    restarted: Callable[[], Service]


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    oracle = Oracle()
    oracle.free.set()
    started: list[tuple[Service, Store]] = []

    def start() -> Service:
        store = Store(open_engine(f"sqlite:///{tmp_path / 'a.db'}"))
        started.append((Service(store, ENVIRONMENTS, effects={SLUG: lambda _: oracle}), store))
        return started[-1][0]

    yield World(oracle, start(), start)
    for service, store in started:
        service.close()
        store.close()


@pytest.fixture
async def ref(world: World) -> str:
    instance = await world.service.create(SLUG)
    await world.service.reset(instance.id, Request(), by())
    return instance.id


async def texts(service: Service, ref: str) -> list[str]:
    episode = (await service.look(ref)).episode
    assert episode is not None
    return [each.outcome.text for each in answered(episode.actions)]


async def test_an_action_that_calls_out_is_recorded_with_what_came_of_it(world: World, ref: str):
    answer = await world.service.step(ref, ask(), by())
    assert '"outcome":' in answer.entry.body
    assert await texts(world.service, ref) == ["1"]


async def test_an_action_that_needs_nothing_calls_nobody(world: World, ref: str):
    await world.service.step(ref, SET, by())
    assert world.oracle.asked == []


async def test_a_replay_calls_nobody_and_gives_the_same(world: World, ref: str):
    await world.service.step(ref, ask(), by())
    await world.service.step(ref, SET, by())
    before = await world.service.look(ref)
    again = world.restarted()
    assert await texts(again, ref) == ["1"]
    held = await again.look(ref)
    assert held.episode is not None
    assert before.episode is not None
    assert held.episode.state == before.episode.state
    assert len(world.oracle.asked) == 1


async def test_a_fork_calls_nobody(world: World, ref: str):
    answer = await world.service.step(ref, ask(), by())
    fork = await world.service.fork(ref, answer.entry.n)
    assert await texts(world.service, fork.id) == ["1"]
    assert len(world.oracle.asked) == 1


async def test_an_export_has_what_was_sent_and_not_what_came_of_it(world: World, ref: str):
    await world.service.step(ref, ask("why?"), by())
    row = chat(ENVIRONMENTS[SLUG], await world.service.recorded(ref))
    arguments = row["completion"][0]["tool_calls"][0]["function"]["arguments"]
    assert arguments["message"] == "why?"
    assert "outcome" not in arguments


async def test_a_call_that_fails_records_nothing(world: World, ref: str):
    world.oracle.fails = CallFailed("the source is away")
    with pytest.raises(CallFailed):
        await world.service.step(ref, ask(), by())
    assert (await world.service.progress(ref))[:2] == (1, 0)
    world.oracle.fails = None
    assert (await world.service.step(ref, ask(), by())).entry.n == 2


async def test_a_call_that_nobody_waits_for_is_cancelled_and_records_nothing(world: World, ref: str):
    world.oracle.free.clear()
    step = asyncio.create_task(world.service.step(ref, ask(), by()))
    await world.oracle.called.wait()
    step.cancel()
    with pytest.raises(asyncio.CancelledError):
        await step
    assert (await world.service.progress(ref))[:2] == (1, 0)
    world.oracle.free.set()
    assert (await world.service.step(ref, ask(), by())).entry.n == 2


async def test_calls_on_one_instance_come_one_after_the_other(world: World, ref: str):
    world.oracle.free.clear()
    steps = [asyncio.create_task(world.service.step(ref, ask(), by())) for _ in range(3)]
    await world.oracle.called.wait()
    await asyncio.sleep(0)
    assert len(world.oracle.asked) == 1
    world.oracle.free.set()
    await asyncio.gather(*steps)
    assert [len(asked.episode.steps) for asked in world.oracle.asked] == [0, 1, 2]


async def test_an_instance_can_be_looked_at_and_played_while_a_call_is_out(world: World, ref: str):
    world.oracle.free.clear()
    step = asyncio.create_task(world.service.step(ref, ask(), by()))
    await world.oracle.called.wait()
    assert (await world.service.look(ref)).n == 1
    assert (await world.service.step(ref, SET, by())).entry.n == 2
    world.oracle.free.set()
    assert (await step).entry.n == 3


async def test_what_others_did_meanwhile_makes_an_expected_step_stale(world: World, ref: str):
    world.oracle.free.clear()
    step = asyncio.create_task(world.service.step(ref, ask(), by(expected=1)))
    await world.oracle.called.wait()
    await world.service.step(ref, SET, by())
    world.oracle.free.set()
    with pytest.raises(StaleStep):
        await step
    assert await texts(world.service, ref) == []


async def test_a_stale_step_is_refused_before_anybody_is_called(world: World, ref: str):
    with pytest.raises(StaleStep):
        await world.service.step(ref, ask(), by(expected=0))
    assert world.oracle.asked == []


async def test_a_retry_gets_the_first_answer_and_calls_nobody(world: World, ref: str):
    first = await world.service.step(ref, ask(), by(key="k"))
    again = await world.service.step(ref, ask(), by(key="k"))
    assert (again.replayed, again.entry) == (True, first.entry)
    assert len(world.oracle.asked) == 1


async def test_a_caller_hears_how_it_stands(world: World, ref: str):
    heard: list[str] = []

    async def tell(word: str) -> None:
        heard.append(word)

    await world.service.step(ref, ask(), by(), tell)
    assert heard == ["thinking"]


async def test_a_batch_plays_no_action_that_calls_out(world: World, ref: str):
    refused, played = await world.service.batch([Move(ref, ask(), by()), Move(ref, SET, by())])
    assert isinstance(refused, Refusal)
    assert not isinstance(played, Exception)
    assert played.entry.n == 2
    assert world.oracle.asked == []


async def test_a_name_means_one_instance_that_nobody_erases_and_begins_anew_after_it(world: World):
    first = await world.service.named(SLUG, "an_42")
    assert await world.service.named(SLUG, "an_42") == first
    assert (await world.service.named(SLUG, "an_43")).id != first.id
    await world.service.reset(first.id, Request(), by())
    with pytest.raises(ReadOnly):
        await world.service.erase(first.id)
    await world.service.change(partial(bury, instance_id=first.id, reason="expired"))
    later = world.restarted()
    again = await later.named(SLUG, "an_42")
    assert again.id == first.id
    assert again.watch_id != first.watch_id
    assert await later.entries(again.id) == ()


@pytest.mark.parametrize("name", ["an_42", "0" * 32, "a" * 200, "Ünal", "~", "default-analyst-v1"])
async def test_no_name_makes_an_id_that_somebody_was_given(world: World, name: str):
    minted = await world.service.create(SLUG)
    named = await world.service.named(SLUG, name)
    assert is_shared(named)
    assert not is_shared(minted)
    assert len(named.id) <= 64
    with pytest.raises(UnknownInstance):
        await world.service.find(name)
