"""Learning: policy gradient for a linear softmax policy; the other plays of a case are the baseline.

Knows vectors and returns, nothing of environments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from envs.fleet.learned import chances

Floats = NDArray[np.float64]

RATE = 0.08
DECAYS = (0.9, 0.99)
ENTROPY = 0.01


@dataclass(frozen=True, slots=True)
class Decision:
    """One choice of a play.

    Attributes:
        seen: (workers, features) What it rested on.
        place: Which of the flattened (workers, acts) was chosen.
    """

    seen: Floats
    place: int


@dataclass(frozen=True, slots=True)
class Play:
    """One play of a case: its choices, and what came after each, the end included."""

    decisions: tuple[Decision, ...]
    to_go: tuple[float, ...]


@dataclass(slots=True)
class Learner:
    """Weights and the moments of their gradient.

    Attributes:
        weights: (acts, features)

    Source: Williams (1992), Machine Learning 8; the baseline of Kool et al. (2019), Buy 4 REINFORCE samples;
        the step of Kingma and Ba (2015), Adam.
    """

    weights: Floats
    updates: int = 0
    first: Floats = field(init=False)
    second: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.first = np.zeros_like(self.weights)
        self.second = np.zeros_like(self.weights)

    def learn(self, cases: Sequence[Sequence[Play]]) -> None:
        """One step uphill.

        Args:
            cases: Plays of each case, at least two of each, all with this learner's weights.
        """
        slope = np.zeros_like(self.weights)
        count = sum(len(plays) for plays in cases)
        for plays in cases:
            for play in plays:
                others = [other for other in plays if other is not play]
                for step, decision in enumerate(play.decisions):
                    usual = np.mean([other.to_go[min(step, len(other.to_go) - 1)] for other in others])
                    slope += self._slope(decision, play.to_go[step] - float(usual))
        self._climb(slope / count)

    def _slope(self, decision: Decision, advantage: float) -> Floats:
        """Where the chance of a choice grows, times its advantage, and where choices stay open."""
        chance = chances(self.weights, decision.seen)
        logs = np.log(np.maximum(chance, 1e-12))
        spread = -chance * (logs - (chance * logs).sum())
        pull = ENTROPY * spread - advantage * chance
        pull.flat[decision.place] += advantage
        return np.einsum("wa,wf->af", pull, decision.seen)

    def _climb(self, slope: Floats) -> None:
        self.updates += 1
        self.first = DECAYS[0] * self.first + (1.0 - DECAYS[0]) * slope
        self.second = DECAYS[1] * self.second + (1.0 - DECAYS[1]) * slope**2
        steady = self.first / (1.0 - DECAYS[0] ** self.updates)
        size = np.sqrt(self.second / (1.0 - DECAYS[1] ** self.updates)) + 1e-8
        self.weights = self.weights + RATE * steady / size
