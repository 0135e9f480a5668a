"""What publishing a report would lose: the grade of the audit track.

loss = min(1, .25 regret + .30 missed + .25 error + .10 severity + .10 citations + false marks)

- regret: of how the report ended (`REGRET`): 1 for publishing what should not be, less for needless work.
- missed: share of the faults that no mark found.
- error: mean over the faults of the absolute error of what would be published, in units of twice the typical
  swing (MASE / 2, at most 1; a blank counts 1). A fault for the owner is judged where it was marked.
- severity: distance between the stated severity and the true one, in half scales; none stated counts 1.
- citations: 1 - F1 of the cited constraints against the broken ones.
- false marks: .15 for each position that was marked without a fault, .05 more if a value was written there.

A report that nobody ends loses 1. Nothing is told before the end.
"""

from __future__ import annotations

import math

from envs.forecast_audit import grader
from envs.forecast_audit.audit.cases import AuditTask, Fault, Truth
from envs.forecast_audit.models import Action, Operation, Series, Severity
from envs.kernel.outcome import Grade, Parts, Reward, S, Step, clipped

OPERATION = 0.25
INDEX = 0.30
VALUE = 0.25
SEVERITY = 0.10
CONSTRAINTS = 0.10
FALSE_MARK = 0.15
FALSE_VALUE = 0.05

REGRET = {
    (Operation.ACCEPT, Operation.REPAIR_AND_FINALIZE): 0.8,
    (Operation.ACCEPT, Operation.ESCALATE): 1.0,
    (Operation.REPAIR_AND_FINALIZE, Operation.ACCEPT): 1.0,
    (Operation.REPAIR_AND_FINALIZE, Operation.ESCALATE): 0.6,
    (Operation.ESCALATE, Operation.ACCEPT): 1.0,
    (Operation.ESCALATE, Operation.REPAIR_AND_FINALIZE): 0.8,
}
"""(right end, chosen end) to the share of `OPERATION` that it costs."""

_SEVERITIES = tuple(Severity)
_MESSAGES = (
    (0.9, "The report went where it belongs, with what it needed."),
    (0.6, "Most of the report was handled; something is wrong, missing or needless."),
    (0.3, "Much of what this report needed was not done."),
    (0.0, "The report would do the harm that the audit is there to prevent."),
)
_RECORDED = "Recorded. The report is judged when it is ended."
_UNFINISHED = "Nobody ended this report: unpublished, it loses everything."


def recorded(*, last: bool) -> Reward:
    """What a step earns that does not end the report: nothing, and no hint."""
    return Reward(message=_UNFINISHED if last else _RECORDED)


def reward(task: AuditTask, values: Series, marks: tuple[int, ...], action: Action) -> Reward:
    """What a report earns that this action ends.

    Args:
        values: The series as it would be published.
        marks: The positions that were imputed, flagged or named, this action's included.
    """
    truth = task.truth
    regret = REGRET.get((truth.operation, action.operation), 0.0)
    missed = _mean([0.0 if _found(fault, marks) else 1.0 for fault in truth.faults])
    error = _mean([_error(truth, fault, values, task.values, marks) for fault in truth.faults])
    cited = grader.f1(action.violated_constraints, truth.violated)
    parts: Parts = (
        ("operation", round(OPERATION * (1 - regret), 4)),
        ("index", round(INDEX * (1 - missed), 4)),
        ("value", round(VALUE * (1 - error), 4)),
        ("severity", round(SEVERITY * (1 - _severity_regret(truth.severity, action.severity)), 4)),
        ("constraints", round(CONSTRAINTS * cited, 4)),
        ("penalty", _false_marks(truth, values, task.values, marks)),
    )
    total = round(clipped(parts, 0.0, 1.0), 4)
    return Reward(parts=parts, total=total, message=next(text for least, text in _MESSAGES if total >= least))


def grade(steps: tuple[Step[S], ...]) -> Grade:
    """The report judged: score 1 - loss, objective -loss; a report that nobody ended has score 0."""
    last = next((step.reward for step in reversed(steps) if step.legal), Reward())
    return Grade(parts=last.parts, score=last.total, objective=round(last.total - 1.0, 4))


def _found(fault: Fault, marks: tuple[int, ...]) -> bool:
    return any(fault.first <= mark <= fault.last for mark in marks)


def _error(truth: Truth, fault: Fault, values: Series, observed: Series, marks: tuple[int, ...]) -> float:
    """The error of one fault's values, within [0, 1]."""
    first, last = (fault.start, fault.stop - 1) if fault.repairable else (fault.first, fault.last)
    spots = [at for at in range(first, last + 1) if truth.clean[at] is not None]
    if not fault.repairable:
        spots = [at for at in spots if at in marks and values[at] != observed[at]]
    return _mean([_distance(truth, values, at) for at in spots]) if spots else 1.0


def _distance(truth: Truth, values: Series, at: int) -> float:
    value, true = values[at], truth.clean[at]
    if value is None or true is None:
        return 1.0
    # Divided first: a player may have written a value whose difference overflows.
    return min(1.0, abs(value / truth.scale - true / truth.scale) / 2)


def _severity_regret(right: Severity, stated: Severity | None) -> float:
    if stated is None:
        return 1.0
    return abs(_SEVERITIES.index(stated) - _SEVERITIES.index(right)) / 2


def _false_marks(truth: Truth, values: Series, observed: Series, marks: tuple[int, ...]) -> float:
    """What marks and values cost where there is no fault; never above 0."""
    faulty = {
        at
        for fault in truth.faults
        for at in (*range(fault.first, fault.last + 1), *range(fault.start, fault.stop))
    }
    places = {*marks} - faulty
    written = [at for at, (now, before) in enumerate(zip(values, observed, strict=True)) if now != before]
    cost = FALSE_MARK * len(places) + FALSE_VALUE * len({*written} - faulty)
    # Subtracted rather than negated: JSON would print -0.0.
    return round(0.0 - cost, 4)


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0
