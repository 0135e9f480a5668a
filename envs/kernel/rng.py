"""Addressed randomness: a draw is a function of where it stands, never of what was drawn before."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from hashlib import blake2b
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Rng:
    """Draws at an address, e.g. `Rng(seed, "flags").at(step, worker).flip(0.2)`.

    Asking twice at one address gives the same answer twice, so reading never advances anything.
    Only `random.Random.random` is used underneath: its stream is the same on every Python 3.
    """

    __slots__ = ("_path",)

    def __init__(self, seed: int, *path: int | str) -> None:
        self._path: tuple[int | str, ...] = (seed, *path)

    def at(self, *keys: int | str) -> Rng:
        """The generator one address further down."""
        return Rng(int(self._path[0]), *self._path[1:], *keys)

    def unit(self) -> float:
        """Uniform in [0, 1)."""
        return self._source().random()

    def uniform(self, low: float, high: float) -> float:
        """Uniform between low and high, which are finite and not too far apart to subtract."""
        return low + (high - low) * self.unit()

    def flip(self, probability: float) -> bool:
        """True with the given probability."""
        return self.unit() < probability

    def integer(self, low: int, high: int) -> int:
        """Uniform on the integers low to high, both included."""
        return low + int(self.unit() * (high - low + 1))

    def choice(self, items: Sequence[T]) -> T:
        """One item, each equally likely."""
        return items[int(self.unit() * len(items))]

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in a uniformly random order."""
        source = self._source()
        keyed = sorted((source.random(), index) for index in range(len(items)))
        return tuple(items[index] for _, index in keyed)

    def normals(self, count: int) -> tuple[float, ...]:
        """`count` independent standard normal values (Box-Muller)."""
        source = self._source()
        pairs = ((1.0 - source.random(), source.random()) for _ in range(count))
        return tuple(math.sqrt(-2.0 * math.log(u)) * math.cos(2.0 * math.pi * v) for u, v in pairs)

    def _source(self) -> Random:
        address = json.dumps(self._path).encode()
        return Random(int.from_bytes(blake2b(address, digest_size=16).digest(), "big"))
