"""What the tests of the world play: cases by seed or id, and actions that look at everything."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from envs.kernel.outcome import Grade
from envs.kernel.play import Episode, grade, play
from envs.kernel.rng import Rng
from envs.ledgershield import LedgerShield
from envs.ledgershield.actions import ActionType
from envs.ledgershield.cases import catalogue, generator
from envs.ledgershield.inference.hypotheses import Decision
from envs.ledgershield.inference.tables import Evidence
from envs.ledgershield.models import LEVELS, SPLITS, Action, Family, Request
from envs.ledgershield.seen import Observation
from envs.ledgershield.state import Memory, State
from envs.ledgershield.tasks import Task

ENV = LedgerShield()
PLACES = tuple((level, split) for level in LEVELS for split in SPLITS)

Played = Episode[Request, Memory, Task, State, Action]

REQUESTS = (
    ActionType.REQUEST_CALLBACK_VERIFICATION,
    ActionType.REQUEST_BANK_CHANGE_APPROVAL_CHAIN,
    ActionType.REQUEST_PO_RECONCILIATION,
    ActionType.REQUEST_ADDITIONAL_RECEIPT_EVIDENCE,
    ActionType.FLAG_DUPLICATE_CLUSTER_REVIEW,
)


# Kept: the tests ask for the same ones again and again.
@cache
def case(
    seed: int,
    level: str = "easy",
    split: str = "public",
    family: Family | None = None,
    track: str = "blind",
) -> Task:
    return generator.task(Rng(seed, "task"), level, split, family, track)


def curated(case_id: str, track: str = "instrumented") -> Task:
    return catalogue.curated(f"CASE-{case_id}", track)


def opened(task: Task) -> Played:
    return Episode(Request(track=task.track), 1, Memory(), task, ENV.initial(task, Memory()))


def played(task: Task, *actions: Action) -> Played:
    episode = opened(task)
    for action in actions:
        episode = play(ENV, episode, action)
    return episode


def seen(episode: Played) -> Observation:
    return ENV.observe(episode.state, episode.task.track)


def graded(episode: Played) -> Grade:
    return grade(ENV, episode)


def do(kind: ActionType | str, **fields: Any) -> Action:
    return Action(action_type=kind, **fields)


def submit(decision: Decision | None = None, **fields: Any) -> Action:
    return do(ActionType.SUBMIT_DECISION, decision=decision, **fields)


def looks(task: Task) -> dict[Evidence, Action]:
    """For each informative tool the action that uses it as the invoice asks for."""
    invoice, key = task.invoice, task.file.vendor.vendor_key
    return {
        Evidence.BANK: do(Evidence.BANK, vendor_key=key, proposed_bank_account=invoice.account),
        Evidence.EMAIL: do(Evidence.EMAIL, thread_id=task.file.thread.thread_id),
        Evidence.HISTORY: do(Evidence.HISTORY, vendor_key=key),
        Evidence.LEDGER: do(
            Evidence.LEDGER, vendor_key=key, invoice_number=invoice.number, amount=invoice.total
        ),
        Evidence.PO: do(Evidence.PO, po_id=invoice.po_id),
        Evidence.RECEIPT: do(Evidence.RECEIPT, receipt_id=invoice.receipt_id),
        Evidence.POLICY: do(Evidence.POLICY),
        Evidence.CALLBACK: do(Evidence.CALLBACK),
        Evidence.APPROVALS: do(Evidence.APPROVALS),
    }


def everything(task: Task) -> tuple[Action, ...]:
    """All informative tools, the ones that take time first."""
    own = looks(task)
    late = (Evidence.APPROVALS, Evidence.CALLBACK)
    return tuple(own[one] for one in (*late, *(one for one in Evidence if one not in late)))


def cases(count: int) -> Iterator[Task]:
    """As many cases of every level and split."""
    return (case(seed, level, split) for level, split in PLACES for seed in range(count))
