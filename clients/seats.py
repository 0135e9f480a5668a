"""What the single and the vector environment of Gymnasium share: seeds, infos and pictures in text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from clients.protocol import Caller
from clients.records import TimeStep
from clients.spaces import LARGEST_WHOLE

GYMNASIUM = Caller(actor="agent:gymnasium")
RENDER_MODES = ("text", "ansi")


def reset_body(seed: int | None, rng: np.random.Generator, options: Mapping[str, Any]) -> dict[str, Any]:
    """What a reset sends: the seed as it is given, else the options', else one that `rng` draws."""
    drawn = int(rng.integers(LARGEST_WHOLE + 1))
    return {"seed": drawn, **options} if seed is None else {**options, "seed": seed}


def info_of(step: TimeStep) -> dict[str, Any]:
    """The info beside an observation; nothing in it depends on the instance."""
    return {
        "text": step.text,
        "status": step.status.value,
        "legal": step.legal,
        "message": step.message,
        "reward_parts": dict(step.reward_parts),
    }


def rendered(step: TimeStep, mode: str | None) -> str | None:
    """An observation as text; None without a mode.

    Raises:
        ValueError: If there is no such mode.
    """
    if mode is None:
        return None
    if mode not in RENDER_MODES:
        raise ValueError(f"there is no render mode {mode!r}; there are: {', '.join(RENDER_MODES)}")
    return step.text
