"""What an environment must offer, and nothing about who asks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeVar

from envs.kernel.outcome import Grade, Step
from envs.kernel.records import Action, Memory, Observation, Request, State, Task
from envs.kernel.rng import Rng

R = TypeVar("R", bound=Request)
M = TypeVar("M", bound=Memory)
T = TypeVar("T", bound=Task)
S = TypeVar("S", bound=State)
A = TypeVar("A", bound=Action)
O = TypeVar("O", bound=Observation)  # noqa: E741 - the field's letter for observation

Policy = Callable[[O, Rng], A]
"""A baseline: what a player may know, and randomness addressed by the step, to an action."""


class Refusal(Exception):
    """A request that cannot be carried out as it stands; its text is for the caller."""


class Environment(ABC, Generic[R, M, T, S, A, O]):
    """A value-in, value-out machine over frozen records.

    The class docstring is the environment's page: description, action space, observation space, rewards,
    start, episode end, arguments, versions, in this order.

    Attributes:
        slug: Its address, e.g. `forecast-audit`.
        version: Rises when results could change, and only then.
        levels: From easy to hard.
        tracks: Names of what may be shown; the first is the default.
        horizon: Fewest and most steps of an episode.
        field: The trade it stands for, a few words.
        tagline: One sentence for the person who chooses what to play.
    """

    slug: ClassVar[str]
    title: ClassVar[str]
    field: ClassVar[str]
    tagline: ClassVar[str]
    version: ClassVar[int]
    levels: ClassVar[tuple[str, ...]]
    tracks: ClassVar[tuple[str, ...]]
    horizon: ClassVar[tuple[int, int]]

    request_type: type[R]
    memory_type: type[M]
    state_type: type[S]
    action_type: type[A]
    observation_type: type[O]

    @abstractmethod
    def task(self, request: R, memory: M, rng: Rng) -> T:
        """The case that a reset opens.

        Raises:
            Refusal: If the request names a case or a level that is not there.
        """

    @abstractmethod
    def initial(self, task: T, memory: M) -> S:
        """The state before the first step."""

    @abstractmethod
    def step(self, state: S, action: A, rng: Rng) -> Step[S]:
        """What an action does. Never mutates its arguments."""

    @abstractmethod
    def observe(self, state: S, track: str) -> O:
        """All that a player on this track may know; depends on no hidden field."""

    @abstractmethod
    def grade(self, task: T, steps: tuple[Step[S], ...]) -> Grade:
        """The episode judged; any prefix of an episode can be."""

    @abstractmethod
    def track(self, request: R) -> str:
        """The track that a reset chose, one of `tracks`."""

    @abstractmethod
    def remember(self, memory: M, request: R, task: T, steps: tuple[Step[S], ...]) -> M:
        """What the instance carries on after this episode."""

    def conceal(self, state: S) -> S:
        """The state without a trace of how good the actions were, for players whose result is not open."""
        return state

    def reserved(self, request: R) -> bool:
        """Whether the request asks for cases that only a round of held-out cases may open."""
        return False

    def held_out(self, level: str, seed: int) -> R:
        """The request that opens a held-out case.

        Raises:
            Refusal: If the environment has no held-out cases, or no such level.
        """
        raise Refusal(f"{self.slug} has no held-out cases.")


# The one place where a catalogue of unlike environments forgets their types.
AnyEnvironment = Environment[Any, Any, Any, Any, Any, Any]
