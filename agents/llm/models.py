"""Models: which ones may be asked, where they answer, and what a token of theirs costs.

Decides nothing about when one is asked. Keys come in with the settings and go out to their endpoint alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from math import ceil
from types import MappingProxyType
from urllib.parse import urlsplit

from envs.kernel.protocol import Refusal

SETTING = "AUDITORIUM_AGENT_MODELS"
UNUSED = "unused"
NAME = re.compile(r"[!-+\--~]{1,80}")
# What can stand in a header, and in an address.
VISIBLE = re.compile(r"[!-~]+")
DEAREST_USD = Decimal(100_000)


class UnknownModel(Refusal):
    """A model that the server does not offer; the text says which ones it does."""


class MissingKey(Exception):
    """The server has no key for the model's endpoint; the text says what has to be set."""


@dataclass(frozen=True, slots=True)
class Provider:
    """Somebody who serves models over OpenAI's protocol.

    Attributes:
        base_url: Where, unless the variable `elsewhere` names another place.
        keys: Variables that may hold the key, the first that is set counts.
        limit: What it calls the most tokens of an answer.
    """

    base_url: str
    keys: tuple[str, ...]
    limit: str = "max_tokens"
    elsewhere: str | None = None


PROVIDERS: Mapping[str, Provider] = MappingProxyType(
    {
        "gemini": Provider(
            "https://generativelanguage.googleapis.com/v1beta/openai/", ("GOOGLE_API_KEY", "GEMINI_API_KEY")
        ),
        "openai": Provider(
            "https://api.openai.com/v1", ("OPENAI_API_KEY",), "max_completion_tokens", "OPENAI_BASE_URL"
        ),
        "huggingface": Provider("https://router.huggingface.co/v1", ("HF_TOKEN",)),
    }
)


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    prompt: Decimal
    output: Decimal


@dataclass(frozen=True, slots=True)
class Model:
    """A model that may be asked.

    Attributes:
        name: As its endpoint knows it.
        key: None when none of `key_names` is set.
        limit: What the endpoint calls the most tokens of an answer.
        price: None when nobody told it: the cost of a call is then unknown.
    """

    provider: str
    name: str
    base_url: str
    key: str | None = field(repr=False)
    key_names: tuple[str, ...]
    limit: str
    price: Price | None = None

    @property
    def label(self) -> str:
        """Its name among all models."""
        return f"{self.provider}:{self.name}"

    def micro_usd(self, prompt_tokens: int, output_tokens: int) -> int | None:
        """What these tokens cost in millionths of a dollar, rounded up; None when the price is unknown."""
        if self.price is None:
            return None
        # Dollars for a million tokens are millionths of a dollar for one.
        return ceil(self.price.prompt * prompt_tokens + self.price.output * output_tokens)

    def usable_key(self) -> str:
        """The key to send.

        Raises:
            MissingKey: Naming the variables that can hold it.
        """
        if self.key is None:
            raise MissingKey(
                f"{' or '.join(self.key_names)} environment variable is required to run {self.name}; "
                "set it and start the server again."
            )
        return self.key


def choose(models: tuple[Model, ...], named: str | None) -> Model:
    """The model of that name, with or without its provider; the first one when none is named.

    Raises:
        UnknownModel: With the names that there are.
    """
    if named is None and models:
        return models[0]
    for model in models:
        if named in (model.label, model.name):
            return model
    offered = ", ".join(model.label for model in models) or "(none)"
    raise UnknownModel(f"Unknown model: {named}; this server offers {offered}")


def read_models(text: str, env: Mapping[str, str]) -> tuple[Model, ...]:
    """Models as the settings name them.

    Args:
        text: `provider:name`, or with its price `provider:name@prompt/output` (dollars for a million tokens);
            separated by commas.
        env: Holds keys and addresses.
    Raises:
        ValueError: Naming the setting that cannot be understood, and what is allowed.
    """
    endpoints = {name: _endpoint(provider, env) for name, provider in PROVIDERS.items()}
    return tuple(_model(part.strip(), endpoints) for part in text.split(",") if part.strip())


@dataclass(frozen=True, slots=True)
class _Endpoint:
    base_url: str
    key: str | None = field(repr=False)
    limit: str


def _endpoint(provider: Provider, env: Mapping[str, str]) -> _Endpoint:
    held = [_key(variable, env.get(variable, "").strip()) for variable in provider.keys]
    key = next(filter(None, held), None)
    place = env.get(provider.elsewhere, "").strip() if provider.elsewhere else ""
    if provider.elsewhere is None or not place:
        return _Endpoint(provider.base_url, key, provider.limit)
    # Servers at home want no key, but the protocol's clients send one.
    return _Endpoint(_address(provider.elsewhere, place), key or UNUSED, "max_tokens")


def _key(variable: str, text: str) -> str:
    if text and not VISIBLE.fullmatch(text):
        raise ValueError(
            f"{variable} holds a space, a line break or a letter outside ASCII; no key does: copy it again"
        )
    return text


def _address(variable: str, text: str) -> str:
    try:
        parts = urlsplit(text)
        # Reading the port and the name raises what is wrong with them.
        named = parts.port != 0 and bool((parts.hostname or "").encode("idna"))
    except ValueError:
        named = False
    if not (named and VISIBLE.fullmatch(text) and text.startswith(("http://", "https://"))):
        # The address itself is not told: it may hold a password.
        raise ValueError(
            f"{variable} is no http:// or https:// address of a host; write one like http://localhost:8080/v1"
        )
    return text


def _model(text: str, endpoints: Mapping[str, _Endpoint]) -> Model:
    label, priced, price = text.rpartition("@")
    provider, _, name = (label if priced else text).partition(":")
    if provider not in PROVIDERS or not NAME.fullmatch(name):
        known = ", ".join(f"{known}:<model>" for known in PROVIDERS)
        raise ValueError(f"{SETTING}: {text[:100]!r} is none of {known}")
    endpoint = endpoints[provider]
    return Model(
        provider=provider,
        name=name,
        base_url=endpoint.base_url,
        key=endpoint.key,
        key_names=PROVIDERS[provider].keys,
        limit=endpoint.limit,
        price=_price(price, text) if priced else None,
    )


def _price(text: str, whole: str) -> Price:
    prompt, _, output = text.partition("/")
    try:
        price = Price(Decimal(prompt), Decimal(output))
        if all(0 <= part <= DEAREST_USD for part in (price.prompt, price.output)):
            return price
    except InvalidOperation:
        pass
    raise ValueError(
        f"{SETTING}: {whole[:100]!r} ends in no price; "
        "write dollars for a million tokens of prompt and output: @0.3/2.5"
    )
