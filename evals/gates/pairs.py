"""Pairs: cases that differ only in what some agents do not look at, and have unlike answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from envs.kernel.play import AnyEpisode, Episode
from envs.kernel.records import Task
from evals.gates.lines import Line, Sizes
from evals.statistics.rates import Interval, wilson_interval
from evals.subjects import PUBLIC, Pairs, Subject, tried

BLIND_MOST = 0.55
REFERENCE_LEAST = 0.95
MOST_SEEDS = 20_000


def pair_lines(subject: Subject, level: str, sizes: Sizes) -> Iterator[Line]:
    """A line for each blind policy, then one for the reference."""
    if subject.pairs is None:
        return
    found = (subject.pairs.tasks(level, seed) for seed in range(MOST_SEEDS))
    pairs = list(islice((pair for pair in found if pair is not None), sizes.pairs))
    if not pairs:
        yield Line("pairs", level, f"no pair at seeds 0 to {MOST_SEEDS - 1}", "some", 0, holds=False)
        return
    for name in subject.pairs.blind:
        rate = _rate(subject, subject.pairs, level, name, pairs)
        holds = (rate.low if sizes.smoke else rate.estimate) <= BLIND_MOST
        yield _line(level, name, rate, f"≤ {BLIND_MOST:.0%}", len(pairs), holds)
    rate = _rate(subject, subject.pairs, level, subject.reference, pairs)
    holds = (rate.high if sizes.smoke else rate.estimate) >= REFERENCE_LEAST
    yield _line(level, subject.reference, rate, f"≥ {REFERENCE_LEAST:.0%}", len(pairs), holds)


def _line(level: str, name: str, rate: Interval, bound: str, pairs: int, holds: bool) -> Line:
    measured = f"{rate.estimate:.1%} right, [{rate.low:.1%}, {rate.high:.1%}]"
    return Line("pairs", f"{level}, {name}", measured, bound, 2 * pairs, holds=holds)


def _rate(
    subject: Subject, pairs: Pairs, level: str, name: str, tasks: Sequence[tuple[Task, Task]]
) -> Interval:
    right = 0
    for number, pair in enumerate(tasks):
        for side, task in enumerate(pair):
            episode = tried(subject, name, _opened(subject, level, number, task), f"{level}/{number}/{side}")
            right += pairs.right(episode[-1])
    return wilson_interval(right, 2 * len(tasks))


def _opened(subject: Subject, level: str, number: int, task: Task) -> AnyEpisode:
    memory = subject.env.memory_type()
    request = subject.request(level, PUBLIC, number)
    return Episode(request, number, memory, task, subject.env.initial(task, memory))
