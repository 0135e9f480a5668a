"""The probe: how well a simple classifier tells the answer from what surrounds a case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from evals.gates.lookups import binned
from evals.subject import Feature

Floats = NDArray[np.float64]

FOLDS = 5
# Rarer values of a name share one column: a classifier that knows each by heart learns nothing.
MOST_VALUES = 40
PENALTY = 1.0


class Probed(NamedTuple):
    """Accuracy on cases that were not learned from, and what always naming the commonest answer earns."""

    accuracy: float
    base: float


def probed(features: Sequence[Mapping[str, Feature]], labels: Sequence[str]) -> Probed:
    """Cross-validated accuracy of multinomial logistic regression, and of the best single piece of metadata.

    Raises:
        ValueError: If there are fewer resets than folds.
    """
    if len(labels) < FOLDS:
        raise ValueError(f"{len(labels)} resets; the probe needs at least {FOLDS}")
    classes = sorted(set(labels))
    y = np.array([classes.index(label) for label in labels])
    base = float(np.bincount(y).max() / len(y))
    if len(classes) == 1:
        return Probed(base, base)
    x = _one_hot(features)
    fold = np.arange(len(y)) % FOLDS
    right = 0
    for held in range(FOLDS):
        weights = _fitted(x[fold != held], y[fold != held], len(classes))
        right += int((np.argmax(x[fold == held] @ weights, axis=1) == y[fold == held]).sum())
    return Probed(right / len(y), base)


def _one_hot(features: Sequence[Mapping[str, Feature]]) -> Floats:
    """A column for every common value of every piece of metadata, and one of ones."""
    columns: list[Floats] = [np.ones(len(features))]
    for name in sorted({name for own in features for name in own}):
        values = [own.get(name, "") for own in features]
        words = np.array(binned(values, values)[0])
        kinds, counts = np.unique(words, return_counts=True)
        common = kinds[np.argsort(-counts, kind="stable")][:MOST_VALUES]
        columns += [(words == kind).astype(float) for kind in common]
    return np.column_stack(columns)


def _fitted(x: Floats, y: NDArray[np.int64], classes: int) -> Floats:
    """Weights, columns × classes, of the regression with an L2 penalty."""
    target = np.eye(classes)[y]

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(x.shape[1], classes)
        scores = x @ weights
        logs = scores - scipy.special.logsumexp(scores, axis=1, keepdims=True)
        value = -(target * logs).sum() + PENALTY / 2 * (weights**2).sum()
        gradient = x.T @ (np.exp(logs) - target) + PENALTY * weights
        return float(value), gradient.ravel()

    start = np.zeros(x.shape[1] * classes)
    found = scipy.optimize.minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 200})
    return found.x.reshape(x.shape[1], classes)
