"""Outcomes: what planning a question can come to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from agents.analyst.planning.words import Language
from envs.analyst.ir import QueryIR


class AnalysisKind(StrEnum):
    """What is done with the rows of an IR before they are put into words."""

    AGGREGATE = "aggregate"
    GROWTH = "growth"
    SHARE = "share"
    COMPARE = "compare"
    TREND = "trend"
    OUTLIERS = "outliers"
    CORRELATION = "correlation"
    DISTRIBUTION = "distribution"
    FORECAST = "forecast"


@dataclass(frozen=True, slots=True)
class Analysis:
    """A tool over the rows of an IR.

    Attributes:
        label, value: Names of columns of the answer; value is what is analysed.
        other: The second value of a correlation.
        periods: How many steps a forecast goes ahead.
        top: How many rows are shown of all that were analysed.
    """

    kind: AnalysisKind
    label: str | None = None
    value: str | None = None
    other: str | None = None
    periods: int | None = None
    top: int | None = None


class AssumptionKind(StrEnum):
    """What was taken for granted."""

    VALUE = "value"
    NAME = "name"
    COLUMN = "column"
    WINDOW = "window"
    ANCHOR = "anchor"
    SUMMED = "summed"


@dataclass(frozen=True, slots=True)
class Assumption:
    """Something that a question left open, and how it was read.

    Attributes:
        said: The words; of a window its first day, of an anchor the newest date in the data.
        meant: What they were taken for; of a window its last day, both included. Empty where there is none.
    """

    kind: AssumptionKind
    said: str
    meant: str = ""


@dataclass(frozen=True, slots=True)
class Planned:
    """A question that can be answered.

    Attributes:
        answer: Names of the columns that were asked for; the IR may have others beside them as evidence.
        words: Names of the answer's columns, and of its table, with what people call them.
        confidence: In [0, 1]: how much of the question is in the IR.
    """

    ir: QueryIR
    answer: tuple[str, ...]
    analysis: Analysis
    assumptions: tuple[Assumption, ...]
    confidence: float
    language: Language
    words: tuple[tuple[str, str], ...] = ()


class AskAbout(StrEnum):
    """What is asked back."""

    WORD = "word"
    CHOICE = "choice"
    FISCAL_START = "fiscal_start"
    METRIC = "metric"
    PART = "part"
    CAUSE = "cause"


@dataclass(frozen=True, slots=True)
class Ask:
    """A question back, with up to three things it could be.

    Attributes:
        said: The words that are not clear.
        options: Each can be sent as the answer.
    """

    about: AskAbout
    said: str
    options: tuple[str, ...]
    language: Language


@dataclass(frozen=True, slots=True)
class Refuse:
    """A question that the source cannot answer.

    Attributes:
        missing: What it would need and does not have, in the question's words.
        known: Some of what it has instead.
    """

    missing: tuple[str, ...]
    known: tuple[str, ...]
    language: Language


@dataclass(frozen=True, slots=True)
class Documents:
    """A question to the documents."""

    query: str
    language: Language


class Talk(StrEnum):
    """Small talk."""

    GREETING = "greeting"
    FAREWELL = "farewell"
    THANKS = "thanks"
    ABOUT = "about"


@dataclass(frozen=True, slots=True)
class Chat:
    """A message that asks for nothing."""

    talk: Talk
    language: Language


@dataclass(frozen=True, slots=True)
class Help:
    """A question how to go on."""

    language: Language


@dataclass(frozen=True, slots=True)
class Check:
    """A question which data there are."""

    language: Language


class Blocking(StrEnum):
    """Why a message is not acted on."""

    SQL = "sql"
    INSTRUCTION = "instruction"
    FILTER = "filter"


@dataclass(frozen=True, slots=True)
class Blocked:
    """A message that is an order to the machine and no question."""

    why: Blocking
    language: Language


@dataclass(frozen=True, slots=True)
class OutOfScope:
    """A question that has nothing to do with the sources."""

    language: Language


Outcome = Planned | Ask | Refuse | Documents | Chat | Help | Check | Blocked | OutOfScope
