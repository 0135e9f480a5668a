"""An analysis as a person reads it, from an observation alone."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic_core import to_json

from envs.analyst.models import Act, Exchange, Observation
from envs.analyst.results import Cell
from envs.analyst.turns import DatabaseUsed, Shown, SourceUsed, Told
from envs.scene import Heading, Hint, Message, Messages, Move, Moves, Piece, Prose, Scene, Table

LISTED = 20
"""Rows of a table that a scene shows."""


def scene(observation: Observation) -> Scene:
    """The objective, the last exchanges, and the evidence of the newest one."""
    return Scene(pieces=tuple(_pieces(observation)))


def hints(observation: Observation) -> tuple[Hint, ...]:
    """The action form's fields in order."""
    return (
        Hint(field="action", label="Action", help="Ask, or say what the analysis is for."),
        Hint(field="message", label="Question", help="For “ask”: in English or Indonesian."),
        Hint(field="objective", label="Objective", help="For “set objective”."),
        Hint(field="business_questions", label="Business questions", help="For “set objective”."),
        Hint(field="user_id", label="Your name", help="Whom a report names; may stay empty."),
    )


def _pieces(observation: Observation) -> Iterator[Piece]:
    yield Heading(eyebrow="data analyst", title=observation.objective or "What do you want to know?")
    if observation.business_questions:
        rows = tuple((str(number), text) for number, text in enumerate(observation.business_questions, 1))
        yield Table(label="Business questions", columns=("#", "question"), rows=rows)
    if observation.exchanges:
        items = tuple(message for exchange in observation.exchanges for message in _said(exchange))
        earlier = observation.asked - len(observation.exchanges)
        notes = (f"{earlier} earlier messages are in the transcript",) if earlier else ()
        yield Messages(label="Conversation", items=items, notes=notes)
        newest = observation.exchanges[-1].told
        if newest is not None:
            yield from _evidence(newest, closed=observation.closed)
    if observation.closed:
        yield Prose(label="Closed", text="A reset begins another analysis.")


def _said(exchange: Exchange) -> Iterator[Message]:
    yield Message(by="You", role="person", text=exchange.message)
    if exchange.told is not None:
        yield Message(by="Analyst", role="analyst", at=exchange.at or "", text=exchange.told.text)


def _evidence(told: Told, *, closed: bool) -> Iterator[Piece]:
    if told.options and not closed:
        items = tuple(Move(label=option, action=_ask(option)) for option in told.options)
        yield Moves(label="Did you mean", help="Each asks that question.", items=items)
    if told.table is not None:
        yield _table(told.table)
    if told.sources:
        rows = tuple(_source(source) for source in told.sources)
        yield Table(label="Sources", columns=("source", "what was asked of it"), rows=rows)


def _table(shown: Shown) -> Table:
    label = shown.caption or "Result"
    if shown.row_count > LISTED:
        label = f"{label} (the first {LISTED} of {shown.row_count} rows)"
    rows = tuple(tuple(map(_cell, row)) for row in shown.rows[:LISTED])
    return Table(label=label, columns=tuple(column.name for column in shown.columns), rows=rows)


def _source(source: SourceUsed) -> tuple[str, str]:
    if isinstance(source, DatabaseUsed):
        return source.name, source.query
    return f"{source.filename}, page {source.page_label}", source.snippet


def _cell(cell: Cell) -> str:
    return "–" if cell is None else str(cell)


def _ask(message: str) -> str:
    return to_json({"action": Act.ASK, "message": message}).decode()
