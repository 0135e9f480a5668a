"""A model over HTTP: on any instance by the hub, and as the moderation contract's `/agent/run`."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from agents.ledger import Run
from agents.runs import Runs
from tests.agents.calling import ALLOW, HARD, LOOK, agent_run, asking, ended, no_pause, opened
from tests.agents.loopback import Loopback, Turn, calls, fails, held_until, meanwhile, refuses, says
from tests.api.inside import Api, inside

MARK = calls("mark_violation_type", {"violation_type": "misinformation"})
GIVE_UP = calls("give_up", {})


async def test_a_model_plays_a_whole_episode_and_is_graded_as_printed(api: Api, loopback: Loopback):
    loopback.script.extend([LOOK, MARK, ALLOW])
    answer = await agent_run(api)
    told = answer.json()
    assert answer.status_code == 200
    assert list(told) == ["task_id", "seed", "score", "trajectory"]
    assert (told["task_id"], told["seed"]) == ("hard_misinformation", 777)
    assert list(told["score"]) == [
        "final_action_score",
        "classification_score",
        "investigation_score",
        "efficiency_score",
        "total",
        "breakdown",
    ]
    assert told["score"]["efficiency_score"] == 0.7
    assert [(moment["step"], moment["action"]) for moment in told["trajectory"]] == [
        (1, {"action_type": "fetch_user_history", "parameters": {}}),
        (2, {"action_type": "mark_violation_type", "parameters": {"violation_type": "misinformation"}}),
        (3, {"action_type": "allow", "parameters": {}}),
    ]
    assert told["trajectory"][0]["reward"] == 0.2


async def test_who_names_no_instance_gets_one_of_their_own(api: Api, loopback: Loopback):
    shared = await api.client.post("/envs/moderation/reset", json={"task": "easy"})
    before = (await api.client.get("/envs/moderation/state")).json()
    loopback.always = ALLOW
    answer = await agent_run(api)
    assert answer.headers["x-instance-id"] != shared.headers["x-instance-id"]
    assert (await api.client.get("/envs/moderation/state")).json() == before
    transcript = await api.client.get(f"/instances/{answer.headers['x-instance-id']}/transcript")
    assert [entry["actor"] for entry in transcript.json()["entries"]] == [
        {"kind": "agent", "label": "test-model"},
        {"kind": "agent", "label": "test-model"},
    ]


async def test_a_model_plays_on_the_very_instance_that_is_named(api: Api, loopback: Loopback):
    ref, watch_id = await opened(api, "moderation")
    loopback.script.append(ALLOW)
    answer = await agent_run(api, base=f"/envs/moderation/instances/{ref}")
    assert (answer.status_code, answer.headers["x-instance-id"]) == (200, ref)
    state = (await api.client.get(f"/envs/moderation/instances/{watch_id}/state")).json()
    assert (state["done"], state["state"]["final_action"]) == (True, "allow")
    refused = await agent_run(api, base=f"/envs/moderation/instances/{watch_id}")
    assert refused.status_code == 403


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (says("well"), "No usable answer for action 2, twice"),
        (refuses("I will not."), "The model refused: I will not."),
        (fails(401), "does not take the server's key"),
    ],
)
async def test_a_run_that_fails_is_502_and_keeps_what_was_played(
    api: Api, loopback: Loopback, failure: Turn, told: str
):
    loopback.script.append(LOOK)
    loopback.always = failure
    answer = await agent_run(api)
    assert answer.status_code == 502
    assert told in answer.json()["detail"]
    assert len(answer.json()["trajectory"]) == 1


async def test_without_a_key_it_is_500_as_printed_and_nothing_is_opened(tmp_path: Path):
    async with inside(tmp_path) as api:
        answer = await agent_run(api)
        assert answer.status_code == 500
        assert answer.json()["detail"].startswith(
            "GOOGLE_API_KEY or GEMINI_API_KEY environment variable is required"
        )
        assert api.store.count() == 1, "the shared one"


async def test_a_model_that_is_not_offered_is_400_with_those_that_are(api: Api, loopback: Loopback):
    answer = await agent_run(api, {"model": "gpt-9"})
    assert answer.status_code == 400
    assert answer.json() == {"error": "Unknown model: gpt-9; this server offers openai:test-model"}
    assert loopback.asked == []


async def test_a_share_that_is_used_up_is_429_with_when_to_come_back(tmp_path: Path, loopback: Loopback):
    loopback.script.append(calls("fetch_user_history", {}, usage={"prompt_tokens": 60_000}))
    async with inside(tmp_path, asking(loopback, AUDITORIUM_AGENT_CLIENT_TOKENS="60000")) as api:
        during, before = await agent_run(api), await agent_run(api)
        assert (during.status_code, before.status_code) == (429, 429)
        assert len(during.json()["trajectory"]) == 1
        for text in (during.json()["detail"], before.json()["error"]):
            assert text.startswith("You have used what one client may use of models on one day (60000 tokens")
        for answer in (during, before):
            assert 1 <= int(answer.headers["retry-after"]) <= 86_400
        loopback.script.append(ALLOW)
        async with api.client_at("/envs/moderation", address="203.0.113.77") as other:
            assert (await other.post("/agent/run", json=HARD)).status_code == 200


async def test_who_does_not_wait_gets_an_address_at_once(api: Api, loopback: Loopback):
    released = threading.Event()
    loopback.script.append(held_until(released, LOOK))
    loopback.always = ALLOW
    answer = await agent_run(api, Prefer="respond-async")
    assert answer.status_code == 202
    assert answer.json()["state"] == "running"
    assert answer.headers["location"] == answer.json()["url"]
    released.set()
    run = await ended(api, answer.headers["location"])
    assert (run["state"], run["detail"], run["result"]["done"]) == ("finished", "", True)
    assert [step["action"]["action"] for step in run["result"]["trajectory"]] == [
        "fetch_user_history",
        "allow",
    ]
    assert run["use"] == {
        "calls": 2,
        "unmetered_calls": 0,
        "prompt_tokens": 1_400,
        "output_tokens": 40,
        "cost_usd": 0.0018,
    }


async def test_a_long_run_is_kept_alive_by_white_space_and_answered_in_the_end(
    tmp_path: Path, loopback: Loopback
):
    async with inside(tmp_path, asking(loopback, AUDITORIUM_AGENT_ANSWER_S="0")) as api:
        loopback.script.extend([LOOK, ALLOW])
        answer = await agent_run(api)
        assert answer.status_code == 200
        assert answer.text.startswith(" {")
        assert answer.json()["seed"] == 777
        run = await ended(api, answer.headers["location"])
        assert run["result"]["score"] == answer.json()["score"]["total"]
        loopback.always = refuses("No.")
        late = (await agent_run(api)).json()
        assert (late["detail"], "score" in late) == ("The model refused: No.", False)


async def test_a_model_plays_any_environment_by_the_hub(api: Api, loopback: Loopback):
    ref, watch_id = await opened(api, "number-hunt")
    loopback.script.extend([calls("guess", {"number": 1}), GIVE_UP])
    started = await api.client.post(f"/instances/{ref}/runs", json={"model": "openai:test-model"})
    assert started.status_code == 202
    run = await ended(api, started.headers["location"])
    assert (run["state"], run["watch_id"], run["model"]) == ("finished", watch_id, "openai:test-model")
    assert run["result"]["score"] == 0.0
    assert set(run["result"]["parts"]) == {"found", "spared"}


async def test_whoever_holds_the_address_of_a_run_may_look_and_neither_play_nor_erase(
    api: Api, loopback: Loopback
):
    loopback.always = ALLOW
    started = await agent_run(api, Prefer="respond-async")
    ref = started.headers["x-instance-id"]
    run = await ended(api, started.headers["location"])
    asked = await api.client.get(f"/runs/{run['id']}")
    assert ref not in started.text + asked.text + str(asked.headers)
    watched = f"/instances/{run['watch_id']}"
    assert (await api.client.get(watched)).json()["done"]
    assert (await api.client.delete(watched)).status_code == 403
    assert (await api.client.post(f"/envs/moderation{watched}/reset")).status_code == 403
    assert (await api.client.delete(f"/instances/{ref}")).status_code == 204
    erased = await api.client.get(f"/runs/{run['id']}")
    assert (erased.status_code, erased.json()["watch_id"], erased.json()["result"]) == (200, None, None)


@pytest.mark.parametrize("answer_s", ["8", "0"])
async def test_a_run_whose_instance_is_erased_meanwhile_still_says_how_it_ended(
    tmp_path: Path, loopback: Loopback, answer_s: str
):
    async with inside(tmp_path, asking(loopback, AUDITORIUM_AGENT_ANSWER_S=answer_s)) as api:
        ref, _ = await opened(api, "moderation")
        loopback.script.append(meanwhile(lambda: api.service.erase(ref), LOOK))
        answer = await agent_run(api, base=f"/envs/moderation/instances/{ref}")
        # White space was sent before the end: that status is out.
        assert answer.status_code == (200 if answer_s == "0" else 502)
        assert answer.json()["trajectory"] == []
        assert "erased" in answer.json()["detail"]
        assert answer.headers["x-instance-id"] == ref
        run = await ended(api, answer.headers["location"])
        assert (run["state"], run["detail"]) == ("stopped", answer.json()["detail"])


async def test_a_finished_run_that_is_erased_before_it_is_told_says_so(api: Api, loopback: Loopback):
    class Erasing(Runs):
        async def wait(self, run_id: str, seconds: float) -> Run:
            run = await super().wait(run_id, seconds)
            await api.service.erase(run.instance_id)
            return run

    api.app.state.runs = Erasing(api.service, api.app.state.settings.agents, no_pause)
    loopback.always = ALLOW
    answer = await agent_run(api)
    assert (answer.status_code, answer.json()["trajectory"]) == (502, [])
    assert answer.json()["detail"].startswith("This instance was erased by somebody who held it")
    run = await api.client.get(f"/runs/{answer.headers['location'].rpartition('/')[2]}")
    assert run.json()["state"] == "finished"


async def test_the_hub_says_what_stands_in_the_way_of_a_run(api: Api, tmp_path: Path):
    fresh, watch_id = await opened(api, "number-hunt", reset=False)
    for ref, status, code in (
        (fresh, 409, "not_reset"),
        (watch_id, 403, "read_only"),
        ("x", 404, "unknown_instance"),
    ):
        answer = await api.client.post(f"/instances/{ref}/runs")
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    answer = await api.client.post(f"/instances/{fresh}/runs", json={"model": "other"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "refused")
    answer = await api.client.get("/runs/nobody")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "unknown_run")
    async with inside(tmp_path / "keyless") as keyless:
        ref, _ = await opened(keyless, "moderation")
        answer = await keyless.client.post(f"/instances/{ref}/runs")
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "missing_key")


async def test_a_held_out_case_is_played_by_its_holder_and_tells_nothing(api: Api, loopback: Loopback):
    body = {"environment": "moderation", "agent": "reader", "version": "1", "level": "hard", "cases": 10}
    entered = (await api.client.post("/submissions", json=body)).json()
    first, second = (case["instance_id"] for case in entered["cases"][:2])
    loopback.script.extend([LOOK, ALLOW])
    answer = await agent_run(api, {"task_id": "easy", "seed": 1}, f"/envs/moderation/instances/{first}")
    told = answer.json()
    assert (answer.status_code, told["task_id"], told["seed"]) == (200, "hard_misinformation", 0)
    assert [moment["reward"] for moment in told["trajectory"]] == [0.0, 0.0]
    assert told["score"]["total"] == 0.0
    assert told["score"]["breakdown"] == {}
    again = await agent_run(api, HARD, f"/envs/moderation/instances/{first}")
    assert again.status_code == 409
    # One that was begun by hand is gone on with.
    await api.client.post(f"/envs/moderation/instances/{second}/reset")
    await api.client.post(
        f"/envs/moderation/instances/{second}/step", json={"action": "fetch_thread_context"}
    )
    loopback.script.append(ALLOW)
    answer = await agent_run(api, {}, f"/envs/moderation/instances/{second}")
    assert answer.status_code == 200
    assert len(answer.json()["trajectory"]) == 2
    run = (await api.client.get(f"/runs/{answer.headers['location'].rpartition('/')[2]}")).json()
    assert (run["result"]["score"], run["result"]["parts"]) == (None, {})
    assert not any("The ruling\n" in asked.case for asked in loopback.asked)
    watch_id = (await api.client.get(f"/instances/{second}")).json()["watch_id"]
    assert (await agent_run(api, {}, f"/envs/moderation/instances/{watch_id}")).status_code == 403
