"""What was measured of the public version of this contract, each as a law that holds here."""

from __future__ import annotations

import pytest

from envs.ledgershield import rewards
from envs.ledgershield.actions import ActionType
from envs.ledgershield.inference.belief import posterior
from envs.ledgershield.inference.hypotheses import CHANCES, Decision, Hypothesis, Scenario
from envs.ledgershield.inference.tables import Evidence, Finding, Tables, nominal
from envs.ledgershield.models import LEVELS, Family
from tests.envs.ledgershield.plays import REQUESTS, case, curated, do, graded, opened, played, seen, submit

UNIFORM = {hypothesis.value: 1 / len(Hypothesis) for hypothesis in Hypothesis}


def _stated(hypothesis: Hypothesis) -> dict[str, float]:
    return {own.value: float(own is hypothesis) for own in Hypothesis}


# There the log score is inverted: a confident wrong answer scores best.
@pytest.mark.parametrize("family", [Family.B, Family.C, Family.D])
def test_confidently_wrong_scores_below_uniform_and_uniform_below_confidently_right(family: Family):
    for seed in range(12):
        task = case(seed, family=family)
        true = task.truth.hypothesis
        wrong = Hypothesis.SAFE if true is not Hypothesis.SAFE else Hypothesis.CEO_BEC
        scores = [
            graded(played(task, submit(Decision.HOLD, predicted_probabilities=stated))).score
            for stated in (_stated(wrong), UNIFORM, _stated(true))
        ]
        assert scores == sorted(set(scores))


# There one clue decides every case.
@pytest.mark.parametrize("level", LEVELS)
def test_who_knows_one_tools_finding_alone_still_decides_a_fifth_of_the_cases_wrongly(level: str):
    tables = nominal(level)
    for evidence in Evidence:
        right = sum(_seen(tables, evidence, finding) for finding in Finding)
        assert right <= 0.8


def _seen(tables: Tables, evidence: Evidence, finding: Finding) -> float:
    """Probability that the tool shows this and the likeliest decision is then right."""
    chances = CHANCES.items()
    likely = sum(chance * tables.likelihood(evidence, finding, scenario) for scenario, chance in chances)
    return likely * max(posterior(tables, {evidence: finding}).decisions().values())


@pytest.mark.parametrize("level", LEVELS)
def test_every_finding_of_every_tool_can_occur_whatever_is_behind_the_case(level: str):
    tables = nominal(level)
    assert all(
        tables.likelihood(evidence, finding, scenario) > 0.0
        for evidence in Evidence
        for finding in Finding
        for scenario in Scenario
    )


# There asking for a check counts as its answer.
@pytest.mark.parametrize("kind", REQUESTS)
def test_a_request_is_no_evidence_until_it_is_answered(kind: ActionType):
    task = curated("D-001")
    asked = played(task, do(kind))
    assert asked.state.findings == {}
    assert asked.state.revealed == ()
    assert asked.state.belief == opened(task).state.belief
    assert asked.state.milestones == ()
    parts = dict(asked.steps[-1].reward.parts)
    assert parts[rewards.INFORMATION] == parts[rewards.MILESTONES] == 0.0


def test_deciding_before_the_answers_arrive_earns_nothing_for_having_asked():
    task = curated("D-001", "blind")
    mark, others = ActionType.REQUEST_CALLBACK_VERIFICATION, [do(ActionType.LOOKUP_POLICY)] * 2
    decide = submit(Decision.ESCALATE_FRAUD)
    hasty, patient = (
        dict(graded(played(task, *actions)).parts)
        for actions in ((*others, do(mark), decide), (do(mark), *others, decide))
    )
    assert (hasty["callback"], hasty["resolution"], hasty["investigation"]) == (0.0, 0.0, 0.0)
    assert (patient["callback"], patient["resolution"], patient["investigation"]) == (1.0, 1.0, 0.25)


# There a field of the case's metadata names the answer.
def test_all_cases_of_a_family_say_the_same_around_them():
    for family in Family:
        around = {
            (
                observation.task_type,
                observation.instruction,
                observation.budget_total,
                observation.max_steps,
                len(observation.visible_documents),
                observation.case_metadata.task_label,
                observation.case_metadata.ashtg,
                len(observation.case_id),
                len(observation.case_metadata.thread_id),
                observation.risk_snapshot,
                observation.allowed_actions,
            )
            for observation in (seen(opened(case(seed, family=family))) for seed in range(10))
        }
        assert len(around) == 1


def test_every_family_holds_cases_of_different_right_decisions():
    for family in Family:
        if family is not Family.A:
            assert {case(seed, family=family).truth.decision for seed in range(80)} == set(Decision)


# There /state tells a blind player what the observation leaves out; the routes' tests ask it over HTTP.
def test_the_blind_track_shows_and_pays_nothing_that_comes_from_the_belief_or_the_machine():
    told = {"sprt_state", "tool_rankings", "reward_machine"}
    paid = {rewards.INFORMATION, rewards.SHAPING, rewards.MACHINE, "voi_reward"}
    for track in ("blind", "instrumented"):
        task = curated("D-001", track)
        episode = played(task, do(ActionType.LOOKUP_POLICY), do("nonsense"), submit(Decision.HOLD))
        for count in range(len(episode.steps) + 1):
            moment = seen(episode.until(count)).model_dump(mode="json")
            assert all((moment[name] is None) is (track == "blind") for name in told)
            if count:
                components = set(moment["last_tool_result"]["reward_model"]["components"])
                assert bool(components & paid) is (track == "instrumented")
