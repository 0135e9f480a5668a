"""The ledger of runs: what a model was asked to play, how it ended, and what that used.

Decides what is kept of a run. What happened in it is in the journal of its instance.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Connection, and_, delete, insert, select, update

from agents.llm.completion import Usage
from agents.llm.models import Model
from instances.schema import RUNS

MILLION = 1_000_000


class RunState(StrEnum):
    """How a run stands.

    Running: it is being played. Finished: to the end of the episode. Malformed: the model's answer held no
    action, twice. Refused: the model will not. Unreachable: its endpoint fails. Late: it took too long.
    Spent: the day's share is used up. Stuck: its actions spent no steps. Stopped: the instance was ended,
    reset or closed meanwhile, or the server went down.
    """

    RUNNING = "running"
    FINISHED = "finished"
    MALFORMED = "malformed"
    REFUSED = "refused"
    UNREACHABLE = "unreachable"
    LATE = "late"
    SPENT = "spent"
    STUCK = "stuck"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Run:
    """One run.

    Attributes:
        id: Whoever holds it may see what came of the run.
        detail: Why it ended, in words of ours; empty when it finished.
        last_n: The journal's entry at which the run ended, or started when it has not ended.
        deadline_at: Seconds since 1970; whatever runs after it runs no more.
        calls: Of the model, those that failed and the one that is under way included.
        unmetered: Calls that were perhaps charged for, and whose use the endpoint has not told.
        cost_usd: None while it is not known: the model has no price, or a call was unmetered.
    """

    id: str
    instance_id: str
    model: str
    state: RunState
    detail: str
    last_n: int
    started_at: float
    deadline_at: float
    ended_at: float | None
    calls: int
    unmetered: int
    prompt_tokens: int
    output_tokens: int
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended, and at which entry of the journal."""

    state: RunState
    detail: str
    last_n: int


def open_run(
    connection: Connection, run_id: str, instance_id: str, model: Model, n: int, at: float, deadline_at: float
) -> None:
    """Keeps a run that starts at entry `n`."""
    connection.execute(
        insert(RUNS).values(
            id=run_id,
            instance_id=instance_id,
            model=model.label,
            state=RunState.RUNNING.value,
            detail="",
            last_n=n,
            started_at=at,
            deadline_at=deadline_at,
            priced=model.price is not None,
            calls=0,
            unmetered=0,
            prompt_tokens=0,
            output_tokens=0,
            micro_usd=0,
        )
    )


def open_call(connection: Connection, run_id: str) -> None:
    """Counts a call that is about to be made, as unmetered until it is metered."""
    connection.execute(
        update(RUNS).where(RUNS.c.id == run_id).values(calls=RUNS.c.calls + 1, unmetered=RUNS.c.unmetered + 1)
    )


def meter_call(connection: Connection, run_id: str, usage: Usage, micro_usd: int) -> None:
    """Adds what a call used, as its endpoint told."""
    connection.execute(
        update(RUNS)
        .where(RUNS.c.id == run_id)
        .values(
            unmetered=RUNS.c.unmetered - 1,
            prompt_tokens=RUNS.c.prompt_tokens + usage.prompt_tokens,
            output_tokens=RUNS.c.output_tokens + usage.output_tokens,
            micro_usd=RUNS.c.micro_usd + micro_usd,
        )
    )


def close_run(connection: Connection, run_id: str, ended: Ended, at: float) -> None:
    """Notes how a run ended; the first time counts."""
    still = RUNS.c.state == RunState.RUNNING.value
    connection.execute(
        update(RUNS)
        .where(and_(RUNS.c.id == run_id, still))
        .values(state=ended.state.value, detail=_printable(ended.detail), last_n=ended.last_n, ended_at=at)
    )


def run_with(connection: Connection, run_id: str) -> Run | None:
    """The run of that id."""
    row = connection.execute(select(RUNS).where(RUNS.c.id == run_id)).first()
    if row is None:
        return None
    return Run(
        id=row.id,
        instance_id=row.instance_id,
        model=row.model,
        state=RunState(row.state),
        detail=row.detail,
        last_n=row.last_n,
        started_at=row.started_at,
        deadline_at=row.deadline_at,
        ended_at=row.ended_at,
        calls=row.calls,
        unmetered=row.unmetered,
        prompt_tokens=row.prompt_tokens,
        output_tokens=row.output_tokens,
        cost_usd=row.micro_usd / MILLION if row.priced and not row.unmetered else None,
    )


def forget_runs(connection: Connection, before: float) -> None:
    """Deletes the runs that started before this moment."""
    connection.execute(delete(RUNS).where(RUNS.c.started_at < before))


def _printable(text: str) -> str:
    """The text for a terminal and for PostgreSQL, which keeps no NUL: a model's words may be in it."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
