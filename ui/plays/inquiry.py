"""An inquiry: what a person may ask a route of the contract once an episode has ended."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Inquiry:
    """Questions in a person's own words.

    Attributes:
        route: Of the contract, asked by POST; answers `answer` or `error`, `source_chunks` and `confidence`.
        field: Of its body, for the question.
        label, help: Words above it.
        examples: To begin with.
    """

    route: str
    field: str
    label: str
    help: str
    examples: tuple[str, ...]
