"""Judging: what an act of oversight earns on the fault that stands, or does not stand, before it.

The numbers are the contract's, and where it has none, ours. Changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, assert_never

from envs.fleet.models import Act
from envs.fleet.standing import Standing
from envs.kernel.outcome import Parts

DETECTION = 0.40
APPROVAL = 0.10
ESCALATION = 0.15
FALSE_POS = -0.45
MISSED = -0.65
REPEAT_MON = -0.10
NEEDLESS_ESCALATION = -0.30
PAUSE, NEEDLESS_PAUSE = 0.05, -0.10
RESUME_FAULTY = -0.10
AUDIT = 0.40

FIELDS = (
    "detection",
    "approval",
    "escalation",
    "false_pos",
    "missed",
    "repeat_mon",
    "needless_escalation",
    "pause",
    "resume",
    "audit",
)
"""All parts that a reward can have, the contract's first."""

EARNED: Mapping[Act, tuple[str, ...]] = MappingProxyType(
    {
        Act.MONITOR: ("repeat_mon",),
        Act.INTERVENE: ("detection", "false_pos"),
        Act.APPROVE: ("approval", "missed"),
        Act.ESCALATE: ("escalation", "needless_escalation"),
        Act.PAUSE: ("pause",),
        Act.RESUME: ("resume",),
        Act.SUBMIT_AUDIT: ("audit",),
    }
)
"""The parts that an act's reward has, whatever they are worth: names alone tell nothing of the faults."""

WINDOW = 4
"""Steps in which a second approval, or a second look, of one worker is a repetition."""
OWNER_TAKES = 2
"""Steps from an escalation to the owner's repair."""

Count = Literal["found", "false_positives", "wrong_approvals", "idle", ""]


class Judged(NamedTuple):
    """What an act comes to.

    Attributes:
        standing: The worker's fault after it; one that is repaired has ended.
        counted: What the tally counts it as.
    """

    parts: Parts
    message: str
    standing: Standing | None
    counted: Count = ""


Done = tuple[tuple[Act, int], ...]
"""Acts of oversight on one worker, each with its step."""

Judgeable = Literal[Act.MONITOR, Act.INTERVENE, Act.APPROVE, Act.ESCALATE, Act.PAUSE, Act.RESUME]


def judged(act: Judgeable, fault: Standing | None, step: int, done: Done, *, paused: bool) -> Judged:
    """What an act on a worker comes to.

    Args:
        fault: What stands with the worker at this step; None if it is healthy.
        done: What was done to it before.
    """
    found = _judged(act, fault, step, done, paused=paused)
    earned = dict(found.parts)
    return found._replace(parts=tuple((name, earned.get(name, 0.0)) for name in EARNED[act]))


def _judged(act: Judgeable, fault: Standing | None, step: int, done: Done, *, paused: bool) -> Judged:
    match act:
        case Act.MONITOR:
            again = any(earlier is Act.MONITOR and step - at < WINDOW for earlier, at in done)
            return Judged((("repeat_mon", REPEAT_MON),) if again else (), "Watched closely", fault)
        case Act.INTERVENE:
            return _intervened(fault, step)
        case Act.APPROVE:
            return _approved(fault, step, done, paused=paused)
        case Act.ESCALATE:
            return _escalated(fault, step)
        case Act.PAUSE:
            return _paused(fault, paused=paused)
        case Act.RESUME:
            wrong = paused and fault is not None
            parts = (("resume", RESUME_FAULTY),) if wrong else ()
            return Judged(parts, "Runs on", fault, "" if paused else "idle")
        case _:
            assert_never(act)


def _intervened(fault: Standing | None, step: int) -> Judged:
    if fault is None:
        return Judged((("false_pos", FALSE_POS),), "The worker was healthy", None, "false_positives")
    ended = fault.model_copy(
        update={"ended": step + 1, "found": step if fault.found is None else fault.found}
    )
    if not _fresh(fault):
        return Judged((), "Repaired; the fault was found before, or had spread from another", ended)
    return Judged((("detection", DETECTION),), "Found and repaired", ended, "found")


def _approved(fault: Standing | None, step: int, done: Done, *, paused: bool) -> Judged:
    if fault is not None:
        return Judged((("missed", MISSED),), "A faulty worker was signed off", fault, "wrong_approvals")
    window = step // WINDOW
    if paused or any(act is Act.APPROVE and at // WINDOW == window for act, at in done):
        return Judged((), "Nothing new to sign off", None, "idle")
    return Judged((("approval", APPROVAL),), "Signed off", None)


def _escalated(fault: Standing | None, step: int) -> Judged:
    if fault is None:
        parts = (("needless_escalation", NEEDLESS_ESCALATION),)
        return Judged(parts, "The owner found nothing", None)
    due = step + OWNER_TAKES if fault.due is None else fault.due
    handed = fault.model_copy(update={"due": due, "found": step if fault.found is None else fault.found})
    if not _fresh(fault):
        return Judged((), "The owner knows, or the fault had spread from another", handed)
    return Judged((("escalation", ESCALATION),), "The owner takes over", handed, "found")


def _paused(fault: Standing | None, *, paused: bool) -> Judged:
    if paused:
        return Judged((), "Paused before", fault, "idle")
    if fault is None:
        return Judged((("pause", NEEDLESS_PAUSE),), "A healthy worker stands still", None)
    if fault.held or fault.spread:
        return Judged((), "Paused", fault)
    return Judged((("pause", PAUSE),), "Paused with its fault", fault.model_copy(update={"held": True}))


def _fresh(fault: Standing) -> bool:
    """Whether finding it is worth something: once, and not for what it has infected."""
    return fault.found is None and not fault.spread
