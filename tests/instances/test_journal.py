"""What is acknowledged is committed, and an instance is the fold of what was committed."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.kernel.play import AnyEpisode, play
from envs.kernel.records import digest
from instances import journal
from instances.store import Standing, Store
from tests.instances.conftest import Clock, Databases, Process, StartProcess, start_on
from tests.instances.hunt import (
    FOUL,
    GAME,
    GIVE_UP,
    OPEN,
    SLUG,
    WIDE,
    assert_recorded,
    by,
    episode_of,
    guess,
    journal_of,
    opened,
)
from tests.instances.trouble import commits, hold_up
from tests.tiny.models import Action, Request


async def test_an_answered_call_is_already_committed(start: StartProcess, archive: Store):
    service = start().service
    instance = await service.create(SLUG)
    standing = archive.find(instance.id)
    assert standing == Standing(instance, None, 0)
    for call in (service.reset(instance.id, OPEN, by("a")), service.step(instance.id, FOUL, by("b"))):
        answer = await call
        assert archive.entries(instance.id)[-1] == answer.entry


async def test_an_entry_says_who_did_what_when_and_what_came_of_it(start: StartProcess, clock: Clock):
    service = start().service
    instance_id = await opened(service)
    clock.now += 60.0
    await service.step(instance_id, GIVE_UP, by("walter"))
    reset, step = await service.entries(instance_id)
    assert (reset.kind, reset.seed, reset.memory, reset.status) == (
        "reset",
        1,
        '{"hunts":0,"wins":0}',
        "RUNNING",
    )
    assert (step.kind, step.actor.kind, step.actor.label, step.surface) == ("step", "agent", "walter", "http")
    assert (step.at, step.body, step.status) == (clock.now, '{"move":"give_up","number":null}', "TERMINATED")
    assert (step.seed, step.memory) == (None, None)


async def test_a_restart_folds_to_the_same_states(start: StartProcess, archive: Store):
    first = start()
    instance_id = await opened(first.service, fouls=3)
    await first.service.step(instance_id, guess(1), by())
    before = await first.service.look(instance_id)
    first.stop()
    after = await start().service.look(instance_id)
    assert after.n == before.n == len(journal_of(archive, instance_id))
    assert after.episode == before.episode
    assert digest(episode_of(after).state) == archive.entries(instance_id)[-1].digest


async def test_memory_is_carried_over_a_restart_into_the_next_episode(start: StartProcess):
    first = start()
    instance_id = await opened(first.service)
    await first.service.step(instance_id, GIVE_UP, by())
    first.stop()
    answer = await start().service.reset(instance_id, OPEN, by())
    assert episode_of(answer.held).task.task_id == "hunt-2"


async def test_a_refused_call_is_not_recorded(start: StartProcess, archive: Store):
    service = start().service
    instance_id = await opened(service)
    await service.step(instance_id, GIVE_UP, by())
    with pytest.raises(Exception, match="call reset"):
        await service.step(instance_id, GIVE_UP, by())
    assert len(archive.entries(instance_id)) == 2


@pytest.mark.parametrize("size", [1, 2, 5])
async def test_a_small_cache_changes_no_answer(start: StartProcess, archive: Store, size: int):
    service = start(cached_instances=size).service
    ids = [await opened(service) for _ in range(12)]
    for _ in range(3):
        await asyncio.gather(*(service.step(instance_id, FOUL, by()) for instance_id in ids))
    await asyncio.gather(*(service.step(instance_id, GIVE_UP, by()) for instance_id in reversed(ids)))
    for instance_id in ids:
        held = await service.look(instance_id)
        assert (held.n, episode_of(held).state.fouls, episode_of(held).done) == (5, 3, True)
        journal_of(archive, instance_id)


async def test_fifty_concurrent_steps_on_one_instance_are_taken_one_at_a_time(
    start: StartProcess, archive: Store
):
    service = start().service
    instance_id = await opened(service)
    answers = await asyncio.gather(*(service.step(instance_id, FOUL, by(f"caller {i}")) for i in range(50)))
    assert [entry.n for entry in journal_of(archive, instance_id)] == list(range(1, 52))
    assert_recorded(archive, instance_id, answers)
    assert [episode_of(answer.held).state.fouls for answer in answers] == [
        answer.entry.n - 1 for answer in answers
    ]


async def test_rows_that_wait_together_are_committed_together(start: StartProcess, archive: Store):
    process = start()
    ids = [await opened(process.service) for _ in range(40)]
    gate, held_up = await hold_up(process)
    steps = asyncio.gather(*(process.service.step(instance_id, FOUL, by()) for instance_id in ids))
    await asyncio.sleep(0.1)
    before = commits(process)
    gate.set()
    await asyncio.gather(held_up, steps)
    # One for the work that held the writer up, one or two for the forty steps.
    assert commits(process) - before <= 3
    assert all(len(journal_of(archive, instance_id)) == 2 for instance_id in ids)


MOVES = st.sampled_from([OPEN, WIDE, FOUL, GIVE_UP, *(guess(number) for number in (1, 16, 31))])
HISTORIES = st.lists(st.tuples(st.integers(0, 2), MOVES | st.just("restart")), max_size=25)


@pytest.mark.slow
@given(history=HISTORIES, size=st.integers(1, 3))
@settings(max_examples=30, deadline=None)
async def test_any_history_over_restarts_and_evictions_is_what_the_kernel_plays(
    history: list[tuple[int, Request | Action | str]], size: int, databases: Databases
):
    url = databases.new()
    process = start_on(url, Clock(), cached_instances=size)
    try:
        ids = [(await process.service.create(SLUG)).id for _ in range(3)]
        expected: list[AnyEpisode | None] = [None, None, None]
        for which, move in history:
            if isinstance(move, str):
                process.stop()
                process = start_on(url, Clock(), cached_instances=size)
            else:
                expected[which] = await _both(process, ids[which], expected[which], move)
        for instance_id, episode in zip(ids, expected, strict=True):
            held = await process.service.look(instance_id)
            assert held.episode == episode
            assert journal.fold(GAME, process.store.entries(instance_id)) == episode
    finally:
        process.stop()
        databases.release(url)


async def _both(
    process: Process, instance_id: str, episode: AnyEpisode | None, move: Request | Action
) -> AnyEpisode | None:
    """Plays a move in the service and in the bare kernel; returns the kernel's episode."""
    if isinstance(move, Request):
        answer = await process.service.reset(instance_id, move, by())
        return journal.reset(GAME, episode, move, answer.entry.seed or 0)
    if episode is None or episode.done:
        with pytest.raises(Exception, match="call reset"):
            await process.service.step(instance_id, move, by())
        return episode
    answer = await process.service.step(instance_id, move, by())
    after = play(GAME, episode, move)
    assert answer.entry.digest == digest(after.state)
    return after
