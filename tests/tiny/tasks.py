"""One hunt: a range, and the number in it that no player sees."""

from __future__ import annotations

from typing import Annotated

from envs.kernel import records
from envs.kernel.records import HIDDEN
from envs.kernel.rng import Rng
from tests.tiny.models import Level, Memory, Request

MAX_STEPS = 5
# The widest range that halving always searches in MAX_STEPS guesses.
EASY_HIGH = 2**MAX_STEPS - 1
HARD_HIGH = 100
SILENCE_RATE = 0.2


class Task(records.Task):
    """A range, both ends included; `silence_rate` is how often an answer fails to come."""

    low: int
    high: int
    silence_rate: Annotated[float, HIDDEN]
    number: Annotated[int, HIDDEN]


def generated(request: Request, memory: Memory, rng: Rng) -> Task:
    """The next hunt of an instance."""
    hard = request.level is Level.HARD
    high = HARD_HIGH if hard else EASY_HIGH
    return Task(
        task_id=f"hunt-{memory.hunts + 1}",
        level=request.level,
        max_steps=MAX_STEPS,
        low=1,
        high=high,
        silence_rate=SILENCE_RATE if hard else 0.0,
        number=rng.at("number").integer(1, high),
    )
