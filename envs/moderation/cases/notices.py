"""Notices of a case: one that may decide it, and others that look like it and are not in force."""

from __future__ import annotations

from collections.abc import Callable

from envs.kernel.rng import Rng
from envs.moderation.models import Decision
from envs.moderation.policy.facts import Facts, Geo, Notice, Topic

Turn = Callable[[Rng, Facts, Topic, Decision], tuple[Notice, Notice]]
"""The same notice in force and not, with one difference."""

EACH = 2
"""How many notices stand below the clause of everything that a post does."""


def by_geo(rng: Rng, facts: Facts, topic: Topic, decision: Decision) -> tuple[Notice, Notice]:
    """In force in the post's jurisdiction, or in another one."""
    since, until = _around(rng, facts.day)
    here = Notice(topic=topic, decision=decision, geo=facts.geo, since=since, until=until)
    return here, here.model_copy(update={"geo": _elsewhere(rng, facts.geo)})


def by_date(rng: Rng, facts: Facts, topic: Topic, decision: Decision) -> tuple[Notice, Notice]:
    """In force on the day of the post, or over before it, or not yet."""
    since, until = _around(rng, facts.day)
    geo = rng.at("geo").choice((None, facts.geo))
    now = Notice(topic=topic, decision=decision, geo=geo, since=since, until=until)
    gap = rng.at("gap").integer(2, 25)
    ended = {"since": min(since, facts.day - gap - 10), "until": facts.day - gap}
    later = {"since": facts.day + gap, "until": max(until, facts.day + gap + 10)}
    return now, now.model_copy(update=rng.at("when").choice((ended, later)))


def idle(rng: Rng, facts: Facts, topic: Topic) -> tuple[Notice, ...]:
    """Notices on a topic that are not in force."""
    return tuple(_idle(rng.at(place), facts, topic) for place in range(EACH))


def replaced(facts: Facts, notice: Notice) -> Facts:
    """The facts with this notice in the place of the first idle one on its topic."""
    kept = list(facts.notices)
    kept[next(at for at, other in enumerate(kept) if other.topic is notice.topic)] = notice
    return facts.model_copy(update={"notices": tuple(kept)})


def _idle(rng: Rng, facts: Facts, topic: Topic) -> Notice:
    turn = rng.at("turn").choice((by_geo, by_date))
    return turn(rng, facts, topic, rng.at("decision").choice(tuple(Decision)))[1]


def _around(rng: Rng, day: int) -> tuple[int, int]:
    return day - rng.at("before").integer(3, 60), day + rng.at("after").integer(3, 60)


def _elsewhere(rng: Rng, geo: Geo) -> Geo:
    return rng.at("elsewhere").choice([other for other in Geo if other is not geo])
