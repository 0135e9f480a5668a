"""The reward of one action and the grade of an episode.

Reads the case's gold; changes nothing. The contract fixes the parts, their order and their weights.
"""

from __future__ import annotations

from envs.forecast_audit import rationale
from envs.forecast_audit.models import Action, IssueType, Operation
from envs.forecast_audit.tasks import Gold, Task
from envs.kernel.outcome import Grade, Parts, Reward, S, Step, clipped

DONE_AT = 0.95

OPERATION = 0.35
INDEX = 0.15
VALUE = 0.20
NEAR_VALUE = 0.10
SEVERITY = 0.10
CONSTRAINTS = 0.10
EFFICIENCY = 0.05
DELAY = 0.02

ACCEPTED_FAULT = 0.15
ACCEPTED_GAP = 0.25
NO_VALUE = 0.20
NO_INDEX = 0.15
NO_RATIONALE = 0.05

# Not the right call, but one that keeps the fault from being published unseen.
_SECOND_BEST = {
    (IssueType.ANOMALY, Operation.FLAG_ANOMALY): 0.20,
    (IssueType.INVALID_FORECAST, Operation.REPAIR_AND_FINALIZE): 0.15,
}
_MESSAGES = (
    (DONE_AT, "Excellent action. The issue was handled correctly and can be finalized."),
    (0.75, "Good action. Most of the issue was handled; something is still wrong or missing."),
    (0.45, "Partly right. Compare the series with its constraints once more."),
    (0.15, "Weak action. The main fault of the report was not handled."),
    (0.0, "Wrong action. The report would be published with its fault."),
)


def reward(task: Task, action: Action, step_number: int) -> Reward:
    """What an action earns as the episode's step `step_number`, counted from 1.

    Returns:
        Parts of 4 decimals in the contract's order; the total is their sum held within [0, 1].
    """
    gold = task.gold
    reason = rationale.credit(action.rationale, task.facts)
    parts: Parts = (
        ("operation", _operation(task, action)),
        ("index", INDEX if action.target_index == gold.target_index else 0.0),
        ("value", _value(gold, action.predicted_value)),
        ("severity", SEVERITY if action.severity is gold.severity else 0.0),
        ("constraints", round(CONSTRAINTS * f1(action.violated_constraints, gold.violated_constraints), 4)),
        ("rationale", reason),
        ("efficiency", round(max(0.0, EFFICIENCY - DELAY * (step_number - 1)), 4)),
        ("penalty", _penalty(task, action, reason)),
    )
    total = round(clipped(parts, 0.0, 1.0), 4)
    message = next(sentence for least, sentence in _MESSAGES if total >= least)
    return Reward(parts=parts, total=total, message=message)


def grade(steps: tuple[Step[S], ...]) -> Grade:
    """The report as it would be published: what the last legal action earned, 0 when there is none.

    Earlier actions count only by the efficiency they cost, so repeating one never pays.
    """
    last = next((step.reward for step in reversed(steps) if step.legal), Reward())
    return Grade(parts=last.parts, score=last.total, objective=last.total)


def _operation(task: Task, action: Action) -> float:
    if action.operation is task.gold.operation:
        return OPERATION
    return _SECOND_BEST.get((task.issue_type, action.operation), 0.0)


def _value(gold: Gold, predicted: float | None) -> float:
    if predicted is None:
        return 0.0
    error = abs(predicted - gold.value)
    # Decimal tolerances are not exact in binary: |0.3 - 0.2| is a hair above 0.1.
    tolerance = gold.tolerance * (1 + 1e-9)
    if error <= tolerance:
        return VALUE
    return NEAR_VALUE if error <= 2 * tolerance else 0.0


def f1(cited: tuple[str, ...], violated: tuple[str, ...]) -> float:
    """Harmonic mean of precision and recall; 1 when there was nothing to cite and nothing was cited."""
    unique = set(cited)
    if not unique and not violated:
        return 1.0
    return 2 * len(unique.intersection(violated)) / (len(unique) + len(violated))


def _penalty(task: Task, action: Action, reason: float) -> float:
    cost = 0.0 if reason else NO_RATIONALE
    match action.operation:
        case Operation.ACCEPT:
            cost += ACCEPTED_GAP if task.issue_type is IssueType.MISSING_VALUE else ACCEPTED_FAULT
        case Operation.IMPUTE:
            cost += NO_VALUE if action.predicted_value is None else 0.0
            cost += NO_INDEX if action.target_index is None else 0.0
        case Operation.REPAIR_AND_FINALIZE:
            cost += NO_INDEX if action.target_index is None else 0.0
        case Operation.FLAG_ANOMALY | Operation.ESCALATE:
            pass
    # Subtracted rather than negated: JSON would print -0.0.
    return round(0.0 - cost, 4)
