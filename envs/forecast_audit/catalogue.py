"""The curated catalogue: which case a reset opens, and whose turn is next."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated

from pydantic import Field

from envs.forecast_audit.catalogue_easy import EASY
from envs.forecast_audit.catalogue_hard import HARD
from envs.forecast_audit.catalogue_medium import MEDIUM
from envs.forecast_audit.models import LEVELS, SPLITS, TRACKS, Request
from envs.forecast_audit.tasks import Task
from envs.kernel import records
from envs.kernel.protocol import Refusal

# One of each level first, so that three bare resets show all three trades.
ORDER: tuple[Task, ...] = (EASY[0], MEDIUM[0], HARD[0], *EASY[1:], *MEDIUM[1:], *HARD[1:])

_BY_ID: Mapping[str, Task] = MappingProxyType({task.task_id: task for task in ORDER})
_BY_LEVEL: Mapping[str, tuple[Task, ...]] = MappingProxyType({"easy": EASY, "medium": MEDIUM, "hard": HARD})

Cursor = Annotated[int, Field(ge=0)]


class Memory(records.Memory):
    """Whose turn is next, in the overall order and within each level."""

    overall: Cursor = 0
    easy: Cursor = 0
    medium: Cursor = 0
    hard: Cursor = 0


def check(request: Request) -> None:
    """Nothing, if there is a case for this request.

    Raises:
        Refusal: If track, split, name or level are unknown, or do not go together.
    """
    if request.track not in TRACKS:
        raise Refusal(f"Unknown track: {request.track}; use {' or '.join(TRACKS)}")
    if request.split not in SPLITS:
        raise Refusal(f"Unknown split: {request.split}; use {' or '.join(SPLITS)}")
    if request.track == "audit" and request.task_id is not None:
        raise Refusal("The audit track has no named cases; leave task_id out and choose a seed instead")
    if request.track == "contract" and request.split != SPLITS[0]:
        raise Refusal(f'The contract track has no {request.split} cases; add "track": "audit" for them')
    if request.task_id is not None and request.task_id not in _BY_ID:
        raise Refusal(f"Unknown task_id: {request.task_id}")
    if request.difficulty is not None and request.difficulty not in _BY_LEVEL:
        raise Refusal(
            f"Unknown difficulty: {request.difficulty}; use {', '.join(LEVELS[:-1])} or {LEVELS[-1]}"
        )


def chosen(request: Request, memory: Memory) -> Task:
    """The curated case that a checked request names, else the next of its level, else the next of all."""
    if request.task_id is not None:
        return _BY_ID[request.task_id]
    cursor, turn = _turn(request)
    return turn[_position(memory, cursor) % len(turn)]


def advanced(request: Request, memory: Memory) -> Memory:
    """The memory after an episode: only the cursor that chose its case has moved."""
    if request.task_id is not None:
        return memory
    cursor, turn = _turn(request)
    return memory.model_copy(update={cursor: (_position(memory, cursor) + 1) % len(turn)})


def _turn(request: Request) -> tuple[str, tuple[Task, ...]]:
    """The cursor that a request without a task_id reads, and the cases it walks."""
    if request.difficulty is None:
        return "overall", ORDER
    return request.difficulty, _BY_LEVEL[request.difficulty]


def _position(memory: Memory, cursor: str) -> int:
    match cursor:
        case "easy":
            return memory.easy
        case "medium":
            return memory.medium
        case "hard":
            return memory.hard
        case _:
            return memory.overall
