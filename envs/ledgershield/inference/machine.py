"""The reward machine: the marks that an orderly investigation of each family leaves, and what each earns.

Decides by the names of actions and whether they succeeded; knows nothing of what they found.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from envs.kernel.records import Record
from envs.ledgershield.actions import ActionType

IN_ORDER = 0.02
OUT_OF_ORDER = 0.01
FAILED = -0.01
DECISION = ActionType.SUBMIT_DECISION.value

MARKS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "task_a": ("ocr", "zoom"),
        "task_b": ("lookup_policy", "lookup_po", "lookup_receipt"),
        "task_c": ("search_ledger", "compare_bank_account"),
        "task_d": (
            "inspect_email_thread",
            "lookup_vendor_history",
            "compare_bank_account",
            "request_callback_verification",
        ),
        "task_e": (
            "inspect_email_thread",
            "search_ledger",
            "compare_bank_account",
            "request_callback_verification",
            "route_to_security",
        ),
    }
)
"""Actions that succeed in an orderly investigation, in their order; the decision comes after them."""


class Machine(Record):
    """Where the machine of a family stands.

    Attributes:
        family: `task_a` to `task_e`.
        reached: Marks that were passed, in the order in which they were.
        submitted: The decision was.
    """

    family: str
    reached: tuple[str, ...] = ()
    submitted: bool = False

    @property
    def state_id(self) -> int:
        """How many marks were passed, the decision after all of them included."""
        return len(self.reached) + self.accepting

    @property
    def progress_fraction(self) -> float:
        """Share of the marks and the decision that was passed."""
        return self.state_id / (len(MARKS[self.family]) + 1)

    @property
    def accepting(self) -> bool:
        """Every mark was passed, then the decision."""
        return self.submitted and not self.missing

    @property
    def rejecting(self) -> bool:
        """The decision came while a mark was missing."""
        return self.submitted and bool(self.missing)

    @property
    def missing(self) -> tuple[str, ...]:
        """Marks that were not passed, in the family's order."""
        return tuple(mark for mark in MARKS[self.family] if mark not in self.reached)


class Advance(NamedTuple):
    """The machine after an action, and what that earned."""

    machine: Machine
    bonus: float


def advanced(machine: Machine, action_type: str, success: bool) -> Advance:
    """The machine after an action.

    The bonus is .02 for the next mark that is missing, .01 for a later one, -.01 for one that failed and for
    a decision before the last mark. A mark earns once; what is no mark of the family earns nothing.
    """
    missing = machine.missing
    if action_type != DECISION and action_type not in missing:
        return Advance(machine, 0.0)
    if not success:
        return Advance(machine, FAILED)
    if action_type == DECISION:
        return Advance(machine.model_copy(update={"submitted": True}), FAILED if missing else IN_ORDER)
    passed = machine.model_copy(update={"reached": (*machine.reached, action_type)})
    return Advance(passed, IN_ORDER if action_type == missing[0] else OUT_OF_ORDER)
