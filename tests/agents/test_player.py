"""A model plays like anybody else, and whatever goes wrong is an end with a reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from agents.ledger import RunState
from agents.settings import AgentSettings
from envs.kernel.choices import choices_of
from envs.kernel.play import AnyEpisode, look, open_episode, play
from envs.kernel.records import Action, encode
from envs.kernel.rng import Rng
from instances.errors import NotReset, ReadOnly
from tests.agents.loopback import (
    Loopback,
    Turn,
    breaks_off,
    calls,
    fails,
    hangs,
    meanwhile,
    only,
    refuses,
    says,
    sends,
)
from tests.agents.playing import BY_HAND, CATALOG, Agents, running

GIVE_UP = calls("give_up", {})


def policy_play(slug: str, seed: int) -> AnyEpisode:
    """An episode as the environment's last baseline plays it."""
    around = CATALOG[slug]
    env = around.environment
    policy = list(around.policies.values())[-1]
    episode: AnyEpisode = open_episode(env, env.request_type(seed=seed), env.memory_type(), seed)
    while not episode.done:
        action = policy(look(env, episode), Rng(seed, "script").at(len(episode.steps)))
        episode = play(env, episode, action)
    return episode


def as_call(action: Action) -> Turn:
    found = choices_of(type(action))
    given = json.loads(action.model_dump_json(exclude_defaults=True))
    return calls(given.pop(found[0]) if found else "act", given)


def as_words(action: Action) -> Turn:
    return says(f"I have thought about it.\n```json\n{encode(action).decode()}\n```\nThat is all.")


@pytest.mark.parametrize("said", [as_call, as_words])
@pytest.mark.parametrize("slug", CATALOG)
async def test_what_a_model_says_is_played_in_every_environment(
    agents: Agents, loopback: Loopback, slug: str, said: Callable[[Action], Turn]
):
    expected = policy_play(slug, 3)
    loopback.script.extend(map(said, expected.actions))
    ref = await agents.opened(slug)
    run = await agents.played(ref)
    assert (run.state, run.detail, run.calls) == (RunState.FINISHED, "", len(expected.actions))
    held = await agents.service.look(ref)
    assert held.episode is not None
    assert held.episode.actions == expected.actions
    assert held.episode.state == expected.state


async def test_every_action_is_journalled_under_the_models_name(agents: Agents, loopback: Loopback):
    loopback.script.extend([calls("guess", {"number": 1}), GIVE_UP])
    ref = await agents.opened()
    await agents.played(ref)
    entries = await agents.service.entries(ref)
    assert [(entry.actor.kind, entry.actor.label) for entry in entries] == [
        ("human", "ada"),
        ("agent", "test-model"),
        ("agent", "test-model"),
    ]


async def test_an_action_that_the_rules_forbid_is_played_and_told(agents: Agents, loopback: Loopback):
    loopback.script.extend([calls("guess", {"number": 99_999}), GIVE_UP])
    ref = await agents.opened()
    run = await agents.played(ref)
    assert run.state is RunState.FINISHED
    held = await agents.service.look(ref)
    assert held.episode is not None
    assert [step.legal for step in held.episode.steps] == [False, True]
    assert "(not allowed) → The guess was 99999" in loopback.asked[1].case


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (calls("fly", {}), "there is no function 'fly'; there are guess, give_up"),
        (calls("guess", {}), "guess needs number"),
        (calls("guess", {"number": "many"}), "number: Input should be a valid integer"),
        (calls("give_up", {"number": 4}), "give_up takes no arguments"),
        (calls("guess", '{"number": 4'), "the arguments of guess are not JSON"),
        (calls("guess", "[4]"), "the arguments of guess are no JSON object"),
        (says("I would rather guess."), "there is neither a function call nor a JSON object in the answer"),
        (says(""), "there is neither a function call nor a JSON object in the answer"),
        (says('{"move": "guess", "number": NaN}'), "not JSON|Input should be|number|Invalid JSON"),
        (says('{"move": "gu', finish="length"), "was too long and was cut off"),
        (says("{" * 400_000), "there is neither a function call nor a JSON object in the answer"),
        (says('{"a":' * 5_000), "there is neither a function call nor a JSON object in the answer"),
        (calls("guess", '{"number": "\\ud800"}'), "the arguments of guess are not JSON"),
    ],
)
async def test_an_unusable_answer_is_asked_for_again_with_what_was_wrong(
    agents: Agents, loopback: Loopback, wrong: Turn, told: str
):
    loopback.script.extend([wrong, GIVE_UP])
    ref = await agents.opened()
    run = await agents.played(ref)
    assert (run.state, run.calls) == (RunState.FINISHED, 2)
    complaint = loopback.asked[1].case.rpartition("Your last answer could not be used: ")[2]
    assert any(words in complaint for words in told.split("|"))
    assert len(await agents.service.entries(ref)) == 2


async def test_a_second_unusable_answer_ends_the_run_with_what_was_played(agents: Agents, loopback: Loopback):
    loopback.script.extend([calls("guess", {"number": 1}), says("well"), says("hm")])
    ref = await agents.opened()
    run = await agents.played(ref)
    assert (run.state, run.last_n) == (RunState.MALFORMED, 2)
    assert run.detail == (
        "No usable answer for action 2, twice: "
        "there is neither a function call nor a JSON object in the answer."
    )
    recorded = await agents.runs.played(run)
    assert len(recorded.episode.actions) == 1


@pytest.mark.parametrize(
    "refusal", [refuses("I cannot help with that."), says(None, finish="content_filter")]
)
async def test_a_refusal_ends_the_run_as_data(agents: Agents, loopback: Loopback, refusal: Turn):
    loopback.script.append(refusal)
    run = await agents.played(await agents.opened())
    assert run.state is RunState.REFUSED
    assert run.detail.startswith("The model refused: ")
    assert run.calls == 1


async def test_a_model_cannot_steer_the_terminal_of_whoever_reads_why_it_refused(
    agents: Agents, loopback: Loopback
):
    loopback.script.append(refuses("no\x00\x1b[31m\nnever"))
    run = await agents.played(await agents.opened())
    assert run.detail == "The model refused: no��[31m�never"


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (fails(500), "answered 500"),
        (fails(503), "answered 503"),
        (fails(429), "has had enough of this server's requests (429)"),
        (breaks_off, "connection to the endpoint of test-model failed"),
        (sends("<html>Welcome</html>"), "something that is no chat completion"),
        (sends('{"choices": []}', "application/json"), "something that is no chat completion"),
        (sends("null", "application/json"), "something that is no chat completion"),
    ],
)
async def test_a_failure_of_the_moment_is_tried_again_and_then_told(
    agents: Agents, loopback: Loopback, failure: Turn, told: str
):
    loopback.script.extend([failure, GIVE_UP])
    assert (await agents.played(await agents.opened())).state is RunState.FINISHED
    assert agents.paused == [1.0]
    loopback.always = failure
    run = await agents.played(await agents.opened())
    assert run.state is RunState.UNREACHABLE
    assert told in run.detail
    assert run.calls == 3


@pytest.mark.parametrize("status", [401, 403])
async def test_a_refused_key_is_told_without_a_second_try(agents: Agents, loopback: Loopback, status: int):
    loopback.always = fails(status)
    run = await agents.played(await agents.opened())
    assert (run.state, run.calls) == (RunState.UNREACHABLE, 1)
    assert run.detail == f"the endpoint of test-model does not take the server's key ({status})."


async def test_the_endpoints_own_pause_is_kept_up_to_a_bound(agents: Agents, loopback: Loopback):
    loopback.script.extend([fails(429, Retry_After="7"), GIVE_UP])
    assert (await agents.played(await agents.opened())).state is RunState.FINISHED
    assert agents.paused == [7.0]
    loopback.script.append(fails(429, Retry_After="3600"))
    run = await agents.played(await agents.opened())
    assert (run.state, run.calls) == (RunState.UNREACHABLE, 1)


async def test_a_call_that_hangs_is_given_up(store_url: str, loopback: Loopback, settings: AgentSettings):
    async with running(store_url, replace(settings, call_s=0.3)) as agents:
        loopback.script.extend([hangs, GIVE_UP])
        run = await agents.played(await agents.opened())
        assert (run.state, run.calls) == (RunState.FINISHED, 2)
        # Nobody knows whether the endpoint charges for what nobody waited for.
        assert (run.unmetered, run.cost_usd) == (1, None)


async def test_an_episode_that_takes_too_long_ends_and_keeps_what_was_played(
    store_url: str, loopback: Loopback, settings: AgentSettings
):
    async with running(store_url, replace(settings, run_s=1.0)) as agents:
        loopback.script.append(calls("guess", {"number": 1}))
        loopback.always = hangs
        run = await agents.played(await agents.opened())
        assert run.state is RunState.LATE
        assert run.detail == "The episode was not over after 1 s."
        assert run.last_n == 2
        assert (run.calls, run.unmetered, run.cost_usd) == (2, 1, None)


@pytest.mark.parametrize("style", ["tools", "schema", "plain"])
async def test_an_endpoint_is_asked_in_a_style_that_it_takes(agents: Agents, loopback: Loopback, style: str):
    answer = GIVE_UP if style == "tools" else says('{"move": "give_up"}')
    loopback.always = only(style, answer)
    run = await agents.played(await agents.opened())
    assert run.state is RunState.FINISHED
    assert agents.paused == []
    last = loopback.asked[-1]
    assert ("tools" in last.body, "response_format" in last.body) == (style == "tools", style == "schema")
    assert ('"give_up"' in last.case) == (style == "plain")


async def test_what_an_endpoint_takes_is_learned_once_in_a_run(agents: Agents, loopback: Loopback):
    loopback.always = only("plain", says('{"move": "guess", "number": 1}'))
    await agents.played(await agents.opened())
    styles = ["tools" in asked.body or "response_format" in asked.body for asked in loopback.asked]
    assert styles == [True, True, *[False] * (len(styles) - 2)]


async def test_a_model_that_only_breaks_rules_is_stuck(agents: Agents, loopback: Loopback):
    loopback.always = calls("guess", {"number": 99_999})
    run = await agents.played(await agents.opened())
    assert run.state is RunState.STUCK
    assert run.detail == "20 turns spent only 0 steps."


async def test_a_model_looks_again_when_somebody_else_has_moved(agents: Agents, loopback: Loopback):
    ref = await agents.opened()
    guess = agents.service.environment("number-hunt").action_type.model_validate_json(
        '{"move": "guess", "number": 2}'
    )

    async def move() -> None:
        await agents.service.step(ref, guess, BY_HAND)

    loopback.script.extend([meanwhile(move, calls("guess", {"number": 1})), GIVE_UP])
    run = await agents.played(ref)
    assert run.state is RunState.FINISHED
    assert '"number":2' in loopback.asked[1].case
    assert [entry.actor.label for entry in await agents.service.entries(ref)] == ["ada", "ada", "test-model"]


async def test_a_model_stops_when_its_episode_is_taken_away(agents: Agents, loopback: Loopback):
    ref = await agents.opened()
    request = agents.service.environment("number-hunt").request_type()

    async def reset() -> None:
        await agents.service.reset(ref, request, BY_HAND)

    loopback.script.append(meanwhile(reset, GIVE_UP))
    run = await agents.played(ref)
    assert (run.state, run.calls, run.last_n) == (RunState.STOPPED, 1, 1)
    assert run.detail == "Somebody started another episode on this instance."
    ref = await agents.opened()
    loopback.script.append(meanwhile(lambda: agents.service.erase(ref), GIVE_UP))
    run = await agents.played(ref)
    assert run.state is RunState.STOPPED
    assert "erased" in run.detail


async def test_a_watch_link_and_an_empty_instance_cannot_be_played(agents: Agents):
    ref = await agents.opened()
    watch_id = (await agents.service.find(ref)).watch_id
    model = agents.runs.model(None)
    with pytest.raises(ReadOnly):
        await agents.runs.start(watch_id, model, "")
    empty = await agents.service.create("number-hunt")
    with pytest.raises(NotReset):
        await agents.runs.start(empty.id, model, "")
