"""One episode, played purely in the kernel. A bad rollout is data, not a crash."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from envs.kernel.outcome import Grade, Status
from envs.kernel.play import AnyEpisode, grade, look, open_episode, play
from envs.kernel.protocol import AnyEnvironment, Policy
from envs.kernel.records import Action, Observation, Request, encode
from envs.kernel.rng import Rng

# An illegal action may cost no step; a policy that needs more actions than this for each step is stuck.
PATIENCE = 4
POLICY_SEED = 0
LONGEST_ERROR = 500
_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}")


@dataclass(frozen=True, slots=True)
class Played:
    """What an agent made of one case.

    Attributes:
        rewards: Of each action.
        grade: Of the episode as far as it went.
        steps: Spent; an illegal action may spend none.
        error: Why the agent did not finish; empty when it did.
    """

    actions: tuple[Action, ...]
    rewards: tuple[float, ...]
    grade: Grade
    status: Status
    steps: int
    error: str = ""


def policy_rng(agent: str, case: str, trial: int) -> Rng:
    """The randomness of an agent in one trial of a case; never the case's own."""
    return Rng(POLICY_SEED, "policy", agent, case, trial)


def play_case(
    env: AnyEnvironment, policy: Policy[Observation, Action], request: Request, seed: int, rng: Rng
) -> Played:
    """Plays a case to its end, or to where the policy fails.

    Args:
        policy: Gets the observation's bytes read back, so nothing that hangs on the object.
        rng: The policy's; each of its calls gets the address one further down.
    Raises:
        Refusal: If the environment does not open such a case.
    """
    return play_on(env, policy, open_episode(env, request, env.memory_type(), seed), rng)


def play_on(
    env: AnyEnvironment, policy: Policy[Observation, Action], episode: AnyEpisode, rng: Rng
) -> Played:
    """The same from an episode that is open."""
    error = ""
    while not episode.done and not error:
        if len(episode.actions) >= PATIENCE * episode.task.max_steps:
            error = f"stuck: {len(episode.actions)} actions spent only {episode.state.step_count} steps"
            continue
        try:
            action = chosen(env, policy, episode, rng)
        except Exception as failure:
            error = told(failure)
            continue
        episode = play(env, episode, action)
    return Played(
        actions=episode.actions,
        rewards=tuple(step.reward.total for step in episode.steps),
        grade=grade(env, episode),
        status=episode.status,
        steps=episode.state.step_count,
        error=error,
    )


def replayed(env: AnyEnvironment, episode: AnyEpisode, actions: Sequence[Action]) -> tuple[AnyEpisode, ...]:
    """The episode after 0, 1, 2, … of the actions, as far as it goes."""
    moments = [episode]
    for action in actions:
        if moments[-1].done:
            break
        moments.append(play(env, moments[-1], action))
    return tuple(moments)


def chosen(env: AnyEnvironment, policy: Policy[Observation, Action], episode: AnyEpisode, rng: Rng) -> Action:
    """What a policy does now, checked as a caller's action would be.

    Raises:
        Exception: Whatever the policy raises, and TypeError if it answers with something else than an action.
    """
    seen: Observation = env.observation_type.model_validate_json(encode(look(env, episode)))
    action = policy(seen, rng.at(len(episode.actions)))
    if not isinstance(action, env.action_type):
        raise TypeError(f"the policy answered {type(action).__name__}; use {env.action_type.__name__}")
    # A record that was built unvalidated must not enter a journal.
    checked: Action = env.action_type.model_validate_json(encode(action))
    return checked


def told(failure: Exception) -> str:
    """The failure in one line that is the same in every process."""
    text = " ".join(f"{type(failure).__name__}: {failure}".split())
    return _ADDRESS.sub("0x…", text)[:LONGEST_ERROR]
