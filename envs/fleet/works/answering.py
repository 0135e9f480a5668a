"""Answering: what an index says to a question, from which passages, and how sure it is.

Confidence is fitted once, on questions that quality is not measured on, over sound and damaged indexes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated, NamedTuple

import numpy as np
from pydantic import Field

from envs.fleet.works.corpus import Pair, corpus
from envs.fleet.works.cutting import text
from envs.fleet.works.damage import SOUND, Damage
from envs.fleet.works.indexing import SHOWN, Index, indexed, space
from envs.kernel.records import Record
from envs.retrieval import (
    Calibration,
    Floats,
    Signs,
    best,
    calibrated,
    likeness,
    signs,
    units,
)

Share = Annotated[float, Field(ge=0.0, le=1.0)]
Case = tuple[Signs, bool]
"""What a search shows, and whether the passage to answer with holds the answer."""

DAMAGES = (
    SOUND,
    Damage(dropped=0.15, seed=1),
    Damage(split_wrong=0.2, seed=2),
    Damage(drift=0.25, seed=3),
    Damage(stale=0.15, seed=4),
)
"""The indexes that confidence is fitted on."""

OWN_WORDS = 0.5
"""What it counts for a passage, beside being alike, to have all of the question's words."""


class Source(Record):
    """A passage that was found."""

    chunk_id: str
    text: str
    score: Share


class Answer(Record):
    """What the index says.

    Attributes:
        answer: The passage, of those that were found, that is likeliest to answer; None with an error.
        source_chunks: The passages most like the question, from the best down; a score counts the words of
            the question that the handbook does not have against them.
        confidence: How likely the answer stands in that passage.
        error: Why there is no answer; None when there is one.
    """

    answer: str | None
    source_chunks: tuple[Source, ...]
    confidence: Share
    error: str | None


def answered(index: Index, question: str) -> Answer:
    """The answer of an index to any text."""
    if not len(index.rows):
        return _refused("There is no index: the embedding worker did not run, or no text was left to embed.")
    if not question.strip():
        return _refused("The question is empty; ask something about oversight or operations.")
    if not space().basis.knows(question):
        return _refused("The handbook has none of these words; ask in words of oversight or operations.")
    found = searched(index, question)
    return Answer(
        answer=_text(index, found.likeliest),
        source_chunks=tuple(_source(index, place, float(found.scores[place])) for place in found.places),
        confidence=round(calibration().confidence(found.seen), 3),
        error=None,
    )


class Found(NamedTuple):
    """What a search comes to.

    Attributes:
        scores: (passages,) How alike the question and each passage are, in [0, 1].
        places: The best passages, from the best down.
        likeliest: The one of them to answer with: alike, and with the question's own words.
        seen: What shows how good that is.
    """

    scores: Floats
    places: tuple[int, ...]
    likeliest: int
    seen: Signs


def searched(index: Index, question: str) -> Found:
    """What an index has for a question that it understands at least a word of."""
    basis = space().basis
    alike = likeness(units(basis.vector(question)[np.newaxis]), index.rows)[0]
    scores = alike * basis.understood(question)
    places: list[int] = best(alike, SHOWN).tolist()
    covered = {place: basis.covered(question, (_text(index, place),)) for place in places}
    likeliest = max(places, key=lambda place: scores[place] + OWN_WORDS * covered[place])
    return Found(scores, tuple(places), likeliest, signs(scores, SHOWN, covered[likeliest]))


@cache
def calibration() -> Calibration:
    """What turns the signs of a search into confidence."""
    seen, found = zip(*(case for damage in DAMAGES for case in cases(damage, *fitting())), strict=True)
    return calibrated(seen, found)


def fitting() -> tuple[tuple[Pair, ...], tuple[str, ...]]:
    """The questions that confidence is fitted on: with answers, and every second of those without."""
    return corpus().tuning, corpus().foreign[::2]


def cases(damage: Damage, pairs: tuple[Pair, ...], foreign: tuple[str, ...]) -> Iterator[Case]:
    """The searches of an index: for questions with an answer, and for foreign ones, which have none."""
    index = indexed(damage)
    for pair in pairs:
        found = searched(index, pair.question)
        yield found.seen, int(index.cut.homes[pair.answer]) == found.likeliest
    for question in foreign:
        yield searched(index, question).seen, False


def _source(index: Index, place: int, score: float) -> Source:
    return Source(chunk_id=index.cut.name(place), text=_text(index, place), score=round(score, 4))


def _text(index: Index, place: int) -> str:
    return text(index.cut.passages[place].spans)


def _refused(error: str) -> Answer:
    return Answer(answer=None, source_chunks=(), confidence=0.0, error=error)
