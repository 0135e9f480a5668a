"""Playing: shifts of the fleet as the learner and as baselines play them, and what each came to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np

from envs.fleet import dynamics, grader
from envs.fleet.learned import Floats, chances, choice, features
from envs.kernel.play import AnyEpisode, grade, look, play
from envs.kernel.rng import Rng
from evals.episode import policy_rng
from evals.subject import AnyPolicy, Subject, opened
from evals.training.learning import Decision, Play

FALSE_ALARMS = ("false_pos", "needless_escalation")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a shift came to.

    Attributes:
        reward: The contract's total: all steps, less the charge for what nobody found.
        detection: Share of its faults that were found.
        false_positives: Share of its steps that were spent on repairing a healthy worker.
        objective: What skill is computed from.
    """

    case: int
    reward: float
    detection: float
    false_positives: float
    objective: float


def learner_play(
    of: Subject, level: str, split: str, case: int, weights: Floats, rng: Rng
) -> tuple[Play, Outcome]:
    """A shift with choices drawn from the policy's chances.

    Args:
        weights: (acts, features)
    """
    decisions: list[Decision] = []

    def drawn(episode: AnyEpisode) -> object:
        seen = features(look(of.env, episode))
        sums = np.cumsum(chances(weights, seen))
        place = int(np.searchsorted(sums, rng.at(len(decisions)).unit() * sums[-1], side="right"))
        decisions.append(Decision(seen, min(place, len(sums) - 1)))
        return choice(decisions[-1].place)

    episode = _played(of, level, split, case, drawn)
    outcome = _outcome(of, case, episode)
    return Play(tuple(decisions), tuple(accumulate(reversed(_paid(episode))))[::-1]), outcome


def baseline_play(of: Subject, level: str, split: str, case: int, name: str, policy: AnyPolicy) -> Outcome:
    """A shift as a policy plays it."""
    rng = policy_rng(name, f"{level}/{split}/{case}", 0)

    def chosen(episode: AnyEpisode) -> object:
        return policy(look(of.env, episode), rng.at(len(episode.actions)))

    return _outcome(of, case, _played(of, level, split, case, chosen))


def _paid(episode: AnyEpisode) -> list[float]:
    """What the score counts of a finished shift, step by step: the rewards, and its charges beyond them."""
    idle = (0, *(step.state.tally.idle for step in episode.steps))
    paid = [
        step.reward.total + grader.IDLE * (after - before)
        for step, (before, after) in zip(episode.steps, pairwise(idle), strict=True)
    ]
    end = episode.state
    paid[-1] += grader.charge(dynamics.missed(end)) + grader.LATE * dynamics.unfound(end)
    return paid


def _played(
    of: Subject, level: str, split: str, case: int, act: Callable[[AnyEpisode], object]
) -> AnyEpisode:
    episode = opened(of, level, split, case)
    while not episode.done:
        episode = play(of.env, episode, act(episode))
    return episode


def _outcome(of: Subject, case: int, episode: AnyEpisode) -> Outcome:
    judged = grade(of.env, episode)
    alarms = sum(
        any(name in FALSE_ALARMS and value < 0.0 for name, value in step.reward.parts)
        for step in episode.steps
    )
    return Outcome(
        case=case,
        reward=episode.state.closing.total,
        detection=dict(judged.parts)["min_detection_rate"],
        false_positives=alarms / len(episode.steps),
        objective=judged.objective,
    )
