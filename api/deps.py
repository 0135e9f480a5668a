"""What routes need of a request: its body, its caller and the instance it means."""

from __future__ import annotations

import re
from typing import Generic, Literal, TypeVar

from pydantic import TypeAdapter, ValidationError
from starlette.requests import ClientDisconnect, HTTPConnection, Request

from api.errors import BodyTooLarge, bad, invalid
from instances.errors import UnknownInstance
from instances.looking import commons_id
from instances.model import Actor, ActorKind, Caller, Instance, Surface
from instances.service import Service

B = TypeVar("B")

LABEL = re.compile(r"[^\x00-\x1f\x7f]{0,80}")
KEY = re.compile(r"[\x21-\x7e]{1,255}")
LARGEST_N = 2**31 - 1


class Body(Generic[B]):
    """Reads one type of body from raw bytes.

    Args:
        ignore_extra: Contract routes ignore keys that they do not know, as their documents do.
    """

    def __init__(self, kind: type[B], *, ignore_extra: bool) -> None:
        self.kind = kind
        self._adapter: TypeAdapter[B] = TypeAdapter(kind)
        self._extra: Literal["ignore"] | None = "ignore" if ignore_extra else None

    async def read(self, request: Request) -> B:
        """The body of this request; an empty one counts as an empty object.

        Raises:
            BadRequest: With pydantic's complaints, each loc, msg and type.
        """
        raw = await read_body(request)
        try:
            return self._adapter.validate_json(raw or b"{}", extra=self._extra)
        except ValidationError as error:
            raise invalid(error, "body") from error


async def read_body(request: Request, bodies: int = 1) -> bytes:
    """The raw body, refused as soon as it grows over the limit; `bodies`: how many are in it at most."""
    limit: int = request.app.state.settings.body_bytes * bodies
    declared = header(request, b"content-length") or "0"
    if declared.isdecimal() and int(declared) > limit:
        raise BodyTooLarge(f"The body has {declared} bytes, {limit} are allowed.")
    chunks: list[bytes] = []
    size = 0
    # `request.stream` generates chunks; nearly every body is one, and a generator costs more than to read it.
    while True:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        chunks.append(message.get("body", b""))
        size += len(chunks[-1])
        if size > limit:
            raise BodyTooLarge(f"The body has more than {limit} bytes, {limit} are allowed.")
        if not message.get("more_body", False):
            return b"".join(chunks)


def caller_of(request: HTTPConnection, surface: Surface = Surface.HTTP) -> Caller:
    """Who calls, as the headers say."""
    return Caller(
        _actor(header(request, b"x-actor")),
        surface,
        _key(header(request, b"idempotency-key")),
        _expected(header(request, b"x-expected-step")),
    )


def header(request: HTTPConnection, name: bytes) -> str | None:
    """The first header of that name, which is in lower case.

    Starlette's mapping raises and catches an error for each that is not there, and most are not.
    """
    for found, value in request.scope["headers"]:
        if found == name:
            return value.decode("latin-1")
    return None


def service_of(request: Request) -> Service:
    """The one service of this process."""
    return request.app.state.service


def header_ref(request: Request) -> str | None:
    """The instance that the path or the header names."""
    return request.path_params.get("instance_id") or header(request, b"x-instance-id")


async def instance_of(request: Request, slug: str) -> tuple[str, Instance]:
    """The reference by which the caller named an instance of this environment, and the instance.

    Path before header before the shared one, whose name is `default`.
    """
    service = service_of(request)
    ref = header_ref(request)
    if ref is None or ref in ("default", commons_id(service.environment(slug))):
        instance = await service.commons(slug)
        return instance.id, instance
    instance = await service.find(ref)
    if instance.environment != slug:
        raise UnknownInstance(
            f"Instance {ref!r} belongs to {instance.environment}, not to {slug}; "
            f"use /envs/{instance.environment}/instances/{ref}."
        )
    return ref, instance


def instance_headers(ref: str, n: int) -> dict[str, str]:
    """The headers of an answer that concerns an instance."""
    return {"X-Instance-Id": ref, "X-Step": str(n)}


def _actor(text: str | None) -> Actor:
    if text is None:
        return Actor(ActorKind.ANONYMOUS)
    kind, _, label = text.partition(":")
    if kind not in set(ActorKind) or not LABEL.fullmatch(label):
        kinds = ", ".join(ActorKind)
        raise bad(
            ("header", "X-Actor"), f"{text[:100]!r} is not one of {kinds}, optionally followed by ':label'"
        )
    return Actor(ActorKind(kind), label)


def _key(text: str | None) -> str | None:
    if text is not None and not KEY.fullmatch(text):
        raise bad(("header", "Idempotency-Key"), "use 1 to 255 visible ASCII characters")
    return text


def _expected(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 10 and int(text) <= LARGEST_N):
        raise bad(("header", "X-Expected-Step"), f"{text[:40]!r} is not a whole number from 0 to {LARGEST_N}")
    return int(text)
