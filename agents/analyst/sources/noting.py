"""Noting: how what was noticed about a column is told, with its lines and values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Self

from agents.analyst.sources.guessing import Guess
from envs.analyst.catalogue import Note, NoteCode


class Faults(NamedTuple):
    """Values in question, and the lines on which they stand."""

    pairs: tuple[tuple[int, str], ...]

    @classmethod
    def of(cls, pairs: Iterable[tuple[int, str]]) -> Self:
        return cls(tuple(pairs))

    @property
    def lines(self) -> tuple[int, ...]:
        return tuple(line for line, _ in self.pairs)

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(value for _, value in self.pairs)

    def listed(self) -> str:
        """`line 3: 'five'`, joined by commas."""
        return ", ".join(f"line {line}: {value!r}" for line, value in self.pairs)


def note_of(table: str, column: str, guessed: Guess, faults: Faults) -> Note:
    """The note that a guess calls for."""
    code = guessed.note or NoteCode.UNREADABLE_VALUE
    return Note(
        code=code,
        text=_text(code, column, guessed, faults),
        table_id=table,
        column=column,
        lines=faults.lines,
        values=faults.values,
        options=guessed.options,
    )


def noted_nothing(table: str, column: str, faults: Faults) -> Note:
    """The note about values that stand for a missing one."""
    return Note(
        code=NoteCode.MISSING_VALUES,
        text=f"Column {column!r}: {faults.listed()} was read as missing.",
        table_id=table,
        column=column,
        lines=faults.lines,
        values=faults.values,
    )


def _text(code: NoteCode, column: str, guessed: Guess, faults: Faults) -> str:
    listed = faults.listed()
    match code:
        case NoteCode.GUESSED_SEPARATOR:
            return (
                f"Column {column!r} ({listed}) can be read in two ways; {guessed.options[0]} was taken,"
                f" {guessed.options[1]} can be chosen."
            )
        case NoteCode.GUESSED_DATE_ORDER:
            return (
                f"Column {column!r} ({listed}) does not show whether the day or the month comes first;"
                f" {guessed.options[0]} was taken, {guessed.options[1]} can be chosen."
            )
        case NoteCode.CONTRADICTING_DATES:
            return (
                f"Column {column!r} has dates in two orders ({listed}) and stays text; correct one of them."
            )
        case NoteCode.LOST_DIGITS:
            return (
                f"Column {column!r} stays as typed: {listed} lost digits before it was uploaded, as"
                " spreadsheets do with long numbers; format the column as text and save it again."
            )
        case _ if guessed.options and guessed.options[0] == "text":
            return (
                f"Column {column!r} would be numbers but for {listed}; it stays text unless you agree to"
                " leave those out by choosing number."
            )
        case _:
            return f"Column {column!r}: {listed} could not be read and was left empty."
