"""A batch answers each of its moves by itself, and commits all that it accepts at once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from envs.kernel.play import EpisodeOver
from instances import errors
from instances.batch import LARGEST_BATCH, Outcome
from instances.model import Answer, Move
from instances.service import Service
from instances.store import Store
from tests.instances.conftest import StartProcess
from tests.instances.hunt import (
    FOUL,
    GIVE_UP,
    OPEN,
    SLUG,
    assert_recorded,
    by,
    episode_of,
    guess,
    journal_of,
    opened,
    taken,
)
from tests.instances.trouble import commits, hold_up, locked
from tests.tiny.models import Action, Request

SEEDED = Request(seed=7)


def move(ref: str, body: Request | Action = FOUL, *, key: str | None = None, expected: int | None = None):
    return Move(ref, body, by(key=key, expected=expected))


def accepted(outcomes: Sequence[Outcome]) -> list[Answer]:
    """The outcomes of a batch in which nothing was refused."""
    answers = [outcome for outcome in outcomes if isinstance(outcome, Answer)]
    assert len(answers) == len(outcomes), outcomes
    return answers


async def several(service: Service, count: int) -> list[str]:
    return [await opened(service) for _ in range(count)]


@pytest.mark.parametrize("body", [FOUL, guess(1), GIVE_UP, SEEDED], ids=["illegal", "legal", "last", "reset"])
async def test_a_move_gets_the_answer_that_it_would_get_alone(
    start: StartProcess, archive: Store, body: Request | Action
):
    service = start().service
    ids = [(await service.create(SLUG)).id for _ in range(2)]
    accepted(await service.batch([move(instance_id, SEEDED) for instance_id in ids]))
    (together,) = accepted(await service.batch([move(ids[0], body)]))
    if isinstance(body, Request):
        alone = await service.reset(ids[1], body, by())
    else:
        alone = await service.step(ids[1], body, by())
    assert together.entry == alone.entry
    assert (together.held.episode, together.held.n) == (alone.held.episode, alone.held.n)
    assert await service.look(ids[0]) == together.held
    assert_recorded(archive, ids[0], [together])


async def test_a_batch_is_one_commit(start: StartProcess, archive: Store):
    process = start()
    ids = await several(process.service, 100)
    before = commits(process)
    accepted(await process.service.batch([move(instance_id) for instance_id in ids]))
    assert commits(process) - before == 1
    assert all(len(journal_of(archive, instance_id)) == 2 for instance_id in ids)


async def test_moves_on_one_instance_build_on_each_other_in_the_order_given(
    start: StartProcess, archive: Store
):
    service = start().service
    first, second = await several(service, 2)
    moves = [move(first), move(second, GIVE_UP), move(first), move(second, OPEN), move(first, GIVE_UP)]
    answers = accepted(await service.batch(moves))
    assert [answer.entry.n for answer in answers] == [2, 2, 3, 3, 4]
    assert [len(episode_of(answer.held).steps) for answer in answers] == [1, 1, 2, 0, 3]
    for instance_id in (first, second):
        assert_recorded(archive, instance_id, [a for a in answers if a.held.instance.id == instance_id])
        journal_of(archive, instance_id)


async def test_a_refused_move_harms_no_other(start: StartProcess, archive: Store):
    service = start().service
    good, ended, erased = await several(service, 3)
    blank = (await service.create(SLUG)).id
    watched = (await service.find(good)).watch_id
    await service.step(ended, GIVE_UP, by())
    await service.erase(erased)
    refused = {
        ended: EpisodeOver,
        erased: errors.Gone,
        blank: errors.NotReset,
        watched: errors.ReadOnly,
        "f" * 32: errors.UnknownInstance,
    }
    outcomes = await service.batch(
        [move(good), *map(move, refused), move(good, expected=1), move(good, expected=2)]
    )
    for outcome, error in zip(outcomes[1:], [*refused.values(), errors.StaleStep], strict=False):
        assert isinstance(outcome, error)
    answers = accepted([outcomes[0], outcomes[-1]])
    assert [answer.entry.n for answer in answers] == [2, 3]
    assert_recorded(archive, good, answers)
    assert len(journal_of(archive, good)) == 3


async def test_an_instance_that_cannot_be_committed_harms_no_other(start: StartProcess, archive: Store):
    service = start().service
    good, bad = await several(service, 2)
    unwritable = Move(bad, FOUL, by("a lone surrogate \ud800"))
    outcomes = await service.batch([unwritable, move(good), move(bad)])
    assert isinstance(outcomes[0], errors.StoreUnavailable)
    assert isinstance(outcomes[2], errors.StoreUnavailable)
    assert accepted(outcomes[1:2])[0].entry == journal_of(archive, good)[-1]
    assert len(journal_of(archive, bad)) == 1
    assert accepted(await service.batch([move(bad)]))[0].entry.n == 2


async def test_a_batch_that_cannot_be_committed_did_not_happen(
    start: StartProcess, archive: Store, store_url: str
):
    process = start(busy_ms=200)
    ids = await several(process.service, 3)
    with locked(store_url):
        outcomes = await process.service.batch([move(instance_id) for instance_id in ids])
    assert {type(outcome) for outcome in outcomes} == {errors.StoreUnavailable}
    assert {len(journal_of(archive, instance_id)) for instance_id in ids} == {1}
    answers = accepted(await process.service.batch([move(instance_id) for instance_id in ids]))
    assert {answer.entry.n for answer in answers} == {2}


async def test_a_retried_batch_gets_the_first_answers(start: StartProcess, archive: Store):
    service = start().service
    ids = await several(service, 3)
    moves = [move(instance_id, key="k") for instance_id in ids]
    first = accepted(await service.batch(moves))
    again = accepted(await service.batch([*moves, move(ids[0])]))
    assert [answer.entry for answer in again[:3]] == [answer.entry for answer in first]
    assert [answer.replayed for answer in again] == [True, True, True, False]
    assert [len(journal_of(archive, instance_id)) for instance_id in ids] == [3, 2, 2]


async def test_a_key_that_stands_twice_in_a_batch_is_used_once(start: StartProcess, archive: Store):
    service = start().service
    instance_id = await opened(service)
    first, second = await service.batch([move(instance_id, key="k"), move(instance_id, key="k")])
    assert accepted([first])[0].entry.n == 2
    assert isinstance(second, errors.KeyReused)
    assert len(journal_of(archive, instance_id)) == 2


async def test_batches_that_meet_are_all_played_and_none_waits_for_ever(start: StartProcess, archive: Store):
    service = start().service
    ids = await several(service, 8)
    async with asyncio.timeout(20):
        batches, _ = await asyncio.gather(
            asyncio.gather(
                *(service.batch([move(i) for i in (ids if turn % 2 else ids[::-1])]) for turn in range(10))
            ),
            asyncio.gather(*(service.step(instance_id, FOUL, by()) for instance_id in ids)),
        )
    assert [len(accepted(batch)) for batch in batches] == [8] * 10
    assert {len(journal_of(archive, instance_id)) for instance_id in ids} == {12}


async def test_a_batch_plays_on_what_another_process_has_played(start: StartProcess, archive: Store):
    here, there = start().service, start().service
    ids = await several(here, 6)
    for instance_id in ids[::2]:
        await there.step(instance_id, FOUL, by())
    answers = accepted(await here.batch([move(instance_id) for instance_id in ids]))
    assert [answer.entry.n for answer in answers] == [3, 2] * 3
    for instance_id in ids:
        journal_of(archive, instance_id)


async def test_batches_from_two_processes_lose_and_double_nothing(start: StartProcess, archive: Store):
    services = [start().service, start().service]
    ids = await several(services[0], 5)
    batches = await asyncio.gather(
        *(services[turn % 2].batch([move(instance_id) for instance_id in ids]) for turn in range(8))
    )
    answers = [answer for batch in batches for answer in accepted(batch)]
    for instance_id in ids:
        assert_recorded(archive, instance_id, [a for a in answers if a.held.instance.id == instance_id])
        assert len(journal_of(archive, instance_id)) == 9


async def test_a_batch_whose_caller_left_leaves_what_was_committed(start: StartProcess, archive: Store):
    process = start()
    service = process.service
    ids = await several(service, 3)
    feed = service.feed(ids[0], None)
    assert await anext(feed) is None
    gate, held_up = await hold_up(process)
    batch = asyncio.create_task(service.batch([move(instance_id) for instance_id in ids]))
    await asyncio.sleep(0.05)
    batch.cancel()
    gate.set()
    await asyncio.wait([batch, held_up])
    for instance_id in ids:
        assert (await service.look(instance_id)).n == len(journal_of(archive, instance_id)) == 2
    async with asyncio.timeout(5):
        assert await taken(feed, 1) == [2]
    await feed.aclose()


async def test_a_batch_has_so_many_moves_and_no_more(start: StartProcess):
    service = start().service
    instance_id = await opened(service)
    with pytest.raises(ValueError, match=f"at most {LARGEST_BATCH} moves"):
        await service.batch([move(instance_id)] * (LARGEST_BATCH + 1))
    assert await service.batch([]) == ()
    assert (await service.look(instance_id)).n == 1
