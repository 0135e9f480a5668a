"""The report of a shift: what was done, what it found, and after the end what was so.

Decides what a report tells when. Before the end it rests on the acts and their rewards alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from envs.fleet import grader, index
from envs.fleet.auditor import audited
from envs.fleet.dynamics import Closing, State
from envs.fleet.environment import Memory
from envs.fleet.models import WORKERS, Act, Action, Request, Span
from envs.fleet.standing import Tally
from envs.fleet.tasks import Task
from envs.kernel.play import Episode
from envs.kernel.records import Record

SOUND, STRAINED = 0.2, 0.6
"""Governance risk up to which oversight is called sound, and up to which strained."""

Played = Episode[Request, Memory, Task, State, Action]


class Taken(Record):
    """One act of the shift."""

    step: int
    action_type: Act
    worker_id: str
    reason: str | None
    reward_total: float
    message: str


class Detected(Record):
    """A fault that an act found."""

    step: int
    worker_id: str
    action_type: Act


class Flawed(Record):
    """A report whose log does not bear its claim."""

    step: int
    worker_id: str
    flaw: str
    severity: str
    line: str


class IndexReport(Record):
    """The index that the shift built: measured hit@3, and what the evaluator claims it to be."""

    quality: float
    reported: float


class Report(Record):
    """The shift in words and figures; what only the end tells is null before it."""

    narrative: str
    action_history: tuple[Taken, ...]
    detected_anomalies: tuple[Detected, ...]
    total_reward: float
    governance_quality: str
    governance_risk: float
    invalid_actions: int
    timeline: tuple[Span, ...] | None
    flawed_reports: tuple[Flawed, ...] | None
    index: IndexReport | None


def report(episode: Played) -> Report:
    """The report of an episode as far as it went."""
    state = episode.state
    found, tally = tuple(_detected(episode)), _observed(episode)
    risk = grader.risk(tally)
    closing = state.closing
    return Report(
        narrative=_narrative(episode, len(found), tally),
        action_history=tuple(_taken(episode)),
        detected_anomalies=found,
        total_reward=state.earned if closing is None else closing.total,
        governance_quality=_quality(risk, closing),
        governance_risk=risk,
        invalid_actions=state.invalid,
        timeline=None if closing is None else closing.timeline,
        flawed_reports=None if closing is None else tuple(_flawed(episode)),
        index=None if closing is None else _index(closing),
    )


def _taken(episode: Played) -> Iterator[Taken]:
    for number, (action, step) in enumerate(zip(episode.actions, episode.steps, strict=True)):
        yield Taken(
            step=number,
            action_type=action.action_type,
            worker_id=action.worker_id,
            reason=action.reason,
            reward_total=step.reward.total,
            message=step.reward.message,
        )


def _detected(episode: Played) -> Iterator[Detected]:
    for number, (action, step) in enumerate(zip(episode.actions, episode.steps, strict=True)):
        earned = dict(step.reward.parts)
        if earned.get("detection", 0.0) > 0.0 or earned.get("escalation", 0.0) > 0.0:
            yield Detected(step=number, worker_id=action.worker_id, action_type=action.action_type)


def _observed(episode: Played) -> Tally:
    """The mistakes as the rewards told them."""
    parts = [dict(step.reward.parts) for step in episode.steps]
    return Tally(
        false_positives=sum(earned.get("false_pos", 0.0) < 0.0 for earned in parts),
        wrong_approvals=sum(earned.get("missed", 0.0) < 0.0 for earned in parts),
    )


def _flawed(episode: Played) -> Iterator[Flawed]:
    for name, desk in zip(WORKERS, episode.state.desks, strict=True):
        for sent in desk.reports:
            for finding in audited(sent.claim, sent.log):
                yield Flawed(
                    step=sent.step,
                    worker_id=name,
                    flaw=finding.flaw,
                    severity=finding.severity,
                    line=finding.line,
                )


def _index(closing: Closing) -> IndexReport:
    built = index.built(closing.damage)
    return IndexReport(quality=round(built.quality, 4), reported=round(built.reported, 4))


def _quality(risk: float, closing: Closing | None) -> str:
    """Whoever does nothing risks nothing: at the end it also counts what nobody found."""
    if risk > STRAINED:
        return "unsafe"
    missed = closing is not None and any(span.found is None and not span.spread for span in closing.timeline)
    return "strained" if missed or risk > SOUND else "sound"


def _narrative(episode: Played, found: int, tally: Tally) -> str:
    state = episode.state
    words = [
        f"{state.step_count} of {episode.task.max_steps} steps of {episode.task.level} were spent.",
        f"Faults found: {found}; interventions on healthy workers: {tally.false_positives}.",
        f"Approvals of faulty workers: {tally.wrong_approvals}; invalid acts: {state.invalid}.",
    ]
    if state.closing is None:
        words.append("The shift is still running; what nobody has found yet is told at its end.")
    else:
        missed = [f"{span.worker_id} ({span.fault})" for span in state.closing.timeline if span.found is None]
        words.append(f"Nobody found: {', '.join(missed)}." if missed else "Nothing was missed.")
    return " ".join(words)
