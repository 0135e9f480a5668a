"""Content moderation, scripted."""

from __future__ import annotations

from envs.moderation.models import Act, Action, Request, Violation
from tests.golden.scripts.play import Play


def _do(act: Act) -> Action:
    return Action(action=act)


def _check(clause_id: str) -> Action:
    return Action(action=Act.CHECK_POLICY_CLAUSE, clause_id=clause_id)


def _mark(violation: Violation) -> Action:
    return Action(action=Act.MARK_VIOLATION_TYPE, violation_type=violation)


HISTORY, THREAD = _do(Act.FETCH_USER_HISTORY), _do(Act.FETCH_THREAD_CONTEXT)

PLAYS = (
    Play(
        "the contract's easy case, looked into and judged",
        Request(seed=42, task="easy_harassment"),
        (HISTORY, THREAD, _check("threats"), _mark(Violation.THREAT), _do(Act.FLAG)),
    ),
    Play(
        "the same case removed at first sight",
        Request(seed=42, task="easy"),
        (_do(Act.REMOVE),),
    ),
    Play(
        "an invented clause, a missing one, everything twice, and nobody decides",
        Request(seed=100, task="medium"),
        (
            _check("rule-34"),
            Action(action=Act.CHECK_POLICY_CLAUSE),
            Action(action=Act.MARK_VIOLATION_TYPE),
            HISTORY,
            HISTORY,
            _mark(Violation.SPAM),
            _mark(Violation.HATE),
            _check("repeat"),
            _check("repeat"),
            THREAD,
        ),
    ),
    Play(
        "the contract's hard case, escalated",
        Request(seed=777, task_id="hard_misinformation"),
        (THREAD, HISTORY, _do(Act.ESCALATE)),
    ),
    Play(
        "a held-out case, allowed",
        Request(seed=3, task="hard", split="held-out"),
        (HISTORY, THREAD, _check("news"), _mark(Violation.NONE), _do(Act.ALLOW)),
    ),
)
