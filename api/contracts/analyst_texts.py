"""The texts in the analyst contract's requests: which are taken, and what everybody else is told.

Leaves to the routes where a text stands and what it is for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

from pydantic import PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

MESSAGE = 4_000
NAME = 200
PRINTED = r"^[^\x00-\x1f\x7f]{1,200}$"
NAMED = r"^(?!\.{1,2}$)[^\x00-\x1f\x7f/]{1,200}$"
_KINDS: dict[type[object], str] = {
    bool: "true or false",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "an object",
}


@dataclass(frozen=True, slots=True)
class Text:
    """One text of a request.

    Attributes:
        pattern: What the whole of it must match.
        most: Characters.
        allowed: What it may be, and what to send.
    """

    pattern: str
    most: int
    allowed: str

    def __call__(self, given: object) -> str:
        """The text.

        Raises:
            PydanticCustomError: If it is none that is taken: what was found and what is allowed.
        """
        if isinstance(given, str) and len(given) <= self.most and re.fullmatch(self.pattern, given):
            return given
        raise PydanticCustomError(
            "text", "found {found}; {allowed}", {"found": self._found(given), "allowed": self.allowed}
        )

    def _found(self, given: object) -> str:
        if given is None:
            return "null"
        if not isinstance(given, str):
            return _KINDS.get(type(given), "no text")
        if len(given) > self.most:
            return f"{len(given):,} characters"
        return repr(given) if given.strip() else "a text without a word in it"


_ANALYSIS_ID = Text(
    NAMED,
    NAME,
    f"an analysis_id has 1 to {NAME} characters that can be printed, none of them '/', and is not '.' or"
    " '..'; send a name of your own, as an_42, or the id that POST /instances gave",
)
_USER_ID = Text(
    PRINTED,
    NAME,
    f"a user_id has 1 to {NAME} characters that can be printed; send whom an answer is for, as u_1",
)
_MESSAGE_ID = Text(
    PRINTED,
    NAME,
    f"a message_id has 1 to {NAME} characters that can be printed; send the one that `done` named",
)
_MESSAGE = Text(
    r"\s*\S[\s\S]*",
    MESSAGE,
    f"a message is a text of 1 to {MESSAGE:,} characters with a word in it; send one question, as"
    " 'What were total sales by region last quarter?'",
)

AnalysisId = Annotated[
    str, PlainValidator(_ANALYSIS_ID), WithJsonSchema({"type": "string", "pattern": NAMED})
]
UserId = Annotated[str, PlainValidator(_USER_ID), WithJsonSchema({"type": "string", "pattern": PRINTED})]
MessageId = Annotated[
    str, PlainValidator(_MESSAGE_ID), WithJsonSchema({"type": "string", "pattern": PRINTED})
]
MessageText = Annotated[
    str,
    PlainValidator(_MESSAGE),
    WithJsonSchema({"type": "string", "maxLength": MESSAGE, "pattern": r"\S"}),
]
