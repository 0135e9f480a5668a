"""One case: what can be looked at, and the truth that no player sees.

How cases come about is in `cases`; what is right about one is derived by `policy.engine`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated

from pydantic import Field

from envs.kernel import records
from envs.kernel.records import HIDDEN, Record
from envs.moderation.models import Engagement
from envs.moderation.policy.engine import Ruling
from envs.moderation.policy.facts import Facts, Geo


class Kind(StrEnum):
    """Where the fact is seen on which a case turns."""

    OPEN = "open"
    THREAD = "thread"
    HISTORY = "history"
    CLAUSE = "clause"
    MIXED = "mixed"


class Level(Record):
    """One of the contract's three tasks.

    Attributes:
        seed: Of the case that the contract opens when none is named.
        free_steps: Steps that cost nothing.
    """

    level: str
    name: str
    description: str
    seed: int
    max_steps: int
    free_steps: int


LEVELS: Mapping[str, Level] = MappingProxyType(
    {
        level.level: level
        for level in (
            Level(
                level="easy", name="easy_harassment", description="Clear violations",
                seed=42, max_steps=6, free_steps=5,
            ),
            Level(
                level="medium", name="medium_ambiguous", description="Ambiguous moderation",
                seed=100, max_steps=8, free_steps=6,
            ),
            Level(
                level="hard", name="hard_misinformation", description="Contextual + geo-aware",
                seed=777, max_steps=10, free_steps=7,
            ),
        )
    }
)  # fmt: skip
"""The tasks by their short names."""

BY_NAME: Mapping[str, Level] = MappingProxyType(
    {name: level for level in LEVELS.values() for name in (level.level, level.name)}
)
"""The tasks by both of their names."""


class Truth(Record):
    """What is so.

    Attributes:
        paired: Whether another case has the same post and differs in one fact that the post does not show.
    """

    family: str
    kind: Kind
    facts: Facts
    ruling: Ruling
    paired: bool


class Posted(Record):
    """The notices printed below one clause."""

    clause_id: str
    lines: tuple[str, ...]


class Task(records.Task):
    """A post on the desk and everything that can be fetched about it."""

    free_steps: Annotated[int, Field(ge=1)]
    post_content: str
    geo: Geo
    engagement: Engagement
    reports: Annotated[int, Field(ge=0)]
    user_history: tuple[str, ...]
    thread_context: tuple[str, ...]
    notices: tuple[Posted, ...]
    truth: Annotated[Truth, HIDDEN]
