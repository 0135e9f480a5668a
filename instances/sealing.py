"""Sealing: what a held-out instance shows before its round closes.

Decides what is left out. Which instance is sealed, and until when, is the round's.
"""

from __future__ import annotations

from dataclasses import replace

import orjson

from envs.kernel.outcome import Reward, Step
from envs.kernel.play import AnyEpisode
from envs.kernel.protocol import AnyEnvironment
from envs.kernel.records import State
from instances.model import Entry, EntryKind

SEALED = "Recorded. Results open when the round closes."


def sealed_episode(env: AnyEnvironment, episode: AnyEpisode) -> AnyEpisode:
    """The episode without its seed, with every reward at zero and no feedback in messages and states."""
    return replace(
        episode,
        request=episode.request.model_copy(update={"seed": None}),
        seed=0,
        start=env.conceal(episode.start),
        steps=tuple(_sealed_step(env, step) for step in episode.steps),
        sealed=True,
    )


def sealed_entry(entry: Entry) -> Entry:
    """The entry without request, seed, digest and reward; what the player did stays."""
    if entry.kind is EntryKind.RESET:
        return entry._replace(body="{}", seed=None, memory=None, digest="")
    told = orjson.loads(entry.outcome)
    reward = sealed_reward(tuple(told["reward"]["parts"]), told["legal"], told["reward"]["message"])
    shown = {"parts": dict(reward.parts), "total": reward.total, "message": reward.message}
    return entry._replace(outcome=orjson.dumps({**told, "reward": shown}).decode(), digest="")


def sealed_reward(names: tuple[str, ...], legal: bool, message: str) -> Reward:
    """A reward that tells nothing; why an action was illegal is no secret."""
    return Reward(parts=tuple((name, 0.0) for name in names), total=0.0, message=SEALED if legal else message)


def _sealed_step(env: AnyEnvironment, step: Step[State]) -> Step[State]:
    names = tuple(name for name, _ in step.reward.parts)
    reward = sealed_reward(names, step.legal, step.reward.message)
    return replace(step, state=env.conceal(step.state), reward=reward)
