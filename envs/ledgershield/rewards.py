"""What a step earns.

Decides the parts of a reward and what they are paid for. On the blind track no part comes from the belief or
from the reward machine. The grade that the last step pays is the grader's.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from envs.kernel.outcome import Parts, Reward, clipped
from envs.ledgershield.actions import ActionType
from envs.ledgershield.inference.belief import Belief
from envs.ledgershield.inference.machine import MARKS
from envs.ledgershield.inference.shaping import information_gain, shaped
from envs.ledgershield.inference.tables import Evidence
from envs.ledgershield.meaning import signals_of
from envs.ledgershield.state import State

LOW, HIGH = -1.0, 1.0
FAILED = -0.05
COST, INFORMATION, SHAPING, MILESTONES, MACHINE, FAILURE, GRADE = (
    "cost_penalty",
    "information_value",
    "potential_delta",
    "milestones",
    "machine_bonus",
    "failure",
    "graded_score",
)

WORTH: Mapping[str, float] = MappingProxyType(
    {"first_signal": 0.05, "callback": 0.04, "all_required": 0.06, "artifact": 0.03}
)
"""Milestones, each paid once: the first sign against paying, the answer of a call, every action that an
orderly investigation of the family takes, and the first answer to a request."""


def believed(before: Belief, after: Belief, *, over: bool) -> Parts:
    """The parts that come from the belief.

    Args:
        over: The episode ends with this step, after which nothing is worth anything.
    """
    return (
        (INFORMATION, information_gain(before, after)),
        (SHAPING, shaped(before, None if over else after)),
    )


def reached(state: State) -> tuple[str, ...]:
    """The milestones that a state has passed, in the order of their worth's table."""
    done = {trace.kind for trace in state.trail if trace.success}
    answered = {shown.artifact_type for shown in state.revealed}
    passed = {
        "first_signal": bool(signals_of(state.findings)),
        "callback": Evidence.CALLBACK in state.findings,
        "all_required": {ActionType(mark) for mark in MARKS[state.task.family]} <= done,
        "artifact": bool(answered & ANSWERS),
    }
    return tuple(name for name in WORTH if passed[name])


ANSWERS = frozenset(
    {"callback", "approval_chain", "po_reconciliation", "receipt_evidence", "duplicate_cluster"}
)
"""Kinds of artifacts that only a request brings."""


def reward(parts: Parts, message: str) -> Reward:
    """The reward of a legal step."""
    return Reward(parts=parts, total=clipped(parts, LOW, HIGH), message=message)
