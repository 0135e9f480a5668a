"""A round is the same in every process: who closes it, or a submission to it, closes it everywhere."""

from __future__ import annotations

import asyncio

import pytest

from envs.catalog import ENVIRONMENTS
from envs.forecast_audit.models import Action, Operation, Request
from instances import errors
from instances.model import EntryKind, Round
from instances.sealing import SEALED
from instances.service import Service
from instances.store import Store
from instances.submissions import Submissions
from tests.instances.conftest import Clock, StartProcess
from tests.instances.hunt import by

SLUG = "forecast-audit"
ACCEPT = Action(operation=Operation.ACCEPT)
HOUR_S = 3_600.0


async def entered(service: Service, clock: Clock, cases: int = 1) -> list[str]:
    """Instances of a new submission to a round that closes in an hour, each with its case open."""
    rounds = Submissions(service)
    await rounds.put_round(Round("spring", SLUG, "easy", 12, clock.now + HOUR_S))
    _, opened = await rounds.submit(SLUG, "ada", "1", "easy", cases, "spring")
    for instance in opened:
        await service.reset(instance.id, Request(), by())
    return [instance.id for instance in opened]


async def test_a_submission_that_was_closed_in_one_process_is_closed_in_every_other(
    start: StartProcess, archive: Store, clock: Clock
):
    here, there = start(ENVIRONMENTS).service, start(ENVIRONMENTS).service
    (instance_id,) = await entered(here, clock)
    held = await there.look(instance_id)
    place = held.instance.held_out
    assert place is not None
    await Submissions(here).close(place.submission.id)
    with pytest.raises(errors.HeldOutCase, match="was closed"):
        await there.step(instance_id, ACCEPT, by())
    assert len(archive.entries(instance_id)) == 1


async def test_steps_and_the_close_of_their_submission_that_meet_leave_nothing_that_came_later(
    start: StartProcess, archive: Store, clock: Clock
):
    here, there = start(ENVIRONMENTS).service, start(ENVIRONMENTS).service
    ids = await entered(here, clock, cases=12)
    place = (await there.look(ids[0])).instance.held_out
    assert place is not None

    async def close() -> int:
        await asyncio.sleep(0.02)
        await Submissions(here).close(place.submission.id)
        return sum(len(archive.entries(instance_id)) for instance_id in ids)

    counted, *_ = await asyncio.gather(
        close(), *(there.step(ref, ACCEPT, by()) for ref in ids for _ in range(2)), return_exceptions=True
    )
    assert counted == sum(len(archive.entries(instance_id)) for instance_id in ids)


async def test_a_round_that_one_process_reopens_or_closes_is_so_in_every_other(
    start: StartProcess, clock: Clock
):
    here, there = start(ENVIRONMENTS).service, start(ENVIRONMENTS).service
    (instance_id,) = await entered(here, clock)
    await there.step(instance_id, ACCEPT, by())
    clock.now += HOUR_S - 1
    longer = Round("spring", SLUG, "easy", 12, clock.now + 2 * HOUR_S)
    await Submissions(here).put_round(longer)
    clock.now += HOUR_S
    for entry in await there.entries(instance_id):
        assert entry.digest == ""
        assert entry.kind is EntryKind.RESET or SEALED in entry.outcome
    assert (await there.look(instance_id)).episode is not None
    await Submissions(here).put_round(Round("spring", SLUG, "easy", 12, clock.now))
    assert all(entry.digest for entry in await there.entries(instance_id))


async def test_processes_that_enter_the_same_new_round_at_once_all_enter_it(
    start: StartProcess, archive: Store
):
    services = [start(ENVIRONMENTS).service for _ in range(4)]
    made = await asyncio.gather(
        *(Submissions(service).submit(SLUG, f"{n}", "1", "easy", 2) for n, service in enumerate(services))
    )
    assert {submission.round.name for submission, _ in made} == {"forecast-audit-easy-2023-11"}
    assert archive.count() == 8
