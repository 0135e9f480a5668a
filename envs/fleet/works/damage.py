"""Damage: what the faults of an episode did to the index, and the draws that say where it struck.

Every draw stands at an address of its own, so growing damage strikes again where it struck before.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from envs.kernel.records import LARGEST_SEED, Record, Seed
from envs.kernel.rng import Rng
from envs.retrieval import Floats

Share = Annotated[float, Field(ge=0.0, le=1.0)]

_LANES = 4
_SPREAD = float(np.sqrt(_LANES * (2.0**32 - 1.0) / 12.0))
"""Standard deviation of the sum of four uniform 16-bit numbers."""


class Damage(Record):
    """What befell the five stages; all zero and `embedded` is a sound index.

    Attributes:
        dropped: Share of the sentences that the cleaner lost.
        split_wrong: Share of the passages that the chunker cut with a ruler, inside sentences.
        drift: Strength of the noise on the embedder's vectors; 1 drowns them.
        stale: Share of the index's rows that hold the vector which an older build had in their place.
        inflation: How much the evaluator's report exceeds what it measured.
        embedded: Whether the embedder ran at all.
        seed: Which sentences, passages and rows are hit.
    """

    dropped: Share = 0.0
    split_wrong: Share = 0.0
    drift: Share = 0.0
    stale: Share = 0.0
    inflation: Share = 0.0
    embedded: bool = True
    seed: Seed = 0


SOUND = Damage()


def struck(seed: int, what: str, share: float, count: int) -> NDArray[np.bool_]:
    """(count,) Which ones a share is, drawn at the address of `what`; a greater share is these and more."""
    if not share:
        return np.zeros(count, np.bool_)
    return (_raw(seed, what).random_raw(count) >> np.uint64(11)) / 2.0**53 < share


def noise(seed: int, first: int, rows: int, rank: int) -> Floats:
    """(rows, rank) Nearly normal, variance 1, of the rows from `first` on.

    Sums of whole numbers: the raw stream of PCG64 is the same in every version of numpy and on every machine
    (numpy's policy, NEP 19), what `Generator` makes of it need not be.
    """
    source = _raw(seed, "noise")
    source.advance(first * rank)
    lanes = source.random_raw(rows * rank).view(np.uint16).astype(np.float64)
    sums = lanes[0::4] + lanes[1::4] + lanes[2::4] + lanes[3::4]
    return ((sums - _LANES * 65535 / 2) / _SPREAD).reshape(rows, rank)


def shift(seed: int, rows: int) -> int:
    """By how many places an older build had its rows moved, 1 to rows - 1; 0 if there is but one."""
    return Rng(seed, "works", "shift").integer(1, rows - 1) if rows > 1 else 0


def _raw(seed: int, what: str) -> np.random.PCG64:
    return np.random.PCG64(Rng(seed, "works", what).integer(0, LARGEST_SEED))
