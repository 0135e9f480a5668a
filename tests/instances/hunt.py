"""The moves of Number-Hunt that the tests of this folder play, and who plays them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from envs.kernel.play import Episode
from instances import journal
from instances.model import Actor, ActorKind, Answer, Caller, Entry, Held, Surface
from instances.service import Service
from instances.store import Store
from tests.tiny import NumberHunt
from tests.tiny.dynamics import State
from tests.tiny.models import Action, Level, Memory, Move, Request
from tests.tiny.tasks import Task

Hunt = Episode[Request, Memory, Task, State, Action]
SLUG = NumberHunt.slug
GAME = NumberHunt()
OPEN = Request()
WIDE = Request(level=Level.HARD)
# Illegal, but recorded: it changes the state and spends no step, so a hunt can be as long as a test likes.
FOUL = Action(move=Move.GUESS, number=101)
GIVE_UP = Action(move=Move.GIVE_UP)


def guess(number: int) -> Action:
    return Action(move=Move.GUESS, number=number)


def by(label: str = "", *, key: str | None = None, expected: int | None = None) -> Caller:
    """A call by an agent of that name."""
    return Caller(Actor(ActorKind.AGENT, label), Surface.HTTP, key, expected)


def episode_of(held: Held) -> Hunt:
    """The episode of an instance that certainly has one."""
    assert held.episode is not None
    return held.episode


async def opened(service: Service, fouls: int = 0) -> str:
    """The id of a new instance in its first episode."""
    instance = await service.create(SLUG)
    await service.reset(instance.id, OPEN, by())
    for _ in range(fouls):
        await service.step(instance.id, FOUL, by())
    return instance.id


async def taken(feed: AsyncIterator[Entry | None], entries: int) -> list[int]:
    """The numbers of the next so many entries of a feed, pulses left out."""
    numbers: list[int] = []
    while len(numbers) < entries:
        entry = await anext(feed)
        if entry is not None:
            numbers.append(entry.n)
    return numbers


def journal_of(store: Store, instance_id: str) -> tuple[Entry, ...]:
    """The journal as committed, once it is certain that it has no gap and replays to its digests."""
    entries = store.entries(instance_id)
    assert [entry.n for entry in entries] == list(range(1, len(entries) + 1))
    journal.fold(GAME, entries)
    return entries


def assert_recorded(store: Store, instance_id: str, answers: Sequence[Answer]) -> None:
    """Every answer is the entry that stands under its number, and no two are the same."""
    entries = {entry.n: entry for entry in store.entries(instance_id)}
    assert len({answer.entry.n for answer in answers}) == len(answers)
    for answer in answers:
        assert entries[answer.entry.n] == answer.entry


def ended(store: Store, instance_id: str) -> str | None:
    """How the instance ended, once it is certain that its tombstone bears no name."""
    standing = store.find(instance_id)
    assert standing is not None
    assert standing.ended is None or standing.instance.label == ""
    return standing.ended
