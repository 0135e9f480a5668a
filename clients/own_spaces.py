"""Gymnasium spaces for what JSON has and Gymnasium lacks: single numbers, any text, bounded rows, free forms.

Sampling is kept small on purpose: a sample is an action that somebody will send.
"""

from __future__ import annotations

import json
import string
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Sequence, Space, Text

LONGEST_TEXT = 1_000_000
LONGEST_SAMPLE = 200
CHARSET = string.ascii_letters + string.digits + string.punctuation + " "


class Scalar(Box):
    """One number, an array without dimensions.

    A box of this shape samples NumPy's plain integers and then warns of finding one.
    """

    def __init__(self, low: float, high: float, dtype: type[np.int64] | type[np.float64]) -> None:
        super().__init__(low, high, (), dtype)

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        return np.asarray(super().sample(mask, probability), self.dtype)

    def contains(self, x: Any) -> bool:
        return super().contains(np.asarray(x))


class AnyText(Text):
    """Any Unicode text within its bounds; samples are printable ASCII of up to 200 characters.

    Gymnasium's own charset would have to list a million characters to admit every text that occurs.
    """

    def __init__(self, max_length: int = LONGEST_TEXT, min_length: int = 0) -> None:
        super().__init__(max_length, min_length=min_length, charset=CHARSET)

    @property
    def is_np_flattenable(self) -> bool:
        return False

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        if mask is None and probability is None:
            longest = min(self.max_length, self.min_length + LONGEST_SAMPLE)
            mask = (int(self.np_random.integers(self.min_length, longest + 1)), None)
        return super().sample(mask, probability)

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and self.min_length <= len(x) <= self.max_length

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.min_length}, {self.max_length})"

    def __eq__(self, other: object, /) -> bool:
        return (
            type(self) is type(other)
            and isinstance(other, AnyText)
            and (self.min_length, self.max_length) == (other.min_length, other.max_length)
        )

    __hash__ = None  # pyright: ignore[reportAssignmentType] - equal by value, like all of Gymnasium's


class JsonText(AnyText):
    """A JSON value as its text, for what has no form of its own; samples are objects of one text."""

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        name, value = (self.np_random.choice(list(string.ascii_lowercase), 8) for _ in range(2))
        return json.dumps({"".join(name): "".join(value)})

    def contains(self, x: Any) -> bool:
        try:
            json.loads(x)
        except (TypeError, ValueError):
            return False
        return super().contains(x)


class Row(Sequence):
    """A sequence with as many items as its bounds allow; samples are short."""

    def __init__(self, space: Space[Any], least: int = 0, most: int | None = None) -> None:
        super().__init__(space)
        self.least = least
        self.most = most

    def sample(self, mask: Any = None, probability: Any = None) -> tuple[Any, ...]:
        if mask is None and probability is None:
            length = self.least + int(self.np_random.geometric(0.25)) - 1
            length = length if self.most is None else min(length, self.most)
            return tuple(self.feature_space.sample() for _ in range(length))
        return super().sample(mask, probability)

    def contains(self, x: Any) -> bool:
        return super().contains(x) and self.least <= len(x) and (self.most is None or len(x) <= self.most)

    def __repr__(self) -> str:
        return f"Row({self.feature_space}, {self.least}, {self.most})"

    def __eq__(self, other: object, /) -> bool:
        return (
            isinstance(other, Row)
            and (self.least, self.most) == (other.least, other.most)
            and self.feature_space == other.feature_space
        )

    __hash__ = None  # pyright: ignore[reportAssignmentType]
