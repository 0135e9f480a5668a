"""The generator: which case stands at a seed, a level and a split, and which case is its pair.

What is right, what the post is about, where it was written, how far it spread and how often it was reported
are drawn apart from each other, so that none of them tells another. The facts follow: the first family, in a
drawn order, that has a case with this answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from envs.kernel.records import Record
from envs.kernel.rng import Rng
from envs.moderation.cases import notices
from envs.moderation.cases.book import Book
from envs.moderation.cases.book_held_out import HELD_OUT
from envs.moderation.cases.book_public import PUBLIC
from envs.moderation.cases.families import FAMILIES, Alternatives, Family, with_strikes
from envs.moderation.cases.rendering import rendered
from envs.moderation.models import Decision, Engagement
from envs.moderation.policy.engine import Strikes, rule, tied
from envs.moderation.policy.facts import Deed, Facts, Force, Geo, Topic
from envs.moderation.tasks import LEVELS, Kind, Task, Truth

BOOKS: Mapping[str, Book] = MappingProxyType({"public": PUBLIC, "held-out": HELD_OUT})

SHARES: Mapping[str, Mapping[Kind, float]] = MappingProxyType(
    {
        "easy": {Kind.OPEN: 0.62, Kind.THREAD: 0.12, Kind.HISTORY: 0.12, Kind.CLAUSE: 0.14},
        "medium": {
            Kind.OPEN: 0.3, Kind.THREAD: 0.26, Kind.HISTORY: 0.26, Kind.CLAUSE: 0.12, Kind.MIXED: 0.06,
        },
        "hard": {
            Kind.OPEN: 0.09, Kind.THREAD: 0.36, Kind.HISTORY: 0.36, Kind.CLAUSE: 0.11, Kind.MIXED: 0.14,
        },
    }
)  # fmt: skip
"""Weights of what the cases of a level turn on, by where it is seen."""

CAMPAIGNS = 0.3
# A turn finds nothing when its notice names another decision, or its two deeds are tied.
TRIES = 50


class Draft(Record):
    """A case before its words: a fact vector and the others of its set."""

    family: str
    facts: Facts
    others: tuple[Facts, ...]


def task(rng: Rng, level: str, split: str) -> Task:
    """The case at this address."""
    here = rng.at("moderation", level, split)
    draft = _drafted(here, level, split)
    return _told(here, level, split, draft.family, draft.facts, paired=bool(draft.others))


def pair(seed: int, level: str, split: str) -> tuple[Task, Task] | None:
    """The case at this seed and one with another answer by one unseen fact; None if it stands alone."""
    here = Rng(seed, "task").at("moderation", level, split)
    draft = _drafted(here, level, split)
    if not draft.others:
        return None
    other = here.at("other").choice(draft.others)
    first, second = (
        _told(here, level, split, draft.family, facts, paired=True) for facts in (draft.facts, other)
    )
    return first, second


def pairs(level: str, split: str, seeds: range) -> Iterator[tuple[Task, Task]]:
    """The pairs at these seeds."""
    return (found for seed in seeds if (found := pair(seed, level, split)) is not None)


def _drafted(here: Rng, level: str, split: str) -> Draft:
    right = here.at("right").choice(tuple(Decision))
    common = _common(here.at("common"), BOOKS[split])
    for turn in range(TRIES):
        for name in _order(here.at("family", turn), common.deeds[0].topic, level, split):
            family = FAMILIES[name]
            found = family.contrast(here.at("contrast", name, turn), common)
            draft = _chosen(here.at("choice", name, turn), name, family, found, right)
            if draft is not None:
                return draft
    raise AssertionError(f"no family of {level} has a case with the answer {right}")


def _common(rng: Rng, book: Book) -> Facts:
    """What the cases of a set have in common, none of which decides."""
    facts = Facts(
        deeds=(Deed(topic=rng.at("topic").choice(tuple(Topic)), force=Force.PLAIN),),
        day=book.first_day + rng.at("day").integer(0, book.days - 1),
        geo=rng.at("geo").choice(tuple(Geo)),
        engagement=rng.at("engagement").choice(tuple(Engagement)),
        reports=rng.at("reports").integer(book.fewest_reports, book.most_reports),
        campaign=rng.at("campaign").flip(CAMPAIGNS),
    )
    strikes = with_strikes(rng.at("strikes"), facts, Strikes.UNDER).strikes
    return facts.model_copy(
        update={
            "strikes": strikes[rng.at("fewer").integer(0, 2) :],
            "notices": notices.idle(rng.at("notices"), facts, facts.deeds[0].topic),
        }
    )


def _order(rng: Rng, topic: Topic, level: str, split: str) -> list[str]:
    """The families of this topic, level and split in a drawn order, by the share of their kind."""
    there = {
        name: family
        for name, family in FAMILIES.items()
        if level in family.levels and topic in family.topics and (split == "held-out" or not family.held_out)
    }
    kinds = [family.kind for family in there.values()]
    weights = {name: SHARES[level][family.kind] / kinds.count(family.kind) for name, family in there.items()}
    return sorted(there, key=lambda name: -math.log(1.0 - rng.at(name).unit()) / weights[name])


def _chosen(rng: Rng, name: str, family: Family, found: Alternatives, right: Decision) -> Draft | None:
    """One of the set with this answer, and those that differ from it."""
    clear = [(facts, rule(facts).decision) for facts in found if not tied(facts)]
    fitting = [facts for facts, decision in clear if decision is right]
    if not fitting:
        return None
    facts = rng.choice(fitting)
    if family.kind is Kind.OPEN:
        return Draft(family=name, facts=facts, others=())
    others = tuple(other for other, decision in clear if decision is not right)
    # A case of a set without a second answer turns on nothing.
    return Draft(family=name, facts=facts, others=others) if others else None


def _told(here: Rng, level: str, split: str, family: str, facts: Facts, *, paired: bool) -> Task:
    """The case with its words and its truth."""
    words = rendered(here.at("words"), facts, BOOKS[split], hide=FAMILIES[family].disguised)
    rules = LEVELS[level]
    return Task(
        task_id=f"case-{here.at('name').integer(0, 16**12 - 1):012x}",
        level=level,
        max_steps=rules.max_steps,
        free_steps=rules.free_steps,
        post_content=words.post_content,
        geo=facts.geo,
        engagement=facts.engagement,
        reports=facts.reports,
        user_history=words.user_history,
        thread_context=words.thread_context,
        notices=words.notices,
        truth=Truth(
            family=family, kind=FAMILIES[family].kind, facts=facts, ruling=rule(facts), paired=paired
        ),
    )
