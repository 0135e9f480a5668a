"""Whole episodes on demand: played by rules on a case that no instance keeps, or by a model on an instance.

Decides how a run looks in the contract. How a model plays, and what it costs, is the agents'.
"""

from __future__ import annotations

from collections.abc import Iterator

from api.contracts.moderation_shapes import ENVIRONMENT, Moment, Move, Played, RunAnswer, Score
from envs.kernel.outcome import Grade
from envs.kernel.play import grade, look, open_episode, play
from envs.kernel.rng import Rng
from envs.moderation import POLICIES
from envs.moderation.dynamics import Memory
from envs.moderation.environment import level_of
from envs.moderation.grader import WEIGHTS
from envs.moderation.models import Action
from envs.moderation.models import Request as ResetRequest

BASELINE = "read-post-and-policy"
SEALED = Score(
    final_action_score=0.0,
    classification_score=0.0,
    investigation_score=0.0,
    efficiency_score=0.0,
    total=0.0,
    breakdown={},
)
"""The score of a held-out case before its round closes, as every number of it."""


def opened(task_id: str | None, task: str | None, seed: int | None) -> Played:
    """The public case that these name.

    Args:
        seed: None: the task's own.
    Raises:
        Refusal: If there is no such task.
    """
    request = requested(task_id, task, seed)
    assert request.seed is not None
    return open_episode(ENVIRONMENT, request, Memory(), request.seed)


def requested(task_id: str | None, task: str | None, seed: int | None) -> ResetRequest:
    """The reset that opens that case.

    Raises:
        Refusal: If there is no such task.
    """
    request = ResetRequest(task_id=task_id, task=task)
    return request.model_copy(update={"seed": level_of(request).seed if seed is None else seed})


def baseline(episode: Played) -> Played:
    """The episode as the rule-based agent plays it to its end."""
    policy = POLICIES[BASELINE]
    while not episode.done:
        rng = Rng(episode.seed, "baseline").at(len(episode.steps))
        episode = play(ENVIRONMENT, episode, policy(look(ENVIRONMENT, episode), rng))
    return episode


def told(episode: Played) -> RunAnswer:
    """The run as the contract answers it."""
    return RunAnswer(
        task_id=level_of(episode.request).name,
        seed=episode.seed,
        score=SEALED if episode.sealed else _score(grade(ENVIRONMENT, episode)),
        trajectory=tuple(trajectory(episode)),
    )


def trajectory(episode: Played) -> Iterator[Moment]:
    """Every step with its action and its reward."""
    for number, (action, step) in enumerate(zip(episode.actions, episode.steps, strict=True), start=1):
        move = Move(action_type=action.action, parameters=_parameters(action))
        yield Moment(step=number, action=move, reward=step.reward.total, reward_reason=step.reward.message)


def _parameters(action: Action) -> dict[str, str]:
    named = {"violation_type": action.violation_type, "clause_id": action.clause_id}
    return {name: str(value) for name, value in named.items() if value is not None}


def _score(judged: Grade) -> Score:
    parts = dict(judged.parts)
    return Score(
        final_action_score=parts["final_action"],
        classification_score=parts["violation"],
        investigation_score=parts["investigation"],
        efficiency_score=parts["efficiency"],
        total=judged.score,
        breakdown={name: round(weight * parts[name], 4) for name, weight in WEIGHTS.items()},
    )
