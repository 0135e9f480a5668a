"""Pairs: cases that differ only in what some agents do not look at, and have unlike answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from envs.kernel.play import AnyEpisode, Episode
from envs.kernel.records import Task
from evals.gates.lines import Line, Sizes
from evals.statistics.rates import Interval, wilson_interval
from evals.subject import PUBLIC, Pairs, Subject, tried

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
        most = subject.pairs.blind_most
        holds = (rate.low if sizes.smoke else rate.estimate) <= most
        yield _line(level, name, rate, f"≤ {most:.0%}", len(pairs), holds)
    rate = _rate(subject, subject.pairs, level, subject.reference, pairs)
    least = subject.pairs.reference_least
    holds = (rate.high if sizes.smoke else rate.estimate) >= least
    yield _line(level, subject.reference, rate, f"≥ {least:.0%}", len(pairs), holds)


def _line(level: str, name: str, rate: Interval, bound: str, pairs: int, holds: bool) -> Line:
    measured = f"{rate.estimate:.1%} right, [{rate.low:.1%}, {rate.high:.1%}]"
    return Line("pairs", f"{level}, {name}", measured, bound, 2 * pairs, holds=holds)


def _rate(
    subject: Subject, pairs: Pairs, level: str, name: str, tasks: Sequence[tuple[Task, Task]]
) -> Interval:
    """How many cases are right, or how many pairs where a pair counts as a whole."""
    right: list[list[bool]] = []
    for number, pair in enumerate(tasks):
        cases = ((f"{level}/{number}/{side}", task) for side, task in enumerate(pair))
        ends = [tried(subject, name, _opened(subject, level, number, task), case)[-1] for case, task in cases]
        right.append([pairs.right(end) for end in ends])
    if pairs.whole:
        return wilson_interval(sum(map(all, right)), len(right))
    return wilson_interval(sum(map(sum, right)), sum(map(len, right)))


def _opened(subject: Subject, level: str, number: int, task: Task) -> AnyEpisode:
    memory = subject.env.memory_type()
    request = subject.request(level, PUBLIC, number)
    return Episode(request, number, memory, task, subject.env.initial(task, memory))
