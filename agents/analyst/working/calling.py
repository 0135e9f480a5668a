"""Calling: the tools of one turn in their order, each with what went in and what came out.

A tool that fails is a call with an error and no crash; only a query that nobody waits for, or a source that
does not answer, ends the turn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from agents.analyst.sources.library import Answer
from agents.analyst.working.showing import preview, short, shortened_object
from envs.analyst.analyses import Analysis
from envs.analyst.catalogue import Source
from envs.analyst.problems import Cancelled, QueryProblem, Unavailable
from envs.analyst.results import Result, Row
from envs.analyst.turns import DocumentsOutput, Done, JsonObject, Output, ToolCall

CHECK = "check_data"
RETRIEVE = "retrieve_data"
KNOWLEDGE = "retrieve_knowledge"
_INVENTORY = ("source_id", "name", "source_type", "table_count")

Made = TypeVar("Made", Result, Analysis, Answer, tuple[Source, ...])


class Calls:
    """The calls of a turn."""

    def __init__(self) -> None:
        self._made: list[ToolCall] = []

    @property
    def made(self) -> tuple[ToolCall, ...]:
        return tuple(self._made)

    def call(
        self, name: str, given: JsonObject, work: Callable[[], Made], task: str | None
    ) -> Made | QueryProblem:
        """What a tool makes, or why it makes nothing.

        Raises:
            Cancelled, Unavailable: As the tool.
        """
        try:
            made = work()
        except (Cancelled, Unavailable):
            raise
        except QueryProblem as problem:
            self._add(name, given, task, None, Done.ERROR, short(str(problem)))
            return problem
        self._add(name, given, task, _output(made), Done.SUCCESS, None)
        return made

    def _add(
        self,
        name: str,
        given: JsonObject,
        task: str | None,
        output: Output | None,
        status: Done,
        error: str | None,
    ) -> None:
        self._made.append(
            ToolCall(
                order=len(self._made) + 1,
                task_id=task,
                name=name,
                input=shortened_object(given),
                output=output,
                status=status,
                error=error,
            )
        )


def _output(made: Result | Analysis | Answer | tuple[Source, ...]) -> Output:
    match made:
        case Result():
            return preview(made.names, made.rows)
        case Analysis():
            return preview((column.name for column in made.columns), made.rows)
        case Answer():
            return DocumentsOutput(row_count=len(made.passages))
        case _:
            return preview(_INVENTORY, tuple(map(_inventoried, made)))


def _inventoried(source: Source) -> Row:
    """One line on a source; of a source of documents their number."""
    count = len(source.tables) or len(source.documents)
    return source.source_id, source.name, source.source_type.value, count
