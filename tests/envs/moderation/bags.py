"""Bags of words: what somebody learns who counts the words of public cases and understands none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

WORD = re.compile(r"\w+")
RIDGE = 1.0


@dataclass(frozen=True)
class Bags:
    """Logistic regression on words and pairs of neighbouring words, by gradient descent.

    Attributes:
        columns: Column of every word that was seen twice.
        weights: Columns × classes.
    """

    columns: dict[str, int]
    classes: tuple[str, ...]
    weights: NDArray[np.float32]

    @staticmethod
    def learned(texts: Sequence[str], labels: Sequence[str], rounds: int = 120) -> Bags:
        classes = tuple(sorted(set(labels)))
        counted: dict[str, int] = {}
        for text in texts:
            for word in _words(text):
                counted[word] = counted.get(word, 0) + 1
        kept = sorted(word for word, count in counted.items() if count > 1)
        columns = {word: place for place, word in enumerate(kept)}
        x = _counts(texts, columns)
        y = np.eye(len(classes), dtype=np.float32)[[classes.index(label) for label in labels]]
        weights = np.zeros((x.shape[1], len(classes)), dtype=np.float32)
        for _ in range(rounds):
            shares = _softmax(x @ weights)
            weights -= 1.0 * (x.T @ (shares - y) / len(texts) + RIDGE / len(texts) * weights)
        return Bags(columns, classes, weights)

    def shares(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """How likely each class is, texts × classes."""
        return _softmax(_counts(texts, self.columns) @ self.weights)


def _softmax(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def _words(text: str) -> set[str]:
    words = WORD.findall(text.casefold())
    return {*words, *(f"{a} {b}" for a, b in pairwise(words))}


def _counts(texts: Sequence[str], columns: dict[str, int]) -> NDArray[np.float32]:
    found = np.zeros((len(texts), len(columns)), dtype=np.float32)
    for row, text in enumerate(texts):
        for word in _words(text):
            if word in columns:
                found[row, columns[word]] = 1.0
    return found
