"""Baselines play by what they see; who reads and reasons more earns more, and reflexes earn nothing."""

from __future__ import annotations

import math
from functools import cache
from statistics import fmean

import pytest

from envs.kernel.play import play
from envs.kernel.protocol import Policy
from envs.kernel.rng import Rng
from envs.ledgershield import paper
from envs.ledgershield.actions import ActionType
from envs.ledgershield.artifacts import Callback, Reading
from envs.ledgershield.baselines import POLICIES, RULES
from envs.ledgershield.battery import BATTERY, CONSTANTS
from envs.ledgershield.inference.hypotheses import Decision
from envs.ledgershield.inference.reference import solved
from envs.ledgershield.inference.tables import Evidence
from envs.ledgershield.models import LEVELS, SPLITS, Action, Family
from envs.ledgershield.seen import Observation
from envs.ledgershield.tasks import Task
from tests.envs.ledgershield.plays import ENV, Played, case, curated, graded, opened, seen

ALL: dict[str, Policy[Observation, Action]] = {**POLICIES, **BATTERY}
SEEDS = range(5000, 5050)


def finished(task: Task, name: str) -> Played:
    episode = opened(task)
    while not episode.done:
        at = len(episode.steps)
        episode = play(ENV, episode, ALL[name](seen(episode), Rng(9, name, at)))
    return episode


@cache
def objectives(name: str, level: str = "medium") -> list[float]:
    return [graded(finished(case(seed, level), name)).objective for seed in SEEDS]


def decided(episode: Played) -> Decision | None:
    return episode.state.submission.decision if episode.state.submission else None


@pytest.mark.parametrize("name", sorted(set(ALL) - {"random", "repeat-policy"}))
@pytest.mark.parametrize("family", Family)
def test_a_policy_plays_every_family_to_a_submission_without_an_illegal_step(name: str, family: Family):
    for split in SPLITS:
        episode = finished(case(3, "hard", split, family), name)
        assert episode.state.submission is not None
        assert all(step.legal for step in episode.steps)


def test_a_random_player_and_one_who_repeats_himself_come_to_an_end():
    for name in ("random", "repeat-policy"):
        assert finished(case(3), name).done


@pytest.mark.parametrize("name", CONSTANTS)
def test_a_constant_decides_at_once(name: str):
    episode = finished(case(4), name)
    assert [action.action_type for action in episode.actions] == [ActionType.SUBMIT_DECISION]


@pytest.mark.parametrize("language", ["A-001", "A-002", "A-003", "A-004"])
def test_a_page_read_by_accurate_ocr_yields_every_field_and_line_in_any_language(language: str):
    grade = dict(graded(finished(curated(language, "blind"), "reference")).parts)
    assert grade["fields"] == grade["lines"] == 1.0
    assert grade["evidence"] == pytest.approx(1.0)


def test_the_head_and_the_foot_of_an_invoice_are_read_by_a_zoom_each():
    task = case(11)
    episode = opened(task)
    assert paper.head(seen(episode)) is paper.foot(seen(episode)) is None
    document = seen(episode).visible_documents[0]
    for box in (paper.head_box(document), paper.foot_box(document)):
        zoom = Action(action_type=ActionType.ZOOM, doc_id=document.doc_id, bbox=box)
        episode = play(ENV, episode, zoom)
        assert episode.steps[-1].legal
    invoice = task.invoice
    head, foot = paper.head(seen(episode)), paper.foot(seen(episode))
    assert head == paper.Head(task.file.vendor.vendor_key, invoice.number, invoice.po_id, invoice.receipt_id)
    assert foot == paper.Foot(invoice.total, invoice.account)


def test_what_fast_ocr_has_read_is_not_taken_for_the_invoice():
    task = case(11)
    episode = play(ENV, opened(task), Action(action_type=ActionType.OCR, doc_id=task.invoice.doc_id))
    assert any(isinstance(shown, Reading) for shown in seen(episode).revealed_artifacts)
    assert paper.head(seen(episode)) is None


def test_who_asks_everything_has_every_finding_and_still_decides_in_time():
    for family in (Family.B, Family.C, Family.D, Family.E):
        episode = finished(case(6, family=family), "run-all-bayes")
        assert set(episode.state.findings) == set(Evidence)
        assert decided(episode) is not None


def test_no_request_is_decided_upon_before_it_is_answered():
    for seed in SEEDS[:12]:
        episode = finished(case(seed), "callback-reflex")
        assert not episode.state.pending
        answers = [shown for shown in episode.state.revealed if isinstance(shown, Callback)]
        confirmed = answers[0].confirmed is True
        assert decided(episode) is (Decision.PAY if confirmed else Decision.ESCALATE_FRAUD)


def test_the_reference_says_nothing_that_it_did_not_see():
    for seed in SEEDS[:12]:
        episode = finished(case(seed), "reference")
        shown = {artifact.artifact_id for artifact in episode.state.revealed}
        submission = episode.state.submission
        assert submission is not None
        assert {ref.artifact_id for ref in submission.evidence_map.values()} <= shown
        assert math.fsum((submission.predicted_probabilities or {}).values()) == pytest.approx(1.0)


def test_playing_the_reference_twice_takes_the_same_actions():
    assert finished(case(7), "reference").actions == finished(case(7), "reference").actions


@pytest.mark.parametrize("level", LEVELS)
def test_the_reference_stops_where_dynamic_programming_stops_and_decides_as_it_does(level: str):
    for seed in SEEDS[:12]:
        episode = finished(case(seed, level), "reference")
        amount = episode.state.amount
        final = decided(episode)
        assert final is not None
        assert solved(level, amount).regret(episode.state.findings, final) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.slow
def test_the_reference_earns_in_the_environment_what_dynamic_programming_expects():
    gained: list[float] = []
    for level in LEVELS:
        expected = (solved(level, case(seed, level).invoice.total).value({}) for seed in SEEDS)
        gained += [own - value for own, value in zip(objectives("reference", level), expected, strict=True)]
    # One case's money has a standard deviation of 6: this is 3.5 of the mean's, as rare losses are large.
    assert abs(fmean(gained)) < 3.5 * 6.0 / math.sqrt(len(gained))


@pytest.mark.slow
def test_the_ladder_rises_in_the_environment():
    rungs = [fmean(objectives(name)) for name in ("pay", "check-list", "clerk", "reference")]
    assert rungs == sorted(rungs)
    assert fmean(objectives("random")) < fmean(objectives("escalate"))


@pytest.mark.slow
@pytest.mark.parametrize("name", BATTERY)
def test_a_trivial_policy_earns_no_more_than_the_best_constant(name: str):
    best = max(fmean(objectives(constant)) for constant in CONSTANTS)
    assert fmean(objectives(name)) <= best + 1e-9
    assert fmean(objectives("reference")) - best > 2.0


def test_stated_probabilities_move_the_score_and_never_the_money():
    cases = (case(seed, family=Family.D) for seed in SEEDS)
    task = next(task for task in cases if task.truth.decision is Decision.ESCALATE_FRAUD)
    plain, sure = (graded(finished(task, name)) for name in ("uniform-probabilities", "confident-wrong"))
    assert plain.objective == sure.objective
    assert plain.score > sure.score


def test_the_rules_have_their_names_among_the_policies():
    assert set(RULES) < set(POLICIES)
    assert {"random", *CONSTANTS} < set(POLICIES)
