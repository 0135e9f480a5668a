"""What the environments for TRL's trainers share: a rollout is one episode, its reward the episode's.

The trainer makes one object per parallel rollout, calls `reset` with a row of its dataset, offers every
public method but `reset` and `get_reward` to the model as a tool, and asks for the reward at the end. So
nothing else here is public, and a tool that fails raises: the trainer shows the model why and goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any, ClassVar, Self

from clients.http import HOME, Auditorium, Instance
from clients.protocol import Caller
from clients.records import TimeStep

OVER = "The episode is over; there is nothing left to do."


class Rollout:
    """One system for a trainer.

    Args:
        base_url: Where the server answers; for the trainer `functools.partial(ForecastAudit, "https://…")`.
        options: What each reset asks for unless its row says otherwise.
    Raises:
        UnknownEnvironment: If the server does not have this system; the message lists what it has.
        Unreachable: If no server answers.
        TypeError: If a reset does not take one of the options.

    Attributes:
        slug: The system's address.
        columns: Dataset columns that a reset takes; it passes over all others, the prompt's too.
        defaults: What a reset asks for when neither row nor options do.
        apart: Whether each rollout has an instance of its own, because in it earlier ones would count.
    """

    slug: ClassVar[str]
    columns: ClassVar[frozenset[str]]
    defaults: ClassVar[Mapping[str, Any]] = {}
    apart: ClassVar[bool] = False

    def __init__(self, base_url: str = HOME, *, caller: Caller | None = None, **options: Any) -> None:
        if unknown := options.keys() - self.columns:
            raise TypeError(
                f"no option {', '.join(sorted(unknown))}; there are: {', '.join(sorted(self.columns))}"
            )
        with ExitStack() as unless_kept:
            server = Auditorium(base_url, caller or Caller(actor="agent:trl"))
            self._server = unless_kept.enter_context(server)
            self._server.catalog().environment(self.slug)
            unless_kept.pop_all()
        self._options = options
        self._instance: Instance | None = None
        self._steps: list[TimeStep] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.close()

    def reset(self, **row: Any) -> str:
        """Starts an episode.

        Args:
            row: A row of the dataset; a column without a value counts as absent.
        Returns:
            The whole task as text, for a prompt that may be empty.
        """
        said = {name: value for name, value in row.items() if name in self.columns and value is not None}
        if self._instance is None or self.apart:
            self._instance = self._server.open(self.slug)
        self._steps = []
        return self._instance.reset(**{**self.defaults, **self._options, **said}).text

    def get_reward(self) -> float:
        """The reward of the rollout so far: the sum of its steps'."""
        return sum((step.reward or 0.0 for step in self._steps), 0.0)

    def _play(self, **action: Any) -> str:
        """What the model reads after an action; values of None are left out."""
        if self._instance is None:
            raise RuntimeError("call reset first")
        step = self._instance.step({name: value for name, value in action.items() if value is not None})
        self._steps.append(step)
        return f"{step.text}\n\n{OVER}" if step.done else step.text
