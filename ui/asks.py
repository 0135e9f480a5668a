"""What the page's scripts send, and what they get back."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from envs.kernel.records import Record
from instances.model import Actor, ActorKind, Caller, Surface
from ui.frame import Viewer

LONGEST_BODY = 200_000
DAY_MIN = 24 * 60
LARGEST_ENTRY = 2**31 - 1


class Ask(BaseModel):
    """One question of the page.

    Attributes:
        who: The pseudonym that the browser keeps.
        base: Address under which the browser reaches this server; shown back to it in snippets.
        step: Which step to look at; None: the last.
        seen: Number of the last journal entry that the page has painted.
        key: Idempotency key of a reset or step.
        body: The action or the reset request, as JSON.
        at: Journal entry to fork at.
        recent: Instances that this browser has played.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    environment: Annotated[str, Field(max_length=64)] = ""
    instance: Annotated[str, Field(max_length=128)] = ""
    who: Annotated[str, Field(pattern=r"^[a-z0-9-]{1,40}$")] = "guest"
    base: Annotated[str, Field(max_length=300, pattern=r"^https?://[^\s\"'<>`$\\]*$|^$")] = ""
    offset_min: Annotated[int, Field(ge=-DAY_MIN, le=DAY_MIN)] = 0
    step: Annotated[int | None, Field(ge=0, le=LARGEST_ENTRY)] = None
    seen: Annotated[int | None, Field(ge=0, le=LARGEST_ENTRY)] = None
    key: Annotated[str | None, Field(min_length=1, max_length=64)] = None
    body: Annotated[str | None, Field(max_length=LONGEST_BODY)] = None
    at: Annotated[int | None, Field(ge=0, le=LARGEST_ENTRY)] = None
    recent: Annotated[list[Annotated[str, Field(max_length=128)]], Field(max_length=6)] = []

    @property
    def viewer(self) -> Viewer:
        return Viewer(self.who, timedelta(minutes=self.offset_min))

    @property
    def caller(self) -> Caller:
        return Caller(Actor(ActorKind.HUMAN, self.who), Surface.UI, self.key, self.seen)


class Standing(Record):
    """Where the page stands, for its scripts."""

    environment: str
    instance: str
    watch: str
    title: str
    n: int = 0
    start: int = 0
    step: int = 0
    last: int = 0
    done: bool = False
    read_only: bool = False
    commons: bool = False
    assisted: bool = False
    others: tuple[str, ...] = ()


class Note(Record):
    """Something to tell the person. `code` is stable, `text` may quote a caller."""

    code: str
    text: str


class Answer(Record):
    """What to paint. Absent parts stay as they are.

    Attributes:
        parts: HTML by the name of the part that shows it.
        errors: What is wrong with the form, by field path; "" is the form as a whole.
        accepted: The reset or step was done (now or, under the same key, before).
    """

    standing: Standing | None = None
    parts: dict[str, str] = Field(default_factory=dict)
    errors: dict[str, str] = Field(default_factory=dict)
    note: Note | None = None
    accepted: bool = False
