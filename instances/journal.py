"""The journal and its fold: an instance is what its entries say, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable

import orjson
from pydantic import ValidationError

from envs.kernel.outcome import Status, Step
from envs.kernel.play import AnyEpisode, carry, open_episode, play
from envs.kernel.protocol import AnyEnvironment, Refusal
from envs.kernel.records import Action, Memory, Request, State, digest, encode
from instances.model import Caller, Entry, EntryKind


class Divergence(Exception):
    """A replay that does not reproduce its journal; `n` is the first entry that differs."""

    def __init__(self, n: int, recorded: str, replayed: str) -> None:
        super().__init__(f"entry {n}: the journal has digest {recorded}, the replay {replayed}")
        self.n = n


def reset(env: AnyEnvironment, episode: AnyEpisode | None, request: Request, seed: int) -> AnyEpisode:
    """The next episode of an instance whose latest one is `episode`."""
    memory: Memory = env.memory_type() if episode is None else carry(env, episode)
    return open_episode(env, request, memory, seed)


def reset_entry(episode: AnyEpisode, n: int, caller: Caller, at: float) -> Entry:
    """The entry of the reset that opened this episode."""
    return Entry(
        n=n,
        kind=EntryKind.RESET,
        actor=caller.actor,
        surface=caller.surface,
        at=at,
        body=episode.request.model_dump_json(exclude_none=True),
        seed=episode.seed,
        memory=encode(episode.memory).decode(),
        status=Status.RUNNING,
        outcome='{"status":"RUNNING"}',
        digest=digest(episode.start),
    )


def step_entry(episode: AnyEpisode, n: int, caller: Caller, at: float) -> Entry:
    """The entry of the episode's last step."""
    step = episode.steps[-1]
    return Entry(
        n=n,
        kind=EntryKind.STEP,
        actor=caller.actor,
        surface=caller.surface,
        at=at,
        body=encode(episode.actions[-1]).decode(),
        seed=None,
        memory=None,
        status=step.status,
        outcome=_outcome(step),
        digest=digest(step.state),
    )


def fold(env: AnyEnvironment, entries: Iterable[Entry]) -> AnyEpisode | None:
    """The latest episode of a journal.

    Args:
        entries: In order, from any reset on: a reset's entry carries the memory it started with.
    Raises:
        Divergence: If a state does not have the digest that its entry records.
    """
    episode: AnyEpisode | None = None
    for entry in entries:
        episode = _redo(env, episode, entry)
        replayed = digest(episode.state)
        if replayed != entry.digest:
            raise Divergence(entry.n, entry.digest, replayed)
    return episode


def _redo(env: AnyEnvironment, episode: AnyEpisode | None, entry: Entry) -> AnyEpisode:
    try:
        if entry.kind is EntryKind.RESET:
            return _reopen(env, episode, entry)
        if episode is None:
            raise Divergence(entry.n, entry.digest, "a step before any reset")
        action: Action = env.action_type.model_validate_json(entry.body)
        return play(env, episode, action)
    except ValidationError as error:
        raise Divergence(entry.n, entry.digest, f"unreadable body: {error}") from error
    except Refusal as refusal:
        raise Divergence(entry.n, entry.digest, f"refused: {refusal}") from refusal


def _reopen(env: AnyEnvironment, episode: AnyEpisode | None, entry: Entry) -> AnyEpisode:
    request: Request = env.request_type.model_validate_json(entry.body)
    memory: Memory = env.memory_type.model_validate_json(entry.memory or "{}")
    if episode is not None and carry(env, episode) != memory:
        raise Divergence(entry.n, entry.digest, "another memory carried into this reset")
    return open_episode(env, request, memory, entry.seed or 0)


def _outcome(step: Step[State]) -> str:
    reward = step.reward
    return orjson.dumps(
        {
            "status": step.status,
            "legal": step.legal,
            "reward": {"parts": dict(reward.parts), "total": reward.total, "message": reward.message},
        }
    ).decode()
