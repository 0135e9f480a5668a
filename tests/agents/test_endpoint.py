"""The wire to a model, through the real client over real sockets."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from agents.llm.completion import Usage
from agents.llm.endpoint import Endpoint, EndpointError, Question, Style
from agents.llm.models import MissingKey, Model, choose, read_models
from tests.agents.loopback import Loopback, Turn, breaks_off, calls, fails, refuses, says, sends
from tests.agents.playing import KEY

SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
TOOL = {"type": "function", "function": {"name": "wait", "description": "Waits.", "parameters": SCHEMA}}
BARE = '{"choices": [{"finish_reason": "content_filter"}]}'
QUESTION = Question("Rules.", {style: f"Case in {style}." for style in Style}, (TOOL,), SCHEMA)


@pytest.fixture
async def endpoint(model: Model):
    opened = Endpoint(model, 20.0, 500)
    yield opened
    await opened.close()


async def test_a_question_goes_out_as_a_chat_completion_with_the_key(endpoint: Endpoint, loopback: Loopback):
    loopback.script.append(calls("wait", {}))
    reply = await endpoint.ask(QUESTION, Style.TOOLS)
    assert (reply.calls[0].name, reply.calls[0].arguments) == ("wait", "{}")
    asked = loopback.asked[0]
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.body == {
        "model": "test-model",
        "messages": [
            {"role": "system", "content": "Rules."},
            {"role": "user", "content": "Case in tools."},
        ],
        "max_tokens": 500,
        "tools": [TOOL],
        "tool_choice": "required",
    }


async def test_openai_itself_gets_its_own_name_for_the_longest_answer():
    at_openai = read_models("openai:gpt-5-mini", {"OPENAI_API_KEY": KEY})[0]
    elsewhere = read_models("openai:x", {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "http://localhost:1/v1"})
    assert (at_openai.limit, elsewhere[0].limit) == ("max_completion_tokens", "max_tokens")


async def test_a_bound_on_tokens_holds_for_what_is_sent(endpoint: Endpoint, loopback: Loopback):
    loopback.always = says("")
    for style in Style:
        await endpoint.ask(QUESTION, style)
        sent = json.dumps(loopback.asked[-1].body, separators=(",", ":"))
        assert endpoint.most(QUESTION, style) == Usage(len(sent.encode()), 500)


@pytest.mark.parametrize(
    ("answer", "text", "refusal"),
    [
        (says("hm"), "hm", ""),
        (says([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]), "ab", ""),
        (says(None), "", ""),
        (says(None, finish="content_filter"), "", "its content filter stopped it"),
        (refuses("no"), "", "no"),
        (
            sends('{"choices":[{"finish_reason":"content_filter"}]}', "text/plain"),
            "",
            "its content filter stopped it",
        ),
    ],
)
async def test_words_and_refusals_are_told_apart(
    endpoint: Endpoint, loopback: Loopback, answer: Turn, text: str, refusal: str
):
    loopback.script.append(answer)
    reply = await endpoint.ask(QUESTION, Style.PLAIN)
    assert (reply.text, reply.refusal) == (text, refusal)


@pytest.mark.parametrize(
    ("told", "usage"),
    [
        ({"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}, Usage(7, 3)),
        # Thoughts stand in the total alone.
        ({"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 30}, Usage(7, 23)),
        ({"prompt_tokens": 7}, Usage(7, 0)),
        (None, None),
        ({}, None),
        ("many", None),
        ({"prompt_tokens": -5, "completion_tokens": 0}, None),
        ({"prompt_tokens": 7.5, "completion_tokens": 3}, None),
        ({"prompt_tokens": 7, "completion_tokens": 10**30}, None),
        ({"prompt_tokens": 7, "total_tokens": 100_000_001}, None),
        ({"prompt_tokens": 100_000_000}, Usage(100_000_000, 0)),
    ],
)
async def test_tokens_are_counted_as_they_are_charged_for(
    endpoint: Endpoint, loopback: Loopback, told: object, usage: Usage | None
):
    loopback.script.append(says("", usage=told))
    assert (await endpoint.ask(QUESTION, Style.PLAIN)).usage == usage


@pytest.mark.parametrize(
    ("failure", "status", "again", "maybe_billed"),
    [
        (fails(400), 400, False, False),
        (fails(401), 401, False, False),
        (fails(404), 404, False, False),
        (fails(429), 429, True, False),
        (fails(500), 500, True, False),
        (fails(302, Location="http://192.0.2.1/"), 302, False, False),
        (breaks_off, None, True, True),
        (sends("<html></html>"), None, True, True),
        (sends("", "application/json"), None, True, True),
    ],
)
async def test_a_failure_says_whether_to_try_again_and_who_may_have_been_charged(
    endpoint: Endpoint, loopback: Loopback, failure: Turn, status: int, again: bool, maybe_billed: bool
):
    loopback.script.append(failure)
    with pytest.raises(EndpointError) as error:
        await endpoint.ask(QUESTION, Style.TOOLS)
    assert (error.value.status, error.value.again, error.value.maybe_billed) == (status, again, maybe_billed)
    assert len(loopback.asked) == 1


async def test_nobody_at_the_address_is_a_failure_with_words(model: Model):
    endpoint = Endpoint(replace(model, base_url="http://127.0.0.1:9/v1"), 5.0, 10)
    with pytest.raises(EndpointError, match="the connection to the endpoint of test-model failed"):
        await endpoint.ask(QUESTION, Style.TOOLS)
    await endpoint.close()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("somebody:model", "'somebody:model' is none of gemini:<model>, openai:<model>, huggingface:<model>"),
        ("gemini:", "'gemini:' is none of"),
        ("gemini", "'gemini' is none of"),
        ("openai:" + "m" * 81, "is none of"),
        ("openai:a b", "is none of"),
        ("openai:m@", "ends in no price"),
        ("openai:m@1", "ends in no price"),
        ("openai:m@1/x", "ends in no price"),
        ("openai:m@-1/2", "ends in no price"),
        ("openai:m@nan/2", "ends in no price"),
        ("openai:m@inf/2", "ends in no price"),
    ],
)
def test_a_model_that_cannot_be_read_says_what_is_allowed(text: str, named: str):
    with pytest.raises(ValueError, match=named.replace("<", ".").replace(">", ".")):
        read_models(text, {})


def test_models_keep_their_colons_and_prices():
    env = {"HF_TOKEN": "hf_x", "GEMINI_API_KEY": "g"}
    models = read_models("gemini:gemini-2.5-flash@0.30/2.50, huggingface:Qwen/Qwen3-32B:cerebras", env)
    assert [model.label for model in models] == [
        "gemini:gemini-2.5-flash",
        "huggingface:Qwen/Qwen3-32B:cerebras",
    ]
    assert [model.micro_usd(1_000_000, 1_000) for model in models] == [302_500, None]
    assert [model.base_url for model in models] == [
        "https://generativelanguage.googleapis.com/v1beta/openai/",
        "https://router.huggingface.co/v1",
    ]
    assert choose(models, None) is models[0]
    assert choose(models, "Qwen/Qwen3-32B:cerebras") is models[1]
    assert choose(models, "gemini:gemini-2.5-flash") is models[0]


def test_the_first_key_that_is_set_counts_and_a_missing_one_names_its_variables():
    both = {"GOOGLE_API_KEY": "first", "GEMINI_API_KEY": "second"}
    assert read_models("gemini:m", both)[0].usable_key() == "first"
    assert read_models("gemini:m", {"GEMINI_API_KEY": "second"})[0].usable_key() == "second"
    with pytest.raises(
        MissingKey, match=r"^GOOGLE_API_KEY or GEMINI_API_KEY environment variable is required"
    ):
        read_models("gemini:m", {})[0].usable_key()


def test_a_server_at_home_wants_no_key():
    assert (
        read_models("openai:m", {"OPENAI_BASE_URL": "http://localhost:8080/v1"})[0].usable_key() == "unused"
    )


@pytest.mark.parametrize("variable", ["GOOGLE_API_KEY", "GEMINI_API_KEY", "OPENAI_API_KEY", "HF_TOKEN"])
@pytest.mark.parametrize(
    "key", ["schlüssel-0123456789", "sk-0123456789\nabcdef", "sk 0123456789", "sk\x00", "…"]
)
def test_a_key_that_no_header_can_hold_names_its_variable_and_is_not_told(variable: str, key: str):
    with pytest.raises(ValueError, match=f"^{variable} holds a space, a line break or a letter") as refusal:
        read_models("gemini:m", {variable: key})
    assert key not in str(refusal.value)


@pytest.mark.parametrize(
    "address",
    [
        "ftp://user:secret@host/v1",
        "localhost:8080/v1",
        "http://",
        "http:///secret",
        "http://[secret",
        "http://[::secret]/v1",
        "http://user:secret@/v1",
        "http://secret:99999/v1",
        "http://secret:0/v1",
        "http://secret:port/v1",
        "http://a secret/v1",
        "http://a\nsecret/v1",
        "http://schlüssel-secret/v1",
        "http://secret..host/v1",
        f"http://{'secret' * 11}/v1",
    ],
)
def test_an_address_that_no_client_can_open_names_its_variable_and_is_not_told(address: str):
    with pytest.raises(ValueError, match=r"^OPENAI_BASE_URL is no http:// or https:// address") as refusal:
        read_models("openai:m", {"OPENAI_BASE_URL": address})
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize(
    "address",
    ["http://localhost:8080/v1", "https://models.example.org", "http://[::1]:8000/v1", "http://10.0.0.7"],
)
async def test_an_address_that_is_taken_can_be_asked(address: str):
    model = read_models("openai:m", {"OPENAI_BASE_URL": f" {address} "})[0]
    assert model.base_url == address
    await Endpoint(model, 1.0, 10).close()
