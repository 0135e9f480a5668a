"""Every setting has a sane default, takes what it allows and names itself when it gets anything else."""

from __future__ import annotations

import pytest

from agents.settings import AgentSettings
from api.settings import BadSetting, read_settings
from instances.model import Limits

SLUGS = frozenset({"forecast-audit", "fleet"})

# Name, the least and the most that is allowed; one less or more is not.
WHOLE = {
    "PORT": (0, 65_535),
    "AUDITORIUM_TRUSTED_PROXIES": (0, 10),
    "AUDITORIUM_BODY_BYTES": (1_024, 2**30),
    "AUDITORIUM_SESSIONS": (1, 1_000_000),
    "AUDITORIUM_CACHED_INSTANCES": (1, 10_000_000),
    "AUDITORIUM_EPISODE_ENTRIES": (10, 1_000_000),
    "AUDITORIUM_INSTANCE_ENTRIES": (100, 10_000_000),
    "AUDITORIUM_INSTANCES": (1, 100_000_000),
    "AUDITORIUM_WATCHERS": (1, 100_000),
    "AUDITORIUM_AGENT_OUTPUT_TOKENS": (16, 1_000_000),
    "AUDITORIUM_AGENT_RUNS": (0, 10_000),
    "AUDITORIUM_AGENT_CLIENT_TOKENS": (0, 10**12),
    "AUDITORIUM_AGENT_TOKENS": (0, 10**12),
}
FRACTIONS = {
    "AUDITORIUM_REQUESTS_PER_S": (0, 10**9),
    "AUDITORIUM_REQUEST_BURST": (1, 10**9),
    "AUDITORIUM_CREATIONS_PER_S": (0, 10**9),
    "AUDITORIUM_CREATION_BURST": (1, 10**9),
    "AUDITORIUM_UNFINISHED_DAYS": (0.01, 36_500),
    "AUDITORIUM_AGENT_CALL_S": (1, 3_600),
    "AUDITORIUM_AGENT_RUN_S": (1, 86_400),
    "AUDITORIUM_AGENT_ANSWER_S": (0, 3_600),
    "AUDITORIUM_AGENT_CLIENT_USD": (0, 10**6),
    "AUDITORIUM_AGENT_USD": (0, 10**6),
}
NUMBERS = WHOLE | FRACTIONS


def test_nothing_set_gives_the_defaults():
    settings = read_settings({}, SLUGS)
    assert (settings.host, settings.port) == ("0.0.0.0", 7860)
    assert (settings.root_env, settings.root_protocol) == (None, "contract")
    assert (settings.synchronous, settings.durable, settings.trusted_proxies) == ("NORMAL", True, 0)
    assert settings.limits == Limits()
    assert settings.agents == AgentSettings(models=settings.agents.models)
    assert [model.label for model in settings.agents.models] == ["gemini:gemini-2.5-flash"]


@pytest.mark.parametrize(
    "name",
    [
        *NUMBERS,
        "HOST",
        "AUDITORIUM_ROOT_ENV",
        "AUDITORIUM_ROOT_PROTOCOL",
        "AUDITORIUM_SQLITE_SYNCHRONOUS",
        "AUDITORIUM_AGENT_MODELS",
        "GOOGLE_API_KEY",
        "GEMINI_API_KEY",
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "HF_TOKEN",
    ],
)
@pytest.mark.parametrize("blank", ["", "  "])
def test_a_blank_setting_is_an_unset_one(name: str, blank: str):
    assert read_settings({name: blank}, SLUGS) == read_settings({}, SLUGS)


@pytest.mark.parametrize("name", ["DATABASE_URL", "DATA_DIR"])
def test_a_blank_place_is_an_unset_one_and_not_durable_on_a_space(name: str):
    assert read_settings({"SPACE_ID": "x/y", name: ""}, SLUGS) == read_settings({"SPACE_ID": "x/y"}, SLUGS)
    assert read_settings({"SPACE_ID": "x/y", name: ""}, SLUGS).durable is False


@pytest.mark.parametrize(("name", "bounds"), NUMBERS.items())
def test_a_number_is_taken_up_to_its_bounds(name: str, bounds: tuple[float, float]):
    for bound in bounds:
        read_settings({name: f" {bound} "}, SLUGS)


@pytest.mark.parametrize(("name", "bounds"), NUMBERS.items())
@pytest.mark.parametrize(
    "text", ["x", "1 2", "1,5", "nan", "inf", "-inf", "0x10", "1e400", "-1", "below", "above"]
)
def test_a_number_that_cannot_be_names_its_setting_and_its_bounds(
    name: str, bounds: tuple[float, float], text: str
):
    low, high = bounds
    text = {"below": str(low - 1), "above": str(high + 1)}.get(text, text)
    with pytest.raises(BadSetting, match=f"^{name}=.* from {low:g} to ") as refusal:
        read_settings({name: text}, SLUGS)
    assert text in str(refusal.value)


@pytest.mark.parametrize("name", WHOLE)
def test_a_fraction_is_not_a_whole_number(name: str):
    with pytest.raises(BadSetting, match="is not a whole number"):
        read_settings({name: "1024.5"}, SLUGS)


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("AUDITORIUM_ROOT_ENV", "nowhere", "use one of: fleet, forecast-audit"),
        ("AUDITORIUM_ROOT_ENV", "Forecast-Audit", "use one of: fleet, forecast-audit"),
        ("AUDITORIUM_ROOT_PROTOCOL", "OpenEnv", "use one of: contract, openenv"),
        ("AUDITORIUM_SQLITE_SYNCHRONOUS", "OFF", "use one of: NORMAL, FULL"),
    ],
)
def test_an_unknown_choice_names_the_choices(name: str, value: str, allowed: str):
    with pytest.raises(BadSetting, match=f"^{name}='{value}' is unknown; {allowed}"):
        read_settings({name: value}, SLUGS)


def test_a_protocol_at_the_root_needs_an_environment_there():
    protocol = {"AUDITORIUM_ROOT_PROTOCOL": "openenv"}
    with pytest.raises(BadSetting, match="needs AUDITORIUM_ROOT_ENV"):
        read_settings(protocol, SLUGS)
    assert read_settings({**protocol, "AUDITORIUM_ROOT_ENV": "fleet"}, SLUGS).root_protocol == "openenv"


@pytest.mark.parametrize("url", ["nonsense", "http://secret@host/", "oracle://user:secret@host/name", "://"])
def test_a_database_that_cannot_be_is_refused_without_telling_its_address(url: str):
    with pytest.raises(BadSetting, match=r"^DATABASE_URL is not the address of one of: ") as refusal:
        read_settings({"DATABASE_URL": url}, SLUGS)
    assert "secret" not in str(refusal.value)


def test_the_data_folder_holds_the_store_unless_a_database_is_named():
    settings = read_settings({"DATA_DIR": "/somewhere"}, SLUGS)
    assert settings.database_url == "sqlite:////somewhere/auditorium.db"
    url = "postgresql+psycopg://user@host/name"
    assert read_settings({"DATA_DIR": "/somewhere", "DATABASE_URL": url}, SLUGS).database_url == url


def test_a_space_stands_behind_one_proxy():
    assert read_settings({"SPACE_ID": "x/y"}, SLUGS).trusted_proxies == 1
    assert read_settings({"SPACE_ID": "x/y", "AUDITORIUM_TRUSTED_PROXIES": "0"}, SLUGS).trusted_proxies == 0


def test_a_model_that_cannot_be_read_names_its_setting_and_tells_no_key():
    env = {"AUDITORIUM_AGENT_MODELS": "openai:m@x", "OPENAI_API_KEY": "sk-secret", "OPENAI_BASE_URL": ""}
    with pytest.raises(
        BadSetting, match=r"^AUDITORIUM_AGENT_MODELS: 'openai:m@x' ends in no price"
    ) as refusal:
        read_settings(env, SLUGS)
    assert "secret" not in str(refusal.value)
    with pytest.raises(BadSetting, match="OPENAI_BASE_URL is no http:// or https:// address") as refusal:
        read_settings({"OPENAI_BASE_URL": "ftp://user:secret@host"}, SLUGS)
    assert "secret" not in str(refusal.value)
    assert "sk-secret" not in repr(read_settings({"OPENAI_API_KEY": "sk-secret"}, SLUGS))
