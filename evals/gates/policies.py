"""Gates of policies: reference, trivial policies, random, ladder and difficulty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from evals.gates.lines import Line, Sizes
from evals.gates.lookups import lookups
from evals.gates.plays import MARGIN, SPLIT_GAP, Floats, Plays
from evals.skill import NoScale, skill, skill_lower_bounds, skill_upper_bounds
from evals.statistics.comparisons import holm, paired_difference
from evals.subject import HELD_OUT, PUBLIC, Subject, opened

LEVEL_COST = 0.08
LADDER_P = 0.01
ROUNDING = 1e-9
PROVEN = 0.95
# A smoke is run often: it must not cry wolf by chance.
SHOWN = 0.999


def policy_lines(subject: Subject, plays: Sequence[Plays], sizes: Sizes) -> Iterator[Line]:
    """All lines that follow from the levels' episodes."""
    scaled = [own for own in plays if _width(own) > 0]
    for own in plays:
        yield from _failures(own)
        if own in scaled:
            yield from _reference(subject, own, sizes)
            yield _trivial(subject, own, sizes)
            yield _random(subject, own, sizes)
            yield from _ladder(subject, own, sizes)
        else:
            yield Line("reference", own.level, _no_scale(own), "> 0", own.n, holds=False)
    yield from _difficulty(subject, plays, sizes)


def _reference(subject: Subject, own: Plays, sizes: Sizes) -> Iterator[Line]:
    """Regret against clairvoyance in every family, and held-out beside public."""
    public = _regrets(subject, own.level, PUBLIC, own.public)
    held_out = _regrets(subject, own.level, HELD_OUT, own.held_out)
    yield _worst_family(subject, own.level, PUBLIC, public, own.public_families, sizes)
    yield _worst_family(subject, own.level, HELD_OUT, held_out, own.held_out_families, sizes)
    gap = float(public.mean() - held_out.mean()) / own.scale.width
    error = float(np.hypot(_error(public), _error(held_out))) / own.scale.width
    yield Line(
        "reference",
        f"{own.level}, held-out beside public",
        f"skill {gap:+.3f} ± {error:.3f}",
        f"within {SPLIT_GAP}",
        len(held_out),
        holds=abs(gap) <= SPLIT_GAP + (3 * error if sizes.smoke else 0),
    )


def _trivial(subject: Subject, own: Plays, sizes: Sizes) -> Line:
    """The whole battery, and look-ups by every piece of metadata, with bounds that hold together."""
    columns = {name: own.fresh[name] for name in (*subject.battery, *subject.constants)}
    columns.update(lookups(subject, own, sizes.tuning))
    bounds = skill_upper_bounds(list(columns.values()), own.scale)
    lows = skill_lower_bounds(list(columns.values()), own.scale, SHOWN if sizes.smoke else PROVEN)
    highest = {name: high.high for name, high in zip(columns, bounds, strict=True)}
    lowest = {name: low.low for name, low in zip(columns, lows, strict=True)}
    worst = max(lowest, key=lowest.__getitem__) if sizes.smoke else max(highest, key=highest.__getitem__)
    estimate = bounds[list(columns).index(worst)].estimate
    return Line(
        "trivial policies",
        own.level,
        f"skill of {worst} {estimate:+.3f}, {_range(lowest[worst], highest[worst])}",
        f"upper bound ≤ {MARGIN}",
        own.n,
        holds=lowest[worst] <= MARGIN if sizes.smoke else highest[worst] <= MARGIN,
        note=f"{len(columns)} policies; best constant on tuning cases: {own.constant}",
    )


def _random(subject: Subject, own: Plays, sizes: Sizes) -> Line:
    values = [own.fresh[subject.random]]
    (upper,) = skill_upper_bounds(values, own.scale)
    (lower,) = skill_lower_bounds(values, own.scale, SHOWN if sizes.smoke else PROVEN)
    return Line(
        "random",
        own.level,
        f"skill {upper.estimate:+.3f}, {_range(lower.low, upper.high)}",
        "upper bound ≤ 0",
        own.n,
        holds=lower.low <= 0 if sizes.smoke else upper.high <= 0,
    )


def _ladder(subject: Subject, own: Plays, sizes: Sizes) -> Iterator[Line]:
    """Each rung above the one before, from the height of a constant to the reference."""
    steps = list(pairwise(subject.rungs))
    found = [paired_difference(own.fresh[high], own.fresh[low], own.clusters) for low, high in steps]
    adjusted = holm([difference.p for difference in found])
    for (low, high), difference, p in zip(steps, found, adjusted, strict=True):
        up, shown = difference.estimate > 0, p < LADDER_P
        yield Line(
            "ladder",
            f"{own.level}, {low} < {high}",
            f"skill {difference.estimate / own.scale.width:+.3f}, p = {p:.2g}",
            f"> 0, p < {LADDER_P} (Holm)",
            own.n,
            holds=(up or not shown) if sizes.smoke else (up and shown),
        )
    lowest = skill(own.fresh[subject.rungs[0]], own.scale)
    yield Line(
        "ladder",
        f"{own.level}, lowest rung {subject.rungs[0]}",
        f"skill {lowest.estimate:+.3f}, {_range(lowest.low, lowest.high)}",
        f"≤ {MARGIN}",
        own.n,
        holds=(lowest.low if sizes.smoke else lowest.estimate) <= MARGIN,
    )


def _difficulty(subject: Subject, plays: Sequence[Plays], sizes: Sizes) -> Iterator[Line]:
    """What each level takes from the strong baseline's score; skill is measured anew on every level."""
    name = subject.strong or subject.reference
    for easier, harder in pairwise(plays):
        first, second = easier.scores, harder.scores
        cost = float(first.mean() - second.mean())
        error = float(np.hypot(_error(first), _error(second)))
        yield Line(
            "difficulty",
            f"{easier.level} → {harder.level}, {name}",
            f"score {first.mean():.3f} → {second.mean():.3f}, costs {cost:.3f} ± {error:.3f}",
            f"≥ {LEVEL_COST}",
            min(easier.n, harder.n),
            holds=cost + (3 * error if sizes.smoke else 0) >= LEVEL_COST,
        )


def _failures(own: Plays) -> Iterator[Line]:
    """A baseline that fails is no yardstick."""
    for name, error in own.errors.items():
        if error:
            yield Line("reference", f"{own.level}, {name}", error, "no failed episode", own.n, holds=False)


def _regrets(subject: Subject, level: str, split: str, objective: Floats) -> Floats:
    ceilings = [subject.ceiling(opened(subject, level, split, seed).task) for seed in range(len(objective))]
    return np.array(ceilings) - objective


def _worst_family(
    subject: Subject, level: str, split: str, regret: Floats, families: Sequence[str], sizes: Sizes
) -> Line:
    """The family whose mean regret exceeds its floor most; in a smoke, all of them together."""
    floor = np.array([subject.floor(level, family) for family in families])
    groups = {"all": list(families)} if sizes.smoke else {name: [name] for name in sorted(set(families))}
    excess: dict[str, float] = {}
    for name, members in groups.items():
        own = np.isin(families, members)
        slack = 3 * _error((regret - floor)[own]) if sizes.smoke else ROUNDING
        excess[name] = float((regret - floor)[own].mean()) - slack
    worst = max(excess, key=excess.__getitem__)
    own = np.isin(families, groups[worst])
    return Line(
        "reference",
        f"{level}, {split}",
        f"regret {regret[own].mean():.3f} in {worst}, of {len(set(families))} families",
        f"≤ {floor[own].mean():.3f}",
        len(regret),
        holds=excess[worst] <= 0,
    )


def _error(values: Floats) -> float:
    """Standard error of a mean; infinite for a single case, which shows nothing."""
    return float(values.std(ddof=1)) / len(values) ** 0.5 if len(values) > 1 else float("inf")


def _width(own: Plays) -> float:
    try:
        return own.scale.width
    except NoScale:
        return 0.0


def _no_scale(own: Plays) -> str:
    try:
        return f"{own.scale.width:.3f}"
    except NoScale as error:
        return str(error)


def _range(low: float, high: float) -> str:
    return f"[{low:+.3f}, {high:+.3f}]"
