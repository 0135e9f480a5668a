"""Hidden fields of a state: where they are, what they hold, and the state with other values in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any, get_args, get_origin

from envs.kernel.records import Hidden, Record

Place = tuple[type[Record], str]
"""A field of a record type."""


def hidden_values(value: object) -> Iterator[tuple[Place, object]]:
    """What stands in the hidden fields of a record and of all the records in it."""
    match value:
        # Most of a state, and quick to tell, which a mapping is not.
        case str() | int() | float() | None:
            pass
        case Record():
            for name, hidden in _fields(type(value)):
                if hidden:
                    yield (type(value), name), getattr(value, name)
                else:
                    yield from hidden_values(getattr(value, name))
        case tuple():
            for item in value:
                yield from hidden_values(item)
        case Mapping():
            for item in value.values():
                yield from hidden_values(item)
        case _:
            pass


def pooled(values: Iterable[object]) -> Mapping[Place, tuple[object, ...]]:
    """Every distinct value that stands in a hidden place of any of these records."""
    pool: defaultdict[Place, list[object]] = defaultdict(list)
    for place, found in (pair for value in values for pair in hidden_values(value)):
        if found not in pool[place]:
            pool[place].append(found)
    return {place: tuple(found) for place, found in pool.items()}


def swapped(value: Any, pool: Mapping[Place, tuple[object, ...]], turn: int) -> Any:
    """The same record with another value of the pool in every hidden place that has one.

    Args:
        turn: Which of the other values; counted round.
    """
    match value:
        case str() | int() | float() | None:
            return value
        case Record():
            kind = type(value)
            # Not validated: what a player sees may depend on no rule that ties hidden to visible either.
            return kind.model_construct(
                value.model_fields_set,
                **{
                    name: _other(getattr(value, name), pool[kind, name], turn)
                    if hidden
                    else swapped(getattr(value, name), pool, turn)
                    for name, hidden in _fields(kind)
                },
            )
        case tuple():
            return tuple(swapped(item, pool, turn) for item in value)
        case Mapping():
            return {key: swapped(item, pool, turn) for key, item in value.items()}
        case _:
            return value


def misplaced(kind: type[Record]) -> frozenset[Place]:
    """Fields, in this type and all it holds, whose mark stands inside the type, where no law sees it."""
    return frozenset(
        (record, name)
        for record in _reachable(kind, set())
        for name, field in record.model_fields.items()
        if any(isinstance(part, Hidden) for part in _parts(field.annotation))
    )


@cache
def _fields(kind: type[Record]) -> tuple[tuple[str, bool], ...]:
    """The fields of a record type, and whether each is hidden."""
    return tuple(
        (name, any(isinstance(mark, Hidden) for mark in field.metadata))
        for name, field in kind.model_fields.items()
    )


def _other(value: object, choices: tuple[object, ...], turn: int) -> object:
    others = [choice for choice in choices if choice != value]
    return others[turn % len(others)] if others else value


def _reachable(kind: type[Record], seen: set[type[Record]]) -> set[type[Record]]:
    if kind not in seen:
        seen.add(kind)
        for field in kind.model_fields.values():
            for part in _parts(field.annotation):
                if isinstance(part, type) and issubclass(part, Record):
                    _reachable(part, seen)
    return seen


def _parts(annotation: object) -> Iterator[object]:
    """A type and everything it is built from."""
    yield annotation if get_origin(annotation) is None else get_origin(annotation)
    for part in get_args(annotation):
        yield from _parts(part)
    if get_origin(annotation) is Annotated:
        yield from annotation.__metadata__  # type: ignore[attr-defined]
