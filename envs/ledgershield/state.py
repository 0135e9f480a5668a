"""What an episode is at one moment.

Pure data; how an action moves it is `dynamics`'.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated

from pydantic import Field

from envs.kernel import records
from envs.kernel.records import Record
from envs.ledgershield.actions import ActionType
from envs.ledgershield.artifacts import Artifact, Policy, Reading
from envs.ledgershield.inference.belief import Belief, posterior
from envs.ledgershield.inference.machine import Machine
from envs.ledgershield.inference.tables import Evidence, Finding, nominal
from envs.ledgershield.inference.utilities import TYPICAL
from envs.ledgershield.meaning import findings_of
from envs.ledgershield.models import TRACKS, Action
from envs.ledgershield.seen import PendingEvent, ToolResult
from envs.ledgershield.tasks import Task


class Memory(records.Memory):
    """Nothing is carried from case to case yet."""


class Trace(Record):
    """One action as it was played. `kind` is None for an action that there is not."""

    kind: ActionType | None
    success: bool
    cost: float


class State(records.State):
    """The case so far.

    Attributes:
        clock: Ticks with every action that succeeds.
        revealed: Everything that was read, found or answered, each once.
        milestones: Names of those that were paid.
        submission: The decision, once it was made.
        ended: Why the episode is over; empty while it runs.
    """

    task: Task
    machine: Machine
    clock: Annotated[int, Field(ge=0)] = 0
    spent: Annotated[float, Field(ge=0.0)] = 0.0
    revealed: tuple[Artifact, ...] = ()
    pending: tuple[PendingEvent, ...] = ()
    trail: tuple[Trace, ...] = ()
    milestones: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    last: ToolResult | None = None
    submission: Action | None = None
    ended: str = ""

    @property
    def remaining(self) -> float:
        """What is left of the budget."""
        return round(self.task.budget - self.spent, 2)

    @cached_property
    def findings(self) -> Mapping[Evidence, Finding]:
        """What the revealed artifacts show."""
        return findings_of(self.revealed)

    @cached_property
    def belief(self) -> Belief:
        """What to believe after that, by the tables that everybody may know."""
        return posterior(nominal(self.task.level), self.findings)

    @property
    def instrumented(self) -> bool:
        """Whether the player sees belief and value of tools, and is paid for them."""
        return self.task.track == TRACKS[0]

    @cached_property
    def amount(self) -> float:
        """The invoice's total if it was read or the policy has shown it, else a typical one."""
        total = self.task.documents[0].fields["total"]
        read = {
            token.token_id for shown in self.revealed if isinstance(shown, Reading) for token in shown.tokens
        }
        told = any(isinstance(shown, Policy) and shown.invoice_total is not None for shown in self.revealed)
        return self.task.invoice.total if told or read.issuperset(total) else TYPICAL
