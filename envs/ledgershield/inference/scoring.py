"""Scoring: how good stated probabilities are.

Strictly proper: who states what he believes expects the most.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from envs.ledgershield.inference.hypotheses import Hypothesis


def calibration(stated: Mapping[str, float] | None, true: Hypothesis) -> float:
    """Brier's score turned up: 1 for certainty of the truth, 0 for certainty of another, 13/24 if uniform.

    Args:
        stated: Probabilities by hypothesis; what is not named is 0. They are scaled to sum to 1, unknown
            names counted in, so that these are lost. None, or nothing above 0: as if all were equally likely.
    Returns:
        In [0, 1].
    Raises:
        ValueError: If one is negative.
    Source: Brier (1950), Monthly Weather Review 78, eq. 2, halved.
    """
    shares = _scaled(stated or {})
    missed = math.fsum((share - (name == true)) ** 2 for name, share in shares.items())
    return 1.0 - missed / 2.0


def _scaled(stated: Mapping[str, float]) -> dict[str, float]:
    """Probabilities of all hypotheses and of every other name, that sum to 1."""
    if any(share < 0.0 for share in stated.values()):
        raise ValueError("a probability is negative; each is from 0 to 1, and together they are 1")
    total = math.fsum(stated.values())
    if total <= 0.0:
        return {str(hypothesis): 1.0 / len(Hypothesis) for hypothesis in Hypothesis}
    named = {str(hypothesis): 0.0 for hypothesis in Hypothesis} | dict(stated)
    return {name: share / total for name, share in named.items()}
