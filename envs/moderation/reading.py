"""Reading: what an observation's words say, as far as somebody sees who knows both phrase books.

Takes posts, histories, threads and notices apart; knows nothing of how cases are made or what is right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from envs.moderation import days
from envs.moderation.cases.book import SLOT, Book
from envs.moderation.cases.book_held_out import HELD_OUT
from envs.moderation.cases.book_public import PUBLIC
from envs.moderation.cases.disguises import plain
from envs.moderation.cases.rendering import speaker
from envs.moderation.models import Decision, Observation, Violation
from envs.moderation.policy.facts import (
    Account,
    Deed,
    Facts,
    Geo,
    Notice,
    Setting,
    Standing,
    Strike,
    Topic,
)

_BOOKS: tuple[Book, ...] = (PUBLIC, HELD_OUT)
_DATE = r"\d{4}-\d{2}-\d{2}"
_HEADER = re.compile(rf"^\S+ · ({_DATE})$", re.MULTILINE)
_REMARK = re.compile(r"^\S+ \((author|person concerned|reader)\): (.*)$", re.DOTALL)
_GROUPS = {
    "decision": "|".join(Decision),
    "geo": "|".join((*Geo, *(re.escape(book.everywhere) for book in _BOOKS))),
    "since": _DATE,
    "until": _DATE,
    "date": _DATE,
    "violation": "|".join(Violation),
    "insult": "|".join(word for book in _BOOKS for word in book.slots["insult"]),
}


class _Phrases(NamedTuple):
    """Patterns with what each of them says."""

    posts: tuple[tuple[re.Pattern[str], Deed], ...]
    settings: tuple[tuple[re.Pattern[str], Setting, Topic | None], ...]
    strikes: tuple[tuple[re.Pattern[str], Standing], ...]
    accounts: tuple[tuple[re.Pattern[str], Account], ...]
    notices: tuple[re.Pattern[str], ...]


def facts_of(observation: Observation) -> Facts | None:
    """The fact vector as far as it is shown; what was not looked at is as if nothing were there.

    None: the post says nothing that either phrase book knows.
    """
    deeds = deeds_of(observation.post_content)
    header = _HEADER.search(observation.post_content)
    if not deeds or header is None:
        return None
    return Facts(
        deeds=deeds,
        day=days.read(header[1]),
        geo=Geo(observation.geo),
        engagement=observation.engagement,
        reports=observation.reports,
        account=_account(observation.user_history or ()),
        strikes=tuple(_strikes(observation.user_history or ())),
        setting=_setting(observation.thread_context or (), deeds[0].topic),
        notices=tuple(_notices(observation.policy_context or "")),
    )


def deeds_of(post: str) -> tuple[Deed, ...]:
    """What a post does, in the order in which it says so; at most one thing of each topic."""
    text = plain(post)
    found = [(match.start(), deed) for pattern, deed in _phrases().posts if (match := pattern.search(text))]
    ordered = [deed for _, deed in sorted(found, key=lambda pair: pair[0])]
    return tuple({deed.topic: deed for deed in reversed(ordered)}.values())[::-1]


def _account(history: Iterable[str]) -> Account:
    lines = [plain(line) for line in history]
    found = (account for pattern, account in _phrases().accounts if any(map(pattern.search, lines)))
    return next(found, Account.PRIVATE)


def _strikes(history: Iterable[str]) -> Iterator[Strike]:
    for line in history:
        for pattern, standing in _phrases().strikes:
            if match := pattern.fullmatch(line.rstrip(".")):
                violation = Violation(match["violation"])
                yield Strike(violation=violation, day=days.read(line[:10]), standing=standing)


def _setting(thread: Iterable[str], topic: Topic) -> Setting:
    """What the thread shows: the first remark that shows something, said by somebody whose word counts."""
    for line in thread:
        remark = _REMARK.match(line)
        if remark is None:
            continue
        text = plain(remark[2])
        for pattern, setting, about in _phrases().settings:
            heard = about in (None, topic) and remark[1] == speaker(setting, topic)
            if heard and pattern.search(text):
                return setting
    return Setting.NOTHING


def _notices(policy: str) -> Iterator[Notice]:
    for block in policy.split("\n\n"):
        topic = block.partition(":")[0]
        for line in block.splitlines():
            told = line.removeprefix("Notice: ")
            match = next((m for pattern in _phrases().notices if (m := pattern.fullmatch(told))), None)
            if match is not None and topic in tuple(Topic):
                yield Notice(
                    topic=Topic(topic),
                    decision=Decision(match["decision"]),
                    geo=Geo(match["geo"]) if match["geo"] in tuple(Geo) else None,
                    since=days.read(match["since"]),
                    until=days.read(match["until"]),
                )


@cache
def _phrases() -> _Phrases:
    return _Phrases(
        posts=tuple(
            (_pattern(plain(phrase)), Deed(topic=topic, force=force))
            for book in _BOOKS
            for (topic, force), phrases in book.posts.items()
            for phrase in phrases
        ),
        settings=tuple(
            (_pattern(plain(phrase)), setting, topic)
            for book in _BOOKS
            for (setting, topic), phrases in book.settings.items()
            for phrase in phrases
        ),
        strikes=tuple(
            (_pattern(f"{{date}}: {phrase}"), standing)
            for book in _BOOKS
            for standing, phrases in book.strikes.items()
            for phrase in phrases
        ),
        accounts=tuple(
            (_pattern(plain(phrase)), account)
            for book in _BOOKS
            for account, phrases in book.registered.items()
            for phrase in phrases
        ),
        notices=tuple(_pattern(phrase) for book in _BOOKS for phrase in book.notices),
    )


def _pattern(phrase: str) -> re.Pattern[str]:
    """The phrase with anything, or what fits, in its slots."""
    pieces = SLOT.split(phrase)
    parts = [
        re.escape(piece)
        if place % 2 == 0
        else f"(?P<{piece}>{_GROUPS[piece]})"
        if piece in _GROUPS
        else ".+?"
        for place, piece in enumerate(pieces)
    ]
    # Neither end may stand inside another word.
    return re.compile(rf"(?<!\w){''.join(parts)}(?!\w)")
