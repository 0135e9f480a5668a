"""Retrieval: how text becomes words and vectors, how alike question and passage are, how sure a find is.

Two ways of finding: BM25 over words, and LSA vectors (tf-idf, truncated SVD) whose arithmetic is exact.
Leaves to others which library is searched, how it is cut into passages, and what an answer looks like.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, fsum
from typing import Any, NamedTuple

import bm25s  # pyright: ignore[reportMissingTypeStubs] - it ships none
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Vectors = NDArray[np.int64]
"""Vectors are whole numbers: their sums and products are exact, so ranks are the same on every machine."""

FINE = 1024
"""Units of a word's vector for each unit of its weight."""
LENGTH = 4096
"""Units of the length of a vector that `units` has scaled; products of two stay far below 2**53."""

GRAM = 4
GRAM_WEIGHT = 0.3
"""Letters of a word's parts, and what one weighs beside the word: `rollback` meets `rolled back` there."""

_WORD = re.compile(r"[a-z0-9]+")
_POSSESSIVE = re.compile(r"['’]s\b")
_END = re.compile(r"(?<=[.!?])[\"”]?\s+(?=[\"“A-Z0-9])|(?<=[.!?][\"”])\s+")
_STOPPED = frozenset(
    """
    a about after all also an and any are as at be because been before but by can could did do does
    during each for from had has have he her his how i if in into is it its itself made many may me
    more most much must my no nor not of off on one or other our out own shall she should so some
    such than that the their them then there these they this those through to under until up us was
    we were what when where which while who whom whose why will with would you your
    """.split()
)


def words(text: str) -> tuple[str, ...]:
    """The words that bear meaning, in order: lower case, singular, without the commonest.

    Source: Harman (1991), How effective is suffixing?, JASIS 42, the S-stemmer.
    """
    found = _WORD.findall(_POSSESSIVE.sub("", text.lower()))
    return tuple(_singular(word) for word in found if word not in _STOPPED)


def sentences(paragraph: str) -> tuple[str, ...]:
    """A paragraph's sentences, in order; joined by spaces they are the paragraph again."""
    cuts = [0, *(found.end() for found in _END.finditer(paragraph)), len(paragraph)]
    return tuple(paragraph[a:b].strip() for a, b in pairwise(cuts) if a < b)


@dataclass(frozen=True, slots=True)
class Basis:
    """A space that a library spans, fitted once; alike in meaning is alike in direction.

    Attributes:
        places: Row of each word and of each part of a word.
        rows: (words and parts, rank) their vectors.
        rarity: Weight of each word, and under "" that of a word which no text has.
    """

    places: Mapping[str, int]
    rows: Vectors
    rarity: Mapping[str, float]

    @property
    def rank(self) -> int:
        return self.rows.shape[1]

    def vector(self, text: str) -> Vectors:
        """(rank,) The sum of the vectors of a text's words; zero where none is known."""
        places = [self.places[name] for name in _features(text) if name in self.places]
        return self.rows[places].sum(axis=0, dtype=np.int64)

    def knows(self, text: str) -> bool:
        """Whether the library has any of a text's words."""
        return any(word in self.places for word in words(text))

    def covered(self, question: str, found: Iterable[str]) -> float:
        """The share of a question, by the rarity of its words, that stands in what was found."""
        return self._share(question, {word for text in found for word in words(text)})

    def understood(self, question: str) -> float:
        """The share of a question, by the rarity of its words, that the library has at all."""
        return self._share(question, self.places)

    def _share(self, question: str, there: Container[str]) -> float:
        asked = [(self.rarity.get(word, self.rarity[""]), word in there) for word in words(question)]
        whole = fsum(weight for weight, _ in asked)
        return fsum(weight for weight, known in asked if known) / whole if whole else 0.0


def fitted(library: Sequence[str], rank: int) -> Basis:
    """The basis of a library.

    Args:
        library: Texts, at least `rank` of them.
        rank: Dimensions that are kept.
    Raises:
        ValueError: If the library is too small for the rank.
    Source: Deerwester et al. (1990), Indexing by latent semantic analysis, JASIS 41.
    """
    if not 1 <= rank <= len(library):
        raise ValueError(
            f"a library of {len(library)} texts has no basis of rank {rank}; use 1 to their number"
        )
    places, table = _counted(library)
    kind = np.array([GRAM_WEIGHT if _is_part(name) else 1.0 for name in places])
    weights = kind * np.log(len(library) / np.count_nonzero(table, axis=0))
    weighted = table * weights
    weighted /= np.maximum(np.linalg.norm(weighted, axis=1, keepdims=True), np.finfo(np.float64).tiny)
    # The right singular vectors by way of the left ones: there are many more words than texts.
    left = np.linalg.eigh(weighted @ weighted.T).eigenvectors[:, : -rank - 1 : -1]
    directions = weighted.T @ left
    directions /= np.maximum(np.linalg.norm(directions, axis=0), np.finfo(np.float64).tiny)
    # The SVD leaves the sign of a direction open; noise that is added to vectors must not depend on it.
    strongest = np.abs(directions).argmax(axis=0)
    directions *= np.sign(directions[strongest, np.arange(rank)])
    rows = np.rint(directions * weights[:, None] * FINE).astype(np.int64)
    return Basis(places, rows, _rarities(library))


def units(vectors: Vectors) -> Vectors:
    """(n, rank) Vectors scaled to length `LENGTH`; zero stays zero."""
    lengths = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True).astype(np.float64))
    return np.rint(vectors * (LENGTH / np.maximum(lengths, 1.0))).astype(np.int64)


def likeness(questions: Vectors, rows: Vectors) -> Floats:
    """(questions, rows) Cosines of scaled vectors in [0, 1]: what points away from a question counts 0."""
    products = questions.astype(np.float64) @ rows.T.astype(np.float64)
    return np.clip(products / LENGTH**2, 0.0, 1.0)


def best(scores: Floats, count: int) -> NDArray[np.intp]:
    """(..., count) Places of the highest scores on the last axis, from the highest; of equals the first."""
    return np.argsort(-scores, axis=-1, kind="stable")[..., :count]


class Lexical:
    """BM25 over a library of texts."""

    def __init__(self, library: Sequence[str]) -> None:
        self._index: Any = bm25s.BM25(method="lucene")
        self._index.index([list(words(text)) or [""] for text in library], show_progress=False)
        self._known = frozenset(word for text in library for word in words(text))
        self._texts = len(library)
        self._rarity = _rarities(library)

    def scores(self, question: str) -> Floats:
        """(texts,) Each text's score as a share of the most that any text could get, in [0, 1].

        A word that no text has counts as the rarest there can be, so what is not understood costs.
        """
        asked = words(question)
        understood = [word for word in asked if word in self._known]
        if not understood:
            return np.zeros(self._texts)
        most = sum(self._rarity.get(word, self._rarity[""]) for word in asked)
        found = np.asarray(self._index.get_scores(understood), dtype=np.float64)
        return np.clip(found / most, 0.0, 1.0)


class Signs(NamedTuple):
    """What a find shows of how good it is.

    Attributes:
        top: The best score.
        gap: How far the best lies above the first that is not returned.
        covered: The share of the question that stands word for word in what is returned.
    """

    top: float
    gap: float
    covered: float


def signs(scores: Floats, returned: int, covered: float) -> Signs:
    """The signs of a search.

    Args:
        scores: (passages,) In any order.
        returned: How many of them an answer shows.
    """
    ranked = np.sort(scores)[::-1]
    return Signs(float(ranked[0]), float(ranked[0] - ranked[min(returned, len(ranked) - 1)]), covered)


@dataclass(frozen=True, slots=True)
class Calibration:
    """Signs to a probability that the answer is among what was returned: a logistic curve."""

    weights: tuple[float, ...]

    def confidence(self, seen: Signs) -> float:
        """In [0, 1]."""
        score = sum(w * x for w, x in zip(self.weights, (1.0, *seen), strict=True))
        return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, score))))


def calibrated(
    seen: Sequence[Signs], found: Sequence[bool], ridge: float = 0.01, rounds: int = 25
) -> Calibration:
    """The logistic curve through what was found and what was not, by Newton's method.

    Args:
        ridge: What keeps it finite where the two kinds can be told apart without error.
    """
    inputs = np.column_stack([np.ones(len(seen)), np.asarray(seen, dtype=np.float64)])
    outcomes = np.asarray(found, dtype=np.float64)
    weights = np.zeros(inputs.shape[1])
    for _ in range(rounds):
        chance = 1.0 / (1.0 + np.exp(-np.clip(inputs @ weights, -30.0, 30.0)))
        slope = inputs.T @ (outcomes - chance) - ridge * weights
        bend = inputs.T @ (inputs * (chance * (1.0 - chance))[:, None]) + ridge * np.eye(len(weights))
        weights = weights + np.linalg.solve(bend, slope)
    return Calibration(tuple(float(weight) for weight in weights))


def _counted(library: Sequence[str]) -> tuple[dict[str, int], Floats]:
    """The places of all words and parts of words, and (texts, places) how often each occurs."""
    counts = [Counter(_features(text)) for text in library]
    places = {name: place for place, name in enumerate(sorted({name for count in counts for name in count}))}
    table = np.zeros((len(library), len(places)))
    for row, count in enumerate(counts):
        table[row, [places[name] for name in count]] = list(count.values())
    return places, table


def _singular(word: str) -> str:
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    if word.endswith("es") and not word.endswith(("aes", "ees", "oes")):
        return word[:-1]
    return word[:-1] if word.endswith("s") and not word.endswith(("us", "ss")) else word


def _features(text: str) -> list[str]:
    """Words and their parts, each as often as it occurs."""
    found = words(text)
    return [*found, *(part for word in found for part in _parts(word))]


def _parts(word: str) -> list[str]:
    """A word's runs of letters, its ends marked; a short word has none."""
    if len(word) < GRAM:
        return []
    marked = f"<{word}>"
    return [f"~{marked[at : at + GRAM]}" for at in range(len(marked) - GRAM + 1)]


def _is_part(name: str) -> bool:
    return name.startswith("~")


def _rarities(library: Sequence[str]) -> Mapping[str, float]:
    """Each word's weight in BM25, and under "" that of a word which no text has."""
    spread = Counter(word for text in library for word in set(words(text)))
    spread[""] = 0
    return {word: float(np.log1p((len(library) - n + 0.5) / (n + 0.5))) for word, n in spread.items()}
