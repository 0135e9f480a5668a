"""The course of a training: who plays what, in which order, and what is measured of it.

The same seed and the same numbers give the same metrics. Writes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
import orjson

from envs.fleet.learned import SHAPE, Floats, likeliest
from envs.fleet.models import Action, Observation
from envs.fleet.works import CORPUS_VERSION
from envs.kernel.rng import Rng
from evals.runner import Progress
from evals.runs import code_digest
from evals.statistics.clusters import mean_interval
from evals.subject import HELD_OUT, PUBLIC, Subject
from evals.training.learning import Learner
from evals.training.playing import Outcome, baseline_play, learner_play

FIRST_CASE = 2_000_000
"""Training has cases of its own: nobody else is measured or tuned on them."""
CASES, PLAYS = 4, 4
"""Cases of an update, and plays of each."""
POINTS = 20
"""Points of a curve."""
BASELINES = ("random", "do-nothing", "follow-flags", "monitor-then-act", "bayes-greedy", "reference")
MEASURES = ("reward", "detection", "false_positives", "objective")
CONFIDENCE = 0.95

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Course:
    """What is asked for.

    Attributes:
        episodes: Plays in training, over all levels together.
        cases: Held-out cases of each level on which the result is compared.
    """

    episodes: int
    seed: int
    cases: int

    def updates(self, levels: int) -> int:
        """Steps of learning on each level, at least one."""
        return max(1, self.episodes // (levels * CASES * PLAYS))


@dataclass(frozen=True, slots=True)
class Trained:
    """What came of it: metrics as they are written, and weights by level."""

    metrics: Json
    weights: Mapping[str, Floats]

    def packed(self) -> bytes:
        """The weights as `envs.fleet.learned` reads them."""
        return _packed(self.weights)


def run(of: Subject, course: Course, progress: Progress) -> Trained:
    """Trains a policy on every level and compares it on held-out cases.

    Args:
        of: The fleet.
    """
    # Read first: somebody may edit the source while this process plays the old one.
    code = code_digest(of.env)
    curves: dict[str, list[Json]] = {}
    weights: dict[str, Floats] = {}
    for level in of.env.levels:
        weights[level], curves[level] = _trained(of, course, level, progress)
    held_out = {level: _compared(of, course, level, weights[level], progress) for level in of.env.levels}
    metrics: Json = {
        "environment": of.env.slug,
        "version": of.env.version,
        "code": code,
        "corpus": CORPUS_VERSION,
        **asdict(course),
        "learner": "linear softmax policy, REINFORCE with the other plays of a case as baseline",
        "weights": blake2b(_packed(weights), digest_size=8).hexdigest(),
        "confidence": CONFIDENCE,
        "curves": curves,
        "held_out": held_out,
    }
    return Trained(metrics, weights)


def _trained(of: Subject, course: Course, level: str, progress: Progress) -> tuple[Floats, list[Json]]:
    """The weights of a level, and its curve."""
    learner = Learner(np.zeros(SHAPE))
    updates = course.updates(len(of.env.levels))
    ends = {round(updates * point / POINTS) for point in range(1, POINTS + 1)}
    curve: list[Json] = []
    seen: list[Outcome] = []
    for update in range(1, updates + 1):
        plays = [
            _case(of, course, level, (update - 1) * CASES + case, learner.weights) for case in range(CASES)
        ]
        learner.learn([[play for play, _ in case] for case in plays])
        seen += [outcome for case in plays for _, outcome in case]
        done = update * CASES * PLAYS
        progress(f"{of.env.slug} {level} training", done, updates * CASES * PLAYS)
        if update in ends:
            curve.append({"episodes": done, **_measured(seen)})
            seen = []
    return np.round(learner.weights, 4), curve


def _case(of: Subject, course: Course, level: str, number: int, weights: Floats) -> list[tuple[Any, Outcome]]:
    rng = Rng(course.seed, "training", level, number)
    # Another seed trains on other cases, not only with other draws.
    case = FIRST_CASE + rng.at("case").integer(0, 999_999_999)
    return [learner_play(of, level, PUBLIC, case, weights, rng.at("play", play)) for play in range(PLAYS)]


def _compared(of: Subject, course: Course, level: str, weights: Floats, progress: Progress) -> Json:
    """What the learned policy and the baselines come to on held-out cases."""

    def learned(observation: Observation, rng: Rng) -> Action:
        return likeliest(observation, weights)

    rows: Json = {}
    policies = {"trained": learned, **{name: of.policies[name] for name in BASELINES}}
    for number, (name, policy) in enumerate(policies.items()):
        outcomes: list[Outcome] = []
        for case in range(course.cases):
            outcomes.append(baseline_play(of, level, HELD_OUT, case, name, policy))
            done = number * course.cases + case + 1
            progress(f"{of.env.slug} {level} held out", done, len(policies) * course.cases)
        rows[name] = _measured(outcomes)
    return rows


def _measured(outcomes: Sequence[Outcome]) -> Json:
    """Means with their confidence bands; plays of one case are one cluster."""
    cases = [outcome.case for outcome in outcomes]
    found: Json = {}
    for name in MEASURES:
        interval = mean_interval([getattr(outcome, name) for outcome in outcomes], cases, CONFIDENCE)
        ends = (None if not np.isfinite(end) else round(end, 4) for end in interval)
        found[name] = dict(zip(("mean", "low", "high"), ends, strict=True))
    return found


def _packed(weights: Mapping[str, Floats]) -> bytes:
    return orjson.dumps({level: table.tolist() for level, table in weights.items()})
