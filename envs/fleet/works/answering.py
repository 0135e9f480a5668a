"""Answering: what an index says to a question, from which passages, and how sure it is.

Confidence is fitted once, on questions that quality is not measured on, over sound and damaged indexes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated

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
    sentences,
    signs,
    units,
)

Share = Annotated[float, Field(ge=0.0, le=1.0)]
Case = tuple[Signs, bool]
"""What a search shows, and whether it really found the answer."""

DAMAGES = (
    SOUND,
    Damage(dropped=0.15, seed=1),
    Damage(split_wrong=0.2, seed=2),
    Damage(drift=0.25, seed=3),
    Damage(stale=0.15, seed=4),
)
"""The indexes that confidence is fitted on."""


class Source(Record):
    """A passage that was found."""

    chunk_id: str
    text: str
    score: Share


class Answer(Record):
    """What the index says.

    Attributes:
        answer: The sentence of the best passage that is most like the question; None with an error.
        source_chunks: The best passages, from the best down.
        confidence: How likely the answer is among them.
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
    scores, seen = searched(index, question)
    sources = tuple(_source(index, place, float(scores[place])) for place in best(scores, SHOWN).tolist())
    return Answer(
        answer=_closest(sources[0].text, question),
        source_chunks=sources,
        confidence=round(calibration().confidence(seen), 3),
        error=None,
    )


def searched(index: Index, question: str) -> tuple[Floats, Signs]:
    """(passages,) How alike the question and each passage are, and what that shows of the best ones."""
    basis = space().basis
    scores = likeness(units(basis.vector(question)[np.newaxis]), index.rows)[0]
    places: list[int] = best(scores, SHOWN).tolist()
    found = (text(index.cut.passages[place].spans) for place in places)
    return scores, signs(scores, SHOWN, basis.covered(question, found))


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
        scores, seen = searched(index, pair.question)
        yield seen, int(index.cut.homes[pair.answer]) in best(scores, SHOWN)
    for question in foreign:
        yield searched(index, question)[1], False


def _source(index: Index, place: int, score: float) -> Source:
    spans = index.cut.passages[place].spans
    return Source(chunk_id=index.cut.name(place), text=text(spans), score=round(score, 4))


def _closest(passage: str, question: str) -> str:
    """The sentence of a passage that is most like the question."""
    said = sentences(passage)
    basis = space().basis
    rows = units(np.array([basis.vector(sentence) for sentence in said]))
    return said[int(best(likeness(units(basis.vector(question)[np.newaxis]), rows)[0], 1)[0])]


def _refused(error: str) -> Answer:
    return Answer(answer=None, source_chunks=(), confidence=0.0, error=error)
