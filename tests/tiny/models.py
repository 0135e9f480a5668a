"""What crosses the table of Number-Hunt: requests, actions and observations."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from envs.kernel import records
from envs.kernel.choices import Choice, Choices
from envs.kernel.records import Record


class Level(StrEnum):
    """How wide the range is, and whether answers may fail to come."""

    EASY = "easy"
    HARD = "hard"


class Track(StrEnum):
    """Whether the answers to earlier guesses are shown."""

    ANSWERED = "answered"
    BLIND = "blind"


class Move(StrEnum):
    """What to do now."""

    GUESS = "guess"
    GIVE_UP = "give_up"


class Answer(StrEnum):
    """Where the number lies from a guess; silence tells nothing."""

    HIGHER = "higher"
    LOWER = "lower"
    HIT = "hit"
    SILENCE = "silence"


class Guess(Record):
    """A guess and what was answered."""

    number: int
    answer: Answer


class Request(records.Request):
    """How hard the hunt is and what of it is shown."""

    level: Annotated[Level, Field(description="easy or hard.")] = Level.EASY
    track: Annotated[Track, Field(description="answered or blind.")] = Track.ANSWERED


class Memory(records.Memory):
    """How often this instance hunted, and how often it found the number."""

    hunts: Annotated[int, Field(ge=0)] = 0
    wins: Annotated[int, Field(ge=0)] = 0


class Action(records.Action):
    """One guess, or the end of guessing."""

    move: Annotated[
        Move,
        Field(description="Guess a number, or give up."),
        Choices(
            {
                Move.GUESS: Choice("Guess the hidden number.", needs=("number",)),
                Move.GIVE_UP: Choice("End the hunt without the number."),
            }
        ),
    ]
    number: Annotated[
        int | None, Field(ge=-1_000_000, le=1_000_000, description="The guess; nothing when giving up.")
    ] = None


class Observation(records.Observation):
    """What a hunter knows."""

    task_id: str
    low: int
    high: int
    guesses: tuple[Guess, ...]
    fouls: Annotated[int, Field(ge=0)]
    wins: Annotated[int, Field(ge=0)]
    step_count: Annotated[int, Field(ge=0)]
    max_steps: Annotated[int, Field(ge=1)]
