"""What one step and one episode come to: reward parts, status, grade."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Generic, TypeVar

from pydantic import Field

from envs.kernel.records import Record, State

S = TypeVar("S", bound=State)
X = TypeVar("X", bound=State)

Parts = tuple[tuple[str, float], ...]


class Status(StrEnum):
    """Where an episode stands. Terminated by what happened is not truncated by the clock."""

    RUNNING = "RUNNING"
    TERMINATED = "TERMINATED"
    TRUNCATED = "TRUNCATED"


class Reward(Record):
    """Named parts and what they come to. `total` may be clipped; `parts` never are."""

    parts: Parts = ()
    total: float = 0.0
    message: str = ""


class Grade(Record):
    """An episode judged by one rule.

    Attributes:
        parts: Named parts of the score.
        score: In [0, 1], the contract's scale.
        objective: What skill is computed from; any finite number.
    """

    parts: Parts
    score: Annotated[float, Field(ge=0.0, le=1.0)]
    objective: float


def clipped(parts: Parts, low: float, high: float) -> float:
    """The exact sum of the parts, held within [low, high]."""
    return min(high, max(low, math.fsum(value for _, value in parts)))


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """One step's result. Build it with `going`, `ended` or `illegal`, never by hand."""

    state: S
    reward: Reward
    status: Status
    legal: bool

    @staticmethod
    def going(state: X, reward: Reward) -> Step[X]:
        """The episode goes on (the kernel truncates it when its steps are spent)."""
        return Step(state, reward, Status.RUNNING, legal=True)

    @staticmethod
    def ended(state: X, reward: Reward) -> Step[X]:
        """The action ended the episode."""
        return Step(state, reward, Status.TERMINATED, legal=True)

    @staticmethod
    def illegal(state: X, message: str, parts: Parts = ()) -> Step[X]:
        """A well-formed action that the rules do not allow here.

        Args:
            state: The unchanged state, or one that differs in what the attempt costs.
            message: What was found, what is allowed and what to do.
            parts: What the attempt costs in reward.
        """
        reward = Reward(parts=parts, total=clipped(parts, -math.inf, math.inf), message=message)
        return Step(state, reward, Status.RUNNING, legal=False)
