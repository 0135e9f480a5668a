"""The fact vector: everything about a case that the policy asks for, and where each fact is seen.

Knows no rule and no word of any post.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from envs.kernel.records import Record
from envs.moderation.models import Decision, Engagement, Violation

STRIKE_DAYS = 90
"""How long a strike counts."""
STRIKE_LIMIT = 2
"""How many strikes that count are a repeat."""


class Topic(StrEnum):
    """What a post is about, as far as the policy has a clause for it; named like that clause."""

    INSULTS = "insults"
    GROUP_ATTACKS = "group-attacks"
    THREATS = "threats"
    PRIVATE_DETAILS = "private-details"
    HEALTH_CLAIMS = "health-claims"
    SELF_HARM = "self-harm"
    ADVERTISING = "advertising"


class Force(StrEnum):
    """How far a post goes on its face: which paragraph of its topic's clause, from 1, it falls under."""

    HARMLESS = "harmless"
    PLAIN = "plain"
    GRAVE = "grave"
    IMMINENT = "imminent"


class Geo(StrEnum):
    """Jurisdictions; all are invented."""

    NORVALE = "Norvale"
    SUNDMARK = "Sundmark"
    TERRANE = "Terrane"
    QUILLON = "Quillon"


class Account(StrEnum):
    """What an account is registered as on the day of the post."""

    PRIVATE = "private"
    NEWSROOM = "newsroom"
    SATIRE = "satire"


class Standing(StrEnum):
    """What has become of a strike."""

    STANDS = "stands"
    OVERTURNED = "overturned"
    APPEALED = "appealed"


class Setting(StrEnum):
    """What the thread shows about the post, and who must say it for it to count."""

    NOTHING = "nothing"
    BANTER = "banter"
    CONSENT = "consent"
    OBJECTION = "objection"
    CHILD = "child"
    QUOTATION = "quotation"
    URGING = "urging"
    OFFICE = "office"
    BELIEVED = "believed"
    DANGER = "danger"


class Source(StrEnum):
    """Where a fact is seen."""

    POST = "post"
    DESK = "desk"
    HISTORY = "history"
    THREAD = "thread"
    CLAUSE = "clause"


class Deed(Record):
    """One thing that a post does."""

    topic: Topic
    force: Force


class Strike(Record):
    """An earlier violation of the account. `day` counts as in `days`."""

    violation: Violation
    day: int
    standing: Standing


class Notice(Record):
    """A temporary order on paragraphs 2 and 3 of a topic's clause.

    Attributes:
        geo: Where it holds; None: everywhere.
        since, until: First and last day on which it holds.
    """

    topic: Topic
    decision: Decision
    geo: Geo | None
    since: int
    until: int


class Facts(Record):
    """All that decides a case, and what must not.

    Attributes:
        deeds: One or two, of unlike topics.
        day: Of the post, counted as in `days`.
        reports, campaign: How many reports there are, and whether they were called for; neither decides.
    """

    deeds: Annotated[tuple[Deed, ...], Field(min_length=1)]
    day: int
    geo: Geo
    engagement: Engagement
    reports: Annotated[int, Field(ge=0)] = 0
    campaign: bool = False
    account: Account = Account.PRIVATE
    strikes: tuple[Strike, ...] = ()
    setting: Setting = Setting.NOTHING
    notices: tuple[Notice, ...] = ()


def counting(strikes: tuple[Strike, ...], violation: Violation, day: int, *standings: Standing) -> int:
    """How many strikes for this violation are at most 90 days old and stand so."""
    return sum(
        strike.violation is violation
        and 0 <= day - strike.day <= STRIKE_DAYS
        and strike.standing in standings
        for strike in strikes
    )


def in_force(notice: Notice, topic: Topic, geo: Geo, day: int) -> bool:
    """Whether a notice holds for posts of this topic, in this jurisdiction, on this day."""
    return notice.topic is topic and notice.geo in (None, geo) and notice.since <= day <= notice.until
