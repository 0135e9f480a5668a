"""One case: a report with a fault, and the gold that no player sees.

Which cases there are is in `catalogue`; whether the gold is true is proven by tests, from the constraints.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated

from pydantic import Field

from envs.forecast_audit import rationale
from envs.forecast_audit.constraints import Constraint
from envs.forecast_audit.models import IssueType, Operation, Series, Severity
from envs.kernel import records
from envs.kernel.records import HIDDEN, Record


class Gold(Record):
    """The right answer.

    Attributes:
        target_index: Where the fault is.
        value, tolerance: The repaired value and how far from it still counts, in the metric's unit.
        violated_constraints: The sentences that the observed series breaks.
    """

    operation: Operation
    target_index: int
    value: float
    tolerance: Annotated[float, Field(gt=0.0)]
    severity: Severity
    violated_constraints: tuple[str, ...] = ()


class Task(records.Task):
    """A report, what is known about it, and its gold."""

    domain: str
    metric_name: str
    issue_type: IssueType
    timestamps: tuple[str, ...]
    values: Series
    constraints: tuple[Constraint, ...]
    analyst_note: str
    history_summary: str
    gold: Annotated[Gold, HIDDEN]

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The constraints as the player reads them."""
        return tuple(constraint.sentence for constraint in self.constraints)

    @cached_property
    def facts(self) -> frozenset[str]:
        """What a rationale can name to show that it speaks of this case."""
        return rationale.facts_of(self.timestamps, self.values, self.sentences)


def read_series(text: str) -> Series:
    """Values from a line of numbers between spaces; `null` is a gap."""
    return tuple(None if word == "null" else float(word) for word in text.split())
