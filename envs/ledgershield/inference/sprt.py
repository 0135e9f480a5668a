"""Wald's sequential test of each hypothesis against `safe`.

Decides when the evidence is enough; what the next look is worth is in `voi`.
"""

from __future__ import annotations

import math

from envs.kernel.records import Record
from envs.ledgershield.inference.belief import Belief, by_hypothesis, posterior
from envs.ledgershield.inference.hypotheses import IMPLIED, Decision, Hypothesis
from envs.ledgershield.inference.tables import Findings, Tables

ALPHA = 0.05
"""Accepted chance of calling a safe invoice something else."""
BETA = 0.10
"""Accepted chance of calling something else safe."""

UPPER = math.log((1.0 - BETA) / ALPHA)
LOWER = math.log(BETA / (1.0 - ALPHA))
"""Wald's bounds on the log-likelihood ratio: 2.8904 and -2.2513."""


class Sprt(Record):
    """Where the test stands.

    Attributes:
        recommended_decision: NEEDS_REVIEW until a bound is crossed, then what is most probably right.
        decision_ready: A bound is crossed, and all hypotheses with another decision lie below the likeliest
            one by as much as the upper bound.
        optimal_stopping_reached: Some hypothesis has crossed the upper bound against `safe`, or all others
            have crossed the lower one.
    """

    recommended_decision: Decision
    decision_ready: bool
    optimal_stopping_reached: bool
    posterior_probabilities: dict[Hypothesis, float]
    log_likelihood_ratios: dict[Hypothesis, float]
    upper_bound: float = UPPER
    lower_bound: float = LOWER


def state(tables: Tables, findings: Findings) -> Sprt:
    """The test after findings.

    Source: Wald (1945), Annals of Mathematical Statistics 16, section 3.
    """
    believed = posterior(tables, findings)
    ratios = log_likelihood_ratios(tables, findings)
    others = [ratio for hypothesis, ratio in ratios.items() if hypothesis is not Hypothesis.SAFE]
    stopping = max(others) >= UPPER or max(others) <= LOWER
    return Sprt(
        recommended_decision=likeliest(believed) if stopping else Decision.NEEDS_REVIEW,
        decision_ready=stopping and _apart(ratios),
        optimal_stopping_reached=stopping,
        posterior_probabilities=believed.hypotheses(),
        log_likelihood_ratios=ratios,
    )


def log_likelihood_ratios(tables: Tables, findings: Findings) -> dict[Hypothesis, float]:
    """Logarithm of how much likelier the findings are under each hypothesis than under `safe`."""
    likely = by_hypothesis(tables, findings)
    safe = math.log(likely[Hypothesis.SAFE])
    return {hypothesis: math.log(value) - safe for hypothesis, value in likely.items()}


def likeliest(belief: Belief) -> Decision:
    """The decision that is most probably right; the more careful one of equals."""
    chances = belief.decisions()
    return max(reversed(Decision), key=chances.__getitem__)


def _apart(ratios: dict[Hypothesis, float]) -> bool:
    best = max(ratios, key=ratios.__getitem__)
    rivals = [ratio for other, ratio in ratios.items() if IMPLIED[other] is not IMPLIED[best]]
    return ratios[best] - max(rivals) >= UPPER
