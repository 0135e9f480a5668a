"""Sampling: a piece of what each stage puts out, for the telemetry of its worker.

A stage is sampled on sound input with its own damage alone: what the stages before it spoil shows in theirs.
"""

from __future__ import annotations

from functools import cache
from typing import assert_never

import numpy as np

from envs.fleet.models import Stage
from envs.fleet.works.corpus import corpus
from envs.fleet.works.cutting import ground, lost, missed, ruled, sound, text
from envs.fleet.works.damage import Damage
from envs.fleet.works.indexing import (
    SHOWN,
    drifted,
    held_by,
    reported,
    sound_index,
    sound_rows,
    space,
)
from envs.kernel.rng import Rng
from envs.retrieval import Floats, Vectors, best, likeness, units

SHORT = 60
"""Letters of a piece of text in a sample."""


def sample(stage: Stage, damage: Damage, step: int) -> str:
    """A short piece of what a stage puts out at a step; the same for the same arguments."""
    rng = Rng(damage.seed, "works", "sample", stage, step)
    match stage:
        case Stage.CLEAN:
            return _cleaned(damage, rng)
        case Stage.CHUNK:
            return _chunked(damage, rng)
        case Stage.EMBED:
            return _embedded(damage, rng)
        case Stage.RETRIEVAL:
            return _retrieved(damage, rng)
        case Stage.EVALUATE:
            return _evaluated(damage)
        case _:
            assert_never(stage)


def _cleaned(damage: Damage, rng: Rng) -> str:
    """Words in and out, and what was let through, of some passages' sentences."""
    said, spans = ground().sentences, ground().spans
    first = rng.integer(0, len(said) - 8)
    gone = lost(damage)
    batch = range(first, first + 8)
    through = [spans[number] for number in batch if not gone[number]]
    words_in = spans[batch[-1]][1] - spans[first][0]
    words_out = sum(end - start for start, end in through)
    return f"{words_in} words in, {words_out} out: {_quoted(text(through))}"


def _chunked(damage: Damage, rng: Rng) -> str:
    """Pieces as they were cut, one after the other."""
    wrong = missed(damage)
    passages = sound().passages
    first = rng.integer(0, len(passages) - SHOWN)
    told: list[str] = []
    for passage in passages[first : first + SHOWN]:
        pieces = tuple(ruled(passage.spans)) if wrong[passage.sentence] else (passage.spans,)
        piece = rng.at("piece", passage.sentence).choice(pieces)
        told.append(f"{sum(end - start for start, end in piece)} words {_ends(text(piece))}")
    return "; ".join(told)


def _embedded(damage: Damage, rng: Rng) -> str:
    """The chapters that a passage's vector lies nearest to."""
    names, middles = _chapters()
    rows = sound_rows()
    place = rng.integer(0, len(rows) - 1)
    row = drifted(rows[place : place + 1], damage, first=place)
    near = likeness(row, middles)[0]
    told = ", ".join(f"{names[chapter]} {near[chapter]:.2f}" for chapter in best(near, SHOWN))
    return f"{sound().name(place)} lies nearest to {told}"


def _retrieved(damage: Damage, rng: Rng) -> str:
    """A question and the row that was returned for it."""
    passages = sound().passages
    asked = rng.integer(0, len(corpus().tuning) - 1)
    scores = _asked()[asked][held_by(len(passages), damage)]
    place = int(best(scores, 1)[0])
    found = f"{sound().name(place)} {scores[place]:.2f} {_quoted(text(passages[place].spans))}"
    return f"{corpus().tuning[asked].question} {found}"


def _evaluated(damage: Damage) -> str:
    """The evaluator's tally beside what it reports."""
    index = sound_index()
    asked = len(corpus().held)
    return f"{asked} asked, {index.hits} right; reports {reported(index.quality, damage):.2f}"


@cache
def _asked() -> Floats:
    """(questions, passages) How alike they are in a sound index."""
    basis = space().basis
    return likeness(units(np.array([basis.vector(pair.question) for pair in corpus().tuning])), sound_rows())


@cache
def _chapters() -> tuple[tuple[str, ...], Vectors]:
    """The chapters by name, and (chapters, rank) the middle of each one's passages, scaled."""
    said = ground().sentences
    named = [said[passage.sentence].document for passage in sound().passages]
    names = tuple(dict.fromkeys(named))
    owners = np.array([names.index(name) for name in named])
    rows = sound_rows()
    return names, units(np.array([rows[owners == chapter].sum(axis=0) for chapter in range(len(names))]))


def _quoted(whole: str) -> str:
    return f"“{whole}”" if len(whole) <= 2 * SHORT else f"“{whole[: 2 * SHORT].rstrip()}…”"


def _ends(whole: str) -> str:
    """The beginning and the end, where a wrong cut shows."""
    if len(whole) <= SHORT:
        return f"“{whole}”"
    return f"“{whole[: SHORT // 2].rstrip()} … {whole[-SHORT // 2 :].lstrip()}”"
