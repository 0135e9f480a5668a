"""The policy in words: a clause as it is fetched, a ruling as it is explained, and the page of it all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from envs.moderation.models import Decision
from envs.moderation.policy.clauses import CLAUSES
from envs.moderation.policy.engine import Ruling, Trigger
from envs.moderation.policy.facts import STRIKE_DAYS, STRIKE_LIMIT, Geo
from envs.moderation.policy.terms import RANKS, Clause, Fact, Rank, Rule

_RANKS: Mapping[Rank, str] = MappingProxyType(
    {
        Rank.TOPIC: "what the post itself does",
        Rank.REACH: "how far it has spread",
        Rank.CONDUCT: "consent, satire, repetition, what follows in the thread",
        Rank.LAW: "notices, quotation, news",
        Rank.SAFETY: "people in danger, children",
    }
)
_DECISIONS: Mapping[Decision, str] = MappingProxyType(
    {
        Decision.ALLOW: "The post stays up as it is.",
        Decision.FLAG: "It stays up with a note and waits for review.",
        Decision.REMOVE: "It is taken down.",
        Decision.ESCALATE: "People decide at once: somebody may be in danger, or clauses conflict.",
    }
)
_WORDS: Mapping[tuple[Fact, str], str] = MappingProxyType(
    {
        (Fact.FORCE, "harmless"): "it does what paragraph 1 describes",
        (Fact.FORCE, "plain"): "it does what paragraph 2 describes",
        (Fact.FORCE, "grave"): "it does what paragraph 3 describes",
        (Fact.FORCE, "imminent"): "it does what paragraph 4 describes",
        (Fact.STRIKES, "over"): f"{STRIKE_LIMIT} strikes for it stand and are at most {STRIKE_DAYS} days old",
        (Fact.STRIKES, "open"): "the limit of strikes depends on an open appeal",
        (Fact.ACCOUNT, "newsroom"): "the account is a registered newsroom",
        (Fact.ACCOUNT, "satire"): "the account carries the satire label",
        (Fact.SETTING, "nothing"): "the thread shows nothing that counts",
        (Fact.SETTING, "banter"): "the person concerned takes it as banter",
        (Fact.SETTING, "consent"): "the person concerned made it public themselves",
        (Fact.SETTING, "objection"): "the person concerned asked for an end of it",
        (Fact.SETTING, "child"): "the person concerned is a child",
        (Fact.SETTING, "quotation"): "the author quotes it to contradict or report it",
        (Fact.SETTING, "urging"): "the author goes on to what paragraph 3 describes",
        (Fact.SETTING, "office"): "it is about the conduct of a public office",
        (Fact.SETTING, "believed"): "readers take it for true",
        (Fact.SETTING, "danger"): "somebody is in danger now",
        (Fact.ENGAGEMENT, "high"): "its engagement is high",
    }
)


_ORDER = (
    f"Ranks, the highest first: {', '.join(reversed(RANKS))}. A higher rank silences lower ones; where equal "
    "ones disagree, escalate."
)
_INTRODUCTION = (
    "# Moderation policy",
    "",
    "Written by `python -m envs.moderation.policy` from the clauses that judge the cases. Everything in it",
    f"is invented, as are the jurisdictions {', '.join(Geo)}.",
    "",
    "## How it decides",
    "",
    "Every paragraph that holds for what a post does is collected. Those of the highest rank decide; lower",
    "ranks are silent. If paragraphs of that rank disagree, the case is escalated. If a post does two",
    "things, each is judged by itself and the stricter decision stands, with its type. The type of an",
    "allowed post is `none`.",
    "",
    "Notices stand below a topic's clause and differ from case to case. They have a jurisdiction and dates,",
    "both days included, and count only where and when they are in force.",
    "",
)


def clause_text(clause_id: str, notices: tuple[str, ...] = ()) -> str:
    """The clause as it is fetched: id and title, paragraphs with their outcome, notices."""
    return "\n".join(_clause_lines(CLAUSES[clause_id], notices))


def explained(ruling: Ruling) -> str:
    """The right answer with the clauses that decide it and the facts that triggered them."""
    names = ", ".join(ruling.clauses)
    facts = "; ".join(f"{_trigger(t)} ({t.source})" for t in ruling.triggers)
    type_words = (
        "" if ruling.decision is Decision.ALLOW else f", {ruling.violation}, severity {ruling.severity}"
    )
    decided = f"{names} contradict each other" if ruling.conflict else f"{names} decides"
    if len(ruling.clauses) > 1 and not ruling.conflict:
        decided = f"{names} decide"
    return f"The policy says {ruling.decision}{type_words}: {decided}, because {facts}."


def page() -> str:
    """The whole policy as Markdown."""
    return "\n".join(_page_lines()) + "\n"


def _clause_lines(clause: Clause, notices: tuple[str, ...]) -> Iterator[str]:
    yield f"{clause.clause_id}: {clause.title}"
    yield from (f"{number}. {text}" for number, text in _paragraphs(clause))
    yield from (f"Notice: {line}" for line in notices)
    yield _ORDER


def _paragraphs(clause: Clause) -> Iterator[tuple[int, str]]:
    for number, text in enumerate(clause.paragraphs, start=1):
        rules = [rule for rule in clause.rules if rule.paragraph == number]
        outcome = "".join(
            f" → {words}" for words in dict.fromkeys(_outcome(clause, rule, rules) for rule in rules)
        )
        yield number, f"{text}{outcome}"


def _outcome(clause: Clause, rule: Rule, rules: list[Rule]) -> str:
    if len(rules) > 1:
        return f"the notice's decision [rank {rule.rank}]"
    graded = clause.severities[rule.paragraph - 1] if clause.severities else None
    typed = clause.violation is not None and rule.decision is not Decision.ALLOW
    words = f", {clause.violation}, {graded}" if typed else ""
    return f"{rule.decision}{words} [rank {rule.rank}]"


def _trigger(trigger: Trigger) -> str:
    match trigger.fact:
        case Fact.TOPIC:
            return f"the post falls under {trigger.value}"
        case Fact.NOTICE:
            return f"a notice in force says {trigger.value}"
        case _:
            return _WORDS[trigger.fact, trigger.value]


def _page_lines() -> Iterator[str]:
    yield from _INTRODUCTION
    yield "| decision | means |"
    yield "|---|---|"
    yield from (f"| `{decision}` | {words} |" for decision, words in _DECISIONS.items())
    yield ""
    yield "| rank, from the highest | about |"
    yield "|---|---|"
    yield from (f"| {rank} | {_RANKS[rank]} |" for rank in reversed(RANKS))
    for clause in CLAUSES.values():
        yield ""
        yield f"## {clause.clause_id}"
        yield ""
        yield f"{clause.title}." + (f" Type: `{clause.violation}`." if clause.violation else "")
        yield ""
        yield from (f"{number}. {text}" for number, text in _paragraphs(clause))
