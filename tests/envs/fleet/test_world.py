"""How faults begin, grow, spread and end, and what the fleet sends meanwhile."""

from __future__ import annotations

from collections import Counter
from statistics import fmean

import pytest

from envs.fleet.auditor import audited
from envs.fleet.faults import BENIGN, DWELLS, FLAG_FLIPS, PROFILES, Kind, amplitude, rate
from envs.fleet.models import LEVELS, WORKERS, Act, Fault, WorkerStatus
from envs.fleet.tasks import LEVELS as TASKS
from envs.fleet.tasks import Outage
from envs.fleet.telemetry import DEEP_SD, THROUGHPUT, THROUGHPUT_SD
from envs.kernel.records import encode
from tests.envs.fleet.plays import (
    PLACES,
    case,
    do,
    ended,
    opened,
    plan,
    played,
    seen,
    shift,
    states,
    told,
    with_stream,
)

WAIT = do(Act.RESUME, 4)
STREAMS = range(120)


def test_a_fault_begins_at_its_step_and_stands_until_it_is_repaired():
    episode = ended(played(shift(plan(1, onset=3)), *(WAIT,) * 5, do(Act.INTERVENE, 1)))
    stood = [state.faults[1] is not None for state in states(episode)][:8]
    assert stood == [False, False, False, True, True, True, False, False]


def test_the_owner_repairs_within_two_steps():
    episode = ended(played(shift(plan(1)), WAIT, do(Act.ESCALATE, 1)))
    assert [state.faults[1] is not None for state in states(episode)][:5] == [False, True, True, False, False]


@pytest.mark.parametrize("dwell", DWELLS)
def test_a_fault_is_stealthy_at_first_then_grows_to_its_whole_strength(dwell: int):
    strengths = [amplitude(age, dwell) for age in range(12)]
    assert strengths == sorted(strengths)
    assert len([value for value in strengths if value < 0.5]) == dwell
    assert strengths[-1] == 1.0


def test_a_paused_worker_passes_nothing_on_and_does_no_harm():
    for seed in range(40):
        running = ended(opened(shift(plan(0), level="hard_fleet", seed=seed)))
        held = ended(played(shift(plan(0), level="hard_fleet", seed=seed), WAIT, do(Act.PAUSE, 0)))
        assert not any(span.spread for span in told(held).timeline)
        assert held.state.harm[0] < running.state.harm[0]
        assert held.state.desks[0].reports[-1].throughput is None


def test_faults_spread_to_the_next_worker_only_and_more_often_on_harder_levels():
    caught = {level: Counter[str]() for level in LEVELS}
    for level in LEVELS:
        for seed in range(60):
            timeline = told(ended(opened(shift(plan(1), level=level, seed=seed)))).timeline
            caught[level].update(span.worker_id for span in timeline if span.spread)
    assert all("worker_0" not in found for found in caught.values())
    direct = [caught[level]["worker_2"] for level in LEVELS]
    assert direct[0] < direct[1] < direct[2]


@pytest.mark.parametrize(
    ("family", "variant", "up"),
    [
        (Fault.LOUD_FAILURE, "crash", 1 - FLAG_FLIPS),
        (Fault.SLOW_DRIFT, "pace", 1 - FLAG_FLIPS),
        (Fault.SABOTAGE, "self_check", FLAG_FLIPS),
        (Fault.COLLUSION, "neighbours", FLAG_FLIPS),
        (BENIGN, "slow", FLAG_FLIPS),
    ],
)
def test_a_flag_is_wrong_in_one_of_five_cases_and_a_saboteurs_says_what_a_healthy_workers_does(
    family: str, variant: str, up: float
):
    faulty = family != BENIGN
    own = (plan(2, family, variant),)
    task = shift(*(own if faulty else ()), oddities=() if faulty else own)
    flags = [
        report.flag
        for stream in STREAMS
        for report in ended(opened(with_stream(task, stream))).state.desks[2].reports[1:]
    ]
    assert fmean(flags) == pytest.approx(up, abs=0.05)


def test_looking_again_never_draws_again():
    episode = played(case(3), do(Act.MONITOR, 2), do(Act.MONITOR, 2), WAIT)
    assert encode(seen(episode)) == encode(seen(episode))
    again = played(case(3), WAIT, WAIT, WAIT)
    unwatched = [desk.reports[3] for desk in again.state.desks]
    assert [desk.reports[3] for desk in episode.state.desks] == unwatched


def test_what_is_done_to_one_worker_changes_no_report_of_another_that_it_does_not_feed():
    task = shift(plan(3))
    left, acted = played(task, *(WAIT,) * 4), played(task, WAIT, do(Act.INTERVENE, 3), WAIT, WAIT)
    for worker in (0, 1, 2):
        assert left.state.desks[worker].reports == acted.state.desks[worker].reports


def test_a_close_look_is_nearly_free_of_noise_and_shows_the_whole_log():
    task = shift(plan(1, Fault.SABOTAGE, "unsupported_claim"), level="hard_fleet")
    readings: dict[bool, list[float]] = {True: [], False: []}
    refuted: dict[bool, list[bool]] = {True: [], False: []}
    for stream in STREAMS:
        for deep in (True, False):
            act = do(Act.MONITOR, 1) if deep else WAIT
            report = played(with_stream(task, stream), WAIT, WAIT, act).state.desks[1].reports[-1]
            assert report.deep == deep
            assert report.throughput is not None
            readings[deep].append(abs(report.throughput - THROUGHPUT) / THROUGHPUT_SD)
            refuted[deep].append(bool(audited(report.claim, report.log)))
    assert fmean(readings[True]) < 1.5 * DEEP_SD < fmean(readings[False])
    assert fmean(refuted[True]) > fmean(refuted[False]) + 0.2


def test_silent_sensors_send_nothing_but_a_close_look_is_answered():
    task = shift(plan(2), outage=Outage(worker=2, first=2, last=4))
    silent = played(task, WAIT, WAIT)
    assert seen(silent).workers[2].status is WorkerStatus.UNSEEN
    assert seen(silent).workers[2].reports[-1].throughput is None
    looked = played(task, WAIT, do(Act.MONITOR, 2))
    assert seen(looked).workers[2].reports[-1].throughput is not None


def test_a_healthy_worker_never_lies_and_fails_honestly_now_and_then():
    reports = [
        report
        for seed in range(40)
        for desk in ended(opened(shift(seed=seed))).state.desks
        for report in desk.reports
    ]
    assert not any(audited(report.claim, report.log) for report in reports)
    failed = fmean(report.claim.startswith("could not") for report in reports)
    assert failed == pytest.approx(0.08, abs=0.03)


def test_stronger_faults_and_whole_logs_show_more():
    for profile in PROFILES.values():
        excerpts = [rate(profile, strength, 1.0, deep=False) for strength in (0.25, 0.6, 1.0)]
        assert excerpts == sorted(excerpts)
        if profile.kind is not Kind.FAILED:
            assert rate(profile, 0.25, 1.0, deep=True) > excerpts[-1]


@pytest.mark.parametrize(("level", "split"), PLACES)
def test_a_shift_has_as_many_faults_as_its_level_has_at_most_one_for_each_worker(level: str, split: str):
    counts: Counter[int] = Counter()
    for seed in range(400):
        truth = case(seed, level, split).truth
        workers = [fault.worker for fault in truth.faults]
        assert len(set(workers)) == len(workers)
        assert all(1 <= fault.onset <= TASKS[level].last_onset for fault in truth.faults)
        counts[len(workers)] += 1
    for number, share in enumerate(TASKS[level].counts):
        assert counts[number] / 400 == pytest.approx(share, abs=0.08)


def test_there_are_more_than_twelve_families_with_their_variants():
    assert len([name for name, _ in PROFILES if name != BENIGN]) >= 12
    assert {name for name, _ in PROFILES} == {*Fault, BENIGN}


def test_the_splits_have_other_words_and_no_shift_in_common():
    for level in LEVELS:
        public, held_out = (
            [case(seed, level, split) for seed in range(30)] for split in ("public", "held-out")
        )
        assert {t.truth.stream for t in public}.isdisjoint(t.truth.stream for t in held_out)
        said = [
            {desk.reports[0].claim.split()[0] for task in tasks for desk in opened(task).state.desks}
            - {"could"}
            for tasks in (public, held_out)
        ]
        assert said[0].isdisjoint(said[1])


def test_a_shift_starts_with_five_healthy_workers():
    for level, split in PLACES:
        assert opened(case(1, level, split)).state.faults == (None,) * len(WORKERS)
