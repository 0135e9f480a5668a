"""Families: on which fact a case turns, and which other cases differ from it in that fact alone.

A contrast set is a tuple of fact vectors of one post. Which of them a reset opens, and in what words, is the
generator's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from envs.kernel.rng import Rng
from envs.moderation.cases import notices
from envs.moderation.models import Decision, Violation
from envs.moderation.policy.clauses import topic_clause
from envs.moderation.policy.engine import Strikes
from envs.moderation.policy.facts import (
    STRIKE_DAYS,
    Account,
    Deed,
    Facts,
    Force,
    Setting,
    Standing,
    Strike,
    Topic,
)
from envs.moderation.tasks import Kind

Alternatives = tuple[Facts, ...]
Contrast = Callable[[Rng, Facts], Alternatives]

_ALL = tuple(Topic)
_ADDRESSED = (Topic.INSULTS, Topic.THREATS, Topic.PRIVATE_DETAILS)
_BANTERED = (Topic.INSULTS, Topic.GROUP_ATTACKS, Topic.THREATS)
_SATIRISED = (Topic.INSULTS, Topic.GROUP_ATTACKS, Topic.HEALTH_CLAIMS)
_EVERY = ("easy", "medium", "hard")
_UPPER = ("medium", "hard")


@dataclass(frozen=True, slots=True)
class Family:
    """One way in which cases come about.

    Attributes:
        kind: Where the fact is seen on which its cases turn.
        levels: On which it is drawn.
        held_out: Whether it appears in the held-out split only.
        contrast: The fact vectors of one set, from what they have in common; those of open families differ
            in what the post says, all others in one fact that it does not say.
        disguised: Whether abuse is spelt so that a filter misses it.
    """

    kind: Kind
    levels: tuple[str, ...]
    topics: tuple[Topic, ...]
    contrast: Contrast
    held_out: bool = False
    disguised: bool = False


def excused(topic: Topic) -> Setting:
    """What the person concerned can say to make a post of this topic harmless; nothing where nobody is."""
    if topic in _BANTERED:
        return Setting.BANTER
    return Setting.CONSENT if topic is Topic.PRIVATE_DETAILS else Setting.NOTHING


def with_strikes(rng: Rng, facts: Facts, state: Strikes) -> Facts:
    """The facts with two strikes: over the limit, open by one appeal, or under it for one reason."""
    violation = topic_clause(facts.deeds[0].topic).violation or Violation.NONE
    first = Strike(
        violation=violation, day=facts.day - rng.at("first").integer(4, 80), standing=Standing.STANDS
    )
    second = Strike(
        violation=violation, day=facts.day - rng.at("second").integer(4, 80), standing=Standing.STANDS
    )
    if state is Strikes.OPEN:
        second = second.model_copy(update={"standing": Standing.APPEALED})
    elif state is Strikes.UNDER:
        second = _spent(rng.at("spent"), second, facts.day)
    return facts.model_copy(update={"strikes": (first, second)})


def _spent(rng: Rng, strike: Strike, day: int) -> Strike:
    """The strike changed in one respect, so that it does not count."""
    others = [v for v in Violation if v not in (Violation.NONE, strike.violation)]
    return strike.model_copy(
        update=rng.choice(
            (
                {"standing": Standing.OVERTURNED},
                {"day": day - STRIKE_DAYS - rng.at("age").integer(5, 60)},
                {"violation": rng.at("other").choice(others)},
            )
        )
    )


def _forced(rng: Rng, facts: Facts) -> Facts:
    """The facts with a post of some force that is not harmless."""
    force = rng.at("force").choice((Force.PLAIN,) * 6 + (Force.GRAVE,) * 2 + (Force.IMMINENT,))
    return _deed(facts, force)


def _deed(facts: Facts, force: Force) -> Facts:
    first = facts.deeds[0].model_copy(update={"force": force})
    return facts.model_copy(update={"deeds": (first, *facts.deeds[1:])})


def _by_force(rng: Rng, facts: Facts) -> Alternatives:
    return tuple(_deed(facts, force) for force in Force)


def _reported(rng: Rng, facts: Facts) -> Alternatives:
    return _by_force(rng, facts.model_copy(update={"campaign": True}))


def _by_setting(*settings: Setting) -> Contrast:
    def contrast(rng: Rng, facts: Facts) -> Alternatives:
        base = _forced(rng, facts)
        return tuple(base.model_copy(update={"setting": setting}) for setting in settings)

    return contrast


def _by_child(rng: Rng, facts: Facts) -> Alternatives:
    excuse = excused(facts.deeds[0].topic)
    return _by_setting(Setting.NOTHING, Setting.CHILD, Setting.OBJECTION, excuse)(rng, facts)


def _by_belief(rng: Rng, facts: Facts) -> Alternatives:
    satire = facts.model_copy(update={"account": Account.SATIRE})
    settings = (Setting.NOTHING, Setting.BELIEVED, Setting.DANGER, Setting.URGING)
    return tuple(satire.model_copy(update={"setting": setting}) for setting in settings)


def _by_strikes(rng: Rng, facts: Facts) -> Alternatives:
    return tuple(with_strikes(rng, facts, state) for state in Strikes)


def _by_account(account: Account, setting: Setting) -> Contrast:
    def contrast(rng: Rng, facts: Facts) -> Alternatives:
        state = rng.at("state").choice((Strikes.UNDER, Strikes.UNDER, Strikes.OVER))
        base = with_strikes(rng, _forced(rng, facts) if setting is Setting.OFFICE else facts, state)
        base = base.model_copy(update={"setting": setting})
        return (base, base.model_copy(update={"account": account}))

    return contrast


def _by_excused_strikes(rng: Rng, facts: Facts) -> Alternatives:
    excuse = excused(facts.deeds[0].topic)
    return _by_strikes(rng, facts.model_copy(update={"setting": excuse}))


def _by_geo(rng: Rng, facts: Facts) -> Alternatives:
    return _by_notice(rng, _graver(rng, facts), notices.by_geo)


def _by_date(rng: Rng, facts: Facts) -> Alternatives:
    return _by_notice(rng, _graver(rng, facts), notices.by_date)


def _graver(rng: Rng, facts: Facts) -> Facts:
    return _deed(facts, rng.at("force").choice((Force.PLAIN, Force.PLAIN, Force.GRAVE)))


def _by_notice(rng: Rng, facts: Facts, turn: notices.Turn, place: int = 0) -> Alternatives:
    """One notice on the topic of a deed, in force and not."""
    decision = rng.at("decision").choice(tuple(Decision))
    held = turn(rng.at("notice"), facts, facts.deeds[place].topic, decision)
    return tuple(notices.replaced(facts, notice) for notice in held)


def _by_conflict(rng: Rng, facts: Facts) -> Alternatives:
    """A notice in force, and a quotation or a newsroom that it may contradict."""
    decision = rng.at("decision").choice(tuple(Decision))
    turn = rng.at("turn").choice((notices.by_geo, notices.by_date))
    held, _ = turn(rng.at("notice"), facts, facts.deeds[0].topic, decision)
    base = notices.replaced(facts, held)
    if rng.at("side").flip(0.5):
        return (base, base.model_copy(update={"setting": Setting.QUOTATION}))
    office = base.model_copy(update={"setting": Setting.OFFICE})
    return (office, office.model_copy(update={"account": Account.NEWSROOM}))


def _by_rank(rng: Rng, facts: Facts) -> Alternatives:
    """A notice, in force or not, above what the account or the thread calls for."""
    base = with_strikes(rng, facts, Strikes.OVER)
    if rng.at("below").flip(0.5):
        base = facts.model_copy(update={"setting": Setting.URGING})
    return _by_notice(rng, base, rng.at("turn").choice((notices.by_geo, notices.by_date)))


def _by_first_of_two(rng: Rng, facts: Facts) -> Alternatives:
    """Two things in one post, and what the thread says of them."""
    excuse = excused(facts.deeds[0].topic)
    settings = (Setting.NOTHING, Setting.QUOTATION, Setting.URGING, Setting.DANGER, excuse)
    base = _two(rng, facts)
    return tuple(base.model_copy(update={"setting": setting}) for setting in dict.fromkeys(settings))


def _by_second_of_two(rng: Rng, facts: Facts) -> Alternatives:
    """Two things in one post, and a notice on the second."""
    return _by_notice(rng, _two(rng, facts), notices.by_date, place=1)


def _two(rng: Rng, facts: Facts) -> Facts:
    """The facts with a second deed, of another topic, and notices that do not concern it."""
    topic = rng.at("topic").choice([topic for topic in Topic if topic is not facts.deeds[0].topic])
    force = rng.at("second force").choice((Force.HARMLESS, Force.HARMLESS, Force.PLAIN, Force.GRAVE))
    both = facts.model_copy(update={"deeds": (facts.deeds[0], Deed(topic=topic, force=force))})
    idle = notices.idle(rng.at("idle"), both, topic)
    return both.model_copy(update={"notices": (*facts.notices, *idle)})


_S = Setting
FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "plain_words": Family(Kind.OPEN, _EVERY, _ALL, _by_force),
        "brigading": Family(Kind.OPEN, _EVERY, _ALL, _reported),
        "disguised": Family(Kind.OPEN, ("easy", "medium"), (Topic.INSULTS,), _by_force, disguised=True),
        "threat_or_hyperbole": Family(
            Kind.THREAD, _EVERY, _BANTERED, _by_setting(_S.NOTHING, _S.BANTER, _S.URGING, _S.DANGER)
        ),
        "consent_or_doxxing": Family(
            Kind.THREAD, _EVERY, (Topic.PRIVATE_DETAILS,),
            _by_setting(_S.NOTHING, _S.CONSENT, _S.OBJECTION, _S.DANGER),
        ),
        "self_harm_support": Family(
            Kind.THREAD, _EVERY, (Topic.SELF_HARM,),
            _by_setting(_S.NOTHING, _S.QUOTATION, _S.URGING, _S.DANGER),
        ),
        "quotation": Family(
            Kind.THREAD, _EVERY, _ALL, _by_setting(_S.NOTHING, _S.QUOTATION, _S.URGING, _S.DANGER)
        ),
        "repeat_offender": Family(Kind.HISTORY, _EVERY, _ALL, _by_strikes),
        "satire": Family(Kind.HISTORY, _UPPER, _SATIRISED, _by_account(Account.SATIRE, _S.NOTHING)),
        "newsworthiness": Family(Kind.HISTORY, _UPPER, _ALL, _by_account(Account.NEWSROOM, _S.OFFICE)),
        "geo_flip": Family(Kind.CLAUSE, _EVERY, _ALL, _by_geo),
        "amendment": Family(Kind.CLAUSE, _EVERY, _ALL, _by_date),
        "clause_conflict": Family(Kind.MIXED, _UPPER, _ALL, _by_conflict),
        "order_of_rank": Family(Kind.MIXED, ("hard",), _ALL, _by_rank),
        "co_occurring": Family(Kind.MIXED, ("hard",), _ALL, _by_first_of_two),
        "child": Family(Kind.THREAD, _EVERY, _ADDRESSED, _by_child, held_out=True),
        "believed_satire": Family(
            Kind.THREAD, _UPPER, (Topic.HEALTH_CLAIMS,), _by_belief, held_out=True
        ),
        "excused_repeat": Family(
            Kind.HISTORY, _UPPER, (*_BANTERED, Topic.PRIVATE_DETAILS), _by_excused_strikes, held_out=True
        ),
        "notice_on_the_second": Family(Kind.MIXED, ("hard",), _ALL, _by_second_of_two, held_out=True),
    }
)  # fmt: skip
"""Every family by its name."""
