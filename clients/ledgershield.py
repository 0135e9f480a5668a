"""LedgerShield as one Python class, with the names that its contract gives it.

Decides the envelope alone: the wire is `http`'s, and the spaces are those of `spaces`.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any, Self

from gymnasium.spaces import Space

from clients.http import HOME, Auditorium
from clients.protocol import Caller
from clients.records import TimeStep
from clients.seats import GYMNASIUM, rendered
from clients.spaces import codec_of

SLUG = "ledgershield"
DECIDED = "decided"

Json = dict[str, Any]


class LedgerShieldEnvironment:
    """One instance of LedgerShield on a server.

    Args:
        base_url: Where the server answers.
        instance_id: Plays on this instance; without it, on a fresh one.
    Raises:
        UnknownEnvironment: If the server does not have LedgerShield.
        Unreachable: If no server answers.
    """

    def __init__(
        self, base_url: str = HOME, *, instance_id: str | None = None, caller: Caller = GYMNASIUM
    ) -> None:
        with ExitStack() as unless_kept:
            server = Auditorium(base_url, caller)
            self._server = unless_kept.enter_context(server)
            self._schemas = self._server.schemas(SLUG)
            self._instance = (
                self._server.open(SLUG) if instance_id is None else self._server.instance(SLUG, instance_id)
            )
            unless_kept.pop_all()
        self._latest: TimeStep | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def action_space(self) -> Space[Any]:
        """The space of actions; `clients.spaces.codec_of` tells how its members stand for JSON."""
        return codec_of(self._schemas.action).space

    def observation_space(self) -> Space[Any]:
        """The space of observations."""
        return codec_of(self._schemas.observation).space

    def reset(self, seed: int | None = None, case_id: str | None = None, **options: Any) -> Json:
        """Opens a case.

        Args:
            options: `level`, `family`, `split` and `track`.
        Returns:
            The contract's envelope: observation, reward, done, truncated, terminated and info.
        """
        named = {"seed": seed, "case_id": case_id, **options}
        self._latest = self._instance.reset(
            **{name: value for name, value in named.items() if value is not None}
        )
        return _envelope(self._latest)

    def step(self, action_type: str, **payload: Any) -> Json:
        """Executes one action.

        Returns:
            The contract's envelope.
        Raises:
            EpisodeOver: If the episode has ended.
            Malformed: If something in the payload has the wrong type.
        """
        self._latest = self._instance.step({"action_type": action_type, **payload})
        return _envelope(self._latest)

    def render(self, mode: str = "text") -> str:
        """The latest observation as text.

        Args:
            mode: `text` or `ansi`, which are the same.
        Raises:
            RuntimeError: Before the first reset.
            ValueError: If there is no such mode.
        """
        if self._latest is None:
            raise RuntimeError("call reset before render")
        return rendered(self._latest, mode) or ""

    def close(self) -> None:
        """Gives the connections back; the instance stays, with its journal."""
        self._server.close()


def _envelope(step: TimeStep) -> Json:
    result = step.observation["last_tool_result"]
    reason = "" if result is None else result["reward_model"]["metadata"]["terminal_reason"]
    info: Json = {"case_id": step.observation["case_id"]}
    if result is not None:
        info |= {
            "tool_name": result["tool_name"],
            "success": result["success"],
            "message": step.message,
            "reward_model": result["reward_model"],
        }
    return {
        "observation": step.observation,
        "reward": step.reward or 0.0,
        "done": step.done,
        "truncated": step.done and reason != DECIDED,
        "terminated": reason == DECIDED,
        "info": info,
    }
