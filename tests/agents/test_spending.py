"""No caller, however many at once, uses more of a model than the owner allows on a day."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import replace

import pytest

from agents.ledger import RunState
from agents.settings import AgentSettings, Caps
from agents.spending import EVERYBODY, Amount, Reserved, Spending
from instances.errors import AtCapacity, TooManyRequests
from instances.schema import SPENDING
from instances.store import Store
from tests.agents.loopback import Loopback, Turn, breaks_off, calls, fails, floods, packed, says
from tests.agents.playing import ALICE, BOB, ENOUGH_S, Agents, running
from tests.instances.conftest import Clock
from tests.instances.postgres import Postgres, programs

GIVE_UP = calls("give_up", {})
DAY_S = 86_400.0
CAPS = Caps(client_tokens=1_000, tokens=1_500, client_usd=0.001, usd=0.0015)
NOTHING = AgentSettings(caps=CAPS)


def counted(store: Store) -> dict[tuple[str, bool], tuple[int, int]]:
    """Tokens and millionths of a dollar by day, and whether they are everybody's."""
    with store.engine.connect() as connection:
        rows = connection.execute(SPENDING.select()).all()
    return {(row.day, row.who == EVERYBODY): (row.tokens, row.micro_usd) for row in rows}


@pytest.fixture(params=["sqlite", "postgres"])
def shared_url(request: pytest.FixtureRequest, store_url: str) -> Iterator[str]:
    """A database of either kind that several processes can share."""
    if request.param == "sqlite":
        yield store_url
        return
    found = programs()
    if found is None:
        pytest.skip("PostgreSQL is not installed; on Debian: apt-get install postgresql")
    server = Postgres.make(found)
    yield server.new()
    server.remove()


async def test_callers_at_once_in_two_processes_cannot_overshoot(shared_url: str):
    async with AsyncExitStack() as processes:
        both = [await processes.enter_async_context(running(shared_url, NOTHING)) for _ in range(2)]
        spendings = [Spending(process.service, CAPS) for process in both]
        asked = [spendings[n % 2].reserve(f"client-{n % 4}", Amount(100, 0)) for n in range(64)]
        outcomes = await asyncio.gather(*asked, return_exceptions=True)
        assert sum(isinstance(outcome, TooManyRequests) for outcome in outcomes) == 49
        assert sum(isinstance(outcome, Reserved) for outcome in outcomes) == 15
        assert counted(both[0].store)["2023-11-14", True] == (1_500, 0)


async def test_one_client_leaves_something_for_the_others(agents: Agents):
    spending = Spending(agents.service, CAPS)
    await spending.reserve(ALICE, Amount(1_000, 0))
    with pytest.raises(TooManyRequests, match=r"^You have used .* \(1000 tokens or 0.001 US dollars\)"):
        await spending.reserve(ALICE, Amount(1, 0))
    with pytest.raises(TooManyRequests, match=r"^You have used"):
        await spending.afford(ALICE, priced=False)
    await spending.afford(BOB, priced=True)
    await spending.reserve(BOB, Amount(500, 0))
    with pytest.raises(TooManyRequests, match=r"^This server has used") as refusal:
        await spending.reserve(BOB, Amount(1, 0))
    # 2023-11-14 22:13:20 to midnight.
    assert refusal.value.retry_after_s == 6_400


async def test_a_refused_reservation_takes_nothing(agents: Agents):
    spending = Spending(agents.service, CAPS)
    await spending.reserve(ALICE, Amount(900, 0))
    before = counted(agents.store)
    with pytest.raises(TooManyRequests):
        await spending.reserve(BOB, Amount(700, 0))
    assert {key: value for key, value in counted(agents.store).items() if value != (0, 0)} == before


async def test_dollars_bound_models_that_have_a_price_and_no_others(agents: Agents):
    spending = Spending(agents.service, CAPS)
    await spending.reserve(ALICE, Amount(10, 1_000))
    with pytest.raises(TooManyRequests):
        await spending.reserve(ALICE, Amount(1, 1))
    with pytest.raises(TooManyRequests):
        await spending.afford(ALICE, priced=True)
    await spending.afford(ALICE, priced=False)
    await spending.reserve(ALICE, Amount(10, 0))


async def test_a_new_day_starts_anew_and_the_old_one_is_forgotten(agents: Agents, loopback: Loopback):
    spending = Spending(agents.service, CAPS)
    await spending.reserve(ALICE, Amount(1_000, 0))
    agents.clock.now += DAY_S
    await spending.reserve(ALICE, Amount(1_000, 0))
    loopback.always = GIVE_UP
    await agents.played(await agents.opened())
    assert {day for day, _ in counted(agents.store)} == {"2023-11-15"}


async def test_a_restart_forgets_nothing(store_url: str, settings: AgentSettings):
    clock = Clock()
    async with running(store_url, settings, clock) as first:
        await Spending(first.service, CAPS).reserve(ALICE, Amount(1_000, 0))
    async with running(store_url, settings, clock) as second:
        with pytest.raises(TooManyRequests):
            await Spending(second.service, CAPS).reserve(ALICE, Amount(1, 0))


async def test_the_store_does_not_tell_who_the_clients_are(agents: Agents):
    await Spending(agents.service, CAPS).reserve(ALICE, Amount(1, 0))
    agents.clock.now += DAY_S
    await Spending(agents.service, CAPS).reserve(ALICE, Amount(1, 0))
    with agents.store.engine.connect() as connection:
        aliases = [row.who for row in connection.execute(SPENDING.select()) if row.who != EVERYBODY]
    assert len(set(aliases)) == 2
    assert all(len(alias) == 32 and ALICE not in alias for alias in aliases)


async def test_what_a_run_used_is_counted_to_the_token(agents: Agents, loopback: Loopback):
    loopback.script.extend([calls("guess", {"number": 1}), GIVE_UP])
    run = await agents.played(await agents.opened())
    assert (run.calls, run.unmetered, run.prompt_tokens, run.output_tokens) == (2, 0, 1_400, 40)
    # 1,400 tokens at one dollar a million, 40 at ten.
    assert run.cost_usd == 0.0018
    assert set(counted(agents.store).values()) == {(1_440, 1_800)}


async def test_a_price_that_nobody_told_is_not_invented(
    store_url: str, settings: AgentSettings, loopback: Loopback
):
    unpriced = replace(settings, models=(replace(settings.models[0], price=None),))
    async with running(store_url, unpriced) as agents:
        loopback.always = GIVE_UP
        run = await agents.played(await agents.opened())
        assert (run.prompt_tokens, run.cost_usd) == (700, None)
        assert set(counted(agents.store).values()) == {(720, 0)}


async def test_an_endpoint_that_tells_no_use_counts_with_all_that_was_set_aside(
    agents: Agents, loopback: Loopback
):
    loopback.always = calls("give_up", {}, usage=None)
    run = await agents.played(await agents.opened())
    assert (run.unmetered, run.prompt_tokens, run.cost_usd) == (1, 0, None)
    ((tokens, micro_usd),) = set(counted(agents.store).values())
    assert tokens > 1_000
    assert micro_usd == (tokens - 1_000) + 10 * 1_000


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (floods(), "sent an answer of more than 4194304 bytes"),
        (floods(500), "sent an answer of more than 4194304 bytes"),
        (packed(1_000), "sent a packed answer, though it was asked for a plain one"),
    ],
)
async def test_an_answer_that_does_not_end_ends_the_run_and_nobody_knows_its_cost(
    agents: Agents, loopback: Loopback, answer: Turn, told: str
):
    loopback.script.append(answer)
    run = await agents.played(await agents.opened())
    assert (run.state, run.detail) == (RunState.UNREACHABLE, f"the endpoint of test-model {told}.")
    assert (run.calls, run.unmetered, run.cost_usd) == (1, 1, None)
    assert loopback.asked[0].headers["accept-encoding"] == "identity"


async def test_use_that_cannot_be_is_no_use_that_was_told(agents: Agents, loopback: Loopback):
    loopback.always = calls("give_up", {}, usage={"prompt_tokens": 10**30, "completion_tokens": 1})
    run = await agents.played(await agents.opened())
    assert run.state is RunState.FINISHED
    assert (run.calls, run.unmetered, run.prompt_tokens, run.cost_usd) == (1, 1, 0, None)


async def test_a_call_that_was_refused_costs_nothing_and_one_that_broke_off_may_have(
    agents: Agents, loopback: Loopback
):
    loopback.always = fails(401)
    run = await agents.played(await agents.opened())
    assert (run.calls, run.unmetered, run.cost_usd) == (1, 0, 0.0)
    assert set(counted(agents.store).values()) == {(0, 0)}
    loopback.always = breaks_off
    run = await agents.played(await agents.opened())
    assert (run.calls, run.unmetered, run.cost_usd) == (3, 3, None)


async def test_a_run_that_reaches_its_cap_ends_and_keeps_what_was_played(
    store_url: str, settings: AgentSettings, loopback: Loopback
):
    loopback.always = calls("guess", {"number": 1}, usage={"prompt_tokens": 20_000})
    caps = Caps(client_tokens=30_000, tokens=10**6, client_usd=1, usd=1)
    async with running(store_url, replace(settings, caps=caps)) as agents:
        ref = await agents.opened()
        run = await agents.played(ref)
        assert run.state is RunState.SPENT
        assert run.detail.startswith("You have used what one client may use of models on one day")
        assert 1 <= len((await agents.runs.played(run)).episode.actions) <= 4
        agents.clock.now += DAY_S
        loopback.always = GIVE_UP
        assert (await agents.played(ref)).state is RunState.FINISHED


async def test_a_share_that_is_used_up_starts_no_run(
    store_url: str, settings: AgentSettings, loopback: Loopback
):
    async with running(store_url, replace(settings, caps=Caps(client_tokens=0))) as agents:
        with pytest.raises(TooManyRequests):
            await agents.played(await agents.opened())
    assert loopback.asked == []


async def test_no_more_runs_than_allowed_are_played_at_once(
    store_url: str, settings: AgentSettings, loopback: Loopback
):
    loopback.always = says("never mind")
    async with running(store_url, replace(settings, runs=3)) as agents:
        model = agents.runs.model(None)
        refs = [await agents.opened() for _ in range(8)]
        starts = [agents.runs.start(ref, model, ALICE) for ref in refs]
        outcomes = await asyncio.gather(*starts, return_exceptions=True)
        started = [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
        assert len(started) == 3
        assert sum(isinstance(outcome, AtCapacity) for outcome in outcomes) == 5
        for run in started:
            await agents.runs.wait(run.id, ENOUGH_S)
        assert (await agents.played(refs[-1])).state is RunState.MALFORMED
