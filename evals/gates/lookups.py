"""Look-ups: what an agent earns that answers by a piece of metadata, with the constant that suits it best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from envs.kernel.play import AnyEpisode, look
from evals.gates.plays import Floats, Plays
from evals.runner import TUNING_FIRST
from evals.subject import PUBLIC, Feature, Probe, Subject, opened

BINS = 8
# A value seen less often in tuning has taught nothing.
FEWEST = 5


def reset_features(subject: Subject, level: str, split: str, seeds: range) -> list[Mapping[str, Feature]]:
    """The metadata of resets, as the subject's probe reads it."""
    if subject.probe is None:
        return [{} for _ in seeds]
    return [features_of(subject, subject.probe, opened(subject, level, split, seed)) for seed in seeds]


def features_of(subject: Subject, probe: Probe, episode: AnyEpisode) -> Mapping[str, Feature]:
    """The metadata of a case as it is seen before the first step."""
    return _spelled(probe.features(look(subject.env, episode)))


def lookups(subject: Subject, own: Plays, tuning: int) -> dict[str, Floats]:
    """Objectives on the fresh cases of one look-up for each piece of metadata.

    The constant for each value is chosen on the tuning cases; for one that is new, the best of all.
    """
    seen = reset_features(subject, own.level, PUBLIC, range(TUNING_FIRST, TUNING_FIRST + tuning))
    met = reset_features(subject, own.level, PUBLIC, range(own.n))
    result: dict[str, Floats] = {}
    for name in sorted({name for features in seen for name in features}):
        before, now = binned([f.get(name, "") for f in seen], [f.get(name, "") for f in met])
        choice = _choices(subject, own, before)
        result[f"look-up by {name}"] = np.array(
            [own.fresh[choice.get(value, own.constant)][index] for index, value in enumerate(now)]
        )
    return result


def binned(seen: Sequence[Feature], met: Sequence[Feature]) -> tuple[list[str], list[str]]:
    """Values as words: names as they are, numbers by the eighth of the seen ones that they fall in."""
    numbers = [value for value in seen if not isinstance(value, str)]
    if not numbers or len(set(numbers)) <= BINS:
        return [str(value) for value in seen], [str(value) for value in met]
    edges = np.quantile(np.array(numbers, dtype=float), np.arange(1, BINS) / BINS)

    def cell(value: Feature) -> str:
        return value if isinstance(value, str) else f"bin {int(np.searchsorted(edges, value))}"

    return [cell(value) for value in seen], [cell(value) for value in met]


def _spelled(features: Mapping[str, Feature]) -> dict[str, Feature]:
    """The features, and of each name its length and its ends, which an id may betray something by."""
    spelled: dict[str, Feature] = dict(features)
    for name, value in features.items():
        if isinstance(value, str):
            spelled |= {
                f"{name}: length": len(value),
                f"{name}: start": value[:1],
                f"{name}: end": value[-1:],
            }
    return spelled


def _choices(subject: Subject, own: Plays, values: Sequence[str]) -> dict[str, str]:
    """The constant that did best on the tuning cases of each value."""
    words = np.array(values)
    chosen: dict[str, str] = {}
    for value in sorted(set(values)):
        mine = words == value
        if mine.sum() >= FEWEST:
            means = {name: float(own.tuning[name][mine].mean()) for name in subject.constants}
            chosen[value] = max(means, key=means.__getitem__)
    return chosen
