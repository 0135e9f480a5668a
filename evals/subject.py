"""What an environment is to evaluation: its cases, its policies and the yardsticks of its skill.

Environments know nothing of evaluation; `evals.subjects` says what is measured of each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from envs.catalog import Entry
from envs.kernel.play import AnyEpisode, open_episode
from envs.kernel.protocol import AnyEnvironment, Policy
from envs.kernel.records import Request, Task
from evals.episode import play_on, policy_rng, replayed

AnyPolicy = Policy[Any, Any]
Feature = str | float

PUBLIC = "public"
HELD_OUT = "held-out"
SPLITS = (PUBLIC, HELD_OUT)


class Group(NamedTuple):
    """Where a generated case comes from; cases of one group resemble each other."""

    family: str
    template: str = ""


@dataclass(frozen=True, slots=True)
class Probe:
    """What must not be told by what surrounds a case.

    Attributes:
        features: Of a reset's observation, what is no evidence: names, counts, lengths.
        label: Of the task, the answer that they must not give away.
    """

    features: Callable[[Any], Mapping[str, Feature]]
    label: Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Cases that look alike where some agents look, and have unlike answers.

    Attributes:
        tasks: The two tasks of the pair at a seed, on a level; None where there is no pair.
        right: Whether a finished episode has its case's answer.
        blind: Names of the policies that see only what the two have in common.
        whole: Whether a pair counts only as a whole: both of its answers right.
        blind_most, reference_least: Bounds on the share that is right.
    """

    tasks: Callable[[str, int], tuple[Task, Task] | None]
    right: Callable[[AnyEpisode], bool]
    blind: tuple[str, ...]
    whole: bool = False
    blind_most: float = 0.55
    reference_least: float = 0.95


@dataclass(frozen=True, slots=True)
class Subject:
    """An environment as evaluation sees it.

    Attributes:
        track: The blind or generated track that counts.
        request: The reset of a level, a split and a seed.
        group: The family and template of a task.
        policies: All that may be named as an agent.
        constants: Names of the policies that never look.
        battery: Names of the trivial policies, constants included.
        rungs: Names of the ladder's policies, from a constant's height up; the last is the reference.
        probe: None where a reset shows nothing but evidence.
        ceiling: The objective of a clairvoyant player of a task.
        floors: How far the reference may lie below the ceiling on average: by "level/family", family, level;
            "" for the others.
        pass_score: The score from which an episode counts as a success.
        strong: Name of the baseline that each level must cost something; None: the reference.
    """

    entry: Entry
    track: str
    request: Callable[[str, str, int], Request]
    group: Callable[[Any], Group]
    policies: Mapping[str, AnyPolicy]
    constants: tuple[str, ...]
    battery: tuple[str, ...]
    rungs: tuple[str, ...]
    probe: Probe | None
    ceiling: Callable[[Any], float]
    floors: Mapping[str, float]
    random: str = "random"
    pairs: Pairs | None = None
    pass_score: float | None = None
    strong: str | None = None

    @property
    def env(self) -> AnyEnvironment:
        return self.entry.environment

    @property
    def reference(self) -> str:
        """The best computable policy: skill 1."""
        return self.rungs[-1]

    def floor(self, level: str, family: str) -> float:
        """How far the reference's mean may lie below the ceiling in a family, on a level."""
        places = (f"{level}/{family}", family, level, "")
        return next((self.floors[place] for place in places if place in self.floors), 0.0)


def opened(of: Subject, level: str, split: str, seed: int) -> AnyEpisode:
    """A case before its first step."""
    return opened_by(of, of.request(level, split, seed), seed)


def opened_by(of: Subject, request: Request, seed: int) -> AnyEpisode:
    """The case that a request opens, before its first step."""
    episode: AnyEpisode = open_episode(of.env, request, of.env.memory_type(), seed)
    return episode


def tried(of: Subject, name: str, episode: AnyEpisode, case: str) -> tuple[AnyEpisode, ...]:
    """A case as a policy plays it: the episode after 0, 1, 2, … of its actions."""
    played = play_on(of.env, of.policies[name], episode, policy_rng(name, case, 0))
    return replayed(of.env, episode, played.actions)
