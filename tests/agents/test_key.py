"""The server's key goes to its endpoint and nowhere else, and honest answers stay as they were said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.llm.mask import Mask
from agents.llm.models import read_models
from tests.agents.calling import ALLOW, agent_run, asking, ended, opened
from tests.agents.loopback import Loopback, Turn, breaks_off, calls, fails, refuses, says
from tests.agents.playing import KEY
from tests.api.inside import Api, inside

ACCEPT = calls("accept", {})
ESCAPED = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
FLAGGED = '{"target_index": 0, "rationale": "my key is %s"}'
WRITTEN = '{"operation": "flag_anomaly", "target_index": 0, "rationale": "my key is %s"}'
CLAUSE = '{"action": "check_policy_clause", "clause_id": "%s"}'

PLAYED: tuple[Turn, ...] = (
    calls("flag_anomaly", FLAGGED % KEY),
    calls("flag_anomaly", FLAGGED % ESCAPED),
    says(f"I say:\n{WRITTEN % KEY}"),
    says(f"I say:\n{WRITTEN % ESCAPED}"),
)
"""Answers with the key in them that forecast-audit takes as actions."""

THROWN_BACK: tuple[list[Turn], ...] = (
    *([turn, ACCEPT] for turn in PLAYED),
    [calls("accept", f'{{"{ESCAPED}": "{ESCAPED}"}}')] * 2,
    [says(f'{{"action": "{ESCAPED}", "operation": "{ESCAPED}", "{ESCAPED}": 1}}')] * 2,
    [says(CLAUSE % ESCAPED), ALLOW],
    [calls("check_policy_clause", f'{{"clause_id": "{ESCAPED}"}}'), ALLOW],
    [calls(KEY, {KEY: KEY})] * 2,
    [says(f'{{"operation": "{KEY}", "{KEY}": 1}}')] * 2,
    [refuses(f"Not with {KEY}")],
    [fails(401, f"Incorrect API key provided: {KEY}")],
    [fails(500, KEY)] * 3,
    [breaks_off] * 3,
)
"""Every way in which an endpoint can put the key where somebody might read it."""


def _contents(folder: Path) -> list[bytes]:
    return [file.read_bytes() for file in folder.rglob("*") if file.is_file()]


async def test_the_key_is_in_nothing_that_is_told_kept_or_logged(
    api: Api, loopback: Loopback, caplog: pytest.LogCaptureFixture, tmp_path: Path
):
    caplog.set_level("DEBUG")
    told: list[str] = []
    for script in THROWN_BACK:
        loopback.script.clear()
        loopback.script.extend(script)
        ref, _ = await opened(api, "forecast-audit")
        started = await api.client.post(f"/instances/{ref}/runs")
        told.append(json.dumps(await ended(api, started.headers["location"])))
        told.append((await api.client.get(f"/instances/{ref}/transcript")).text)
        loopback.script.clear()
        loopback.script.extend(script)
        told.append((await agent_run(api)).text)
    told.append(repr(api.app.state.settings))
    told.append((await api.client.get("/health")).text)
    told.append(caplog.text)
    assert not any(KEY in text for text in told)
    assert not any(KEY in json.dumps(asked.body) for asked in loopback.asked)
    assert not any(KEY.encode() in content for content in _contents(tmp_path))


@pytest.mark.parametrize("turn", PLAYED)
async def test_an_action_with_the_key_in_it_is_played_without_it(api: Api, loopback: Loopback, turn: Turn):
    loopback.script.extend([turn, ACCEPT])
    ref, _ = await opened(api, "forecast-audit")
    started = await api.client.post(f"/instances/{ref}/runs")
    run = await ended(api, started.headers["location"])
    assert run["result"]["trajectory"][0]["action"]["rationale"] == "my key is …"
    transcript = (await api.client.get(f"/instances/{ref}/transcript")).json()
    assert transcript["entries"][1]["body"]["rationale"] == "my key is …"


@pytest.mark.parametrize(
    ("turn", "complaint"),
    [
        (calls("accept", f'{{"{ESCAPED}": 1}}'), "'…': accept takes "),
        (says(f'{{"operation": "accept", "{ESCAPED}": 1}}'), "…: Extra inputs are not permitted"),
        (calls(KEY, {}), "there is no function '…'"),
    ],
)
async def test_a_complaint_about_the_key_does_not_name_it(
    api: Api, loopback: Loopback, turn: Turn, complaint: str
):
    loopback.always = turn
    ref, _ = await opened(api, "forecast-audit")
    started = await api.client.post(f"/instances/{ref}/runs")
    run = await ended(api, started.headers["location"])
    assert run["detail"].startswith(f"No usable answer for action 1, twice: {complaint}")
    assert KEY not in loopback.asked[1].case


@pytest.mark.parametrize("settings", [{"OPENAI_API_KEY": ""}, {"OPENAI_API_KEY": "none"}])
async def test_an_honest_answer_is_played_as_it_was_said(
    tmp_path: Path, loopback: Loopback, settings: dict[str, str]
):
    """Also when it has a word in it that stands where a key would."""
    async with inside(tmp_path, asking(loopback, **settings)) as api:
        loopback.script.extend([calls("mark_violation_type", {"violation_type": "none"}), ALLOW])
        answer = await agent_run(api)
        assert answer.json()["trajectory"][0]["action"]["parameters"] == {"violation_type": "none"}
        ref, _ = await opened(api, "forecast-audit")
        said = "none of the unused values"
        loopback.script.append(calls("accept", {"rationale": said}))
        started = await api.client.post(f"/instances/{ref}/runs")
        run = await ended(api, started.headers["location"])
        assert run["result"]["trajectory"][0]["action"]["rationale"] == said


def test_a_key_is_masked_in_names_and_values_of_decoded_json():
    decoded = {KEY: [f"a {KEY}{KEY} b", {"deep": {KEY: KEY}}, 1, None, True], "number": 0.5}
    assert Mask(KEY).json(decoded) == {"…": ["a …… b", {"deep": {"…": "…"}}, 1, None, True], "number": 0.5}
    assert KEY not in repr(Mask(KEY))


def test_what_may_be_a_word_of_an_honest_answer_is_no_key_to_mask():
    at_home = read_models("openai:m", {"OPENAI_BASE_URL": "http://localhost:8080/v1"})[0]
    for key in (at_home.usable_key(), "none", "EMPTY", "misinformation"):
        assert Mask(key).words(f"this is {key}, and honest") == f"this is {key}, and honest"
    assert Mask("k" * 16).words("k" * 17) == "…k"
