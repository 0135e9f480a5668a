"""A frontend of the analyst's contract, as far as tests need one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import httpx

USER = "u_1a2b3c"
CHAT = "/api/v2/chat/stream"
HELP = "/api/v1/tools/help"
TRACE = "/api/v1/traceability"


@dataclass(frozen=True, slots=True)
class Told:
    """One stream, read to its end: its events in order, each name with its data."""

    events: tuple[tuple[str, str], ...]

    @property
    def names(self) -> list[str]:
        """The events' names, each run of one name once."""
        names = [name for name, _ in self.events]
        return [name for place, name in enumerate(names) if place == 0 or names[place - 1] != name]

    @property
    def text(self) -> str:
        return "".join(data for name, data in self.events if name == "chunk")

    @property
    def message_id(self) -> str:
        name, data = self.events[-1]
        assert name == "done", self.events
        return json.loads(data)["message_id"]


async def talk(client: httpx.AsyncClient, analysis_id: str, message: str, **more: Any) -> Told:
    """Sends a message and reads the stream."""
    headers = more.pop("headers", {})
    body = {"user_id": USER, "analysis_id": analysis_id, "message": message, **more}
    return read(await client.post(CHAT, json=body, headers=headers))


async def trace(client: httpx.AsyncClient, analysis_id: str, told: Told) -> dict[str, Any]:
    """How an answer came about."""
    answer = await client.get(TRACE, params={"analysis_id": analysis_id, "message_id": told.message_id})
    assert answer.status_code == 200, answer.text
    return answer.json()


def read(answer: httpx.Response) -> Told:
    """A stream's events, by the rules of server-sent events."""
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    return Told(tuple(_event(block) for block in answer.text.split("\n\n") if block and block[0] != ":"))


def _event(block: str) -> tuple[str, str]:
    name, data = "message", list[str]()
    for line in block.split("\n"):
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)
    return name, "\n".join(data)
