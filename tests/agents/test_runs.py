"""A run can be asked for while it plays, after it and after a restart."""

from __future__ import annotations

import asyncio

import pytest

from agents.ledger import RunState
from agents.llm.models import UnknownModel
from agents.settings import AgentSettings
from instances.errors import Gone, UnknownRun
from tests.agents.loopback import Loopback, calls, hangs, meanwhile
from tests.agents.playing import ALICE, BY_HAND, ENOUGH_S, Agents, running
from tests.instances.conftest import Clock

GIVE_UP = calls("give_up", {})


async def test_a_run_is_there_as_soon_as_it_has_started(agents: Agents, loopback: Loopback):
    loopback.always = hangs
    ref = await agents.opened()
    run = await agents.runs.start(ref, agents.runs.model(None), ALICE)
    assert (run.state, run.instance_id, run.model) == (RunState.RUNNING, ref, "openai:test-model")
    assert (await agents.runs.wait(run.id, 0.0)).state is RunState.RUNNING
    assert not (await agents.runs.played(run)).episode.done


async def test_the_result_outlives_the_process_and_a_later_episode(
    store_url: str, settings: AgentSettings, loopback: Loopback
):
    clock = Clock()
    loopback.script.extend([calls("guess", {"number": 1}), GIVE_UP])
    async with running(store_url, settings, clock) as first:
        ref = await first.opened()
        run = await first.played(ref)
    async with running(store_url, settings, clock) as second:
        kind = second.service.environment("number-hunt").request_type
        await second.service.reset(ref, kind(seed=4), BY_HAND)
        assert await second.runs.find(run.id) == run
        recorded = await second.runs.played(run)
        assert (len(recorded.episode.actions), recorded.episode.done) == (2, True)


async def test_a_server_that_goes_down_says_that_it_stopped(
    store_url: str, settings: AgentSettings, loopback: Loopback
):
    loopback.always = hangs
    clock = Clock()
    async with running(store_url, settings, clock) as first:
        run = await first.runs.start(await first.opened(), first.runs.model(None), ALICE)
        await asyncio.sleep(0)
    async with running(store_url, settings, clock) as second:
        ended = await second.runs.find(run.id)
        assert ended.state is RunState.STOPPED
        assert ended.detail == "The server that played this went down; what it had played is in the journal."


async def test_a_call_that_is_under_way_is_counted_before_anybody_knows_what_it_costs(
    agents: Agents, loopback: Loopback
):
    """So that it is counted, whatever becomes of the server."""
    seen: list[tuple[int, int, float | None]] = []
    ref = await agents.opened()

    async def look() -> None:
        run = await agents.runs.find(run_id)
        seen.append((run.calls, run.unmetered, run.cost_usd))

    loopback.script.extend([meanwhile(look, calls("guess", {"number": 1})), meanwhile(look, GIVE_UP)])
    run_id = (await agents.runs.start(ref, agents.runs.model(None), ALICE)).id
    run = await agents.runs.wait(run_id, ENOUGH_S)
    assert seen == [(1, 1, None), (2, 1, None)]
    assert (run.calls, run.unmetered, run.cost_usd) == (2, 0, 0.0018)


async def test_a_server_that_goes_down_tells_no_cost_of_the_call_that_it_cut_off(
    store_url: str, settings: AgentSettings, loopback: Loopback
):
    called = asyncio.Event()

    async def note() -> None:
        called.set()

    loopback.script.append(meanwhile(note, hangs))
    clock = Clock()
    async with running(store_url, settings, clock) as first:
        run = await first.runs.start(await first.opened(), first.runs.model(None), ALICE)
        await called.wait()
    async with running(store_url, settings, clock) as second:
        ended = await second.runs.find(run.id)
        assert (ended.state, ended.calls, ended.unmetered) == (RunState.STOPPED, 1, 1)
        assert ended.cost_usd is None


async def test_a_run_of_a_server_that_was_killed_is_stopped_when_its_time_is_over(
    store_url: str, settings: AgentSettings, loopback: Loopback
):
    loopback.always = hangs
    clock = Clock()
    async with running(store_url, settings, clock) as first, running(store_url, settings, clock) as second:
        run = await first.runs.start(await first.opened(), first.runs.model(None), ALICE)
        assert (await second.runs.find(run.id)).state is RunState.RUNNING
        clock.now += settings.run_s + 31
        assert (await second.runs.find(run.id)).state is RunState.STOPPED


async def test_a_result_goes_with_its_instance(agents: Agents, loopback: Loopback):
    loopback.always = GIVE_UP
    ref = await agents.opened()
    run = await agents.played(ref)
    await agents.service.erase(ref)
    with pytest.raises(Gone):
        await agents.runs.played(run)


async def test_an_unknown_run_and_an_unknown_model_are_told(agents: Agents):
    with pytest.raises(UnknownRun, match="There is no run 'nobody'"):
        await agents.runs.find("nobody")
    with pytest.raises(UnknownModel, match=r"^Unknown model: gpt-9; this server offers openai:test-model$"):
        agents.runs.model("gpt-9")
