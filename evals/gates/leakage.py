"""Leakage: nothing hidden shows in an observation, and nothing around a case tells its answer.

What a server adds to an observation before the end is asked by the tests of its routes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from envs.kernel.records import Hidden, Record, State, encode
from evals.gates.lines import Line, Sizes
from evals.gates.lookups import features_of
from evals.gates.probe import probed
from evals.subject import PUBLIC, Feature, Probe, Subject, opened, tried

NEAR = 0.02
# A standard error of an accuracy at the smallest number of resets is below this.
SMOKE_NEAR = 0.15


def leakage_lines(subject: Subject, level: str, sizes: Sizes) -> Iterator[Line]:
    """Both kinds, on one level."""
    yield _hidden(subject, level, sizes)
    if subject.probe is not None:
        yield _probed(subject, subject.probe, level, sizes)


def _hidden(subject: Subject, level: str, sizes: Sizes) -> Line:
    """Puts another case's secrets into every state that two policies reach: what is seen must not change."""
    states = [state for seed in range(sizes.farmed) for state in _reached(subject, level, seed)]
    shown = ""
    for index, state in enumerate(states):
        other = states[(index + len(states) // 2) % len(states)]
        twin = with_secrets_of(state, other)
        if _seen(subject, twin) != _seen(subject, state):
            shown = "an observation changed with hidden fields"
            break
    return Line(
        "leakage",
        f"{level}, hidden fields",
        shown or "no observation changed with hidden fields",
        "none may",
        len(states),
        holds=not shown,
    )


def _probed(subject: Subject, probe: Probe, level: str, sizes: Sizes) -> Line:
    features: list[Mapping[str, Feature]] = []
    labels: list[str] = []
    for seed in range(sizes.resets):
        episode = opened(subject, level, PUBLIC, seed)
        features.append(features_of(subject, probe, episode))
        labels.append(probe.label(episode.task))
    accuracy, base = probed(features, labels)
    near = SMOKE_NEAR if sizes.smoke else NEAR
    return Line(
        "leakage",
        f"{level}, probe on reset metadata",
        f"accuracy {accuracy:.3f}, base rate {base:.3f}",
        f"≤ base rate + {near}",
        len(labels),
        holds=accuracy <= base + near,
    )


def with_secrets_of(value: Any, other: Any) -> Any:
    """The record with the hidden fields of another record of its kind, as far as the two have one shape."""
    match value:
        case Record() if type(value) is type(other):
            fields = type(value).model_fields
            # Not validated: what a player sees may depend on no rule that ties hidden to visible either.
            return type(value).model_construct(
                value.model_fields_set,
                **{
                    name: getattr(other, name)
                    if any(isinstance(mark, Hidden) for mark in field.metadata)
                    else with_secrets_of(getattr(value, name), getattr(other, name))
                    for name, field in fields.items()
                },
            )
        case tuple() if isinstance(other, tuple):
            swapped = tuple(with_secrets_of(a, b) for a, b in zip(value, other, strict=False))
            return swapped + value[len(swapped) :]
        case Mapping() if isinstance(other, Mapping):
            return {key: with_secrets_of(own, other.get(key)) for key, own in value.items()}
        case _:
            return value


def _seen(subject: Subject, state: State) -> bytes:
    return encode(subject.env.observe(state, subject.track))


def _reached(subject: Subject, level: str, seed: int) -> Iterator[State]:
    """The states of a case before the end, as the random policy and the reference reach them."""
    start = opened(subject, level, PUBLIC, seed)
    for name in (subject.random, subject.reference):
        moments = tried(subject, name, start, f"leakage/{level}/{seed}")
        yield from (moment.state for moment in moments if not moment.done)
