"""Whether a submission can be taken: what its family must say, and that what it says is possible.

Decides nothing about how good it is.
"""

from __future__ import annotations

import math

from envs.ledgershield.inference.hypotheses import Hypothesis
from envs.ledgershield.models import Action, Family
from envs.ledgershield.tools import Misfit

SUM_SLACK = 0.01


def checked(family: Family, action: Action) -> None:
    """Lets a possible submission pass.

    Raises:
        Misfit: If it lacks what its family must say, or its probabilities are no distribution.
    """
    if family is Family.A:
        if not action.extracted_fields and not action.line_items:
            raise Misfit("nothing was extracted; give extracted_fields and line_items")
    elif action.decision is None:
        raise Misfit("decision is missing; give PAY, HOLD, NEEDS_REVIEW or ESCALATE_FRAUD")
    if action.predicted_probabilities is not None:
        _distribution(action.predicted_probabilities)


def _distribution(stated: dict[str, float]) -> None:
    unknown = sorted(stated.keys() - set(Hypothesis))
    if unknown:
        known = ", ".join(Hypothesis)
        raise Misfit(f"predicted_probabilities names {unknown[0][:40]!r}; the hypotheses are: {known}")
    total = math.fsum(stated.values())
    if abs(total - 1.0) > SUM_SLACK:
        raise Misfit(f"predicted_probabilities sums to {total:.3f}; scale them so that they sum to 1")
