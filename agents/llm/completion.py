"""A chat completion as it comes over the wire, and as much of it as an agent reads.

Decides what counts as words, as a call and as a refusal. Endpoints differ in everything else that they send.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError
from pydantic_core import to_json

# Ten times the longest context that there is. A larger count is no count, and the store could not add it up.
MOST_TOKENS = 100_000_000

Count = Annotated[int, Field(ge=0, le=MOST_TOKENS)]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call; thoughts count as output."""

    prompt_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Call:
    """A function that the model wants to call; `arguments` should be JSON."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered.

    Attributes:
        refusal: Why it will not; empty when it answered.
        cut: The answer reached its length and ends anywhere.
        usage: None when the endpoint did not tell, or told what cannot be.
    """

    text: str
    calls: tuple[Call, ...]
    refusal: str
    cut: bool
    usage: Usage | None


def read_reply(content: bytes) -> Reply:
    """The first choice of a completion.

    Raises:
        ValueError: If this is none.
    """
    completion = _Completion.model_validate_json(content)
    message, finish = completion.choices[0].message, completion.choices[0].finish_reason
    return Reply(
        text=message.words(),
        calls=tuple(Call(made.function.name, made.function.written()) for made in message.tool_calls or ()),
        refusal=message.refusal or ("its content filter stopped it" if finish == "content_filter" else ""),
        cut=finish == "length",
        usage=_told(completion.usage),
    )


class _Function(BaseModel):
    name: str
    arguments: str | dict[str, Any] = "{}"

    def written(self) -> str:
        # Some servers at home send an object where the protocol has its text.
        return self.arguments if isinstance(self.arguments, str) else to_json(self.arguments).decode()


class _ToolCall(BaseModel):
    function: _Function


class _Part(BaseModel):
    text: str = ""


class _Message(BaseModel):
    content: str | list[_Part] | None = None
    refusal: str | None = None
    tool_calls: list[_ToolCall] | None = None

    def words(self) -> str:
        if isinstance(self.content, list):
            return "".join(part.text for part in self.content)
        return self.content or ""


class _Choice(BaseModel):
    message: _Message = _Message()
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: Count
    completion_tokens: Count = 0
    total_tokens: Count = 0

    def told(self) -> Usage:
        # Gemini counts thoughts, which it charges for, in the total alone.
        return Usage(self.prompt_tokens, max(self.completion_tokens, self.total_tokens - self.prompt_tokens))


class _Completion(BaseModel):
    """As much of an answer as is read here; endpoints differ in the rest."""

    choices: Annotated[list[_Choice], Field(min_length=1)]
    usage: Any = None


def _told(usage: object) -> Usage | None:
    try:
        return _Usage.model_validate(usage).told()
    except ValidationError:
        return None
