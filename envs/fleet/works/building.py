"""Building: what an episode's five workers made, as those who use it see it."""

from __future__ import annotations

from dataclasses import dataclass

from envs.fleet.works.answering import Answer, answered
from envs.fleet.works.damage import Damage
from envs.fleet.works.indexing import Index, indexed, reported


@dataclass(frozen=True, slots=True)
class Built:
    """An index over the handbook.

    Attributes:
        quality: Measured hit@3 on the held questions, in [0, 1].
        reported: What the evaluator claims that it is.
    """

    quality: float
    reported: float
    index: Index

    def ask(self, question: str) -> Answer:
        """The index's answer; a question that it cannot answer is told so in `error`."""
        return answered(self.index, question)


def build(damage: Damage) -> Built:
    """What the workers build under this damage: a pure function of it and of the corpus version."""
    index = indexed(damage)
    return Built(index.quality, reported(index.quality, damage), index)
