"""Gymnasium environments over HTTP: `make` for one instance, `make_vec` for many at once.

Decides how an instance's episodes look to Gymnasium; their form is `spaces`'.
A reset with a seed starts from a fresh instance, because an instance may remember its earlier episodes; the
resets that follow stay on it and draw their seeds from the first one.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import gymnasium
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import ResetNeeded

from clients.gym_vector import HttpVectorEnv
from clients.http import HOME, Auditorium, Instance
from clients.protocol import Caller
from clients.records import Status, TimeStep
from clients.seats import GYMNASIUM, RENDER_MODES, info_of, rendered, reset_body
from clients.spaces import codec_of


class HttpEnv(gymnasium.Env[Any, Any]):
    """One instance as a Gymnasium environment; `make` gives it its spec.

    Attributes:
        actions, observations: Codecs between JSON and the spaces: `actions.encode({"operation": "accept"})`.
        instance: The instance in play, None before the first reset.
    """

    # Gymnasium declares it of instances and reads it of the class.
    metadata: dict[str, Any] = {"render_modes": [*RENDER_MODES], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        slug: str,
        base_url: str = HOME,
        *,
        render_mode: str | None = None,
        instance_id: str | None = None,
        caller: Caller = GYMNASIUM,
        **reset_options: Any,
    ) -> None:
        self.slug = slug
        self.render_mode = render_mode
        with ExitStack() as unless_kept:
            self.server = unless_kept.enter_context(Auditorium(base_url, caller))
            schemas = self.server.schemas(slug)
            unless_kept.pop_all()
        self.instance = None if instance_id is None else self.server.instance(slug, instance_id)
        self._joined = instance_id is not None
        self._reset_options = reset_options
        self._latest: TimeStep | None = None
        self.actions = codec_of(schemas.action)
        self.observations = codec_of(schemas.observation)
        self.action_space = self.actions.space
        self.observation_space = self.observations.space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts an episode; `options` go over those that `make` was given."""
        super().reset(seed=seed)
        body = reset_body(seed, self.np_random, {**self._reset_options, **(options or {})})
        self._latest = self._seated(afresh=seed is not None).reset(**body)
        return self.observations.encode(self._latest.observation), info_of(self._latest)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Plays an action of the space.

        Raises:
            EpisodeOver: If the episode has ended.
        """
        if self.instance is None or self._latest is None:
            raise ResetNeeded("call reset before step")
        self._latest = step = self.instance.step(self.actions.decode(action))
        return (
            self.observations.encode(step.observation),
            float(step.reward or 0.0),
            step.status is Status.TERMINATED,
            step.status is Status.TRUNCATED,
            info_of(step),
        )

    def render(self, mode: str | None = None) -> str | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The latest observation as text.

        Args:
            mode: `text` or `ansi`, which are the same; without it, what `make` was given.
        """
        if self._latest is None:
            raise ResetNeeded("call reset before render")
        return rendered(self._latest, mode or self.render_mode)

    def close(self) -> None:
        """Gives the connections back; the instance stays, with its journal."""
        self.server.close()

    def _seated(self, *, afresh: bool) -> Instance:
        if self.instance is None or (afresh and not self._joined):
            self.instance = self.server.open(self.slug)
        return self.instance


def make(
    slug: str,
    base_url: str = HOME,
    *,
    render_mode: str | None = None,
    instance_id: str | None = None,
    caller: Caller = GYMNASIUM,
    **reset_options: Any,
) -> HttpEnv:
    """An environment of a server, for Gymnasium.

    Args:
        render_mode: `text` or `ansi`, which are the same.
        instance_id: Plays on this instance, whatever the seed; without it, on fresh ones.
        reset_options: What each reset asks for, e.g. `track="audit", difficulty="hard"`.
    Raises:
        UnknownEnvironment: If there is none with this slug; the message lists those that there are.
        Unreachable: If no server answers.
    """
    kwargs = {"slug": slug, "base_url": base_url, "instance_id": instance_id, "caller": caller}
    env = gymnasium.make(_spec(slug, base_url, caller, {**kwargs, **reset_options}), render_mode=render_mode)
    # Without wrappers, so that `render` takes its mode.
    assert isinstance(env, HttpEnv)
    return env


def make_vec(
    slug: str,
    num_envs: int,
    base_url: str = HOME,
    *,
    caller: Caller = GYMNASIUM,
    **reset_options: Any,
) -> HttpVectorEnv:
    """Many instances as one vector environment, each reset or step of all of them one request.

    Args:
        reset_options: What each reset asks for, e.g. `track="audit", difficulty="hard"`.
    Raises:
        UnknownEnvironment: If there is none with this slug; the message lists those that there are.
        Unreachable: If no server answers.
    """
    env = HttpVectorEnv(slug, num_envs, base_url, caller=caller, **reset_options)
    env.spec = _spec(slug, base_url, caller, {"slug": slug, "base_url": base_url, **reset_options})
    return env


def _spec(slug: str, base_url: str, caller: Caller, kwargs: dict[str, Any]) -> EnvSpec:
    with Auditorium(base_url, caller) as server:
        version = server.catalog().environment(slug).version
    return EnvSpec(
        id=f"auditorium/{slug}-v{version}",
        entry_point=f"{__name__}:{HttpEnv.__name__}",
        order_enforce=False,
        disable_env_checker=True,
        kwargs=kwargs,
    )
