"""Indexing: the vectors of passages, the rows of an index, and how much of what is asked it finds.

What is the same for every episode is fitted once on the sound corpus; an episode's index takes milliseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from envs.fleet.works.corpus import corpus
from envs.fleet.works.cutting import Cut, Passage, cleaned, cut, ground, sound, text
from envs.fleet.works.damage import SOUND, Damage, noise, shift, struck
from envs.retrieval import LENGTH, Basis, Vectors, fitted, likeness, units

RANK = 128
SHOWN = 3
"""Passages of an answer; quality is the share of held questions whose answer is among them."""
LOUD = 5.0
"""Length of the noise of a fully drifted embedder, in lengths of a vector."""


class Space(NamedTuple):
    """What is fitted once.

    Attributes:
        sums: (words of the corpus + 1, rank) Sums of the vectors of all words before each.
        headings: (sentences, rank) Vectors of the headings that each sentence stands under.
        held: (questions, rank) The held questions, scaled.
        answers: (questions,) The sentences that answer them.
    """

    basis: Basis
    sums: Vectors
    headings: Vectors
    held: Vectors
    answers: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Index:
    """An index as it was built.

    Attributes:
        cut: What is found.
        rows: (passages, rank) Vectors of its passages, scaled; no rows if the embedder did not run.
        hits: Held questions whose answer stands whole in one of the three best passages.
    """

    cut: Cut
    rows: Vectors
    hits: int

    @property
    def quality(self) -> float:
        """The measured hit@3."""
        return self.hits / len(space().held)


@cache
def space() -> Space:
    """The space that the sound corpus spans."""
    said, words = ground().sentences, ground().words
    passages = sound().passages
    basis = fitted([f"{said[passage.sentence].heading} {text(passage.spans)}" for passage in passages], RANK)
    vectors = {word: basis.vector(word) for word in dict.fromkeys(words)}
    headings = {heading: basis.vector(heading) for heading in dict.fromkeys(one.heading for one in said)}
    pairs = corpus().held
    return Space(
        basis,
        np.cumsum([np.zeros(RANK, np.int64), *(vectors[word] for word in words)], axis=0),
        np.array([headings[one.heading] for one in said]),
        units(np.array([basis.vector(pair.question) for pair in pairs])),
        np.array([pair.answer for pair in pairs]),
    )


def indexed(damage: Damage) -> Index:
    """The index that five workers with this damage build."""
    made = cut(cleaned(damage), damage)
    if not damage.embedded or not made.passages:
        return Index(made, np.zeros((0, RANK), np.int64), 0)
    clean = sound_rows() if made is sound() else embedded(made.passages)
    rows = stored(drifted(clean, damage), damage)
    return Index(made, rows, _hits(made, rows))


def reported(quality: float, damage: Damage) -> float:
    """What the evaluator says that the quality is."""
    return min(1.0, quality + damage.inflation)


@cache
def sound_index() -> Index:
    """The index of a fleet without faults."""
    return indexed(SOUND)


def embedded(passages: Sequence[Passage]) -> Vectors:
    """(passages, rank) The vectors of passages, each under its headings, scaled."""
    known = space()
    spans = np.array([span for passage in passages for span in passage.spans])
    starts = np.cumsum([0, *(len(passage.spans) for passage in passages)])[:-1]
    parts = known.sums[spans[:, 1]] - known.sums[spans[:, 0]]
    own = np.add.reduceat(parts, starts, axis=0)
    return units(own + known.headings[[passage.sentence for passage in passages]])


@cache
def sound_rows() -> Vectors:
    """(passages, rank) The vectors of the sound passages."""
    return embedded(sound().passages)


def drifted(rows: Vectors, damage: Damage, first: int = 0) -> Vectors:
    """The vectors with the noise of a drifting embedder; `first` is the number of the first row."""
    if not damage.drift:
        return rows
    each = damage.drift * LOUD * LENGTH / np.sqrt(RANK)
    return units(rows + np.rint(each * noise(damage.seed, first, *rows.shape)).astype(np.int64))


def stored(rows: Vectors, damage: Damage) -> Vectors:
    """The rows as the index holds them: a stale one has what an older build had in its place."""
    return rows[held_by(len(rows), damage)]


def held_by(count: int, damage: Damage) -> NDArray[np.int64]:
    """(count,) Which passage's vector each row holds."""
    places = np.arange(count)
    stale = struck(damage.seed, "stale", damage.stale, count)
    return np.where(stale, (places + shift(damage.seed, count)) % count, places)


def _hits(made: Cut, rows: Vectors) -> int:
    known = space()
    homes = made.homes[known.answers]
    scores = likeness(known.held, rows)
    own = scores[np.arange(len(homes)), homes][:, None]
    before = np.arange(len(rows)) < homes[:, None]
    # Of equals the first is found first, as in `best`.
    ahead = ((scores > own) | ((scores == own) & before)).sum(axis=1)
    return int(((ahead < SHOWN) & (homes >= 0)).sum())
