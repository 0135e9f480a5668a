"""What each value of an action's choice means, and which of the action's other fields it uses.

An action is one record. Where one of its fields decides what is done, the environment says here in words what
other doors need: a tool for each value, a prompt. Decides nothing about play.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from envs.kernel.records import Action


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of the choice.

    Attributes:
        does: One or two sentences for a player: what happens.
        needs: Fields that it cannot do without.
        takes: Fields that it may use beside them.
    """

    does: str
    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choices:
    """Marks the field that decides: `operation: Annotated[Operation, Choices({Operation.ACCEPT: …})]`."""

    by_value: Mapping[StrEnum, Choice]


def choices_of(action: type[Action]) -> tuple[str, Mapping[StrEnum, Choice]] | None:
    """The action's deciding field and what each of its values means; None when no field decides.

    A required `StrEnum` field without a mark decides too: each value is told by the field's description and
    takes every other field.
    """
    for name, field in action.model_fields.items():
        for mark in field.metadata:
            if isinstance(mark, Choices):
                return name, mark.by_value
    for name, field in action.model_fields.items():
        kind = field.annotation
        if field.is_required() and isinstance(kind, type) and issubclass(kind, StrEnum):
            needs, takes = _others(action, name)
            told = field.description or name
            return name, {value: Choice(f"{told} Here: {value}.", needs, takes) for value in kind}
    return None


def _others(action: type[Action], deciding: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    others = {name: field for name, field in action.model_fields.items() if name != deciding}
    needs = tuple(name for name, field in others.items() if field.is_required())
    return needs, tuple(name for name in others if name not in needs)
