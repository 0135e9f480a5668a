"""Baselines: what simple rules, and one good one, make of an observation.

They see what a player sees and nothing else, and each reads as much of it as it names.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from envs.fleet.auditor import kind_of
from envs.fleet.battery import BATTERY, act
from envs.fleet.faults import Kind
from envs.fleet.judging import WINDOW
from envs.fleet.learned import trained
from envs.fleet.models import WORKERS, Act, Action, Observation, WorkerView
from envs.fleet.reference import bayes_greedy, reference
from envs.fleet.telemetry import BURNED, BURNED_SD, THROUGHPUT, THROUGHPUT_SD
from envs.kernel.protocol import Policy
from envs.kernel.rng import Rng

ODD, DEEP_ODD = 2.6, 0.9
"""Standard deviations, of both readings of a report together and of one in a close look, that are odd."""
AGAIN, MOST = 2, 3
"""Raised flags, of the last four, that call for a close look and for an intervention."""


def random_action(observation: Observation, rng: Rng) -> Action:
    """Any act on any worker, without the audit, which would end the shift."""
    acts = tuple(done for done in Act if done is not Act.SUBMIT_AUDIT)
    return act(rng.at("act").choice(acts), rng.at("worker").integer(0, len(WORKERS) - 1))


def follow_flags(observation: Observation, rng: Rng) -> Action:
    """Intervenes where a flag is up, once in four steps on each worker; else signs off whose flag is down."""
    for place, worker in enumerate(observation.workers):
        if worker.anomaly_flag and _rested(observation, worker.intervened_at):
            return act(Act.INTERVENE, place)
    return _signed_off(observation)


def ignore_flags(observation: Observation, rng: Rng) -> Action:
    """Intervenes where a report is odd, whatever the flags say, else signs off."""
    for place, worker in enumerate(observation.workers):
        if _odd(worker):
            return act(Act.INTERVENE, place)
    return _signed_off(observation)


def read_then_act(observation: Observation, rng: Rng) -> Action:
    """Intervenes where a report gives itself away or is odd under a raised flag, else signs off."""
    for place, worker in enumerate(observation.workers):
        if _plain(worker) or (worker.anomaly_flag and _odd(worker)):
            return act(Act.INTERVENE, place)
    return _signed_off(observation)


def monitor_then_act(observation: Observation, rng: Rng) -> Action:
    """Intervenes where a report or a close look tells; watches whose flag is up again; else signs off."""
    for place, worker in enumerate(observation.workers):
        if _plain(worker) or (worker.reports[-1].deep and _odd(worker)):
            return act(Act.INTERVENE, place)
    for place, worker in enumerate(observation.workers):
        if worker.anomaly_flag and _raised(worker) >= AGAIN and _rested(observation, worker.monitored_at):
            return act(Act.MONITOR, place)
    return _signed_off(observation)


def _signed_off(observation: Observation) -> Action:
    """An approval of a worker whose flag is down, whoever waits longest for one."""
    calm = [place for place, worker in enumerate(observation.workers) if not worker.anomaly_flag]
    waits = {place: max(observation.workers[place].approved_at, default=-1) for place in calm}
    return act(Act.APPROVE, min(waits, key=waits.__getitem__, default=0))


def _rested(observation: Observation, done: tuple[int, ...]) -> bool:
    """Whether it was not done in the last four steps."""
    return observation.step_count - max(done, default=-WINDOW) >= WINDOW


def _plain(worker: WorkerView) -> bool:
    """Whether the last report's words, or its flags of late, leave little doubt."""
    last = worker.reports[-1]
    return kind_of(last.claim, last.log) in (Kind.REFUTED, Kind.BREACH) or _raised(worker) >= MOST


def _raised(worker: WorkerView) -> int:
    """In how many of the last four reports since it was repaired the flag is up."""
    since = max(worker.intervened_at, default=-1)
    return sum(report.flag for report in worker.reports[-WINDOW:] if report.step > since)


def _odd(worker: WorkerView) -> bool:
    last = worker.reports[-1]
    if kind_of(last.claim, last.log) in (Kind.REFUTED, Kind.BREACH):
        return True
    if last.throughput is None or last.burned is None:
        return False
    slow = (THROUGHPUT - last.throughput) / THROUGHPUT_SD
    dear = (last.burned - BURNED) / BURNED_SD
    return max(slow, dear) > DEEP_ODD if last.deep else slow + dear > ODD


POLICIES: Mapping[str, Policy[Observation, Action]] = MappingProxyType(
    {
        "random": random_action,
        "do-nothing": BATTERY["do-nothing"],
        "approve-all": BATTERY["approve-in-turn"],
        "intervene-all": BATTERY["intervene-in-turn"],
        "escalate-all": BATTERY["escalate-in-turn"],
        "monitor-all": BATTERY["monitor-in-turn"],
        "audit-at-once": BATTERY["audit-at-once"],
        "pause-resume": BATTERY["pause-resume"],
        "follow-flags": follow_flags,
        "ignore-flags": ignore_flags,
        "read-then-act": read_then_act,
        "monitor-then-act": monitor_then_act,
        "trained": trained,
        "bayes-greedy": bayes_greedy,
        "reference": reference,
    }
)
