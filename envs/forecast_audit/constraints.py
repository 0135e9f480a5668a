"""Constraints: a sentence for the player beside the predicate that formalises it.

Every predicate holds some quantity of the series between two bounds; gaps are not judged. Which constraints a
report breaks is never written down here: tests compute it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from envs.forecast_audit.models import Series
from envs.kernel.records import Record

# Differences of decimal fractions are off by a few ulps: 100.3 - 100.2 > 0.1.
_SLACK = 1e-9


class Within(Record):
    """A quantity of the series that stays between two bounds, both included.

    Attributes:
        low, high: In the quantity's unit; None is no bound.
        where: Positions of the series that the rule speaks of; empty means all.
    """

    low: float | None = None
    high: float | None = None
    where: tuple[int, ...] = ()

    @abstractmethod
    def quantities(self, values: Series) -> Iterator[float]:
        """What is bounded, once for each position where it is known."""

    def holds(self, values: Series) -> bool:
        """Whether the series keeps the rule."""
        low = float("-inf") if self.low is None else self.low - _SLACK
        high = float("inf") if self.high is None else self.high + _SLACK
        return all(low <= quantity <= high for quantity in self.quantities(values))

    def _spans(self, values: Series, length: int) -> Iterator[tuple[float, float]]:
        """Known pairs (earlier, later) that lie `length` apart; the later one decides about `where`."""
        for position in range(length, len(values)):
            earlier, later = values[position - length], values[position]
            if earlier is not None and later is not None and (not self.where or position in self.where):
                yield earlier, later


class Level(Within):
    """Each value itself."""

    kind: Literal["level"] = "level"

    def quantities(self, values: Series) -> Iterator[float]:
        for position, value in enumerate(values):
            if value is not None and (not self.where or position in self.where):
                yield value


class Change(Within):
    """Each value minus the one before it."""

    kind: Literal["change"] = "change"

    def quantities(self, values: Series) -> Iterator[float]:
        return (later - earlier for earlier, later in self._spans(values, 1))


class Growth(Within):
    """Each value divided by the one before it, where that is above zero."""

    kind: Literal["growth"] = "growth"

    def quantities(self, values: Series) -> Iterator[float]:
        return (later / earlier for earlier, later in self._spans(values, 1) if earlier > 0)


class Season(Within):
    """Each value minus the one a full period before it."""

    kind: Literal["season"] = "season"
    period: Annotated[int, Field(ge=2)]

    def quantities(self, values: Series) -> Iterator[float]:
        return (later - earlier for earlier, later in self._spans(values, self.period))


Predicate = Annotated[Level | Change | Growth | Season, Field(discriminator="kind")]


class Constraint(Record):
    """What the desk knows about a series.

    Attributes:
        sentence: As the player reads and cites it.
        predicate: The same for a machine; None for context that no series can break.
    """

    sentence: str
    predicate: Predicate | None = None

    def holds(self, values: Series) -> bool:
        """Whether the series keeps the constraint; context always holds."""
        return self.predicate is None or self.predicate.holds(values)


def rule(sentence: str, predicate: Predicate) -> Constraint:
    """A constraint that a series can break."""
    return Constraint(sentence=sentence, predicate=predicate)


def context(sentence: str) -> Constraint:
    """Something the desk knows that bounds no value."""
    return Constraint(sentence=sentence)
