"""The fleet as an overseer sees it, from an observation alone."""

from __future__ import annotations

import json
from collections.abc import Iterator

from envs.fleet.models import CREDITS, WORKERS, Act, Gate, Observation, Span, WorkerView
from envs.scene import (
    Card,
    Cards,
    Chart,
    Entry,
    Heading,
    Hint,
    Lane,
    Lanes,
    Line,
    Mark,
    Move,
    Moves,
    Piece,
    Prose,
    Scene,
    Stretch,
    Table,
)

NOTHING = "none"
ONE_CLICK = (Act.MONITOR, Act.INTERVENE, Act.APPROVE, Act.ESCALATE)


def scene(observation: Observation) -> Scene:
    """The five workers, their last reports and readings, and after the end what was so."""
    return Scene(pieces=tuple(_pieces(observation)))


def hints(observation: Observation) -> tuple[Hint, ...]:
    """The action form's fields in order, with the workers there are."""
    return (
        Hint(field="action_type", label="Act", help="One in each step."),
        Hint(field="worker_id", label="Worker", help="On whom.", choices=WORKERS),
        Hint(
            field="findings",
            label="Findings",
            help="Each fault that a worker had, and readings that show it.",
        ),
        Hint(field="findings.*.worker_id", label="Worker", choices=WORKERS),
        Hint(field="findings.*.fault", label="Fault"),
        Hint(field="findings.*.evidence", label="Evidence", entries=tuple(_evidence(observation))),
        Hint(field="reason", label="Reason", help="Kept, not scored."),
    )


def _evidence(observation: Observation) -> Iterator[Entry]:
    """Every report's readings, as an audit quotes them."""
    for worker in observation.workers:
        for sent in worker.reports:
            if sent.throughput is not None and sent.burned is not None:
                yield Entry(label=f"{worker.worker_id}, {sent.readings}", value=json.dumps(sent.readings))


def _pieces(observation: Observation) -> Iterator[Piece]:
    level = observation.task_id.removesuffix("_fleet")
    yield Heading(
        eyebrow=f"fleet oversight · {level}",
        title=f"Five workers, {_counted(observation.oversight_budget_remaining)} left",
    )
    if observation.timeline is not None:
        yield _lanes(observation, observation.timeline)
        yield _truth(observation.timeline)
        yield _gates(observation.gates or ())
    yield Cards(label="The pipeline", items=tuple(map(_card, observation.workers)), chained=True)
    if observation.timeline is None:
        yield from _moves(observation)
    yield _reports(observation)
    for worker in observation.workers:
        if worker.sample:
            yield Prose(label=f"A piece of {worker.worker_id}'s output", text=worker.sample)
    yield _readings(observation, "Documents in a step", "documents", "throughput")
    yield _readings(observation, "Credits burned in a step", "credits", "burned")


def _card(worker: WorkerView) -> Card:
    last = worker.reports[-1]
    flags = "".join("▲" if report.flag else "·" for report in worker.reports)
    watched = ("watched closely",) if last.deep else ()
    return Card(
        title=worker.worker_id,
        role=worker.stage,
        state=f"{worker.status}, {'flag up' if worker.anomaly_flag else 'no flag'}",
        alert=bool(worker.anomaly_flag),
        values=tuple(report.throughput for report in worker.reports),
        unit="documents in each step",
        filled=min(1.0, worker.budget_remaining / CREDITS),
        filled_label=f"{worker.budget_remaining} credits left",
        facts=(f"flags {flags}", f"last act: {worker.last_action_name.replace('_', ' ')}", *watched),
    )


def _moves(observation: Observation) -> Iterator[Piece]:
    for act in ONE_CLICK:
        items = tuple(
            Move(label=name, action=f'{{"action_type":"{act}","worker_id":"{name}"}}') for name in WORKERS
        )
        told = "One click, one step." if act is ONE_CLICK[0] else ""
        yield Moves(label=act.capitalize(), help=told, items=items)


def _reports(observation: Observation) -> Table:
    """Each worker's claim beside its tools' log."""
    rows = tuple(
        (worker.worker_id, last.claim, "; ".join(last.log) or NOTHING)
        for worker in observation.workers
        for last in worker.reports[-1:]
    )
    return Table(
        label=f"Reports of step {observation.workers[0].reports[-1].step}",
        columns=("worker", "says", "its tools recorded"),
        rows=rows,
    )


def _readings(observation: Observation, label: str, unit: str, field: str) -> Chart:
    steps = max(len(worker.reports) for worker in observation.workers)
    lines = tuple(
        Line(name=worker.worker_id, values=tuple(getattr(report, field) for report in worker.reports))
        for worker in observation.workers
    )
    return Chart(
        summary=f"{label}, for each of the five workers.",
        unit=unit,
        labels=tuple(f"step {step}" for step in range(steps)),
        lines=lines,
    )


def _lanes(observation: Observation, timeline: tuple[Span, ...]) -> Lanes:
    """What was so beside what was done, worker by worker."""
    acts = ", ".join(f"{letter} {word}" for letter, word, _ in _done(observation.workers[0]))
    return Lanes(
        label="Faults and acts, step by step",
        help=f"Boxed: a fault stood. {acts}.",
        steps=observation.max_steps,
        items=tuple(_lane(observation, worker, timeline) for worker in observation.workers),
    )


def _lane(observation: Observation, worker: WorkerView, timeline: tuple[Span, ...]) -> Lane:
    own = [span for span in timeline if span.worker_id == worker.worker_id]
    last = observation.max_steps - 1
    return Lane(
        title=worker.worker_id,
        stretches=tuple(
            Stretch(first=span.begins, last=last if span.ends is None else span.ends - 1, label=_named(span))
            for span in own
        ),
        marks=tuple(
            Mark(at=at, letter=letter, label=word) for letter, word, steps in _done(worker) for at in steps
        ),
    )


def _done(worker: WorkerView) -> tuple[tuple[str, str, tuple[int, ...]], ...]:
    """The acts on a worker: a letter, its word, and the steps."""
    return (
        ("M", "monitor", worker.monitored_at),
        ("I", "intervene", worker.intervened_at),
        ("A", "approve", worker.approved_at),
        ("E", "escalate", worker.escalated_at),
        ("P", "pause", worker.paused_at),
        ("R", "resume", worker.resumed_at),
    )


def _truth(timeline: tuple[Span, ...]) -> Table:
    rows = tuple(
        (
            span.worker_id,
            _named(span),
            str(span.begins),
            "stood to the end" if span.ends is None else str(span.ends),
            "spread from the worker before" if span.spread else _found(span),
        )
        for span in timeline
    )
    return Table(
        label="What was so" if rows else "What was so: no fault at all",
        columns=("worker", "fault", "from step", "repaired at step", "found at step"),
        rows=rows,
    )


def _gates(gates: tuple[Gate, ...]) -> Table:
    rows = tuple(
        (
            gate.name.replace("_", " "),
            f"{gate.value:g}",
            f"{gate.threshold:g}",
            "passed" if gate.passed else "missed",
        )
        for gate in gates
    )
    return Table(label="The five gates", columns=("gate", "value", "threshold", ""), rows=rows)


def _named(span: Span) -> str:
    return f"{span.fault}, {span.variant}".replace("_", " ")


def _found(span: Span) -> str:
    if span.found is not None:
        return str(span.found)
    return "never; named in the audit" if span.named else "never"


def _counted(steps: int) -> str:
    return "1 step" if steps == 1 else f"{steps} steps"
