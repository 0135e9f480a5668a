"""Cutting: which sentences and parts of sentences make up each passage.

A sound chunker packs whole sentences of one paragraph; a failing one cuts with a ruler. Knows no vectors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from envs.fleet.works.corpus import Sentence, corpus
from envs.fleet.works.damage import SOUND, Damage, struck

LONGEST = 60
"""Words of a passage, unless one sentence alone has more."""
RULER = 16
"""Words of a passage that a failing chunker cuts."""

Span = tuple[int, int]
"""From one word of the corpus up to another."""


class Passage(NamedTuple):
    """What is found as a whole.

    Attributes:
        sentence: The first sentence of what the chunker had before it.
        spans: Its words, in order.
    """

    sentence: int
    spans: Sequence[Span]


@dataclass(frozen=True, slots=True)
class Cut:
    """The corpus cut into passages.

    Attributes:
        homes: (sentences,) The passage that has each sentence whole; -1 where none has.
    """

    passages: tuple[Passage, ...]
    homes: NDArray[np.int64]

    def name(self, place: int) -> str:
        """A passage's chapter and its place in it, from 1."""
        said = ground().sentences
        document = said[self.passages[place].sentence].document
        before = sum(said[passage.sentence].document == document for passage in self.passages[:place])
        return f"{document}-{before + 1:02}"


class Ground(NamedTuple):
    """What is cut: all words of the corpus, and for each sentence its words and its paragraph."""

    sentences: tuple[Sentence, ...]
    words: tuple[str, ...]
    spans: tuple[Span, ...]
    paragraphs: tuple[int, ...]


@cache
def ground() -> Ground:
    """The corpus as words."""
    said = corpus().sentences
    split = [sentence.text.split() for sentence in said]
    ends = np.cumsum([len(words) for words in split]).tolist()
    spans = tuple(zip([0, *ends[:-1]], ends, strict=True))
    words = tuple(word for one in split for word in one)
    return Ground(said, words, spans, tuple(sentence.paragraph for sentence in said))


def cleaned(damage: Damage) -> tuple[int, ...]:
    """Numbers of the sentences that the cleaner let through."""
    return tuple(np.flatnonzero(~lost(damage)).tolist())


def lost(damage: Damage) -> NDArray[np.bool_]:
    """(sentences,) Whether the cleaner lost a sentence."""
    return struck(damage.seed, "dropped", damage.dropped, len(ground().sentences))


def cut(kept: Sequence[int], damage: Damage) -> Cut:
    """The passages that the chunker makes of the sentences `kept`, rightly or wrongly."""
    if not damage.split_wrong and len(kept) == len(ground().sentences):
        return sound()
    return _cut(kept, damage)


@cache
def sound() -> Cut:
    """The passages of the whole corpus, rightly cut."""
    return _cut(cleaned(SOUND), SOUND)


def _cut(kept: Sequence[int], damage: Damage) -> Cut:
    whole, wrong = ground().spans, missed(damage).tolist()
    passages: list[Passage] = []
    homes = [-1] * len(wrong)
    for group, spans in _packed(kept):
        first = group[0]
        for piece in ruled(spans) if wrong[first] else (spans,):
            for number in group:
                if whole[number] in piece:
                    homes[number] = len(passages)
            passages.append(Passage(first, piece))
    return Cut(tuple(passages), np.array(homes))


def missed(damage: Damage) -> NDArray[np.bool_]:
    """(sentences,) Whether a passage that begins with this sentence is cut with the ruler."""
    return struck(damage.seed, "split", damage.split_wrong, len(ground().sentences))


def text(spans: Sequence[Span]) -> str:
    """The words of a passage."""
    words = ground().words
    return " ".join(" ".join(words[start:end]) for start, end in spans)


def ruled(spans: Sequence[Span]) -> Iterator[list[Span]]:
    """The same words in pieces of `RULER`, wherever a sentence ends; the last piece may be shorter."""
    piece: list[Span] = []
    room = RULER
    for start, end in spans:
        at = start
        while end - at >= room:
            piece.append((at, at + room))
            yield piece
            piece, at, room = [], at + room, RULER
        if at < end:
            piece.append((at, end))
            room -= end - at
    if piece:
        yield piece


def _packed(kept: Sequence[int]) -> Iterator[tuple[list[int], list[Span]]]:
    """The sentences of each passage, and their words: of one paragraph, up to `LONGEST` words."""
    _, _, spans, paragraphs = ground()
    group: list[int] = []
    taken: list[Span] = []
    length, paragraph = 0, -1
    for number in kept:
        start, end = span = spans[number]
        if group and (paragraphs[number] != paragraph or length + end - start > LONGEST):
            yield group, taken
            group, taken, length = [], [], 0
        group.append(number)
        taken.append(span)
        length += end - start
        paragraph = paragraphs[number]
    if group:
        yield group, taken
