"""Rows: instances and entries as the store keeps them."""

from __future__ import annotations

from typing import Any

from sqlalchemy.engine import Row

from envs.kernel.outcome import Status
from instances.errors import Diverged
from instances.model import Actor, ActorKind, Entry, EntryKind, HeldOut, Instance, Surface


def instance_row(instance: Instance) -> tuple[Any, ...]:
    """The instance as a row of `INSTANCES`."""
    return (
        instance.id,
        instance.watch_id,
        instance.environment,
        instance.version,
        instance.label,
        instance.created_at,
        instance.assisted,
        None,
        instance.held_out and instance.held_out.submission.id,
        instance.held_out and instance.held_out.case,
    )


def entry_row(instance_id: str, entry: Entry) -> tuple[Any, ...]:
    """The entry as a row of `JOURNAL`."""
    return (
        instance_id,
        entry.n,
        entry.kind.value,
        entry.actor.kind.value,
        entry.actor.label,
        entry.surface.value,
        entry.at,
        entry.body,
        entry.seed,
        entry.memory,
        entry.status.value,
        entry.outcome,
        entry.digest,
    )


def read_instance(row: Row[Any], held_out: HeldOut | None) -> Instance:
    return Instance(
        id=row.id,
        watch_id=row.watch_id,
        environment=row.environment,
        version=row.version,
        label=row.label,
        created_at=row.created_at,
        assisted=bool(row.assisted),
        held_out=held_out,
    )


def read_entry(row: Row[Any]) -> Entry:
    try:
        return _entry(row)
    except ValueError as error:
        raise Diverged(
            f"Entry {row.n} cannot be read, so this instance cannot be continued: {error}."
        ) from error


def _entry(row: Row[Any]) -> Entry:
    return Entry(
        n=row.n,
        kind=EntryKind(row.kind),
        actor=Actor(ActorKind(row.actor_kind), row.actor_label),
        surface=Surface(row.surface),
        at=row.at,
        body=row.body,
        seed=row.seed,
        memory=row.memory,
        status=Status(row.status),
        outcome=row.outcome,
        digest=row.digest,
    )
