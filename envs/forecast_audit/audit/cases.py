"""An audit case: a report, and the truth behind it that no player sees.

How cases come about is in `generator`; what an answer to one loses is in `loss`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from envs.forecast_audit.models import Operation, Series, Severity
from envs.forecast_audit.tasks import Task
from envs.kernel.records import HIDDEN, Record


class Family(StrEnum):
    """What is the matter with a report."""

    CLEAN = "clean"
    LEGITIMATE_SHOCK = "legitimate_shock"
    MISSING_POINT = "missing_point"
    MISSING_BLOCK = "missing_block"
    SPIKE = "spike"
    PARTS_TOTAL = "parts_total"
    LEVEL_SHIFT = "level_shift"
    DRIFT = "drift"
    BROKEN_SEASONALITY = "broken_seasonality"
    UNIT_CHANGE = "unit_change"
    DUPLICATED_PERIOD = "duplicated_period"
    SHIFTED_PERIOD = "shifted_period"
    CLOCK_SLIP = "clock_slip"
    ROUNDING = "rounding"
    STALE = "stale"


REPAIRABLE = frozenset({Family.MISSING_POINT, Family.MISSING_BLOCK, Family.SPIKE, Family.PARTS_TOTAL})
"""Faults of a few points that the desk corrects itself; all others go to the owner of the data."""


class Fault(Record):
    """One fault.

    Attributes:
        start, stop: The positions it spoils, `stop` excluded.
        first, last: Naming any position from first to last, both included, finds it.
    """

    family: Family
    start: int
    stop: int
    first: int
    last: int

    @property
    def repairable(self) -> bool:
        return self.family in REPAIRABLE


class Truth(Record):
    """What is so.

    Attributes:
        family: Of the report; with several faults, of the first.
        operation: The right end of the report.
        clean: The series without faults; None where a gap is intended.
        scale: The typical swing that the history states, in the metric's unit.
        violated: The constraints that the observed series breaks, word for word.
        paired: Whether another case has the same curve and the opposite answer.
    """

    family: Family
    operation: Operation
    severity: Severity
    faults: tuple[Fault, ...]
    clean: Series
    scale: Annotated[float, Field(gt=0.0)]
    violated: tuple[str, ...]
    paired: bool


class AuditTask(Task):
    """A generated report. `gold` is the truth as far as one action can say it."""

    truth: Annotated[Truth, HIDDEN]
