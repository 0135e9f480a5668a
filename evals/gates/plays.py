"""The objectives that the policy gates compare: every policy on the same tuning and the same fresh cases."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evals.artifact import clusters
from evals.gates.lines import Sizes
from evals.runner import TUNING_FIRST, Runner
from evals.runs import Row, Spec
from evals.skill import Scale, best_constant, scale_of
from evals.statistics.comparisons import cases_needed
from evals.subject import HELD_OUT, PUBLIC, Subject

Floats = NDArray[np.float64]

# What skill a trivial policy may at most seem to have; also the difference that the cases must show.
MARGIN = 0.05
# How far the reference may do worse or better on held-out than on public cases.
SPLIT_GAP = 0.03


@dataclass(frozen=True, slots=True)
class Plays:
    """One level's episodes.

    Attributes:
        tuning, fresh: Objectives by policy, each in the order of the cases; in tuning, those that never look
            have played more.
        clusters: Family and template of each fresh case.
        public, held_out: The reference's objectives on cases of both splits, and their families. More cases
            than the fresh ones, which are the first of the public ones.
        errors: Texts of policies that failed.
        constant: The best constant, chosen on the tuning cases.
        scores: The strong baseline's scores on the fresh cases.
    """

    level: str
    tuning: Mapping[str, Floats]
    fresh: Mapping[str, Floats]
    clusters: tuple[Hashable, ...]
    public: Floats
    public_families: tuple[str, ...]
    held_out: Floats
    held_out_families: tuple[str, ...]
    errors: Mapping[str, str]
    constant: str
    reference: str
    scores: Floats

    @property
    def n(self) -> int:
        return len(self.clusters)

    @property
    def scale(self) -> Scale:
        return scale_of(self.fresh[self.constant], self.fresh[self.reference], self.clusters)


async def played(runner: Runner, subject: Subject, level: str, sizes: Sizes, path: str) -> Plays:
    """Plays every policy that a gate names on one level."""
    strong = subject.strong or subject.reference
    names = dict.fromkeys((*subject.battery, *subject.constants, subject.random, *subject.rungs, strong))
    spec = Spec(subject.env.slug, subject.reference, PUBLIC, level, sizes.tuning, first=TUNING_FIRST)
    spec = replace(spec, subjects=path)
    tuning = {name: _column(own) for name, own in (await _all(runner, spec, subject.constants)).items()}
    # A smoke asks for no number of cases, so what is slow need not be played for it.
    others = () if sizes.smoke else [name for name in names if name not in tuning]
    spread = await _all(runner, replace(spec, seeds=sizes.spread), others)
    tuning |= {name: _column(own) for name, own in spread.items()}
    constant = best_constant({name: list(tuning[name]) for name in subject.constants})
    n, more = _enough(tuning, constant, subject, sizes)
    fresh = replace(spec, first=0, seeds=n)
    rows = await _all(runner, fresh, names)
    public = await runner.rows(replace(fresh, seeds=more))
    held_out = await runner.rows(replace(fresh, seeds=more, split=HELD_OUT))
    return Plays(
        level=level,
        tuning=tuning,
        fresh={name: _column(own) for name, own in rows.items()},
        clusters=clusters(rows[subject.reference], range(n)),
        public=_column(public),
        public_families=tuple(row.family for row in public),
        held_out=_column(held_out),
        held_out_families=tuple(row.family for row in held_out),
        errors={name: next((r.error for r in own if r.error), "") for name, own in rows.items()},
        constant=constant,
        reference=subject.reference,
        scores=np.array([row.score for row in rows[strong]]),
    )


async def _all(runner: Runner, spec: Spec, names: Iterable[str]) -> dict[str, tuple[Row, ...]]:
    """The rows of several agents; their work is queued together, so that no worker waits for the slowest."""
    asked = list(names)
    found = await asyncio.gather(*(runner.rows(replace(spec, agent=name)) for name in asked))
    return dict(zip(asked, found, strict=True))


def _enough(tuning: Mapping[str, Floats], constant: str, subject: Subject, sizes: Sizes) -> tuple[int, int]:
    """Cases that show a margin for every policy, and the split's gap, after the tuning cases' variance."""
    if sizes.smoke:
        return sizes.cases, sizes.cases
    reference = tuning[subject.reference]
    still = tuning[constant][: sizes.spread]
    width = float((reference - still).mean())
    if not width > 0:
        return sizes.cases, sizes.cases
    trivial = [tuning[name] for name in subject.battery]
    spread = max(float(np.var((own[: sizes.spread] - still) / width)) for own in trivial)
    # One-sided at 5 % is two-sided at 10 %; the bounds on trivial policies hold for all of them together.
    for_trivial = cases_needed(spread, MARGIN, power=0.5, alpha=0.1 / len(trivial))
    for_splits = cases_needed(2 * float(np.var(reference / width)), SPLIT_GAP, alpha=0.1)
    n = min(sizes.most, max(sizes.cases, for_trivial))
    return n, min(sizes.most, max(n, for_splits))


def _column(rows: tuple[Row, ...]) -> Floats:
    return np.array([row.objective for row in rows])
