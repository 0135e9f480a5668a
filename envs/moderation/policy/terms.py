"""What the policy is written in: facts to test, ranks, severities, rules and clauses."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from envs.kernel.records import Record
from envs.moderation.models import Decision, Violation
from envs.moderation.policy.facts import Source


class Fact(StrEnum):
    """What a paragraph can test; each value is a word."""

    TOPIC = "topic"
    FORCE = "force"
    ENGAGEMENT = "engagement"
    ACCOUNT = "account"
    STRIKES = "strikes"
    SETTING = "setting"
    NOTICE = "notice"


SOURCES: Mapping[Fact, Source] = MappingProxyType(
    {
        Fact.TOPIC: Source.POST,
        Fact.FORCE: Source.POST,
        Fact.ENGAGEMENT: Source.DESK,
        Fact.ACCOUNT: Source.HISTORY,
        Fact.STRIKES: Source.HISTORY,
        Fact.SETTING: Source.THREAD,
        Fact.NOTICE: Source.CLAUSE,
    }
)
"""Where each fact is seen."""


class Rank(StrEnum):
    """Precedence, from the last to the first: a higher rank silences all lower ones."""

    TOPIC = "topic"
    REACH = "reach"
    CONDUCT = "conduct"
    LAW = "law"
    SAFETY = "safety"


RANKS = tuple(Rank)


class Severity(StrEnum):
    """How much harm the post does if it stays up."""

    NONE = "none"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Test(Record):
    """Holds when the fact has one of the values."""

    fact: Fact
    values: tuple[str, ...]


class Rule(Record):
    """What a paragraph decides when all its tests hold.

    Attributes:
        paragraph: Its number in the clause; a paragraph may hold several rules.
    """

    paragraph: int
    rank: Rank
    tests: tuple[Test, ...]
    decision: Decision


class Clause(Record):
    """One clause.

    Attributes:
        paragraphs: In words, from 1.
        violation, severities: Of a topic's clause: its type, and the severity of paragraphs 1 to 4.
    """

    clause_id: str
    title: str
    paragraphs: tuple[str, ...]
    rules: tuple[Rule, ...]
    violation: Violation | None = None
    severities: tuple[Severity, ...] = ()
