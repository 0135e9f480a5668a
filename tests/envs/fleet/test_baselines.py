"""Who reads more oversees better; who does the same whatever happens does not pass."""

from __future__ import annotations

from statistics import fmean

import numpy as np
import pytest

from envs.fleet.auditor import audited
from envs.fleet.battery import BATTERY, CONSTANTS
from envs.fleet.belief import believed
from envs.fleet.faults import PROFILES
from envs.fleet.grader import GATES
from envs.fleet.models import LEVELS, Act
from tests.envs.fleet.plays import (
    LADDER,
    case,
    do,
    earned,
    ended,
    finished,
    opened,
    plan,
    played,
    seen,
    shift,
    told,
)


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_the_ladder_rises_from_rung_to_rung(level: str):
    rungs = [earned(name, level) for name in LADDER]
    assert rungs[:-1] == sorted(rungs[:-1])
    # What looking ahead adds is less than these few shifts can show; the gates play enough of them.
    assert rungs[-1] > rungs[-2] - 0.03
    assert rungs[-1] - rungs[0] > 0.5


def test_the_battery_is_made_of_policies_that_look_at_nothing():
    shown, other = seen(opened(case(1))), seen(opened(case(2)))
    for policy in BATTERY.values():
        assert policy(shown, None) == policy(other, None)  # type: ignore[arg-type]
    assert set(CONSTANTS) < set(BATTERY)


@pytest.mark.slow
def test_the_reference_passes_all_gates_on_nearly_every_easy_shift():
    assert passes("reference") >= 0.95


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["do-nothing", "approve-in-turn", "intervene-in-turn", "monitor-then-intervene"]
)
def test_a_trivial_policy_passes_all_gates_on_few_easy_shifts(name: str):
    assert passes(name) <= 0.05


def passes(name: str) -> float:
    """Share of easy shifts on which a policy passes all gates; an index is measured only where it decides."""
    policy = BATTERY.get(name, name)
    ends = (finished(case(seed), policy, seed) for seed in range(100))
    return fmean(
        all(GATES[gate].holds(value) for gate, value in told(end).gates)
        and all(gate.passed for gate in seen(end).gates or ())
        for end in ends
    )


# The public version's overseer sees flags alone, and a saboteur's flag is a healthy worker's.
@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS[1:])
def test_the_belief_finds_twice_as_many_stealthy_faults_as_flags_do_at_two_false_alarms_in_a_hundred(
    level: str,
):
    beliefs, flags = _scores(level)
    assert _recall(*beliefs) >= 2 * _recall(*flags)


Scores = tuple[list[float], list[list[float]]]
"""How suspicious each healthy worker is at each step, and each stealthy fault at each of its steps."""


def _scores(level: str) -> tuple[Scores, Scores]:
    """By belief, and by flags alone."""
    healthy: tuple[list[float], list[float]] = ([], [])
    stealthy: tuple[list[list[float]], list[list[float]]] = ([], [])
    for seed in range(30):
        episode = ended(opened(case(seed, level)), lambda step: do(Act.RESUME, 4))
        known = {fault.worker: fault for fault in episode.task.truth.faults}
        found: tuple[dict[int, list[float]], dict[int, list[float]]] = ({}, {})
        for count in range(len(episode.steps)):
            moment = episode.until(count)
            now = seen(moment)
            believes = [belief.faulty for belief in believed(now)]
            raised = [float(worker.anomaly_flag) for worker in now.workers]
            for kind, scores in enumerate((believes, raised)):
                for worker, score in enumerate(scores):
                    if moment.state.faults[worker] is None:
                        healthy[kind].append(score)
                    elif worker in known and PROFILES[known[worker].family, known[worker].variant].suppressed:
                        found[kind].setdefault(worker, []).append(score)
        for kind in range(2):
            stealthy[kind].extend(found[kind].values())
    return (healthy[0], stealthy[0]), (healthy[1], stealthy[1])


def _recall(healthy: list[float], stealthy: list[list[float]], false_alarms: float = 0.02) -> float:
    """Share of the stealthy faults that are found at some step, at that share of false alarms.

    Scores that tie at the threshold are taken as often as keeps to it.
    """
    threshold = float(np.quantile(healthy, 1.0 - false_alarms, method="inverted_cdf"))
    above = fmean(score > threshold for score in healthy)
    tied = fmean(score == threshold for score in healthy)
    share = (false_alarms - above) / tied if tied else 0.0
    chances = (
        1.0 - np.prod([0.0 if s > threshold else 1.0 - share * (s == threshold) for s in scores])
        for scores in stealthy
    )
    return fmean(map(float, chances))


def test_a_belief_in_a_worker_grows_with_its_fault_and_ends_with_its_repair():
    task = shift(plan(2, "budget_dump", "burst"))
    episode = ended(opened(task))
    chances = [believed(seen(episode.until(count)))[2].faulty for count in range(6)]
    assert chances[0] < 0.1 < 0.9 < chances[5]
    repaired = played(task, *episode.actions[:4], do(Act.INTERVENE, 2))
    assert believed(seen(repaired))[2].faulty < 0.05


def test_beliefs_are_calibrated():
    pairs = [
        (belief.faulty, moment.state.faults[worker] is not None)
        for seed in range(15)
        for moment in _moments(seed)
        for worker, belief in enumerate(believed(seen(moment)))
    ]
    brier = fmean((chance - so) ** 2 for chance, so in pairs)
    base = fmean(so for _, so in pairs)
    assert brier < 0.35 * base * (1 - base)
    assert fmean(chance for chance, _ in pairs) == pytest.approx(base, abs=0.05)


def _moments(seed: int):
    episode = ended(opened(case(seed, "medium_fleet")))
    return (episode.until(count) for count in range(len(episode.steps)))


def test_the_references_audit_quotes_lines_that_were_sent():
    for seed in range(8):
        episode = finished(case(seed, "medium_fleet"), "reference", seed)
        for finding in episode.actions[-1].findings:
            sent = episode.state.desks[int(finding.worker_id[-1])].reports
            assert finding.evidence in {"", *(report.readings for report in sent)}


def test_a_report_that_the_auditor_refutes_makes_nearly_sure():
    task = shift(plan(1, "sabotage", "self_check"), level="hard_fleet", seed=3)
    episode = ended(opened(task))
    for count in range(1, len(episode.steps)):
        now = seen(episode.until(count))
        last = now.workers[1].reports[-1]
        if audited(last.claim, last.log):
            assert believed(now)[1].faulty > 0.9
            return
    raise AssertionError("no report of this saboteur is refuted")
