"""A retry gets the first answer, and a caller who looked too long ago is told so."""

from __future__ import annotations

import pytest

from envs.kernel.play import EpisodeOver
from instances import errors
from instances.store import Store
from tests.instances.conftest import StartProcess
from tests.instances.hunt import FOUL, GIVE_UP, OPEN, WIDE, by, guess, opened
from tests.tiny.models import Action


@pytest.mark.parametrize("move", [guess(1), FOUL, GIVE_UP], ids=["legal", "illegal", "last"])
async def test_a_retried_step_gets_the_first_answer_and_is_not_played_again(
    start: StartProcess, archive: Store, move: Action
):
    service = start().service
    instance_id = await opened(service)
    first = await service.step(instance_id, move, by(key="k"))
    again = await service.step(instance_id, move, by(key="k"))
    assert (again.held, again.entry) == (first.held, first.entry)
    assert (first.replayed, again.replayed) == (False, True)
    assert len(archive.entries(instance_id)) == 2


async def test_a_retried_reset_gets_the_first_episode_with_its_first_seed(
    start: StartProcess, archive: Store
):
    service = start().service
    instance_id = await opened(service)
    first = await service.reset(instance_id, WIDE, by(key="k"))
    again = await service.reset(instance_id, WIDE, by(key="k"))
    assert again.held == first.held
    assert again.entry.seed == first.entry.seed == 2
    assert len(archive.entries(instance_id)) == 2


async def test_a_retry_gets_the_first_answer_after_the_episode_moved_on(start: StartProcess):
    service = start().service
    instance_id = await opened(service)
    first = await service.step(instance_id, FOUL, by(key="k"))
    await service.step(instance_id, GIVE_UP, by())
    await service.reset(instance_id, WIDE, by())
    again = await service.step(instance_id, FOUL, by(key="k"))
    assert (again.held, again.entry) == (first.held, first.entry)


async def test_a_retry_gets_the_first_answer_after_a_restart(start: StartProcess):
    process = start()
    instance_id = await opened(process.service)
    first = await process.service.step(instance_id, FOUL, by(key="k"))
    process.stop()
    again = await start().service.step(instance_id, FOUL, by(key="k"))
    assert (again.held, again.entry) == (first.held, first.entry)


async def test_a_retry_outranks_the_expectation_it_was_sent_with(start: StartProcess):
    service = start().service
    instance_id = await opened(service)
    caller = by(key="k", expected=1)
    first = await service.step(instance_id, FOUL, caller)
    assert (await service.step(instance_id, FOUL, caller)).entry == first.entry


async def test_a_key_with_another_body_is_refused(start: StartProcess, archive: Store):
    service = start().service
    instance_id = await opened(service)
    await service.step(instance_id, FOUL, by(key="k"))
    with pytest.raises(errors.KeyReused, match="'k' was used with another body"):
        await service.step(instance_id, GIVE_UP, by(key="k"))
    with pytest.raises(errors.KeyReused):
        await service.reset(instance_id, OPEN, by(key="k"))
    assert len(archive.entries(instance_id)) == 2


async def test_a_key_belongs_to_its_instance(start: StartProcess):
    service = start().service
    first, second = await opened(service), await opened(service)
    await service.step(first, FOUL, by(key="k"))
    answer = await service.step(second, GIVE_UP, by(key="k"))
    assert not answer.replayed


async def test_a_key_of_a_refused_call_is_still_free(start: StartProcess):
    service = start().service
    instance_id = await opened(service)
    await service.step(instance_id, GIVE_UP, by())
    with pytest.raises(EpisodeOver):
        await service.step(instance_id, FOUL, by(key="k"))
    await service.reset(instance_id, OPEN, by())
    assert not (await service.step(instance_id, FOUL, by(key="k"))).replayed


@pytest.mark.parametrize("expected", [0, 1, 3])
async def test_a_wrong_expectation_is_refused_and_changes_nothing(
    start: StartProcess, archive: Store, expected: int
):
    service = start().service
    instance_id = await opened(service, fouls=1)
    before = await service.look(instance_id)
    with pytest.raises(errors.StaleStep, match=f"expected entry {expected} to be the last, it is 2"):
        await service.step(instance_id, FOUL, by(expected=expected))
    assert await service.look(instance_id) == before
    assert len(archive.entries(instance_id)) == 2


async def test_a_right_expectation_is_played(start: StartProcess):
    service = start().service
    instance_id = await opened(service, fouls=1)
    assert (await service.step(instance_id, FOUL, by(expected=2))).entry.n == 3
