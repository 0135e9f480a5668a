"""The journal and its fold: an instance is what its entries say, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable

import orjson
from pydantic import ValidationError

from envs.kernel.outcome import Reward, Status
from envs.kernel.play import AnyEpisode, carry, open_episode, play
from envs.kernel.protocol import AnyEnvironment, Refusal
from envs.kernel.records import Action, Memory, Request, digest, encode
from instances.effects import recorded_type
from instances.model import Caller, Entry, EntryKind

OPENED = '{"status":"RUNNING"}'
"""The outcome of every reset."""


class Divergence(Exception):
    """A replay that does not reproduce its journal; `n` is the first entry that differs."""

    def __init__(self, n: int, recorded: str, replayed: str) -> None:
        super().__init__(f"entry {n}: the journal has {recorded}, the replay {replayed}")
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
        outcome=OPENED,
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
        outcome=outcome(step.status, step.legal, step.reward),
        digest=digest(step.state),
    )


def fold(env: AnyEnvironment, entries: Iterable[Entry]) -> AnyEpisode | None:
    """The latest episode of a journal.

    Args:
        entries: In order, from any reset on: a reset's entry carries the memory it started with.
    Raises:
        Divergence: If an entry's digest, status or outcome is not what the replay gives.
    """
    episode: AnyEpisode | None = None
    for entry in entries:
        episode = _redo(env, episode, entry)
        _compare(entry, _entry_of(episode, entry))
    return episode


def _entry_of(episode: AnyEpisode, entry: Entry) -> Entry:
    """What would be recorded now where `entry` was recorded then."""
    make = reset_entry if entry.kind is EntryKind.RESET else step_entry
    return make(episode, entry.n, Caller(entry.actor, entry.surface), entry.at)


def _compare(recorded: Entry, replayed: Entry) -> None:
    for aspect in ("digest", "status", "outcome"):
        then, now = getattr(recorded, aspect), getattr(replayed, aspect)
        if then != now:
            raise Divergence(recorded.n, f"{aspect} {then}", f"{aspect} {now}")


def _redo(env: AnyEnvironment, episode: AnyEpisode | None, entry: Entry) -> AnyEpisode:
    try:
        if entry.kind is EntryKind.RESET:
            return _reopen(env, episode, entry)
        if episode is None:
            raise Divergence(entry.n, f"digest {entry.digest}", "a step before any reset")
        return play(env, episode, _action(env, entry.body))
    except ValidationError as error:
        raise Divergence(entry.n, f"digest {entry.digest}", f"unreadable body: {error}") from error
    except Refusal as refusal:
        raise Divergence(entry.n, f"digest {entry.digest}", f"refused: {refusal}") from refusal


def _action(env: AnyEnvironment, body: str) -> Action:
    """A recorded action, with what came of it where it called out."""
    kind = recorded_type(env)
    if kind is not env.action_type:
        try:
            return kind.model_validate_json(body)
        except ValidationError:
            # Not every action of such an environment calls out.
            pass
    return env.action_type.model_validate_json(body)


def _reopen(env: AnyEnvironment, episode: AnyEpisode | None, entry: Entry) -> AnyEpisode:
    request: Request = env.request_type.model_validate_json(entry.body)
    memory: Memory = env.memory_type.model_validate_json(entry.memory or "{}")
    if episode is not None and carry(env, episode) != memory:
        raise Divergence(entry.n, f"digest {entry.digest}", "another memory carried into this reset")
    return open_episode(env, request, memory, entry.seed or 0)


def outcome(status: Status, legal: bool, reward: Reward) -> str:
    """What a step came to, as the journal keeps it."""
    told = {"parts": dict(reward.parts), "total": reward.total, "message": reward.message}
    return orjson.dumps({"status": status, "legal": legal, "reward": told}).decode()
