"""What crosses the table: what is asked of an analysis, and what anybody sees of it.

Pure data. What answered a question is a `Turn`; how it came about is told there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from envs.analyst.turns import Told, Turn
from envs.kernel import records
from envs.kernel.choices import Choice, Choices
from envs.kernel.records import Record

LEVELS = ("open",)
QUESTIONS = 20
"""Business questions that an analysis can have."""


class Act(StrEnum):
    """What can be done in an analysis."""

    ASK = "ask"
    HELP = "help"
    SET_OBJECTIVE = "set_objective"
    FINISH = "finish"


CHOICES = Choices(
    {
        Act.ASK: Choice(
            "Ask a question about the data, in English or Indonesian.", ("message",), ("user_id",)
        ),
        Act.HELP: Choice("Ask what can be done next.", (), ("user_id",)),
        Act.SET_OBJECTIVE: Choice(
            "Say what the analysis is for and which questions it shall answer.",
            (),
            ("objective", "business_questions", "user_id"),
        ),
        Act.FINISH: Choice("End the analysis; a reset begins another."),
    }
)

Name = Annotated[str, Field(max_length=200)]
Message = Annotated[str, Field(max_length=4_000)]
Objective = Annotated[str, Field(max_length=2_000)]
BusinessQuestion = Annotated[str, Field(max_length=500)]


class Request(records.Request):
    """Begins an analysis; the seed changes nothing."""


class Action(records.Action):
    """One thing done in an analysis."""

    action: Annotated[Act, Field(description="What to do."), CHOICES]
    message: Annotated[Message | None, Field(description="For ask: the question, in words.")] = None
    objective: Annotated[Objective | None, Field(description="For set_objective: what it is for.")] = None
    business_questions: Annotated[
        tuple[BusinessQuestion, ...] | None,
        Field(max_length=QUESTIONS, description="For set_objective: what it shall answer."),
    ] = None
    user_id: Annotated[Name, Field(description="Who asks; attribution and nothing else.")] = ""


class Answered(Action):
    """An action and what answered it, as the journal keeps it. No caller can send one."""

    outcome: Turn


class Exchange(Record):
    """A message and what answered it.

    Attributes:
        message_id: By which the contract tells how the answer came about.
        at: When it was answered.
        told: The answer. All three are None where nobody answered, because it was played without a service.
    """

    message: str
    message_id: str | None = None
    at: str | None = None
    told: Told | None = None


class Observation(records.Observation):
    """An analysis as everybody sees it who holds it."""

    objective: str
    business_questions: tuple[str, ...]
    exchanges: tuple[Exchange, ...]
    asked: Annotated[int, Field(ge=0)]
    analyses: Annotated[int, Field(ge=0)]
    closed: bool
    step_count: Annotated[int, Field(ge=0)]
    max_steps: Annotated[int, Field(ge=1)]


def answered(actions: Iterable[records.Action]) -> Iterator[Answered]:
    """Those of an episode's actions that were answered, in their order."""
    return (action for action in actions if isinstance(action, Answered))
