"""Many instances of one environment as a Gymnasium vector environment, on the server's batch routes.

Decides which sub-environments step and which start anew: one whose episode has ended is reset by the step
that follows, its action unread (Gymnasium's `NEXT_STEP`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Space
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array, iterate

from clients.errors import Refused
from clients.http import HOME, Auditorium
from clients.protocol import Caller, Moves
from clients.records import BatchAnswer, Status, TimeStep
from clients.seats import GYMNASIUM, RENDER_MODES, info_of, rendered, reset_body
from clients.spaces import codec_of

Booleans = np.ndarray[Any, np.dtype[np.bool_]]
Floats = np.ndarray[Any, np.dtype[np.float64]]


class HttpVectorEnv(VectorEnv[Any, Any, Any]):
    """Instances side by side; `make_vec` gives it its spec.

    Attributes:
        actions, observations: Codecs between JSON and the single spaces.
        instance_ids: The instances in play, none before the first reset.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as Gymnasium declares it
        "render_modes": [*RENDER_MODES],
        "render_fps": 1,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }
    action_space: Space[Any]
    observation_space: Space[Any]
    single_action_space: Space[Any]
    single_observation_space: Space[Any]

    def __init__(
        self,
        slug: str,
        num_envs: int,
        base_url: str = HOME,
        *,
        caller: Caller = GYMNASIUM,
        **reset_options: Any,
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"num_envs is {num_envs}; use 1 or more")
        self.slug = slug
        self.num_envs = num_envs
        with ExitStack() as unless_kept:
            self.server = unless_kept.enter_context(Auditorium(base_url, caller))
            schemas = self.server.schemas(slug)
            unless_kept.pop_all()
        self.instance_ids: tuple[str, ...] = ()
        self._reset_options = reset_options
        self._rngs = tuple(np_random()[0] for _ in range(num_envs))
        self._latest: list[TimeStep] = []
        self.actions = codec_of(schemas.action)
        self.observations = codec_of(schemas.observation)
        self.single_action_space = self.actions.space
        self.single_observation_space = self.observations.space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Starts an episode everywhere; a whole seed is the first one's, the others follow it.

        Args:
            seed: With one, all start from fresh instances.
            options: Go over those that `make_vec` was given.
        """
        seeds = self._seeds(seed)
        if seed is not None:
            self._rngs = tuple(np_random(one)[0] for one in seeds)
        if seed is not None or not self.instance_ids:
            self.instance_ids = tuple(self.server.open(self.slug).id for _ in range(self.num_envs))
        places = range(self.num_envs)
        self._latest = self._play(self.server.batch_reset, self._resets(places, seeds, options or {}))
        return self._observed(), self._infos()

    def step(self, actions: Any) -> tuple[Any, Floats, Booleans, Booleans, dict[str, Any]]:
        """Plays one action in each episode that runs, and starts a new one where it has ended."""
        if not self._latest:
            raise ResetNeeded("call reset before step")
        over = [place for place, step in enumerate(self._latest) if step.done]
        running = [place for place, step in enumerate(self._latest) if not step.done]
        chosen = list(iterate(self.action_space, actions))
        moves = [(self.instance_ids[place], self.actions.decode(chosen[place])) for place in running]
        stepped = self._play(self.server.batch_step, moves)
        resets = self._resets(over, [None] * self.num_envs, {})
        for place, step in zip(
            [*running, *over], [*stepped, *self._play(self.server.batch_reset, resets)], strict=True
        ):
            self._latest[place] = step
        statuses = [step.status for step in self._latest]
        return (
            self._observed(),
            np.array([step.reward or 0.0 for step in self._latest], np.float64),
            np.array([status is Status.TERMINATED for status in statuses], np.bool_),
            np.array([status is Status.TRUNCATED for status in statuses], np.bool_),
            self._infos(),
        )

    def render(self, mode: str | None = "text") -> tuple[str | None, ...]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The latest observations as texts."""
        return tuple(rendered(step, mode) for step in self._latest)

    def close_extras(self) -> None:
        """Gives the connections back; the instances stay, with their journals."""
        self.server.close()

    def _seeds(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None]:
        if seed is None:
            return [None] * self.num_envs
        seeds = [seed + place for place in range(self.num_envs)] if isinstance(seed, int) else list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"{len(seeds)} seeds are not one for each of {self.num_envs} sub-environments")
        return seeds

    def _resets(self, places: Sequence[int], seeds: Sequence[int | None], options: dict[str, Any]) -> Moves:
        asked = {**self._reset_options, **options}
        return [
            (self.instance_ids[place], reset_body(seeds[place], self._rngs[place], asked)) for place in places
        ]

    def _play(self, batch: Callable[[Moves], tuple[BatchAnswer, ...]], moves: Moves) -> list[TimeStep]:
        steps: list[TimeStep] = []
        for _, answer in batch(moves):
            if isinstance(answer, Refused):
                raise answer
            steps.append(answer)
        return steps

    def _observed(self) -> Any:
        members = [self.observations.encode(step.observation) for step in self._latest]
        empty = create_empty_array(self.single_observation_space, self.num_envs)
        return concatenate(self.single_observation_space, members, empty)

    def _infos(self) -> dict[str, Any]:
        infos: dict[str, Any] = {}
        for place, step in enumerate(self._latest):
            infos = self._add_info(infos, info_of(step), place)
        return infos
