"""JSON values as members of Gymnasium spaces and back, one class for each form that a value can have.

Which schema has which form is decided in `spaces`.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from gymnasium.spaces import Dict, Discrete, OneOf, Space, Tuple

from clients.own_spaces import AnyText, JsonText, Row, Scalar

Json = Any

# A space with more members than this is a box: few algorithms want a million choices.
MOST_DISCRETE = 2**24


class Codec(ABC):
    """A space and the way in and out of it."""

    space: Space[Any]

    @abstractmethod
    def encode(self, value: Json) -> Any:
        """The member of the space that stands for a JSON value.

        Raises:
            ValueError: If none does.
        """

    @abstractmethod
    def decode(self, member: Any) -> Json:
        """The JSON value that a member of the space stands for."""


class Choice(Codec):
    """One of some values."""

    def __init__(self, values: tuple[Json, ...]) -> None:
        self.values = values
        self.space = Discrete(len(values))

    def encode(self, value: Json) -> Any:
        for place, known in enumerate(self.values):
            # True is no 1 here, though Python finds them equal.
            if known == value and type(known) is type(value):
                return np.int64(place)
        raise ValueError(f"{value!r} is not one of {', '.join(map(repr, self.values))}")

    def decode(self, member: Any) -> Json:
        return self.values[int(member)]


class Whole(Codec):
    """A whole number."""

    def __init__(self, low: int, high: int) -> None:
        few = high - low < MOST_DISCRETE
        self.low, self.high = low, high
        self.space = Discrete(high - low + 1, start=low) if few else Scalar(low, high, np.int64)

    def encode(self, value: Json) -> Any:
        if isinstance(value, bool) or not isinstance(value, int) or not self.low <= value <= self.high:
            raise ValueError(f"{value!r} is not a whole number from {self.low} to {self.high}")
        return np.int64(value) if isinstance(self.space, Discrete) else np.array(value, np.int64)

    def decode(self, member: Any) -> Json:
        return int(member)


class Number(Codec):
    """A finite number."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high
        self.space = Scalar(low, high, np.float64)

    def encode(self, value: Json) -> Any:
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not self.low <= value <= self.high
        ):
            raise ValueError(f"{value!r} is not a number from {self.low:g} to {self.high:g}")
        return np.array(value, np.float64)

    def decode(self, member: Any) -> Json:
        return float(member)


class Words(Codec):
    """A text."""

    def __init__(self, least: int, most: int) -> None:
        self.space = AnyText(most, least)

    def encode(self, value: Json) -> Any:
        if value not in self.space:
            raise ValueError(f"{str(value)[:80]!r} is not a text of the length that {self.space} allows")
        return value

    def decode(self, member: Any) -> Json:
        return str(member)


class Free(Codec):
    """Any JSON value, as its text."""

    def __init__(self) -> None:
        self.space = JsonText()

    def encode(self, value: Json) -> Any:
        return json.dumps(value, sort_keys=True, allow_nan=False)

    def decode(self, member: Any) -> Json:
        return json.loads(member)


class Items(Codec):
    """A list whose items are alike."""

    def __init__(self, item: Codec, least: int, most: int | None) -> None:
        self.item = item
        self.space = Row(item.space, least, most)

    def encode(self, value: Json) -> Any:
        members = tuple(self.item.encode(item) for item in _list(value))
        if members not in self.space:
            raise ValueError(f"{len(members)} items are not as many as {self.space} allows")
        return members

    def decode(self, member: Any) -> Json:
        return [self.item.decode(item) for item in member]


class Places(Codec):
    """A list each of whose places has a schema of its own."""

    def __init__(self, places: tuple[Codec, ...]) -> None:
        self.places = places
        self.space = Tuple([place.space for place in places])

    def encode(self, value: Json) -> Any:
        items = _list(value)
        if len(items) != len(self.places):
            raise ValueError(f"{len(items)} items are not the {len(self.places)} that there are places for")
        return tuple(place.encode(item) for place, item in zip(self.places, items, strict=True))

    def decode(self, member: Any) -> Json:
        return [place.decode(item) for place, item in zip(self.places, member, strict=True)]


class Fields(Codec):
    """An object with the properties of a schema."""

    def __init__(self, fields: Mapping[str, Codec], defaults: Mapping[str, Json]) -> None:
        self.fields = fields
        self.defaults = defaults
        self.space = Dict({name: field.space for name, field in fields.items()})

    def encode(self, value: Json) -> Any:
        given = {**self.defaults, **_object(value)}
        lacking, unknown = self.fields.keys() - given.keys(), given.keys() - self.fields.keys()
        if lacking or unknown:
            wrong = [f"lacks {name}" for name in sorted(lacking)] + [
                f"has {name}" for name in sorted(unknown)
            ]
            raise ValueError(f"the object {', '.join(wrong)}; its keys are {', '.join(self.fields)}")
        return {name: field.encode(given[name]) for name, field in self.fields.items()}

    def decode(self, member: Any) -> Json:
        return {name: field.decode(member[name]) for name, field in self.fields.items()}


class Pairs(Codec):
    """An object of any keys whose values are alike."""

    def __init__(self, value: Codec) -> None:
        self.value = value
        self.space = Row(Tuple([AnyText(), value.space]))

    def encode(self, value: Json) -> Any:
        return tuple((name, self.value.encode(part)) for name, part in sorted(_object(value).items()))

    def decode(self, member: Any) -> Json:
        return {str(name): self.value.decode(part) for name, part in member}


class Either(Codec):
    """One of several forms, the first that fits."""

    def __init__(self, branches: tuple[Codec, ...]) -> None:
        self.branches = branches
        self.space = OneOf([branch.space for branch in branches])

    def encode(self, value: Json) -> Any:
        unfit: list[str] = []
        for place, branch in enumerate(self.branches):
            try:
                return np.int64(place), branch.encode(value)
            except ValueError as error:
                unfit.append(str(error))
        raise ValueError("; or ".join(unfit))

    def decode(self, member: Any) -> Json:
        place, inner = member
        return self.branches[int(place)].decode(inner)


def _list(value: Json) -> list[Json]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{str(value)[:80]!r} is not a list")
    return list(cast("list[Json]", value))


def _object(value: Json) -> dict[str, Json]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{str(value)[:80]!r} is not an object")
    return dict(cast("Mapping[str, Json]", value))
