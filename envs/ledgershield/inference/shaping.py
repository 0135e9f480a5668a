"""Shaping: what a belief is worth on the way, and the reward for getting nearer to a conclusion.

Potential-based: the discounted sum over an episode depends on where it began and not on the way it took.
"""

from __future__ import annotations

import math

from envs.ledgershield.inference.belief import Belief
from envs.ledgershield.inference.hypotheses import Hypothesis

WEIGHT = 0.35
GAMMA = 0.98
INFORMATION = 0.1
"""Reward for one nat of information."""


def potential(belief: Belief) -> float:
    """How near any conclusion is: 0 where all hypotheses are equally likely, 1 where one is certain."""
    entropy = -math.fsum(share * math.log(share) for share in belief.hypotheses().values() if share > 0.0)
    return 1.0 - entropy / math.log(len(Hypothesis))


def shaped(before: Belief, after: Belief | None) -> float:
    """F = .35·(γΦ(s′) - Φ(s)).

    Args:
        after: None once the episode has ended: Φ is 0 there.
    Source: Ng, Harada and Russell (1999), ICML, theorem 1.
    """
    reached = 0.0 if after is None else potential(after)
    return WEIGHT * (GAMMA * reached - potential(before))


def information_gain(before: Belief, after: Belief) -> float:
    """Reward for what a step has told: .1 a nat of the hypotheses' divergence after it from before it."""
    earlier = before.hypotheses()
    nats = math.fsum(
        share * math.log(share / earlier[hypothesis])
        for hypothesis, share in after.hypotheses().items()
        if share > 0.0
    )
    return INFORMATION * max(0.0, nats)
