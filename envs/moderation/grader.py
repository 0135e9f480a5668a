"""What a step earns, what a case was worth, and the grade of an episode.

Reads the case's truth; changes nothing. The contract fixes the weights of the grade.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum
from types import MappingProxyType

from envs.kernel.outcome import Grade, Parts
from envs.moderation.models import Decision, Violation
from envs.moderation.policy.engine import Ruling
from envs.moderation.policy.facts import Source
from envs.moderation.tasks import Task

LOOKED = 0.20
REPEATED = -0.10
INVENTED = -0.10
CLASSIFIED = 0.20
LABELLED = 0.10
LATE = -0.05
OVER_QUOTA = -0.30
UNDECIDED = -1.0

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {"final_action": 0.45, "violation": 0.20, "investigation": 0.10, "efficiency": 0.25}
)

_PRICES: Mapping[Decision, tuple[float, ...]] = MappingProxyType(
    {
        Decision.ALLOW: (1.0, -0.1, -1.0, -0.6),
        Decision.FLAG: (0.0, 1.0, -0.6, -0.4),
        Decision.REMOVE: (-0.6, -0.1, 1.0, -0.2),
        Decision.ESCALATE: (-0.8, -0.3, -0.2, 1.0),
    }
)
"""The harm matrix: by what is right, what allow, flag, remove and escalate are worth.

A flag does least harm where it is wrong: the post stays up with a note, and people will see it.
"""


def price(right: Decision, decided: Decision) -> float:
    """What a decision is worth: 1 if right, else less for what it silences, lets pass or loads off."""
    return _PRICES[right][tuple(Decision).index(decided)]


def decided(
    task: Task, decision: Decision, marked: Violation | None, checked: tuple[str, ...], left: int
) -> Parts:
    """What the decision earns at the end, with all that was put off until then.

    Args:
        marked: The first classification.
        checked: The clauses that were read.
        left: Escalations left in the quota.
    """
    ruling = task.truth.ruling
    parts: Parts = (
        ("decision", price(ruling.decision, decision)),
        ("classification", CLASSIFIED if marked is ruling.violation else 0.0),
        # Paid at once it would tell which clause decides.
        ("investigation", round(LOOKED * sum(name in checked for name in ruling.clause_ids), 4)),
    )
    return (*parts, ("quota", OVER_QUOTA)) if over_quota(ruling, decision, left) else parts


def over_quota(ruling: Ruling, decision: Decision, left: int) -> bool:
    """Whether this is a needless escalation beyond the quota."""
    needless = decision is Decision.ESCALATE and ruling.decision is not Decision.ESCALATE
    return needless and left == 0


def grade(
    task: Task,
    decision: Decision | None,
    marked: Violation | None,
    looked: frozenset[str],
    steps: int,
    left: int,
) -> Grade:
    """The episode as far as it went.

    Args:
        decision: None while nobody has decided.
        looked: `history`, `thread` and the ids of clauses that were read.
        steps: Spent so far.
    Returns:
        Parts in [0, 1], the weighted score, and the objective: what the decision is worth, with the label's
        worth where both are right, less the steps that came late. Looking alone is worth nothing in it.
    """
    ruling = task.truth.ruling
    right = decision is ruling.decision
    labelled = marked is ruling.violation
    needed = required(ruling)
    parts: Parts = (
        ("final_action", float(right)),
        ("violation", float(labelled)),
        ("investigation", round(len(needed & looked) / len(needed), 4)),
        ("efficiency", 0.0 if decision is None else round(1 - steps / task.max_steps, 4)),
    )
    score = round(fsum(WEIGHTS[name] * value for name, value in parts), 4)
    worth = UNDECIDED if decision is None else price(ruling.decision, decision)
    label = LABELLED if right and labelled else 0.0
    quota = OVER_QUOTA if decision is not None and over_quota(ruling, decision, left) else 0.0
    objective = fsum((worth, label, quota, LATE * max(0, steps - task.free_steps)))
    return Grade(parts=parts, score=score, objective=round(objective, 4))


def best(task: Task) -> float:
    """The objective of somebody who knows the answer."""
    return 1.0 + LABELLED


def required(ruling: Ruling) -> frozenset[str]:
    """What a ruling rests on beside the post: its clauses, and where else its facts are seen."""
    places = frozenset(str(source) for source in ruling.sources & {Source.HISTORY, Source.THREAD})
    return places | frozenset(ruling.clause_ids)
