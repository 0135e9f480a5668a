"""The policy: its clauses, paragraph by paragraph, with conditions, outcome and rank.

Readable data; `engine` evaluates it and `wording` prints it. What a paragraph says and what it tests stand
side by side, so that neither changes alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from envs.moderation.models import Decision, Violation
from envs.moderation.policy.facts import STRIKE_DAYS, STRIKE_LIMIT, Force, Setting, Topic
from envs.moderation.policy.terms import Clause, Fact, Rank, Rule, Severity, Test

_OUTCOMES = tuple(Decision)
_NOTICE = (
    "A notice printed below that is in force in the jurisdiction of the post on the day of the post decides "
    "posts under paragraphs 2 and 3."
)
_NOTED = (
    "How many reports there are, how fast they came and whether somebody called for them decides nothing. "
    "A wave of reports is noted."
)
_ADDRESSED = ("insults", "threats", "private-details")


def _test(fact: Fact, *values: str) -> Test:
    return Test(fact=fact, values=values)


def _topic(topic: Topic, title: str, violation: Violation, severities: str, *paragraphs: str) -> Clause:
    """A topic's clause: four paragraphs by force, and the one about notices."""
    about = _test(Fact.TOPIC, topic)
    own = tuple(
        Rule(
            paragraph=number,
            rank=Rank.TOPIC,
            tests=(about, _test(Fact.FORCE, force)),
            decision=decision,
        )
        for number, (force, decision) in enumerate(zip(Force, _OUTCOMES, strict=True), start=1)
    )
    ordered = tuple(
        Rule(
            paragraph=5,
            rank=Rank.LAW,
            tests=(about, _test(Fact.FORCE, Force.PLAIN, Force.GRAVE), _test(Fact.NOTICE, decision)),
            decision=decision,
        )
        for decision in _OUTCOMES
    )
    return Clause(
        clause_id=topic,
        title=title,
        paragraphs=(*paragraphs, _NOTICE),
        rules=(*own, *ordered),
        violation=violation,
        severities=(Severity.NONE, *map(Severity, severities.split())),
    )


class _Paragraph(NamedTuple):
    """One paragraph that holds one rule."""

    text: str
    rank: Rank
    decision: Decision
    tests: tuple[Test, ...]


def _paragraph(text: str, rank: Rank, decision: Decision, *tests: Test) -> _Paragraph:
    return _Paragraph(text, rank, decision, tests)


def _general(clause_id: str, title: str, *entries: _Paragraph) -> Clause:
    """A clause across topics."""
    return Clause(
        clause_id=clause_id,
        title=title,
        paragraphs=tuple(entry.text for entry in entries),
        rules=tuple(
            Rule(paragraph=number, rank=entry.rank, tests=entry.tests, decision=entry.decision)
            for number, entry in enumerate(entries, start=1)
        ),
    )


_TOPICS = (
    _topic(
        Topic.INSULTS, "Insults", Violation.HARASSMENT, "low medium high",
        "Words of abuse that hit nobody else: said of oneself or of a thing, part of another word, harmless.",
        "Calls somebody names, or makes a rude gesture at people.",
        "Calls on others to shun somebody, to hound them, or to drive them out of work or home.",
        "Calls on others to come to where somebody is, at a stated hour.",
    ),
    _topic(
        Topic.GROUP_ATTACKS, "Attacks on groups", Violation.HATE, "low medium high",
        "Names a group or an identity, its history or the abuse it meets, without setting it down.",
        "Says something bad of all members of a group.",
        "Says that a group should be shut out, turned away, or stripped of a right.",
        "Calls for action against a group at a stated place and hour.",
    ),
    _topic(
        Topic.THREATS, "Threats", Violation.THREAT, "medium high high",
        "A figure of speech about things, food, games or oneself.",
        "A vague threat: something will happen to the person, and it is not said what.",
        "Says that the author will hurt a person, without a place.",
        "Says that the author will hurt a person at a stated place.",
    ),
    _topic(
        Topic.PRIVATE_DETAILS, "Private details", Violation.PRIVACY, "low medium high",
        "Details of shops, offices, clubs and their opening hours.",
        "Narrows down where a private person lives or can be met, without a full address.",
        "Gives a private person's full address or private number.",
        "Gives it and calls on others to go there.",
    ),
    _topic(
        Topic.HEALTH_CLAIMS, "Health claims", Violation.MISINFORMATION, "low high high",
        "Reports what a study, an office or a doctor says, or one's own experience; or asks.",
        "States as a fact a cause, a cure or a protection that is not established.",
        "Tells people to leave out a treatment, an operation or a vaccination for a remedy.",
        "Treats somebody who is in danger right now with a remedy and keeps help away.",
    ),
    _topic(
        Topic.SELF_HARM, "Self-harm", Violation.SELF_HARM, "medium high high",
        "Recovery, remembrance, help for others, or the word in another sense.",
        "Says that the author has lost hope, without a plan.",
        "Encourages others to give up on life, or to refuse help.",
        "Says that the author is about to end their life.",
    ),
    _topic(
        Topic.ADVERTISING, "Advertising", Violation.SPAM, "low high high",
        "Marked as paid, an honest review, or a question.",
        "Advertises with a code or a link, and does not say that it is paid.",
        "Promises money back many times over, or asks for card details.",
        "Poses as a bank, an office or the police and asks for a code or a password at once.",
    ),
)  # fmt: skip

_PLAIN = _test(Fact.FORCE, Force.PLAIN)
_UNBELIEVED = tuple(setting for setting in Setting if setting is not Setting.BELIEVED)
_SATIRISED = _test(Fact.TOPIC, "insults", "group-attacks", "health-claims")
_GENERAL = (
    _general(
        "safety",
        "Safety",
        _paragraph(
            "Somebody says in the thread that a person is being harmed now or is about to be.",
            Rank.SAFETY,
            Decision.ESCALATE,
            _test(Fact.SETTING, "danger"),
        ),
        _paragraph(
            "An insult, a threat or a private detail concerns a child: the person concerned says in the "
            "thread that they are under 16.",
            Rank.SAFETY,
            Decision.ESCALATE,
            _test(Fact.SETTING, "child"),
            _test(Fact.TOPIC, *_ADDRESSED),
        ),
    ),
    _general(
        "quotation",
        "Quotation and counter-speech",
        _paragraph(
            "The author says in the thread that the words are somebody else's and contradicts them, reports "
            "them or warns of them.",
            Rank.LAW,
            Decision.ALLOW,
            _test(Fact.SETTING, "quotation"),
        ),
    ),
    _general(
        "news",
        "Newsworthiness",
        _paragraph(
            "The account is registered as a newsroom on the day of the post, and the thread says that the "
            "matter is the conduct of a public office.",
            Rank.LAW,
            Decision.ALLOW,
            _test(Fact.ACCOUNT, "newsroom"),
            _test(Fact.SETTING, "office"),
        ),
    ),
    _general(
        "consent",
        "Banter and consent",
        _paragraph(
            "An insult, an attack on a group or a threat: the person concerned shows in the thread that it "
            "is banter between friends. Readers' laughter does not count.",
            Rank.CONDUCT,
            Decision.ALLOW,
            _test(Fact.SETTING, "banter"),
            _test(Fact.TOPIC, "insults", "group-attacks", "threats"),
        ),
        _paragraph(
            "A private detail: the person concerned says in the thread that they made it public themselves.",
            Rank.CONDUCT,
            Decision.ALLOW,
            _test(Fact.SETTING, "consent"),
            _test(Fact.TOPIC, "private-details"),
        ),
    ),
    _general(
        "satire",
        "Satire",
        _paragraph(
            "The account carries the satire label on the day of the post, and the post is an insult, an "
            "attack on a group or a health claim under paragraph 2.",
            Rank.CONDUCT,
            Decision.ALLOW,
            _test(Fact.ACCOUNT, "satire"),
            _PLAIN,
            _SATIRISED,
            _test(Fact.SETTING, *_UNBELIEVED),
        ),
        _paragraph(
            "The same, but readers in the thread take the post for true.",
            Rank.CONDUCT,
            Decision.FLAG,
            _test(Fact.ACCOUNT, "satire"),
            _PLAIN,
            _SATIRISED,
            _test(Fact.SETTING, "believed"),
        ),
    ),
    _general(
        "repeat",
        "Repeated violations",
        _paragraph(
            f"{STRIKE_LIMIT} or more strikes that stand, for the same violation as the post's topic and at "
            f"most {STRIKE_DAYS} days old, and the post is under paragraph 2.",
            Rank.CONDUCT,
            Decision.REMOVE,
            _test(Fact.STRIKES, "over"),
            _PLAIN,
        ),
        _paragraph(
            f"The same, but there are {STRIKE_LIMIT} only together with strikes whose appeal is not decided.",
            Rank.CONDUCT,
            Decision.ESCALATE,
            _test(Fact.STRIKES, "open"),
            _PLAIN,
        ),
    ),
    _general(
        "continuation",
        "What follows in the thread",
        _paragraph(
            "The author goes on in the thread to do what paragraph 3 of the topic's clause describes, and "
            "the post is under paragraph 2.",
            Rank.CONDUCT,
            Decision.REMOVE,
            _test(Fact.SETTING, "urging"),
            _PLAIN,
        ),
        _paragraph(
            "An insult, a threat or a private detail under paragraph 2: the person concerned says in the "
            "thread that they have asked for an end of it. Readers' requests do not count.",
            Rank.CONDUCT,
            Decision.REMOVE,
            _test(Fact.SETTING, "objection"),
            _test(Fact.TOPIC, *_ADDRESSED),
            _PLAIN,
        ),
    ),
    _general(
        "reach",
        "Reach",
        _paragraph(
            "A health claim under paragraph 2 in a post of high engagement.",
            Rank.REACH,
            Decision.ESCALATE,
            _test(Fact.TOPIC, "health-claims"),
            _PLAIN,
            _test(Fact.ENGAGEMENT, "high"),
        ),
    ),
)
_REPORTS = Clause(
    clause_id="reports",
    title="Reports",
    paragraphs=(_NOTED,),
    rules=(),
)

CLAUSES: Mapping[str, Clause] = MappingProxyType(
    {clause.clause_id: clause for clause in (*_TOPICS, *_GENERAL, _REPORTS)}
)
"""Every clause by its id, topics first."""


def topic_clause(topic: Topic) -> Clause:
    return CLAUSES[topic]
