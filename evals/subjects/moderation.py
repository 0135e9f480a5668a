"""What is measured of moderation: its blind track."""

from __future__ import annotations

import re
from typing import Any

from envs.catalog import ENVIRONMENTS
from envs.kernel.play import AnyEpisode
from envs.moderation.battery import BATTERY, CONSTANTS
from envs.moderation.cases import generator
from envs.moderation.grader import best
from envs.moderation.models import Observation, Request
from evals.subject import PUBLIC, Feature, Group, Pairs, Probe, Subject

_SENTENCE_END = re.compile(r"[.!?…](?=\s|$)")


def _metadata(seen: Observation) -> dict[str, Feature]:
    """What surrounds the words of a post."""
    return {
        "task": seen.task,
        "geo": seen.geo,
        "engagement": seen.engagement.value,
        "reports": seen.reports,
        "clauses": len(seen.available_context),
        "post length": len(seen.post_content),
        "post sentences": len(_SENTENCE_END.findall(seen.post_content)),
        "steps": seen.max_steps,
    }


def _scene(task: Any) -> str:
    """The topic of a post, where it was written and how far it has spread."""
    return f"{task.truth.facts.deeds[0].topic} {task.geo} {task.engagement}"


def _rightly_decided(episode: AnyEpisode) -> bool:
    """Whether the decision is the one that the policy asks for."""
    decided: bool = episode.state.decision is episode.task.truth.ruling.decision
    return decided


def moderation() -> Subject:
    return Subject(
        entry=ENVIRONMENTS["moderation"],
        track="blind",
        request=lambda level, split, seed: Request(task=level, split=split, seed=seed),
        group=lambda task: Group(task.truth.family, _scene(task)),
        policies={**ENVIRONMENTS["moderation"].policies, **BATTERY},
        constants=CONSTANTS,
        battery=tuple(BATTERY),
        rungs=("random", "flag-all", "read-post", "read-post-and-policy", "reference"),
        probe=Probe(_metadata, lambda task: task.truth.ruling.decision.value),
        ceiling=best,
        floors={"": 0.02},
        pairs=Pairs(
            tasks=lambda level, seed: generator.pair(seed, level, PUBLIC),
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
