"""What the moderation tests play: cases by seed, fact vectors by their parts, episodes by their actions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from envs.kernel.play import Episode, grade, play
from envs.kernel.protocol import Policy
from envs.kernel.rng import Rng
from envs.moderation import POLICIES, Moderation
from envs.moderation.cases import generator
from envs.moderation.dynamics import Memory, State
from envs.moderation.models import (
    LEVELS,
    SPLITS,
    Act,
    Action,
    Decision,
    Engagement,
    Observation,
    Request,
    Violation,
)
from envs.moderation.policy.facts import Deed, Facts, Force, Geo, Topic
from envs.moderation.tasks import Task

ENV = Moderation()
PLACES = tuple((level, split) for level in LEVELS for split in SPLITS)
DAY = 2031 * 365 + 150

HISTORY = Action(action=Act.FETCH_USER_HISTORY)
THREAD = Action(action=Act.FETCH_THREAD_CONTEXT)

Played = Episode[Request, Memory, Task, State, Action]


# Kept: the tests ask for the same ones again and again.
@cache
def case(seed: int, level: str, split: str = "public") -> Task:
    return generator.task(Rng(seed, "task"), level, split)


def cases(count: int) -> Iterator[Task]:
    """As many cases of every level and split."""
    return (case(seed, level, split) for level, split in PLACES for seed in range(count))


def opened(task: Task, memory: Memory = Memory()) -> Played:  # noqa: B008 - frozen
    return Episode(Request(task=task.level), 1, memory, task, ENV.initial(task, memory))


def played(task: Task, *actions: Action, memory: Memory = Memory()) -> Played:  # noqa: B008 - frozen
    episode = opened(task, memory)
    for action in actions:
        episode = play(ENV, episode, action)
    return episode


def finished(task: Task, policy: str | Policy[Observation, Action], seed: int = 1) -> Played:
    """An episode that a policy plays to its end."""
    ask = POLICIES[policy] if isinstance(policy, str) else policy
    episode = opened(task)
    while not episode.done:
        episode = play(ENV, episode, ask(seen(episode), Rng(seed, "policy").at(len(episode.steps))))
    return episode


def seen(episode: Played) -> Observation:
    return ENV.observe(episode.state, "blind")


def objective(episode: Played) -> float:
    return grade(ENV, episode).objective


def right(episode: Played) -> bool:
    return episode.state.decision is episode.task.truth.ruling.decision


def check(clause_id: str) -> Action:
    return Action(action=Act.CHECK_POLICY_CLAUSE, clause_id=clause_id)


def mark(violation: Violation) -> Action:
    return Action(action=Act.MARK_VIOLATION_TYPE, violation_type=violation)


def decide(decision: Decision) -> Action:
    return Action(action=Act(decision))


def facts(topic: Topic = Topic.INSULTS, force: Force = Force.PLAIN, **changed: Any) -> Facts:
    """A fact vector in which nothing else counts, unless it is changed."""
    neutral = {
        "deeds": (Deed(topic=topic, force=force),),
        "day": DAY,
        "geo": Geo.NORVALE,
        "engagement": Engagement.LOW,
    }
    return Facts(**(neutral | changed))
