"""The audit track's steps: imputing and flagging go on, the other operations end the report.

Nothing that happens before the end depends on the truth.
"""

from __future__ import annotations

from envs.forecast_audit.audit import loss
from envs.forecast_audit.audit.cases import AuditTask
from envs.forecast_audit.models import Action, Operation, Series
from envs.kernel.outcome import Reward

ENDS = frozenset({Operation.ACCEPT, Operation.REPAIR_AND_FINALIZE, Operation.ESCALATE})


def mark_of(action: Action) -> int | None:
    """The position that an action calls faulty; accepting calls none so."""
    return None if action.operation is Operation.ACCEPT else action.target_index


def reward(
    task: AuditTask, action: Action, values: Series, marks: tuple[int, ...], step_number: int
) -> Reward:
    """What an action earns as step `step_number`, after it was written and marked."""
    if action.operation not in ENDS:
        return loss.recorded(last=step_number >= task.max_steps)
    return loss.reward(task, values, marks, action)


def note(analyst_note: str, log: tuple[tuple[Operation, int | None], ...]) -> str:
    """The analyst's words and, for players who keep no record, what was done so far."""
    if not log:
        return analyst_note
    done = (operation.value if index is None else f"{operation.value} at {index}" for operation, index in log)
    return f"{analyst_note} Done so far: {'; '.join(done)}."
