"""Built: what a sketch comes to when it fits the tables."""

from __future__ import annotations

from dataclasses import dataclass

from agents.analyst.planning.outcome import Assumption
from envs.analyst.ir import QueryIR


@dataclass(frozen=True, slots=True)
class Built:
    """An IR with the names of its columns that were asked for; the others are beside them as evidence."""

    ir: QueryIR
    answer: tuple[str, ...]
    assumptions: tuple[Assumption, ...] = ()
