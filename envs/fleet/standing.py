"""Standing: a fault as it stands with a worker, and the count of what oversight made of all of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated

from pydantic import Field

from envs.fleet.faults import PROFILES, Profile, amplitude
from envs.fleet.models import WORKERS, Fault, Span
from envs.fleet.tasks import Plan
from envs.kernel.records import Record

NOBODY: tuple[None, ...] = (None,) * len(WORKERS)


class Standing(Record):
    """A fault of one worker, from its onset on.

    Attributes:
        spread: Whether it came from the worker before, so that finding it is no credit of its own.
        found: Step of the act that found it.
        due: Step from which on its owner will have repaired it.
        ended: Step from which on it was repaired.
        held: Whether a pause for it was paid.
        named: Whether the audit named it.
    """

    plan: Plan
    spread: bool = False
    found: Annotated[int, Field(ge=0)] | None = None
    due: Annotated[int, Field(ge=0)] | None = None
    ended: Annotated[int, Field(ge=0)] | None = None
    held: bool = False
    named: bool = False

    @property
    def profile(self) -> Profile:
        return PROFILES[self.plan.family, self.plan.variant]

    def strength(self, step: int) -> float:
        """How strongly it shows at a step, in (0, 1]."""
        return amplitude(step - self.plan.onset, self.plan.dwell)

    def told(self, right: Collection[tuple[str, Fault]]) -> Standing:
        """The fault after an audit that named these."""
        key = WORKERS[self.plan.worker], Fault(self.plan.family)
        named = not self.spread and key in right
        return self.model_copy(update={"named": True}) if named else self

    def span(self) -> Span:
        """The fault as it is told after the end."""
        return Span(
            worker_id=WORKERS[self.plan.worker],
            fault=Fault(self.plan.family),
            variant=self.plan.variant,
            begins=self.plan.onset,
            ends=self.ended,
            found=self.found,
            named=self.named,
            spread=self.spread,
        )


class Tally(Record):
    """What oversight has come to.

    Attributes:
        found: Faults of their own that were found.
        false_positives: Interventions on healthy workers.
        wrong_approvals: Approvals of faulty ones.
        idle: Acts that changed nothing: approved before in the window, paused before, not paused.
        audit: What the findings were worth, in [0, 1].
    """

    found: Annotated[int, Field(ge=0)] = 0
    false_positives: Annotated[int, Field(ge=0)] = 0
    wrong_approvals: Annotated[int, Field(ge=0)] = 0
    idle: Annotated[int, Field(ge=0)] = 0
    audit: float = 0.0
