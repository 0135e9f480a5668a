"""What is measured of each environment: an explicit dict, beside the catalogue of what there is to play.

Environments know nothing of evaluation; what stands here is what their READMEs call rungs and reference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

from envs.catalog import ENVIRONMENTS, Entry
from envs.forecast_audit import models as audit
from envs.forecast_audit.audit import generator
from envs.forecast_audit.battery import BATTERY, CONSTANTS
from envs.kernel.play import AnyEpisode, open_episode
from envs.kernel.protocol import AnyEnvironment, Policy
from envs.kernel.records import Request, Task
from envs.moderation import battery as moderation_battery
from envs.moderation import grader as moderation_grader
from envs.moderation import models as moderation
from envs.moderation.cases import generator as moderation_cases
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


class Unknown(Exception):
    """A name that is not there; the text says which ones are."""


def _audit_metadata(seen: audit.Observation) -> dict[str, Feature]:
    """What surrounds the curve and the words."""
    return {
        "task id": seen.task_id,
        "domain": seen.domain,
        "metric": seen.metric_name,
        "points": len(seen.values),
        "first time": seen.timestamps[0],
        "last time": seen.timestamps[-1],
        "constraints": len(seen.constraints),
        "note length": len(seen.analyst_note),
        "history length": len(seen.history_summary),
        "steps": seen.max_steps,
    }


def _rightly_published(episode: AnyEpisode) -> bool:
    """Whether the report went out as it was if and only if it was sound."""
    accepted = bool(episode.actions) and episode.actions[-1].operation is audit.Operation.ACCEPT
    return accepted == (not episode.task.truth.faults)


_AUDIT_FLOORS = {
    "clean": 0.05,
    "legitimate_shock": 0.05,
    "missing_point": 0.25,
    "missing_block": 0.25,
    "parts_total": 0.25,
    "easy": 0.25,
    "medium": 0.4,
    "hard": 0.5,
    # A slip of five, two and one hours: of all faults the hardest to tell from noise.
    "easy/clock_slip": 0.4,
    "medium/clock_slip": 0.6,
    "hard/clock_slip": 0.75,
    "hard/broken_seasonality": 0.6,
    "hard/drift": 0.6,
    "hard/spike": 0.6,
}


def _forecast_audit() -> Subject:
    return Subject(
        entry=ENVIRONMENTS["forecast-audit"],
        track="audit",
        request=lambda level, split, seed: audit.Request(
            track="audit", difficulty=level, split=split, seed=seed
        ),
        group=lambda task: Group(task.truth.family.value, task.metric_name),
        policies={**ENVIRONMENTS["forecast-audit"].policies, **BATTERY},
        constants=CONSTANTS,
        battery=tuple(BATTERY),
        rungs=("random", "accept-all", "curve-only", "reference"),
        probe=Probe(_audit_metadata, lambda task: task.truth.operation.value),
        # Nothing lost.
        ceiling=lambda task: 0.0,
        floors=_AUDIT_FLOORS,
        pairs=Pairs(
            tasks=lambda level, seed: generator.pair(seed, level, PUBLIC),
            right=_rightly_published,
            blind=("hampel-linear", "curve-only"),
        ),
        pass_score=0.9,
    )


def _moderation_metadata(seen: moderation.Observation) -> dict[str, Feature]:
    """What surrounds the words of a post."""
    return {
        "task": seen.task,
        "geo": seen.geo,
        "engagement": seen.engagement.value,
        "reports": seen.reports,
        "clauses": len(seen.available_context),
        "post length": len(seen.post_content),
        "steps": seen.max_steps,
    }


def _moderation_scene(task: Any) -> str:
    """The topic of a post, where it was written and how far it has spread."""
    return f"{task.truth.facts.deeds[0].topic} {task.geo} {task.engagement}"


def _rightly_decided(episode: AnyEpisode) -> bool:
    """Whether the decision is the one that the policy asks for."""
    decided: bool = episode.state.decision is episode.task.truth.ruling.decision
    return decided


def _moderation() -> Subject:
    return Subject(
        entry=ENVIRONMENTS["moderation"],
        track="blind",
        request=lambda level, split, seed: moderation.Request(task=level, split=split, seed=seed),
        group=lambda task: Group(task.truth.family, _moderation_scene(task)),
        policies={**ENVIRONMENTS["moderation"].policies, **moderation_battery.BATTERY},
        constants=moderation_battery.CONSTANTS,
        battery=tuple(moderation_battery.BATTERY),
        rungs=("random", "flag-all", "read-post", "read-post-and-policy", "reference"),
        probe=Probe(_moderation_metadata, lambda task: task.truth.ruling.decision.value),
        ceiling=moderation_grader.best,
        floors={"": 0.02},
        pairs=Pairs(
            tasks=lambda level, seed: moderation_cases.pair(seed, level, PUBLIC),
            right=_rightly_decided,
            blind=("keyword", "read-post"),
            whole=True,
            blind_most=0.30,
            reference_least=0.97,
        ),
        pass_score=0.7,
        # The reference is right on every level; what a level costs shows in who reads less.
        strong="read-post-and-policy",
    )


SUBJECTS: Mapping[str, Subject] = {"forecast-audit": _forecast_audit(), "moderation": _moderation()}

BUILT_IN = "evals.subjects:SUBJECTS"


def load(path: str = BUILT_IN) -> Mapping[str, Subject]:
    """The subjects at `module:NAME`: policies do not travel between processes, their address does."""
    module, name = path.split(":")
    found: Mapping[str, Subject] = getattr(import_module(module), name)
    return found


def subject(slug: str, path: str = BUILT_IN) -> Subject:
    """The subject of that slug.

    Raises:
        Unknown: With the slugs that there are.
    """
    return _named(load(path), slug, "environment")


def agent(of: Subject, name: str) -> AnyPolicy:
    """The policy of that name.

    Raises:
        Unknown: With the names that there are.
    """
    return _named(of.policies, name, f"agent for {of.env.slug}")


def _named(known: Mapping[str, Any], name: str, kind: str) -> Any:
    if name not in known:
        raise Unknown(f"there is no {kind} {name!r}; use one of: {', '.join(known) or '(none yet)'}")
    return known[name]
