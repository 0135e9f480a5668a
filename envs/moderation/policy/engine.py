"""The evaluator: facts and clauses to a ruling.

Of the paragraphs that hold for what a post does, those of the highest rank decide; if they disagree, the case
is escalated. Of two things that one post does, the stricter ruling stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType

from envs.kernel.records import Record
from envs.moderation.models import Decision, Violation
from envs.moderation.policy.clauses import CLAUSES, topic_clause
from envs.moderation.policy.facts import (
    STRIKE_LIMIT,
    Deed,
    Facts,
    Force,
    Source,
    Standing,
    Topic,
    counting,
    in_force,
)
from envs.moderation.policy.terms import RANKS, SOURCES, Clause, Fact, Rank, Rule, Severity

STRICTNESS = tuple(Decision)

Ranked = tuple[tuple[Clause, Rule], ...]


def _asked(topic: Topic, rule: Rule) -> bool:
    """Whether a rule can hold for this topic."""
    return all(topic in test.values for test in rule.tests if test.fact is Fact.TOPIC)


# Every rule that can hold for a topic, the highest rank first: looked up, because a case asks it many times.
_BY_TOPIC: Mapping[Topic, tuple[Ranked, ...]] = MappingProxyType(
    {
        topic: tuple(
            tuple(
                (clause, rule)
                for clause in CLAUSES.values()
                for rule in clause.rules
                if rule.rank is rank and _asked(topic, rule)
            )
            for rank in reversed(RANKS)
        )
        for topic in Topic
    }
)


class Strikes(StrEnum):
    """Whether an account is over the limit: no, yes, or only if open appeals fail."""

    UNDER = "under"
    OVER = "over"
    OPEN = "open"


class Trigger(Record):
    """A fact that a deciding paragraph tested, and where it is seen."""

    fact: Fact
    value: str
    source: Source


class Ruling(Record):
    """The right answer and why.

    Attributes:
        clauses: Deciding paragraphs, `clause.paragraph`; several where they agree, or where they conflict.
        conflict: Whether it is escalated because paragraphs of one rank disagree.
    """

    decision: Decision
    violation: Violation
    severity: Severity
    clauses: tuple[str, ...]
    triggers: tuple[Trigger, ...]
    conflict: bool = False

    @property
    def clause_ids(self) -> tuple[str, ...]:
        """Clauses that decide, without their paragraphs."""
        return tuple(dict.fromkeys(name.partition(".")[0] for name in self.clauses))

    @property
    def sources(self) -> frozenset[Source]:
        """Where the deciding facts are seen."""
        return frozenset(trigger.source for trigger in self.triggers)


def rule(facts: Facts) -> Ruling:
    """What the policy says of a case."""
    return max((_rule_on(deed, facts) for deed in facts.deeds), key=_order)


def tied(facts: Facts) -> bool:
    """Whether two things that the post does call for the same and only their order tells the type."""
    if len(facts.deeds) == 1:
        return False
    found = [_rule_on(deed, facts) for deed in facts.deeds]
    top = max(STRICTNESS.index(ruling.decision) for ruling in found)
    return top > 0 and sum(STRICTNESS.index(ruling.decision) == top for ruling in found) > 1


def measured(deed: Deed, facts: Facts) -> Mapping[Fact, str]:
    """What each test sees of one deed."""
    return {
        Fact.TOPIC: deed.topic,
        Fact.FORCE: deed.force,
        Fact.ENGAGEMENT: facts.engagement,
        Fact.ACCOUNT: facts.account,
        Fact.STRIKES: _strikes(deed, facts),
        Fact.SETTING: facts.setting,
        Fact.NOTICE: _notice(deed, facts),
    }


def _rule_on(deed: Deed, facts: Facts) -> Ruling:
    seen = measured(deed, facts)
    holding = (
        [
            (clause, rule)
            for clause, rule in ranked
            if all(seen[test.fact] in test.values for test in rule.tests)
        ]
        for ranked in _BY_TOPIC[deed.topic]
    )
    deciding = next(rules for rules in holding if rules)
    decisions = {rule.decision for _, rule in deciding}
    decision = Decision.ESCALATE if len(decisions) > 1 else deciding[0][1].decision
    allowed = decision is Decision.ALLOW
    topic = topic_clause(deed.topic)
    return Ruling(
        decision=decision,
        violation=Violation.NONE if allowed else topic.violation or Violation.NONE,
        severity=Severity.NONE if allowed else _severity(topic, deed, deciding[0][1].rank),
        clauses=tuple(dict.fromkeys(f"{clause.clause_id}.{rule.paragraph}" for clause, rule in deciding)),
        triggers=tuple(dict.fromkeys(_triggers(deciding, seen))),
        conflict=len(decisions) > 1,
    )


def _triggers(deciding: list[tuple[Clause, Rule]], seen: Mapping[Fact, str]) -> Iterator[Trigger]:
    for _, rule in deciding:
        for test in rule.tests:
            yield Trigger(fact=test.fact, value=seen[test.fact], source=SOURCES[test.fact])


def _severity(topic: Clause, deed: Deed, rank: Rank) -> Severity:
    return Severity.HIGH if rank is Rank.SAFETY else topic.severities[tuple(Force).index(deed.force)]


def _order(ruling: Ruling) -> tuple[int, int]:
    return STRICTNESS.index(ruling.decision), tuple(Severity).index(ruling.severity)


def _strikes(deed: Deed, facts: Facts) -> Strikes:
    violation = topic_clause(deed.topic).violation or Violation.NONE
    standing = counting(facts.strikes, violation, facts.day, Standing.STANDS)
    if standing >= STRIKE_LIMIT:
        return Strikes.OVER
    undecided = counting(facts.strikes, violation, facts.day, Standing.STANDS, Standing.APPEALED)
    return Strikes.OPEN if undecided >= STRIKE_LIMIT else Strikes.UNDER


def _notice(deed: Deed, facts: Facts) -> str:
    """The decision of the notice in force; `none` where there is no notice in force."""
    held = [n.decision for n in facts.notices if in_force(n, deed.topic, facts.geo, facts.day)]
    return held[0] if held else "none"
