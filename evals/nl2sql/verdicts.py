"""Verdicts: what became of each question."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from evals.nl2sql.questions import Question


class Verdict(StrEnum):
    """What became of a question."""

    RIGHT = "right"
    WRONG = "wrong"
    ASKED = "asked"
    UNANSWERED = "unanswered"
    UNREFERENCED = "unreferenced"


@dataclass(frozen=True, slots=True)
class Judged:
    """One question with its verdict.

    Attributes:
        detail: The IR as JSON, or what went wrong; for reading the failures.
        confidence: None where nothing was planned.
    """

    question: Question
    verdict: Verdict
    detail: str
    confidence: float | None = None


class MissingDatabase(ValueError):
    """A question names a database that the folder does not hold."""
