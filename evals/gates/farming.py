"""Farming: repeating an action never earns more than doing it once.

What a policy did is played again with one of its actions repeated and everything else as it was, so that
nothing but the repetition can make a difference, not even what it would have shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

import numpy as np

from envs.kernel.choices import choices_of
from envs.kernel.play import grade
from envs.kernel.records import Action
from evals.episode import replayed
from evals.gates.lines import Line, Sizes
from evals.statistics.clusters import upper_bounds
from evals.subject import PUBLIC, Subject, opened, tried

ROUNDING = 1e-9
# An environment with luck in it gives a repetition now and then by chance what it takes at other times.
CONFIDENCE = 0.99

Kind = tuple[str, ...]
"""Which action it is, and how often it was done: what an exploit would be named by."""


def farming_line(subject: Subject, level: str, sizes: Sizes) -> Line:
    """Repeats each kind of action that any policy takes, where it first takes it."""
    gains: defaultdict[Kind, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for seed in range(sizes.farmed):
        for kind, gain in _gains(subject, level, seed):
            gains[kind][seed].append(gain)
    means = {kind: [float(np.mean(own)) for own in seeds.values()] for kind, seeds in gains.items()}
    farmable = {kind: float(np.mean(own)) for kind, own in means.items() if _pays(own, sizes.smoke)}
    worst = max(farmable, key=farmable.__getitem__) if farmable else None
    return Line(
        "farming",
        level,
        "no repetition pays" if worst is None else f"{farmable[worst]:+.3f} for {' '.join(worst)}",
        "none may",
        sum(len(own) for seeds in gains.values() for own in seeds.values()),
        holds=worst is None,
    )


def _pays(gains: Sequence[float], few: bool) -> bool:
    """Whether a repetition never loses and sometimes gains, or gains on average beyond chance.

    Of few cases each must gain: that two or three lose nothing may be luck.
    """
    if max(gains) <= ROUNDING:
        return False
    if min(gains) >= -ROUNDING:
        return not few or min(gains) > ROUNDING
    (bound,) = upper_bounds(-np.array(gains).reshape(-1, 1), range(len(gains)), CONFIDENCE)
    return bound.high < 0


def _gains(subject: Subject, level: str, seed: int) -> Iterator[tuple[Kind, float]]:
    """What repetitions add to the objective of a case, by kind."""
    start = opened(subject, level, PUBLIC, seed)
    for name in _names(subject):
        moments = tried(subject, name, start, f"farming/{level}/{seed}")
        end = moments[-1]
        once = grade(subject.env, end).objective
        first = {_kind(action): at for at, action in reversed(list(enumerate(end.actions)))}
        for kind, at in first.items():
            for times in sorted({2, 3, start.task.max_steps}):
                repeated = (*(end.actions[at],) * times, *end.actions[at + 1 :])
                again = replayed(subject.env, moments[at], repeated)[-1]
                yield (*kind, f"× {times}"), grade(subject.env, again).objective - once


def _names(subject: Subject) -> Iterable[str]:
    """Of every policy one of its names."""
    return {id(policy): name for name, policy in subject.policies.items()}.values()


def _kind(action: Action) -> Kind:
    """The choices of an action, without its amounts and words."""
    deciding = choices_of(type(action))
    named = {name: getattr(action, name) for name in type(action).model_fields}
    return tuple(
        str(value)
        for name, value in named.items()
        if isinstance(value, StrEnum) or (deciding is not None and name == deciding[0])
    )
