"""Rendering: facts in the words of a phrase book.

Two fact vectors that differ in one fact are told in the same words, but for the line that shows the fact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from envs.kernel.records import Record
from envs.kernel.rng import Rng
from envs.moderation import days
from envs.moderation.cases.book import HANDLES, Book, filled, sentence
from envs.moderation.cases.disguises import disguised
from envs.moderation.policy.facts import Account, Facts, Force, Notice, Setting, Strike, Topic
from envs.moderation.tasks import Posted

AUTHOR, ADDRESSED, READER = "author", "person concerned", "reader"
LENGTH = 4
"""Lines of a history and of a thread, whatever they show."""

SENTENCES = 5
"""Sentences of a post, whatever it says; only a longer saying has more."""

SHORTEST, LONGEST = 125, 175
"""Signs of a post, about."""

# Somebody is concerned by what these do to people; who speaks in a thread follows from the topic alone.
_ON_SOMEBODY = frozenset({Topic.GROUP_ATTACKS, Topic.INSULTS, Topic.PRIVATE_DETAILS, Topic.THREATS})

_SPEAKERS = {
    Setting.BANTER: ADDRESSED,
    Setting.CONSENT: ADDRESSED,
    Setting.OBJECTION: ADDRESSED,
    Setting.CHILD: ADDRESSED,
    Setting.QUOTATION: AUTHOR,
    Setting.URGING: AUTHOR,
    Setting.DANGER: AUTHOR,
    Setting.OFFICE: READER,
    Setting.BELIEVED: READER,
}
_ENDS = re.compile(r"[.!?…]+(?=\s|$)")
# Said by a reader, each of these shows nothing; it only reads as if it did.
_DECOYS = (Setting.BANTER, Setting.OBJECTION, Setting.CHILD)


class Rendered(Record):
    """A case in words."""

    post_content: str
    user_history: tuple[str, ...]
    thread_context: tuple[str, ...]
    notices: tuple[Posted, ...]


def rendered(rng: Rng, facts: Facts, book: Book, *, hide: bool = False) -> Rendered:
    """The case in this book's words.

    Args:
        hide: Whether abuse is spelt so that a filter misses it.
    """
    name = rng.at("name").choice(book.slots["name"])
    names = _Names(rng.at("handles"), name, book)
    return Rendered(
        post_content=_post(rng.at("post"), facts, book, names, hide=hide),
        user_history=_history(rng.at("history"), facts, book),
        thread_context=_thread(rng.at("thread"), facts, book, names),
        notices=_notices(rng.at("notices"), facts, book),
    )


class _Names:
    """Who is who in one case."""

    def __init__(self, rng: Rng, name: str, book: Book) -> None:
        self.name = name
        self.concerned = f"@{name.lower()}_{rng.at('concerned').integer(11, 99)}"
        self._rng = rng
        self._first = book.first_handle
        self.author = self.reader("author")

    def reader(self, place: int | str) -> str:
        return f"@user_{self._rng.at(place).integer(self._first, self._first + HANDLES - 1)}"


def _post(rng: Rng, facts: Facts, book: Book, names: _Names, *, hide: bool) -> str:
    said = [
        _deed(rng.at("deed", place), deed.topic, deed.force, book, names, hide=hide)
        for place, deed in enumerate(facts.deeds)
    ]
    texts = _surrounded(rng.at("talk"), said, book)
    return f"{names.author} · {days.written(facts.day)}\n{' '.join(map(sentence, texts))}"


def _surrounded(rng: Rng, said: list[str], book: Book) -> list[str]:
    """What is said amid small talk, so that neither length nor number of sentences tells anything of it."""
    wanted = max(0, SENTENCES - sum(len(_ENDS.findall(sentence(text))) for text in said))
    talk = rng.at("talk").shuffled(book.talk)
    loose = min(wanted, 2)
    fixed = talk[: wanted - loose]
    gap = rng.at("length").integer(SHORTEST, LONGEST) - sum(map(len, (*said, *fixed)))
    fitting = min(combinations(talk[len(fixed) :], loose), key=lambda own: abs(gap - sum(map(len, own))))
    around = rng.at("order").shuffled((*fixed, *fitting))
    at = rng.at("place").integer(0, len(around))
    return [*around[:at], *said, *around[at:]]


def _deed(rng: Rng, topic: Topic, force: Force, book: Book, names: _Names, *, hide: bool) -> str:
    phrase = rng.at("phrase").choice(book.posts[topic, force])
    given = {"name": names.name}
    if hide and "{insult}" in phrase:
        given["insult"] = disguised(rng.at("disguise"), rng.at("insult").choice(book.slots["insult"]))
    told = filled(rng, phrase, book.slots, **given)
    addressed = (topic is Topic.INSULTS and force is Force.PLAIN) or (
        topic is Topic.THREATS and force is not Force.HARMLESS
    )
    return f"{names.concerned}, {told}" if addressed else told


def _history(rng: Rng, facts: Facts, book: Book) -> tuple[str, ...]:
    told = [_strike(rng.at("strike", place), strike, book) for place, strike in enumerate(facts.strikes)]
    told.extend(_account(rng.at("account"), facts, book))
    notes = rng.at("notes").shuffled(book.notes)
    told += [sentence(note) for note in notes[: LENGTH - len(told)]]
    return rng.at("order").shuffled(told)


def _strike(rng: Rng, strike: Strike, book: Book) -> str:
    phrase = rng.choice(book.strikes[strike.standing])
    return sentence(f"{days.written(strike.day)}: {filled(rng, phrase, {}, violation=strike.violation)}")


def _account(rng: Rng, facts: Facts, book: Book) -> Iterator[str]:
    """What the account is registered as, or at times what it was."""
    if facts.account is not Account.PRIVATE:
        kind, phrases = facts.account, book.registered
    elif rng.at("lapsed").flip(0.45):
        kind, phrases = rng.at("kind").choice((Account.NEWSROOM, Account.SATIRE)), book.lapsed
    else:
        return
    date = days.written(facts.day - rng.at("date").integer(20, 400))
    yield sentence(filled(rng, rng.at("phrase").choice(phrases[kind]), {}, date=date))


def _thread(rng: Rng, facts: Facts, book: Book, names: _Names) -> tuple[str, ...]:
    """Everybody speaks in every thread; what they say is what counts."""
    topic = facts.deeds[0].topic
    roles = (AUTHOR, ADDRESSED if topic in _ON_SOMEBODY else READER, READER, READER)
    told = list(rng.at("chat").shuffled(book.chat)[:LENGTH])
    decoys = rng.at("decoys").shuffled([text for setting in _DECOYS for text in book.settings[setting, None]])
    if rng.at("decoy").flip(0.4):
        told[2] = decoys[0]
    if facts.campaign:
        told[3] = rng.at("campaign").choice(book.campaigns)
    if facts.setting is not Setting.NOTHING:
        place = roles.index(speaker(facts.setting, topic))
        told[place] = rng.at("setting").choice(book.setting(facts.setting, topic))
    lines = [
        f"{_handle(names, role, place)} ({role}): {sentence(text)}"
        for place, (role, text) in enumerate(zip(roles, told, strict=True))
    ]
    return rng.at("order").shuffled(lines)


def speaker(setting: Setting, topic: Topic) -> str:
    """Whose word counts for what a thread shows."""
    # The author of a swindle does not say that somebody is losing their savings.
    swindle = setting is Setting.DANGER and topic is Topic.ADVERTISING
    return READER if swindle else _SPEAKERS[setting]


def _handle(names: _Names, role: str, place: int) -> str:
    match role:
        case "author":
            return names.author
        case "person concerned":
            return names.concerned
        case _:
            return names.reader(place)


def _notices(rng: Rng, facts: Facts, book: Book) -> tuple[Posted, ...]:
    found: list[Posted] = []
    for deed in facts.deeds:
        own = [notice for notice in facts.notices if notice.topic is deed.topic]
        told = [_notice(rng.at(deed.topic, place), notice, book) for place, notice in enumerate(own)]
        found.append(Posted(clause_id=deed.topic, lines=rng.at("order", deed.topic).shuffled(told)))
    return tuple(found)


def _notice(rng: Rng, notice: Notice, book: Book) -> str:
    return filled(
        rng,
        rng.choice(book.notices),
        {},
        decision=notice.decision,
        geo=notice.geo or book.everywhere,
        since=days.written(notice.since),
        until=days.written(notice.until),
    )
