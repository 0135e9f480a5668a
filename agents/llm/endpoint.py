"""The wire to a model: one question out, one answer in, over OpenAI's chat completions.

Decides how a question is put and what a failure means. Whether to ask again, and who pays, is the asker's.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, assert_never

from pydantic_core import to_json

from agents.llm.bounded import UNPACKED, Unbounded, bound
from agents.llm.completion import Call, Reply, Usage, read_reply
from agents.llm.mask import Mask
from agents.llm.models import Model
from envs.kernel.tools import JsonObject

if TYPE_CHECKING:
    import openai


class Style(StrEnum):
    """How an answer is asked for, the most reliable way first."""

    TOOLS = "tools"
    SCHEMA = "schema"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is asked.

    Attributes:
        rules: The system's words.
        case: The case and what to do now, by the style that is asked in.
        tools: What it can do, as functions.
        schema: Of the whole action.
    """

    rules: str
    case: dict[Style, str]
    tools: tuple[JsonObject, ...]
    schema: JsonObject


class EndpointError(Exception):
    """No answer. The text is ours and quotes nothing that the endpoint sent.

    Attributes:
        status: What the endpoint answered, None when it did not.
        again: Whether the same call may succeed a little later.
        maybe_billed: Whether the endpoint may have charged for it.
        retry_after_s: How long it wants to be left alone.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        again: bool = False,
        maybe_billed: bool = False,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.again = again
        self.maybe_billed = maybe_billed
        self.retry_after_s = retry_after_s

    @property
    def unsupported(self) -> bool:
        """Whether the endpoint may understand another style."""
        return self.status in (400, 404, 415, 422, 501)


class Endpoint:
    """Where one model answers; keeps its connections open until it is closed.

    Attributes:
        mask: Takes the key out of what an answer holds.

    Args:
        call_s: The longest that a call may take, from the first byte out to the last byte in.
        output_tokens: The most that an answer may have.
    Raises:
        MissingKey: If the server has no key for it.
    """

    def __init__(self, model: Model, call_s: float, output_tokens: int) -> None:
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient  # noqa: PLC0415 - slow to import

        self.model = model
        self.output_tokens = output_tokens
        self.mask = Mask(model.usable_key())
        self._call_s = call_s
        self._client = AsyncOpenAI(
            api_key=self.mask.key,
            base_url=model.base_url,
            max_retries=0,
            timeout=call_s,
            default_headers={"Accept-Encoding": UNPACKED},
            # A key must not follow a redirect to somebody else.
            http_client=DefaultAsyncHttpxClient(follow_redirects=False, event_hooks={"response": [bound]}),
        )

    async def close(self) -> None:
        await self._client.close()

    def most(self, question: Question, style: Style) -> Usage:
        """A bound on what a call uses: no tokenizer makes more tokens than there are bytes."""
        return Usage(len(to_json(self._body(question, style))), self.output_tokens)

    async def ask(self, question: Question, style: Style) -> Reply:
        """The model's answer.

        Raises:
            EndpointError: If there is none.
        """
        import openai  # noqa: PLC0415

        create: Any = self._client.chat.completions.with_raw_response.create
        try:
            async with asyncio.timeout(self._call_s):
                answer = await create(**self._body(question, style))
                content: bytes = answer.http_response.content
        except (TimeoutError, openai.APITimeoutError):
            raise EndpointError(
                f"{self.model.name} did not answer within {self._call_s:g} s", again=True, maybe_billed=True
            ) from None
        except openai.APIStatusError as error:
            raise _refused(self.model, error) from None
        except openai.APIConnectionError:
            raise EndpointError(
                f"the connection to the endpoint of {self.model.name} failed", again=True, maybe_billed=True
            ) from None
        except Unbounded as error:
            raise EndpointError(f"the endpoint of {self.model.name} {error}", maybe_billed=True) from None
        return self._read(content)

    def _body(self, question: Question, style: Style) -> JsonObject:
        body: JsonObject = {
            "model": self.model.name,
            "messages": [
                {"role": "system", "content": question.rules},
                {"role": "user", "content": question.case[style]},
            ],
            self.model.limit: self.output_tokens,
        }
        match style:
            case Style.TOOLS:
                return {**body, "tools": list(question.tools), "tool_choice": "required"}
            case Style.SCHEMA:
                wanted = {"name": "action", "schema": question.schema, "strict": False}
                return {**body, "response_format": {"type": "json_schema", "json_schema": wanted}}
            case Style.PLAIN:
                return body
            case _:
                assert_never(style)

    def _read(self, content: bytes) -> Reply:
        try:
            reply = read_reply(content)
        except ValueError:
            raise EndpointError(
                f"the endpoint of {self.model.name} answered something that is no chat completion",
                again=True,
                maybe_billed=True,
            ) from None
        words = self.mask.words
        calls = tuple(Call(words(call.name), words(call.arguments)) for call in reply.calls)
        return replace(reply, text=words(reply.text), calls=calls, refusal=words(reply.refusal))


def _refused(model: Model, error: openai.APIStatusError) -> EndpointError:
    status = error.status_code
    retry_after_s = _seconds(error.response.headers.get("retry-after"))
    match status:
        case 401 | 403:
            words = f"the endpoint of {model.name} does not take the server's key ({status})"
        case 429:
            words = f"the endpoint of {model.name} has had enough of this server's requests (429)"
        case _:
            words = f"the endpoint of {model.name} answered {status}"
    again = status in (408, 409, 429) or status >= 500
    return EndpointError(words, status=status, again=again, retry_after_s=retry_after_s)


def _seconds(text: str | None) -> float | None:
    """A `Retry-After` in seconds; a date or nonsense counts as none."""
    return float(text) if text and text.isascii() and text.isdecimal() and len(text) < 8 else None
