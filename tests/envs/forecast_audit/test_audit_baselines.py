"""Who reads more loses less: the ladder of baselines, the battery below it, and the pairs between them."""

from __future__ import annotations

import subprocess
import sys
from statistics import fmean

import pytest

from envs.forecast_audit.audit import generator
from envs.forecast_audit.audit.cases import Family
from envs.forecast_audit.battery import BATTERY, CONSTANTS
from envs.forecast_audit.models import Action, Operation
from envs.forecast_audit.reading import broken, read
from tests.envs.forecast_audit.audit_answers import case, finished, opened, oracle, played, score, seen

SEEDS = range(9000, 9024)


def mean_score(policy: str, level: str = "easy") -> float:
    return fmean(score(finished(case(seed, level), policy, seed)) for seed in SEEDS)


def test_the_ladder_rises_from_rung_to_rung():
    rungs = [mean_score(name) for name in ("random", "accept-all", "curve-only", "reference")]
    assert rungs == sorted(rungs)
    assert rungs[-1] - rungs[1] > 0.3


def test_knowing_the_truth_beats_the_reference():
    truth = fmean(score(played(task, *oracle(task))) for task in [case(seed, "hard") for seed in SEEDS])
    assert truth == pytest.approx(1.0, abs=1e-3)
    assert mean_score("reference", "hard") < truth


@pytest.mark.parametrize("name", BATTERY)
def test_a_trivial_policy_plays_on_and_stays_far_below_the_reference(name: str):
    scores = [score(finished(case(seed, "easy"), BATTERY[name], seed)) for seed in SEEDS]
    assert fmean(scores) < 0.7


def test_the_battery_holds_every_constant_the_fills_and_the_repeater():
    assert len(CONSTANTS) == 5 * 3 * 2
    assert len(BATTERY) == len(CONSTANTS) + 9 + 1
    assert set(CONSTANTS) < set(BATTERY)


def _right(task, policy: str) -> bool:
    """Whether a policy calls a report sound or faulty as it is, and ends it so."""
    last = finished(task, policy).actions[-1]
    return (last.operation is Operation.ACCEPT) == (task.truth.operation is Operation.ACCEPT)


def test_the_curve_alone_does_not_decide_a_pair_and_the_whole_evidence_does():
    twins = list(generator.pairs("easy", "public", range(9000, 9060)))
    curve = [_right(task, "curve-only") for pair in twins for task in pair]
    whole = [_right(task, "reference") for pair in twins for task in pair]
    assert len(twins) > 8
    assert fmean(curve) <= 0.55
    assert fmean(whole) >= 0.9


def test_reading_finds_the_broken_constraints_and_the_explanation_of_a_shock():
    for level in ("easy", "hard"):
        for seed in SEEDS:
            task = case(seed, level)
            assert broken(seen(opened(task)), task.values) == task.truth.violated
            if task.truth.family is Family.LEGITIMATE_SHOCK:
                assert read(seen(opened(task))).claims


def test_no_baseline_imports_statsmodels():
    asked = "import sys, envs.catalog; sys.exit('statsmodels' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", asked], check=False).returncode == 0


def test_what_was_done_is_read_back_from_the_note():
    task = case(1, "hard")
    done = played(task, Action(operation=Operation.FLAG_ANOMALY, target_index=7))
    assert read(seen(done)).marks == (7,)
    assert read(seen(done)).done == (Operation.FLAG_ANOMALY,)
