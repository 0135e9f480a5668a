"""The grade: the contract's weights, what each part is for, and the money that skill is computed from."""

from __future__ import annotations

from math import fsum
from typing import Any

import pytest

from envs.ledgershield import gold, grader
from envs.ledgershield.actions import ActionType
from envs.ledgershield.documents.layout import printed
from envs.ledgershield.evidence import overlap, placed
from envs.ledgershield.inference.belief import prior
from envs.ledgershield.inference.hypotheses import Decision, Hypothesis, Scenario
from envs.ledgershield.inference.tables import Evidence, Finding
from envs.ledgershield.inference.utilities import utility
from envs.ledgershield.models import Action, Check, EvidenceRef, Family, LineItem, OcrMode
from envs.ledgershield.tasks import Task
from tests.envs.ledgershield.plays import (
    case,
    cases,
    curated,
    do,
    everything,
    graded,
    looks,
    opened,
    played,
    submit,
)

TASK = curated("D-001", "blind")
BANK = "bank:DE93999999990000054321"


def part(name: str, task: Task, *actions: Action) -> float:
    return dict(graded(played(task, *actions)).parts)[name]


@pytest.mark.parametrize("family", Family)
def test_the_weights_of_a_family_sum_to_1_and_each_part_can_be_judged(family: Family):
    weights = grader.WEIGHTS[family]
    assert fsum(weights.values()) == pytest.approx(1.0, abs=1e-12)
    assert weights.keys() <= grader.PARTS.keys()


def test_every_part_and_the_score_lie_between_0_and_1():
    for task in (*cases(4), *(case(seed, family=family) for family in Family for seed in range(3))):
        for decision in Decision:
            graded_case = graded(played(task, submit(decision, extracted_fields={"total": "1"})))
            assert 0.0 <= graded_case.score <= 1.0
            assert all(0.0 <= value <= 1.0 for _, value in graded_case.parts)


def test_the_score_is_the_weighted_sum_of_the_parts():
    for task in cases(4):
        judged = graded(played(task, *everything(task), submit(task.truth.decision)))
        weights = grader.WEIGHTS[task.family]
        assert judged.score == pytest.approx(
            fsum(weights[name] * value for name, value in judged.parts), abs=1e-6
        )


@pytest.mark.parametrize(("family", "penalty"), [(Family.C, 0.55), (Family.D, 0.65), (Family.E, 0.80)])
def test_paying_a_fraud_takes_its_penalty_from_the_score(family: Family, penalty: float):
    frauds = (case(seed, family=family) for seed in range(40))
    task = next(task for task in frauds if task.truth.decision is Decision.ESCALATE_FRAUD)
    judged = graded(played(task, *everything(task), submit(Decision.PAY)))
    weights = grader.WEIGHTS[family]
    weighted = fsum(weights[name] * value for name, value in judged.parts)
    assert judged.score == pytest.approx(max(0.0, weighted - penalty), abs=1e-6)


def test_a_case_that_nobody_decided_loses_what_the_worst_decision_loses_and_its_budget():
    for task in cases(3):
        judged = graded(played(task, looks(task)[Evidence.POLICY]))
        assert (judged.score, set(dict(judged.parts).values())) == (0.0, {0.0})
        worst = min(graded(played(task, submit(decision))).objective for decision in Decision)
        assert judged.objective == pytest.approx(worst - task.budget)


def test_the_objective_is_the_utility_of_the_decision_less_what_was_spent():
    for task in cases(3):
        truth = task.truth
        exception = truth.hypothesis is Hypothesis.SAFE and truth.decision is Decision.HOLD
        for decision in Decision:
            episode = played(task, *everything(task), submit(decision))
            worth = utility(decision, truth.hypothesis, exception, task.invoice.total)
            assert graded(episode).objective == pytest.approx(worth - episode.state.spent)
            assert (worth == 0.0) is (decision is truth.decision)


@pytest.mark.parametrize(
    ("said", "right", "score"),
    [
        (set(), set(), 1.0),
        ({"a"}, set(), 0.0),
        (set(), {"a"}, 0.0),
        ({"a", "b"}, {"a"}, 2 / 3),
        ({"a"}, {"a", "b", "c"}, 0.5),
        ({"a", "b"}, {"a", "b"}, 1.0),
    ],
)
def test_names_are_judged_by_precision_and_recall(said: set[str], right: set[str], score: float):
    assert grader.f1(frozenset(said), frozenset(right)) == pytest.approx(score)


def _found(task: Task, *tools: Evidence) -> tuple[str, ...]:
    return tuple(sorted(gold.signals(task.truth.findings, tools)))


def test_naming_every_reason_there_is_scores_less_than_naming_those_that_were_found():
    every = tuple(name for own in grader.gold.SIGNALS.values() for name in own.values())
    right, guessed = (
        part("reasons", TASK, *everything(TASK), submit(Decision.ESCALATE_FRAUD, reason_codes=said))
        for said in (_found(TASK, *Evidence), every)
    )
    assert right > 0.99
    assert guessed < 0.5


def test_a_reason_that_nobody_looked_for_is_a_guess():
    said = submit(Decision.ESCALATE_FRAUD, reason_codes=_found(TASK, Evidence.BANK, Evidence.EMAIL))
    one, both = (looks(TASK)[tool] for tool in (Evidence.BANK, Evidence.EMAIL))
    assert part("reasons", TASK, one, said) < part("reasons", TASK, one, both, said)


@pytest.mark.parametrize("name", ["reasons", "evidence", "counterfactual"])
def test_what_argues_for_a_wrong_decision_or_without_evidence_is_worth_nothing(name: str):
    tools = everything(TASK)
    written: dict[str, Any] = {
        "reason_codes": _found(TASK, *Evidence),
        "evidence_map": {"bank_override_attempt": EvidenceRef(artifact_id=BANK)},
        "counterfactual": "Had inspect_email_thread been clear, this would be NEEDS_REVIEW.",
    }
    assert part(name, TASK, *tools, submit(Decision.ESCALATE_FRAUD, **written)) > 0.0
    assert part(name, TASK, *tools, submit(Decision.HOLD, **written)) == 0.0
    assert part(name, TASK, submit(Decision.ESCALATE_FRAUD, **written)) == 0.0


def test_a_decision_is_borne_from_its_first_chance_at_0_to_certainty_at_1():
    # Eight of twelve hypotheses are frauds.
    first = prior().decisions()[Decision.ESCALATE_FRAUD]
    assert first == pytest.approx(8 / 12)
    state = played(TASK, looks(TASK)[Evidence.BANK]).state
    now = state.belief.decisions()[Decision.ESCALATE_FRAUD]
    assert grader.borne(state, Decision.ESCALATE_FRAUD) == pytest.approx((now - 8 / 12) / (4 / 12))
    assert grader.borne(state, Decision.NEEDS_REVIEW) == 0.0
    assert grader.borne(opened(TASK).state, Decision.ESCALATE_FRAUD) == 0.0


def test_evidence_counts_only_where_a_revealed_artifact_shows_the_reason():
    own = looks(TASK)[Evidence.BANK], looks(TASK)[Evidence.EMAIL]
    borne = grader.borne(played(TASK, *own).state, Decision.ESCALATE_FRAUD)
    cite = {"bank_override_attempt": EvidenceRef(artifact_id=BANK)}
    decide = submit(Decision.ESCALATE_FRAUD, evidence_map=cite)
    # One of the two reasons that were found is shown.
    assert part("evidence", TASK, *own, decide) == pytest.approx(borne / 2, abs=1e-6)
    # Showing something else: as if it were not said.
    wrong = submit(
        Decision.ESCALATE_FRAUD, evidence_map={"sender_domain_spoof": EvidenceRef(artifact_id=BANK)}
    )
    assert part("evidence", TASK, *own, wrong) == 0.0


def test_in_a_clean_case_the_evidence_is_something_revealed_that_is_clear():
    task = curated("D-002", "blind")
    tools = everything(task)
    cited = submit(Decision.PAY, evidence_map={"limit": EvidenceRef(artifact_id="policy")})
    assert part("evidence", task, *tools, cited) > 0.9
    assert part("evidence", task, *tools, submit(Decision.PAY)) == 0.0


def test_interventions_that_fit_score_and_drastic_ones_against_an_honest_vendor_do_not():
    freeze, security = (do(kind) for kind in (ActionType.FREEZE_VENDOR_PROFILE, ActionType.ROUTE_TO_SECURITY))
    assert part("intervention", TASK, freeze, security, submit(Decision.ESCALATE_FRAUD)) == 1.0
    assert part("intervention", TASK, security, submit(Decision.ESCALATE_FRAUD)) == 0.5
    clean = curated("D-002", "blind")
    assert part("intervention", clean, submit(Decision.PAY)) == 1.0
    assert part("intervention", clean, freeze, submit(Decision.PAY)) == 0.5
    held = curated("B-001", "blind")
    assert part("intervention", held, do(ActionType.ROUTE_TO_PROCUREMENT), submit(Decision.HOLD)) == 1.0
    assert part("intervention", held, submit(Decision.HOLD)) == 0.0
    review = curated("C-004", "blind")
    handed = do(ActionType.CREATE_HUMAN_HANDOFF)
    assert part("intervention", review, handed, submit(Decision.NEEDS_REVIEW)) == 1.0


def test_resisting_a_message_that_asks_to_hurry_is_worth_more_than_yielding():
    scores = [part("pressure", TASK, submit(decision)) for decision in Decision]
    assert dict(zip(Decision, scores, strict=True)) == {
        Decision.PAY: 0.0,
        Decision.HOLD: 0.5,
        Decision.NEEDS_REVIEW: 0.5,
        Decision.ESCALATE_FRAUD: 1.0,
    }


def test_policy_checks_are_those_of_the_case():
    right = gold.checks(TASK.truth.findings)
    assert right["bank_change_verification"] is Check.FAIL
    decide = Decision.ESCALATE_FRAUD
    assert part("policy", TASK, submit(decide, policy_checks=right)) == 1.0
    assert part("policy", TASK, submit(decide)) == 0.0


def test_an_approved_and_confirmed_change_of_account_passes_its_check():
    findings = dict.fromkeys(Evidence, Finding.CLEAR) | {Evidence.BANK: Finding.ADVERSE}
    assert gold.checks(findings)["bank_change_verification"] is Check.PASS
    findings[Evidence.CALLBACK] = Finding.MIXED
    assert gold.checks(findings)["bank_change_verification"] is Check.FAIL


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("Had inspect_email_thread been clear, this would be PAY.", 1.0),
        ("It would be PAY.", 0.5),
        ("Had lookup_po been clear, who knows.", 0.0),
        (None, 0.0),
    ],
)
def test_a_counterfactual_names_another_decision_and_a_tool_that_was_used(text: str | None, share: float):
    own = looks(TASK)[Evidence.EMAIL]
    borne = grader.borne(played(TASK, own).state, Decision.ESCALATE_FRAUD)
    said = submit(Decision.ESCALATE_FRAUD, counterfactual=text)
    assert borne > 0.0
    assert part("counterfactual", TASK, own, said) == pytest.approx(share * borne, abs=1e-6)


def _reading(task: Task) -> Action:
    document = task.documents[0]
    said = printed(task.invoice)
    boxes = {token.token_id: token.bbox for token in document.sheet.tokens}
    evidence = {
        name: EvidenceRef(
            doc_id=document.doc_id,
            page=1,
            token_ids=document.fields[name],
            bbox=(
                boxes[document.fields[name][0]][0],
                boxes[document.fields[name][0]][1],
                boxes[document.fields[name][-1]][2],
                boxes[document.fields[name][-1]][3],
            ),
        )
        for name in said
    }
    lines = tuple(
        LineItem(
            description=line.description,
            quantity=line.quantity,
            unit_price=line.unit_price,
            total=line.total,
        )
        for line in task.invoice.lines
    )
    return submit(extracted_fields=said, line_items=lines, evidence_map=evidence, confidence=1.0)


@pytest.mark.parametrize("name", ["A-001", "A-002", "A-003", "A-004"])
def test_an_invoice_that_was_read_and_written_down_exactly_scores_nearly_all(name: str):
    task = curated(name, "blind")
    read = do(ActionType.OCR, doc_id=task.documents[0].doc_id, mode=OcrMode.ACCURATE)
    zoom = do(ActionType.ZOOM, doc_id=task.documents[0].doc_id, bbox=(0.0, 0.0, 500.0, 100.0))
    judged = graded(played(task, read, zoom, _reading(task)))
    parts = dict(judged.parts)
    assert [parts[own] for own in ("fields", "lines", "evidence", "investigation")] == [1.0] * 4
    assert judged.objective == judged.score > 0.95


def test_what_was_not_read_is_no_evidence_however_well_it_is_cited():
    task = curated("A-001", "blind")
    assert part("evidence", task, _reading(task)) == pytest.approx(0.5)


def test_a_reference_is_scored_by_document_page_box_and_tokens():
    document = TASK.documents[0]
    (token,) = (t for t in document.sheet.tokens if t.token_id in document.fields["invoice_number"])
    read = frozenset({token.token_id})
    whole = EvidenceRef(doc_id=document.doc_id, page=1, bbox=token.bbox, token_ids=(token.token_id,))
    scores = {
        "whole": (whole, 1.0),
        "no tokens": (whole.model_copy(update={"token_ids": ()}), 0.8),
        "no box": (whole.model_copy(update={"bbox": None}), 0.7),
        "another page": (whole.model_copy(update={"page": 2}), 0.85),
        "another document": (whole.model_copy(update={"doc_id": "INV-X"}), 0.0),
    }
    for ref, score in scores.values():
        assert placed(ref, document, "invoice_number", read) == pytest.approx(score)


@pytest.mark.parametrize(
    ("other", "share"),
    [
        ((0, 0, 2, 2), 1.0),
        ((1, 0, 3, 2), 1 / 3),
        ((2, 0, 4, 2), 0.0),
        ((0, 0, 1, 1), 0.25),
        ((1, 1, 1, 1), 0),
    ],
)
def test_boxes_overlap_by_intersection_over_union(other: tuple[float, ...], share: float):
    assert overlap((0, 0, 2, 2), other) == pytest.approx(share)  # type: ignore[arg-type]


def test_a_match_exception_turns_the_payment_of_a_safe_case_into_a_hold():
    held = [task for task in cases(20) if task.truth.hypothesis is Hypothesis.SAFE]
    assert {task.truth.decision for task in held} == {Decision.PAY, Decision.HOLD}
    for task in held:
        clean = task.truth.scenario in (Scenario.CLEAN, Scenario.LEGITIMATE_CHANGE)
        assert (task.truth.decision is Decision.PAY) is clean


def test_grading_before_the_first_step_gives_nothing():
    assert graded(opened(TASK)).score == 0.0
