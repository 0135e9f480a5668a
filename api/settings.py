"""The settings: environment variables, read once by `app.py` and passed on as a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from agents.analyst.conversing.settings import ConversationSettings
from agents.analyst.working.asked import WorkshopSettings
from agents.llm.models import read_models
from agents.settings import AgentSettings, Caps
from instances.model import Limits
from instances.store import database_url

T = TypeVar("T")

PROTOCOLS = ("contract", "openenv")
DATABASES = ("sqlite", "postgresql")
# Models are dear, so a caller can ask for none that the owner has not named.
MODELS = "gemini:gemini-2.5-flash"


class BadSetting(Exception):
    """A setting that cannot be understood; the text says what is allowed."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that the environment decides.

    Attributes:
        durable: Whether the store outlives this container.
        root_env: Slug of the environment that is also served at the root, or None.
        root_protocol: What it speaks there: its contract or OpenEnv's protocol.
        requests_per_s, request_burst: Token bucket of each client; 0 turns it off.
        trusted_proxies: How many proxies stand before this process and append to `X-Forwarded-For`.
        body_bytes: Largest request body.
        sessions: WebSocket sessions that may be open at once.
        secret: What held-out cases are drawn from; None: the store's own.
        admin_token: What an administrator sends; None: nobody is one.
        debug_truth: Whether a contract's debugging fields tell what is hidden, on practice instances.
        agents: Which models may play, and how much they may use.
        analyst: What analyses may use.
    """

    host: str
    port: int
    database_url: str
    synchronous: str
    durable: bool
    root_env: str | None
    root_protocol: str
    requests_per_s: float
    request_burst: float
    trusted_proxies: int
    body_bytes: int
    sessions: int
    secret: bytes | None
    admin_token: str | None
    debug_truth: bool
    limits: Limits
    agents: AgentSettings
    analyst: ConversationSettings


def read_settings(env: Mapping[str, str], slugs: frozenset[str]) -> Settings:
    """The settings in these environment variables.

    Raises:
        BadSetting: Naming the variable, what was found and what is allowed.
    """
    on_space = "SPACE_ID" in env
    url, durable = _store(env)
    root_env = _choice(env, "AUDITORIUM_ROOT_ENV", "", ("", *sorted(slugs))) or None
    return Settings(
        host=env.get("HOST", "").strip() or "0.0.0.0",
        port=_number(env, "PORT", 7860, int, 0, 65_535),
        database_url=url,
        synchronous=_choice(env, "AUDITORIUM_SQLITE_SYNCHRONOUS", "NORMAL", ("NORMAL", "FULL")),
        durable=durable,
        root_env=root_env,
        root_protocol=_root_protocol(env, root_env),
        requests_per_s=_number(env, "AUDITORIUM_REQUESTS_PER_S", 300.0, float, 0, 1e9),
        request_burst=_number(env, "AUDITORIUM_REQUEST_BURST", 900.0, float, 1, 1e9),
        trusted_proxies=_number(env, "AUDITORIUM_TRUSTED_PROXIES", int(on_space), int, 0, 10),
        body_bytes=_number(env, "AUDITORIUM_BODY_BYTES", 262_144, int, 1_024, 1 << 30),
        sessions=_number(env, "AUDITORIUM_SESSIONS", 1_024, int, 1, 1_000_000),
        secret=env.get("AUDITORIUM_SECRET", "").strip().encode() or None,
        admin_token=env.get("AUDITORIUM_ADMIN_TOKEN", "").strip() or None,
        debug_truth=_choice(env, "AUDITORIUM_DEBUG_TRUTH", "1", ("0", "1")) == "1",
        limits=Limits(
            cached_instances=_number(env, "AUDITORIUM_CACHED_INSTANCES", 1_024, int, 1, 10_000_000),
            episode_entries=_number(env, "AUDITORIUM_EPISODE_ENTRIES", 2_000, int, 10, 1_000_000),
            instance_entries=_number(env, "AUDITORIUM_INSTANCE_ENTRIES", 50_000, int, 100, 10_000_000),
            instances=_number(env, "AUDITORIUM_INSTANCES", 500_000, int, 1, 100_000_000),
            watchers=_number(env, "AUDITORIUM_WATCHERS", 256, int, 1, 100_000),
            creations_per_s=_number(env, "AUDITORIUM_CREATIONS_PER_S", 5.0, float, 0, 1e9),
            creation_burst=_number(env, "AUDITORIUM_CREATION_BURST", 200.0, float, 1, 1e9),
            unfinished_s=86_400.0 * _number(env, "AUDITORIUM_UNFINISHED_DAYS", 14.0, float, 0.01, 36_500),
        ),
        agents=_agents(env),
        analyst=_analyst(env),
    )


def _analyst(env: Mapping[str, str]) -> ConversationSettings:
    return ConversationSettings(
        workshop=WorkshopSettings(
            source_url=_address(env, "AUDITORIUM_SOURCE_URL", ("postgresql", "postgres")),
            turns_at_once=_number(env, "AUDITORIUM_ANALYST_AT_ONCE", 2, int, 1, 64),
            turn_s=_number(env, "AUDITORIUM_ANALYST_TURN_S", 60.0, float, 1, 3_600),
        ),
        redis_url=_address(env, "REDIS_URL", ("redis", "rediss", "unix")),
        client_turns=_number(env, "AUDITORIUM_ANALYST_CLIENT_TURNS", 32, int, 1, 10_000),
        turns=_number(env, "AUDITORIUM_ANALYST_TURNS", 128, int, 1, 100_000),
        upload_bytes=_number(env, "AUDITORIUM_UPLOAD_BYTES", 128 * 2**20, int, 1_024, 2**31),
    )


def _address(env: Mapping[str, str], name: str, schemes: tuple[str, ...]) -> str | None:
    text = env.get(name, "").strip()
    if text and text.partition("://")[0] not in schemes:
        # The address itself is not told: it may hold a password.
        raise BadSetting(f"{name} is not the address of one of: {', '.join(schemes)}.")
    return text or None


def _agents(env: Mapping[str, str]) -> AgentSettings:
    try:
        models = read_models(env.get("AUDITORIUM_AGENT_MODELS", "").strip() or MODELS, env)
    except ValueError as error:
        raise BadSetting(f"{error}.") from error
    return AgentSettings(
        models=models,
        call_s=_number(env, "AUDITORIUM_AGENT_CALL_S", 60.0, float, 1, 3_600),
        run_s=_number(env, "AUDITORIUM_AGENT_RUN_S", 300.0, float, 1, 86_400),
        # Less than the ten seconds after which people and gateways take silence for a failure.
        answer_s=_number(env, "AUDITORIUM_AGENT_ANSWER_S", 8.0, float, 0, 3_600),
        output_tokens=_number(env, "AUDITORIUM_AGENT_OUTPUT_TOKENS", 8_192, int, 16, 1_000_000),
        runs=_number(env, "AUDITORIUM_AGENT_RUNS", 32, int, 0, 10_000),
        caps=Caps(
            client_tokens=_number(env, "AUDITORIUM_AGENT_CLIENT_TOKENS", 500_000, int, 0, 10**12),
            tokens=_number(env, "AUDITORIUM_AGENT_TOKENS", 5_000_000, int, 0, 10**12),
            client_usd=_number(env, "AUDITORIUM_AGENT_CLIENT_USD", 0.25, float, 0, 1e6),
            usd=_number(env, "AUDITORIUM_AGENT_USD", 2.5, float, 0, 1e6),
        ),
    )


def _root_protocol(env: Mapping[str, str], root_env: str | None) -> str:
    protocol = _choice(env, "AUDITORIUM_ROOT_PROTOCOL", PROTOCOLS[0], PROTOCOLS)
    if protocol != PROTOCOLS[0] and root_env is None:
        raise BadSetting(
            f"AUDITORIUM_ROOT_PROTOCOL={protocol!r} needs AUDITORIUM_ROOT_ENV; name the environment."
        )
    return protocol


def _store(env: Mapping[str, str]) -> tuple[str, bool]:
    url, durable = database_url(env)
    try:
        backend = make_url(url).get_backend_name()
    except ArgumentError:
        backend = ""
    if backend not in DATABASES:
        # The address itself is not told: it may hold a password.
        raise BadSetting(f"DATABASE_URL is not the address of one of: {', '.join(DATABASES)}.")
    return url, durable


def _number(
    env: Mapping[str, str], name: str, default: T, read: Callable[[str], T], low: float, high: float
) -> T:
    text = env.get(name, "").strip()
    if not text:
        return default
    try:
        value = read(text)
    except ValueError:
        value = None
    if value is None or not low <= value <= high:  # pyright: ignore[reportOperatorIssue]
        kind = "a whole number" if read is int else "a number"
        raise BadSetting(f"{name}={text!r} is not {kind} from {low:g} to {high:g}.")
    return value


def _choice(env: Mapping[str, str], name: str, default: str, allowed: tuple[str, ...]) -> str:
    value = env.get(name, "").strip() or default
    if value not in allowed:
        raise BadSetting(f"{name}={value!r} is unknown; use one of: {', '.join(filter(None, allowed))}.")
    return value
