"""Two processes over one database: nothing is lost, doubled or out of order."""

from __future__ import annotations

import asyncio

import pytest

from instances import errors
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
    journal_of,
    opened,
)


async def test_concurrent_steps_from_two_processes_are_all_recorded_once(start: StartProcess, archive: Store):
    services = [start().service, start().service]
    instance_id = await opened(services[0])
    answers = await asyncio.gather(
        *(services[i % 2].step(instance_id, FOUL, by(f"caller {i}")) for i in range(50))
    )
    entries = journal_of(archive, instance_id)
    assert len(entries) == 51
    assert sorted(entry.actor.label for entry in entries[1:]) == sorted(f"caller {i}" for i in range(50))
    assert_recorded(archive, instance_id, answers)


async def test_processes_that_take_turns_build_on_each_other(start: StartProcess, archive: Store):
    here, there = start().service, start().service
    instance_id = await opened(here)
    for turn in range(6):
        answer = await (here, there)[turn % 2].step(instance_id, FOUL, by())
        assert episode_of(answer.held).state.fouls == turn + 1
    journal_of(archive, instance_id)


async def test_a_reset_in_another_process_carries_the_memory_on(start: StartProcess, archive: Store):
    here, there = start().service, start().service
    instance_id = await opened(here)
    await there.step(instance_id, GIVE_UP, by())
    await here.reset(instance_id, OPEN, by())
    answer = await there.reset(instance_id, OPEN, by())
    assert episode_of(answer.held).task.task_id == "hunt-3"
    journal_of(archive, instance_id)


async def test_one_key_in_two_processes_is_one_step(start: StartProcess, archive: Store):
    here, there = start().service, start().service
    instance_id = await opened(here)
    await there.look(instance_id)
    answers = await asyncio.gather(
        *(service.step(instance_id, FOUL, by(key="once")) for service in (here, there, here, there))
    )
    assert {answer.entry.n for answer in answers} == {2}
    assert sum(not answer.replayed for answer in answers) == 1
    assert len(journal_of(archive, instance_id)) == 2


async def test_an_expectation_that_another_process_made_stale_is_refused(start: StartProcess, archive: Store):
    here, there = start().service, start().service
    instance_id = await opened(here)
    await there.step(instance_id, FOUL, by())
    with pytest.raises(errors.StaleStep):
        await here.step(instance_id, FOUL, by(expected=1))
    assert len(journal_of(archive, instance_id)) == 2


async def test_the_commons_are_one_instance_in_both_processes(start: StartProcess):
    here, there = start().service, start().service
    first, second = await asyncio.gather(here.commons(SLUG), there.commons(SLUG))
    assert first.id == second.id
    assert (await here.find(first.watch_id)).id == first.id
    assert (await there.commons(SLUG)).watch_id == first.watch_id
