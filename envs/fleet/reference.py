"""The reference: a Bayes filter over the fleet's faults, and a look two acts ahead.

Weighs each act by what it earns now, by what a fault that is left alone will come to, and by what a close
look would change about the next act. The greedy policy believes the same and counts only what it earns now.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp

from envs.fleet.audit import shows
from envs.fleet.belief import Suspicion, believed
from envs.fleet.grader import IDLE, LATE
from envs.fleet.judging import (
    APPROVAL,
    AUDIT,
    DETECTION,
    ESCALATION,
    FALSE_POS,
    MISSED,
    NEEDLESS_ESCALATION,
    REPEAT_MON,
    WINDOW,
)
from envs.fleet.models import WORKERS, Act, Action, Fault, Finding, Observation, WorkerView
from envs.kernel.rng import Rng

SURE = 0.35
"""Chance of a fault from which an audit names it."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What there is to hope for.

    Attributes:
        found: How often a fault that is left alone now is found later, given time enough.
        slow: Steps in which most of that happens.
        close, free: Sensitivity and specificity of a close look, and of the next reports without one.
    """

    found: float
    slow: float
    close: tuple[float, float] = (0.9, 0.95)
    free: tuple[float, float] = (0.7, 0.8)

    def later(self, steps: int, earned: float) -> float:
        """What a fault that nobody has found comes to, with so many steps left."""
        share = self.found * (1.0 - exp(-steps / self.slow))
        return share * (earned + LATE * min(steps, self.slow)) + (1.0 - share) * (MISSED + LATE * steps)


OUTLOOK = Outlook(found=0.95, slow=1.0)

Valued = tuple[float, Action]


def reference(observation: Observation, rng: Rng) -> Action:
    """The act that is worth most, now and later."""
    beliefs = believed(observation)
    left = observation.oversight_budget_remaining - 1
    options = [*_now(observation, beliefs, left), *_looks(observation, beliefs, left)]
    if left == 0:
        options.append(_audit(observation, beliefs))
    return max(options, key=lambda option: option[0])[1]


def bayes_greedy(observation: Observation, rng: Rng) -> Action:
    """The act that earns most now."""
    beliefs = believed(observation)
    options = [*_now(observation, beliefs, None)]
    if observation.oversight_budget_remaining == 1:
        options.append(_audit(observation, beliefs))
    return max(options, key=lambda option: option[0])[1]


def _now(observation: Observation, beliefs: Sequence[Suspicion], left: int | None) -> Iterator[Valued]:
    """Interventions, escalations and approvals; with `left`, what a fault would come to is counted in."""
    for name, worker, belief in zip(WORKERS, observation.workers, beliefs, strict=True):
        window = observation.step_count // WINDOW
        new = all(at // WINDOW != window for at in worker.approved_at)
        again = 0.0 if left is None else IDLE
        sign = (APPROVAL if new else again) * (1.0 - belief.faulty) + MISSED * belief.faulty
        yield sign, Action(action_type=Act.APPROVE, worker_id=name)
        for done, earned, wrong in (
            (Act.INTERVENE, DETECTION, FALSE_POS),
            (Act.ESCALATE, ESCALATION, NEEDLESS_ESCALATION),
        ):
            value = _repaired(belief, left, earned, wrong)
            yield value, Action(action_type=done, worker_id=name)


def _repaired(belief: Suspicion, left: int | None, earned: float, wrong: float) -> float:
    """What taking a worker for faulty is worth."""
    value = earned * belief.fresh + wrong * (1.0 - belief.faulty)
    if left is None:
        return value
    caught = belief.faulty - belief.fresh
    return value - belief.fresh * OUTLOOK.later(left, DETECTION) - caught * OUTLOOK.later(left, 0.0)


def _looks(observation: Observation, beliefs: Sequence[Suspicion], left: int) -> Iterator[Valued]:
    """Close looks, by how much better the next act is with one than without."""
    if left == 0:
        return
    for name, worker, belief in zip(WORKERS, observation.workers, beliefs, strict=True):
        again = any(observation.step_count - at < WINDOW for at in worker.monitored_at)
        known = _informed(belief, left, OUTLOOK.close) - _informed(belief, left, OUTLOOK.free)
        yield known + (REPEAT_MON if again else 0.0), Action(action_type=Act.MONITOR, worker_id=name)


def _informed(belief: Suspicion, left: int, test: tuple[float, float]) -> float:
    """What the next act is worth on average after a test with this sensitivity and specificity."""
    sensitivity, specificity = test
    value = 0.0
    for hit, alarm in ((sensitivity, 1.0 - specificity), (1.0 - sensitivity, specificity)):
        seen = hit * belief.faulty + alarm * (1.0 - belief.faulty)
        if seen <= 0.0:
            continue
        share = hit * belief.faulty / seen
        scale = share / belief.faulty if belief.faulty else 0.0
        after = Suspicion(
            faulty=share, fresh=belief.fresh * scale, coming=0.0, fault=None, onset=0, chance=0.0
        )
        value += seen * max(APPROVAL, _repaired(after, left - 1, DETECTION, FALSE_POS))
    return value


def _audit(observation: Observation, beliefs: Sequence[Suspicion]) -> Valued:
    """The audit that names whatever is likely, and what it is worth."""
    named: list[Finding] = []
    credit, true = 0.0, sum(belief.chance for belief in beliefs)
    for worker, belief in zip(observation.workers, beliefs, strict=True):
        if belief.fault is not None and belief.chance >= SURE:
            evidence = _evidence(worker, belief.fault, belief.onset)
            named.append(Finding(worker_id=worker.worker_id, fault=belief.fault, evidence=evidence))
            credit += belief.chance * (1.0 if evidence else 0.5)
    worth = 2.0 * credit / (true + len(named)) if named else 0.0
    action = Action(action_type=Act.SUBMIT_AUDIT, worker_id=WORKERS[0], findings=tuple(named))
    return AUDIT * worth, action


def _evidence(worker: WorkerView, fault: Fault, onset: int) -> str:
    """The readings of the latest of the worker's reports that shows its fault, as far as one can tell."""
    ends = [at for at in (*worker.intervened_at, *worker.escalated_at) if at >= onset]
    stood = worker.reports[onset : min(ends, default=len(worker.reports) - 1) + 1]
    return next((report.readings for report in reversed(stood) if shows(report, fault)), "")
