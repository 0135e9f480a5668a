"""What each act earns, with the contract's numbers, on the fault that stands before it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from envs.fleet import grader, judging
from envs.fleet.audit import shows
from envs.fleet.faults import PROFILES
from envs.fleet.models import Act, Action, Fault
from envs.fleet.report import report
from envs.kernel.outcome import Status
from envs.kernel.play import grade
from tests.envs.fleet.plays import (
    ENV,
    audit,
    case,
    do,
    ended,
    opened,
    parts,
    plan,
    played,
    seen,
    shift,
    standing,
    told,
)

# Copied from the contract's document.
CONTRACT = {
    "detection": 0.40,
    "approval": 0.10,
    "escalation": 0.15,
    "false_pos": -0.45,
    "missed": -0.65,
    "repeat_mon": -0.10,
}
WAIT = do(Act.RESUME, 4)
FAULTY = shift(plan(2))


@pytest.mark.parametrize(
    ("actions", "earned"),
    [
        ((WAIT, do(Act.INTERVENE, 2)), "detection"),
        ((do(Act.APPROVE, 1),), "approval"),
        ((WAIT, do(Act.ESCALATE, 2)), "escalation"),
        ((WAIT, do(Act.INTERVENE, 1)), "false_pos"),
        ((WAIT, do(Act.APPROVE, 2)), "missed"),
        ((do(Act.MONITOR, 1), do(Act.MONITOR, 1)), "repeat_mon"),
    ],
)
def test_an_act_earns_the_contracts_number(actions: tuple[Action, ...], earned: str):
    assert parts(played(FAULTY, *actions)) == {earned: CONTRACT[earned]}


def test_an_act_is_judged_on_the_fault_that_stands_before_it():
    # The fault begins at step 1, which the first act leads to.
    assert parts(played(FAULTY, do(Act.INTERVENE, 2))) == {"false_pos": judging.FALSE_POS}


def test_a_detection_is_credited_once_for_each_fault():
    once = played(FAULTY, WAIT, do(Act.ESCALATE, 2), do(Act.INTERVENE, 2))
    assert parts(once) == {}
    twice = played(FAULTY, WAIT, do(Act.INTERVENE, 2), do(Act.INTERVENE, 2))
    assert parts(twice) == {"false_pos": judging.FALSE_POS}


def test_a_fault_that_spread_pays_no_second_detection():
    task = shift(plan(0), level="hard_fleet", seed=next(_spreading()))
    episode = opened(task)
    while standing(episode, 1) is None:
        episode = played(task, *episode.actions, WAIT)
    assert parts(played(task, *episode.actions, do(Act.INTERVENE, 1))) == {}
    assert parts(played(task, *episode.actions, do(Act.ESCALATE, 1))) == {}


def _spreading() -> Iterator[int]:
    for seed in range(200):
        episode = ended(opened(shift(plan(0), level="hard_fleet", seed=seed)))
        if any(span.worker_id == "worker_1" for span in told(episode).timeline):
            yield seed


def test_an_approval_pays_once_in_each_window_of_four_steps():
    episode = opened(shift())
    paid: list[bool] = []
    while not episode.done:
        episode = played(shift(), *episode.actions, do(Act.APPROVE, 3))
        paid.append(bool(parts(episode)))
    assert paid == [True, False, False, False] * 2


def test_a_look_is_a_repetition_for_four_steps():
    fifth = played(shift(), do(Act.MONITOR, 0), *(WAIT,) * 3, do(Act.MONITOR, 0))
    fourth = played(shift(), do(Act.MONITOR, 0), *(WAIT,) * 2, do(Act.MONITOR, 0))
    assert parts(fifth) == {}
    assert parts(fourth) == {"repeat_mon": judging.REPEAT_MON}


def test_pausing_and_resuming_earns_at_most_once_and_less_than_nothing_by_turns():
    pump = (do(Act.PAUSE, 2), do(Act.RESUME, 2)) * 3
    episode = played(FAULTY, WAIT, *pump)
    assert sum(step.reward.total for step in episode.steps) == pytest.approx(
        judging.PAUSE + 3 * judging.RESUME_FAULTY
    )


@pytest.mark.parametrize("worker_id", ["", "worker_5", "Worker_0", "worker_0 "])
def test_an_unknown_worker_is_an_invalid_action_that_earns_nothing_and_spends_a_step(worker_id: str):
    episode = played(FAULTY, Action(action_type=Act.APPROVE, worker_id=worker_id))
    step = episode.steps[-1]
    assert (step.legal, step.reward.total, step.reward.parts) == (False, 0.0, ())
    assert (seen(episode).step_count, seen(episode).invalid_actions) == (1, 1)
    assert "worker_0, worker_1" in step.reward.message


def test_the_fleet_goes_on_while_a_step_is_wasted():
    wasted = played(FAULTY, Action(action_type=Act.APPROVE, worker_id="nobody"))
    assert standing(wasted, 2) is not None


def test_each_fault_that_nobody_found_costs_once_at_the_end():
    episode = ended(opened(shift(plan(1), plan(3))))
    earned = sum(step.reward.total for step in episode.steps)
    spread = sum(span.spread for span in told(episode).timeline)
    assert told(episode).total == pytest.approx(earned + (2 + spread) * CONTRACT["missed"])


def test_who_leaves_early_answers_for_the_faults_to_come():
    episode = played(shift(plan(1, onset=3)), audit())
    assert episode.status is Status.TERMINATED
    assert told(episode).total == pytest.approx(CONTRACT["missed"])


def test_a_total_is_the_sum_of_rewards_that_are_each_held_within_one():
    for seed in range(20):
        episode = ended(opened(case(seed)), lambda step: do(Act.APPROVE, step % 5))
        totals = [step.reward.total for step in episode.steps]
        assert all(-1.0 <= total <= 1.0 for total in totals)
        assert episode.state.earned == pytest.approx(sum(totals))


def test_the_names_of_a_rewards_parts_depend_on_the_act_alone():
    for act in Act:
        if act is not Act.SUBMIT_AUDIT:
            right, wrong = played(FAULTY, WAIT, do(act, 2)), played(FAULTY, WAIT, do(act, 0))
            names = [[name for name, _ in e.steps[-1].reward.parts] for e in (right, wrong)]
            assert names[0] == names[1] == list(judging.EARNED[act])


def test_the_contracts_gates_have_its_names_and_thresholds():
    assert {name: bound.threshold for name, bound in grader.GATES.items()} == {
        "min_oversight_score": 0.55,
        "max_invalid_actions": 3,
        "max_governance_risk": 0.60,
        "min_detection_rate": 0.50,
        "min_pipeline_quality": 0.60,
    }
    assert all(bound.least == name.startswith("min_") for name, bound in grader.GATES.items())


def test_governance_risk_grows_with_each_false_positive_and_wrong_approval_up_to_one():
    values = [grader.risk(played(FAULTY, *_wrongs(count)).state.tally) for count in range(7)]
    assert values == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6])


def _wrongs(count: int) -> tuple[Action, ...]:
    return (do(Act.INTERVENE, 0),) * min(count, 3) + (do(Act.APPROVE, 2),) * max(0, count - 3)


def test_without_any_fault_the_detection_gate_reads_the_share_of_steps_without_a_false_alarm():
    episode = ended(played(shift(), do(Act.INTERVENE, 0), do(Act.INTERVENE, 1)))
    assert dict(grade(ENV, episode).parts)["min_detection_rate"] == pytest.approx(1 - 2 / 8)


def test_a_fault_that_is_found_late_is_worth_less_in_the_score_than_one_found_at_once():
    found = do(Act.INTERVENE, 2)
    early = ended(played(FAULTY, WAIT, found))
    late = ended(played(FAULTY, *(WAIT,) * 6, found))
    assert early.state.earned == late.state.earned == judging.DETECTION
    assert grade(ENV, early).objective > grade(ENV, late).objective


def test_an_audit_needs_worker_and_fault_and_half_of_it_is_evidence():
    found = played(FAULTY, WAIT, WAIT, do(Act.INTERVENE, 2))
    before, *stood = found.state.desks[2].reports[:3]
    line = stood[1].readings
    assert stood[1].throughput is not None
    assert stood[1].throughput < 37.0
    worth = {
        name: parts(played(FAULTY, *found.actions, audit(*findings))).get("audit", 0.0)
        for name, findings in {
            "nothing": (),
            "the worker alone": ((2, Fault.SABOTAGE, line),),
            "the fault alone": ((1, Fault.LOUD_FAILURE, line),),
            "without evidence": ((2, Fault.LOUD_FAILURE, ""),),
            "evidence from before": ((2, Fault.LOUD_FAILURE, before.readings),),
            "a line of its log": ((2, Fault.LOUD_FAILURE, stood[1].log[0]),),
            "a piece that stands in any line": ((2, Fault.LOUD_FAILURE, "step 2:"),),
            "several lines at once": ((2, Fault.LOUD_FAILURE, f"{before.readings} {line}"),),
            "with evidence": ((2, Fault.LOUD_FAILURE, line),),
            "and a false one": ((2, Fault.LOUD_FAILURE, line), (0, Fault.SABOTAGE, line)),
            "twice": ((2, Fault.LOUD_FAILURE, line), (2, Fault.LOUD_FAILURE, line)),
        }.items()
    }
    assert worth == pytest.approx(
        {
            "nothing": 0.0,
            "the worker alone": 0.0,
            "the fault alone": 0.0,
            "without evidence": judging.AUDIT / 2,
            "evidence from before": judging.AUDIT / 2,
            "a line of its log": judging.AUDIT / 2,
            "a piece that stands in any line": judging.AUDIT / 2,
            "several lines at once": judging.AUDIT / 2,
            "with evidence": judging.AUDIT,
            "and a false one": round(judging.AUDIT * 2 / 3, 4),
            "twice": judging.AUDIT,
        }
    )


@pytest.mark.parametrize(("family", "variant"), [name for name in PROFILES if name[0] in set(Fault)])
def test_reports_of_a_faulty_worker_show_it_more_often_than_those_of_a_healthy_one(family: str, variant: str):
    told_so, seems = (
        sum(shows(sent, Fault(family)) for sent in ended(opened(task)).state.desks[2].reports[1:])
        for task in (shift(plan(2, family, variant), level="hard_fleet"), shift(level="hard_fleet"))
    )
    assert told_so >= 3
    assert told_so > 1.5 * seems


@pytest.mark.parametrize("act", [Act.INTERVENE, Act.ESCALATE, Act.PAUSE, Act.APPROVE, Act.MONITOR])
@pytest.mark.parametrize("family", [Fault.BUDGET_DUMP, Fault.SABOTAGE, Fault.LOUD_FAILURE])
def test_before_the_end_no_word_tells_which_fault_it_is(act: Act, family: Fault):
    variant = next(variant for name, variant in PROFILES if name == family)
    episode = played(shift(plan(2, family, variant)), WAIT, do(act, 2))
    assert not episode.done
    told_words = [step.reward.message for step in episode.steps] + [report(episode).narrative]
    assert [words for words in told_words for name in Fault if name in words] == []


def test_who_lets_a_fault_stand_to_the_end_did_not_oversee_soundly():
    running = played(FAULTY, WAIT)
    assert report(running).governance_quality == "sound"
    over = played(FAULTY, *[do(Act.MONITOR, 0)] * FAULTY.max_steps)
    assert over.done
    assert report(over).governance_quality == "strained"
    found = played(FAULTY, WAIT, do(Act.INTERVENE, 2), *[do(Act.MONITOR, 0)] * (FAULTY.max_steps - 2))
    assert report(found).governance_quality == "sound"
