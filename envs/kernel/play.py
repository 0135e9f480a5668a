"""The laws of play, written once for every environment.

A finished episode absorbs, spent steps truncate, an illegal action is recorded as such.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Generic

from envs.kernel.outcome import Grade, Status, Step
from envs.kernel.protocol import A, Environment, M, O, R, Refusal, S, T
from envs.kernel.rng import Rng


class EpisodeOver(Refusal):
    """A step after the end; the episode is unchanged."""


class Sealed(Refusal):
    """A question about a held-out case whose round has not closed."""


@dataclass(frozen=True, slots=True)
class Episode(Generic[R, M, T, S, A]):
    """One play of one case, from the reset to the last step so far.

    Attributes:
        sealed: Its feedback was taken out, because its round has not closed; it cannot be graded.
    """

    request: R
    seed: int
    memory: M
    task: T
    start: S
    actions: tuple[A, ...] = ()
    steps: tuple[Step[S], ...] = ()
    sealed: bool = False

    @property
    def state(self) -> S:
        return self.steps[-1].state if self.steps else self.start

    @property
    def status(self) -> Status:
        return self.steps[-1].status if self.steps else Status.RUNNING

    @property
    def done(self) -> bool:
        return self.status is not Status.RUNNING

    def until(self, count: int) -> Episode[R, M, T, S, A]:
        """The episode as it was after its first `count` steps, illegal ones included."""
        return replace(self, actions=self.actions[:count], steps=self.steps[:count])


# As with AnyEnvironment: what holds episodes of unlike environments forgets their types here.
AnyEpisode = Episode[Any, Any, Any, Any, Any]


def open_episode(
    env: Environment[R, M, T, S, A, O], request: R, memory: M, seed: int
) -> Episode[R, M, T, S, A]:
    """A fresh episode; everything random in it follows from `seed`."""
    task = env.task(request, memory, Rng(seed, "task"))
    return Episode(request, seed, memory, task, env.initial(task, memory))


def play(
    env: Environment[R, M, T, S, A, O], episode: Episode[R, M, T, S, A], action: A
) -> Episode[R, M, T, S, A]:
    """The episode one step further; `steps[-1]` tells what came of it.

    Raises:
        EpisodeOver: If the episode has ended.
    """
    if episode.done:
        raise EpisodeOver("The episode is done; call reset to start another.")
    step = env.step(episode.state, action, Rng(episode.seed, "step"))
    if step.status is Status.RUNNING and step.state.step_count >= episode.task.max_steps:
        step = replace(step, status=Status.TRUNCATED)
    # Written out: `replace` finds out anew, with every step, which fields there are.
    return Episode(
        episode.request,
        episode.seed,
        episode.memory,
        episode.task,
        episode.start,
        (*episode.actions, action),
        (*episode.steps, step),
        episode.sealed,
    )


def carry(env: Environment[R, M, T, S, A, O], episode: Episode[R, M, T, S, A]) -> M:
    """The memory that the next episode of this instance starts with."""
    return env.remember(episode.memory, episode.request, episode.task, episode.steps)


def look(env: Environment[R, M, T, S, A, O], episode: Episode[R, M, T, S, A]) -> O:
    """What a player of this episode may know now."""
    return env.observe(episode.state, env.track(episode.request))


def grade(env: Environment[R, M, T, S, A, O], episode: Episode[R, M, T, S, A]) -> Grade:
    """The episode's grade so far.

    Raises:
        Sealed: If its round has not closed.
    """
    if episode.sealed:
        raise Sealed("This case is held out; its grade opens when the round closes.")
    return env.grade(episode.task, episode.steps)
