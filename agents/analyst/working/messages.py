"""Messages: what the server and the workshop's process say to each other, and how it travels.

A message is one JSON object with its length before it. JSON and not pickle: the process reads strangers'
files, and whatever it says must not be able to do anything here.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, BinaryIO, Literal

from pydantic import Field, TypeAdapter

from agents.analyst.sources.uploads import Upload
from agents.analyst.working.asked import Asked, ReaderLimits
from agents.llm.completion import Reply
from agents.llm.endpoint import EndpointError, Question, Style
from envs.analyst.catalogue import Source
from envs.analyst.turns import Worked
from envs.kernel.records import Record

_LENGTH = 4


class Begin(Record):
    """The first message: where the process may keep files, what a reader may use, which Postgres it asks."""

    kind: Literal["begin"] = "begin"
    folder: str
    reader: ReaderLimits
    source_url: str | None


class DoTurn(Record):
    """Asks for a turn; `modelled` says that the server asks a model when it is told to."""

    kind: Literal["turn"] = "turn"
    job: int
    asked: Asked
    uploads: tuple[Upload, ...]
    modelled: bool


class DoReceive(Record):
    """Asks for an upload to be read; `path` is its file, which the server deletes."""

    kind: Literal["receive"] = "receive"
    job: int
    analysis_id: str
    upload: Upload
    path: str


class DoList(Record):
    """Asks for the sources of an analysis."""

    kind: Literal["list"] = "list"
    job: int
    analysis_id: str
    uploads: tuple[Upload, ...]


class DoForget(Record):
    """Asks for an upload to be closed and deleted."""

    kind: Literal["forget"] = "forget"
    job: int
    analysis_id: str
    source_id: str


class Cancel(Record):
    """Nobody waits for a job any more."""

    kind: Literal["cancel"] = "cancel"
    job: int


class Fault(Record):
    """Why a model did not answer; see `EndpointError`."""

    message: str
    status: int | None
    again: bool
    maybe_billed: bool
    retry_after_s: float | None

    @classmethod
    def of(cls, error: EndpointError) -> Fault:
        return cls(
            message=str(error),
            status=error.status,
            again=error.again,
            maybe_billed=error.maybe_billed,
            retry_after_s=error.retry_after_s,
        )

    def error(self) -> EndpointError:
        return EndpointError(
            self.message,
            status=self.status,
            again=self.again,
            maybe_billed=self.maybe_billed,
            retry_after_s=self.retry_after_s,
        )


class Replied(Record):
    """What a model answered for a job, or why it did not."""

    kind: Literal["replied"] = "replied"
    job: int
    reply: Reply | None = None
    fault: Fault | None = None


Job = DoTurn | DoReceive | DoList | DoForget
Said = Annotated[Begin | Job | Cancel | Replied, Field(discriminator="kind")]
"""To the process."""


class Telling(Record):
    """What happens now."""

    kind: Literal["telling"] = "telling"
    job: int
    status: str


class AskingModel(Record):
    """Asks the server to ask a model."""

    kind: Literal["asking_model"] = "asking_model"
    job: int
    question: Question
    style: Style


class Ended(Record):
    """How a job ended.

    Attributes:
        worked: Of a turn.
        sources: Of a list; of what was received, that one.
        code, message: What went wrong; None and empty if nothing did.
        refused: Whether `code` is one of a refused upload and not of a problem with a query.
    """

    kind: Literal["ended"] = "ended"
    job: int
    worked: Worked | None = None
    sources: tuple[Source, ...] = ()
    code: str | None = None
    message: str = ""
    refused: bool = False


Heard = Annotated[Telling | AskingModel | Ended, Field(discriminator="kind")]
"""From the process."""

SAID: TypeAdapter[Begin | Job | Cancel | Replied] = TypeAdapter(Said)
HEARD: TypeAdapter[Telling | AskingModel | Ended] = TypeAdapter(Heard)


def framed(message: Record) -> bytes:
    """A message with its length."""
    content = message.model_dump_json().encode()
    return len(content).to_bytes(_LENGTH, "big") + content


def next_said(stream: BinaryIO) -> Begin | Job | Cancel | Replied | None:
    """The next message to the process; None at the end."""
    content = _next(stream)
    return None if content is None else SAID.validate_json(content)


def next_ended(stream: BinaryIO) -> Ended | None:
    """The next end of a job, from a process that says nothing else; None at the end."""
    content = _next(stream)
    return None if content is None else Ended.model_validate_json(content)


def _next(stream: BinaryIO) -> bytes | None:
    length = _exactly(stream, _LENGTH)
    return None if length is None else _exactly(stream, int.from_bytes(length, "big"))


def _exactly(stream: BinaryIO, size: int) -> bytes | None:
    """So many bytes, which an unbuffered stream may give in pieces; None where it ends before."""
    content = bytearray()
    while len(content) < size:
        piece = stream.read(size - len(content))
        if not piece:
            return None
        content += piece
    return bytes(content)


async def next_heard(stream: asyncio.StreamReader) -> Telling | AskingModel | Ended:
    """The next message from the process.

    Raises:
        asyncio.IncompleteReadError: At the end.
    """
    length = await stream.readexactly(_LENGTH)
    return HEARD.validate_json(await stream.readexactly(int.from_bytes(length, "big")))
