"""How an episode moves: what actions cost, when answers come, what a step earns and how it ends."""

from __future__ import annotations

from itertools import permutations
from math import fsum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.kernel.outcome import Status
from envs.kernel.play import play
from envs.ledgershield import rewards
from envs.ledgershield.actions import ACCURATE_OCR_COST, CHOICES, COSTS, INTERVENTIONS, ActionType
from envs.ledgershield.artifacts import Callback, Contact, LedgerSearch, Pressure
from envs.ledgershield.dynamics import pressed_at
from envs.ledgershield.inference.hypotheses import Decision, Hypothesis
from envs.ledgershield.inference.shaping import GAMMA, WEIGHT, potential
from envs.ledgershield.inference.tables import Evidence, Finding
from envs.ledgershield.models import Action, Family, OcrMode
from envs.ledgershield.requests import DELAYS
from envs.ledgershield.sealing import concealed
from tests.envs.ledgershield.plays import (
    ENV,
    REQUESTS,
    Played,
    case,
    cases,
    curated,
    do,
    everything,
    graded,
    looks,
    opened,
    played,
    seen,
    submit,
)

TASK = curated("D-001")
POLICY = do(ActionType.LOOKUP_POLICY)
CALL = do(ActionType.REQUEST_CALLBACK_VERIFICATION)


def parts(episode: Played, at: int = -1) -> dict[str, float]:
    return dict(episode.steps[at].reward.parts)


def test_the_table_of_actions_is_the_contracts():
    assert {kind.value: cost for kind, cost in COSTS.items()} == {
        "zoom": 0.20, "get_doc_crop": 0.20, "ocr": 0.45, "lookup_vendor": 0.20,
        "lookup_vendor_history": 0.25, "lookup_policy": 0.15, "lookup_po": 0.20, "lookup_receipt": 0.20,
        "search_ledger": 0.35, "inspect_email_thread": 0.25, "compare_bank_account": 0.15,
        "request_callback_verification": 0.40, "freeze_vendor_profile": 0.20,
        "request_bank_change_approval_chain": 0.30, "request_po_reconciliation": 0.30,
        "request_additional_receipt_evidence": 0.25, "route_to_procurement": 0.15,
        "route_to_security": 0.20, "flag_duplicate_cluster_review": 0.25, "create_human_handoff": 0.20,
        "submit_decision": 0.0,
    }  # fmt: skip
    assert ACCURATE_OCR_COST == 1.10
    assert len(INTERVENTIONS) == 9
    assert set(CHOICES.by_value) == set(ActionType)


def test_an_action_takes_its_cost_a_step_and_a_tick():
    for action in everything(TASK):
        episode = played(TASK, action)
        cost = COSTS[ActionType(action.action_type)]
        state = episode.state
        assert (state.remaining, state.step_count, state.clock) == (round(16.0 - cost, 2), 1, 1)
        assert parts(episode)[rewards.COST] == -cost


def test_accurate_ocr_costs_more_than_fast_ocr_which_is_the_default():
    spent = [
        played(TASK, do(ActionType.OCR, doc_id="INV-D-001", mode=mode)).state.spent
        for mode in (OcrMode.ACCURATE, OcrMode.FAST, None)
    ]
    assert spent == [1.10, 0.45, 0.45]


MISFITS = {
    "an unknown action": (do("teleport"), "there is no action 'teleport'; use one of: zoom, "),
    "no document": (do(ActionType.OCR), "doc_id is missing; give one of: INV-D-001"),
    "an unknown document": (do(ActionType.OCR, doc_id="INV-X"), "no document 'INV-X'; give one of"),
    "no vendor": (do(ActionType.LOOKUP_VENDOR), "vendor_key is missing"),
    "another vendor": (do(ActionType.LOOKUP_VENDOR_HISTORY, vendor_key="pell"), "no vendor_key 'pell'"),
    "another order": (do(ActionType.LOOKUP_PO, po_id="PO-1"), "no po_id 'PO-1'; give the order"),
    "another receipt": (do(ActionType.LOOKUP_RECEIPT, receipt_id="GR-1"), "no receipt_id 'GR-1'"),
    "another thread": (do(ActionType.INSPECT_EMAIL_THREAD, thread_id="THR-1"), "no thread_id 'THR-1'"),
    "an unknown rule": (do(ActionType.LOOKUP_POLICY, rule_id="luck"), "no rule_id 'luck'; give one of"),
    "a search for nothing": (do(ActionType.SEARCH_LEDGER), "nothing to search for; give vendor_key"),
    "no account": (
        do(ActionType.COMPARE_BANK_ACCOUNT, vendor_key="halden-tools-gmbh"),
        "proposed_bank_account is missing",
    ),
    "a misread account": (
        do(
            ActionType.COMPARE_BANK_ACCOUNT,
            vendor_key="halden-tools-gmbh",
            proposed_bank_account="DE93 9999 9999 0000 0543 2l",
        ),
        "is no account",
    ),
    "no decision": (submit(), "decision is missing; give PAY, HOLD"),
    "half a distribution": (
        submit(Decision.PAY, predicted_probabilities={"safe": 0.5}),
        "sums to 0.500; scale them",
    ),
    "an unknown hypothesis": (
        submit(Decision.PAY, predicted_probabilities={"aliens": 1.0}),
        "names 'aliens'; the hypotheses are: safe",
    ),
}


@pytest.mark.parametrize(("action", "words"), MISFITS.values(), ids=MISFITS)
def test_what_cannot_be_done_says_why_and_costs_a_step_and_nothing_else(action: Action, words: str):
    episode = played(TASK, action)
    state, step = episode.state, episode.steps[-1]
    assert not step.legal
    assert words in step.reward.message
    assert (state.step_count, state.spent, state.clock, state.revealed) == (1, 0.0, 0, ())
    assert parts(episode)[rewards.FAILURE] == -0.05
    result = seen(episode).last_tool_result
    assert result is not None
    assert (result.success, result.cost, result.message) == (False, 0.0, step.reward.message)
    assert episode.status is Status.RUNNING


def test_what_was_revealed_is_listed_once_however_often_it_is_asked_for():
    once, thrice = played(TASK, POLICY), played(TASK, POLICY, POLICY, POLICY)
    assert thrice.state.revealed == once.state.revealed
    assert thrice.state.spent == pytest.approx(3 * once.state.spent)


@pytest.mark.parametrize("kind", REQUESTS)
def test_an_answer_comes_when_the_clock_reaches_it_and_not_before(kind: ActionType):
    episode = played(TASK, do(kind))
    (event,) = seen(episode).pending_events
    assert (event.requested_at, event.due_at) == (1, 1 + DELAYS[kind])
    while episode.state.clock < event.due_at:
        assert episode.state.pending == (event,)
        assert len(episode.state.findings) <= 1
        episode = play(ENV, episode, POLICY)
    assert episode.state.pending == ()
    assert len(episode.state.revealed) == 2


def test_a_failed_action_does_not_bring_an_answer_nearer():
    episode = played(TASK, CALL, do("nonsense"), do("nonsense"), do("nonsense"))
    assert len(episode.state.pending) == 1
    assert episode.state.clock == 1


def test_a_call_takes_two_ticks_once_an_account_or_a_record_is_known_to_be_in_doubt():
    own = looks(TASK)
    assert TASK.truth.findings[Evidence.BANK] is Finding.ADVERSE
    for before, ticks in (((), 1), ((own[Evidence.BANK],), 2), ((own[Evidence.EMAIL],), 1)):
        (event,) = seen(played(TASK, *before, CALL)).pending_events
        assert event.due_at - event.requested_at == ticks
    # What nobody has seen yet must not show in how long a call takes.
    delays = {played(task, CALL).state.pending[0].due_at for task in cases(15)}
    assert delays == {2}


def test_a_request_that_is_on_its_way_is_not_made_again():
    episode = played(TASK, CALL, CALL)
    assert not episode.steps[-1].legal
    assert "on its way and due at tick 2" in episode.steps[-1].reward.message


def test_a_call_to_the_number_of_the_request_confirms_everything_and_proves_nothing():
    for task in (TASK, curated("D-002"), *cases(4)):
        episode = played(task, do(ActionType.REQUEST_CALLBACK_VERIFICATION, contact=Contact.REQUEST), POLICY)
        shown = episode.state.revealed[-1]
        assert isinstance(shown, Callback)
        assert (shown.answered, shown.confirmed) == (True, True)
        assert Evidence.CALLBACK not in episode.state.findings


def test_the_master_files_number_answers_what_is_so():
    said = {Finding.CLEAR: True, Finding.MIXED: None, Finding.ADVERSE: False}
    for task in cases(6):
        answers = [a for a in played(task, CALL, POLICY).state.revealed if isinstance(a, Callback)]
        assert [a.confirmed for a in answers] == [said[task.truth.findings[Evidence.CALLBACK]]]
        assert [a.number_called for a in answers] == [task.file.vendor.phone]


def test_an_account_that_is_not_the_invoices_is_compared_and_proves_nothing():
    own = do(
        Evidence.BANK, vendor_key="halden-tools-gmbh", proposed_bank_account="DE97 9999 9999 0000 0123 45"
    )
    episode = played(TASK, own)
    assert episode.steps[-1].legal
    assert episode.state.findings == {}


@pytest.mark.parametrize("left_out", ["vendor_key", "invoice_number", "amount"])
def test_an_incomplete_search_of_the_ledger_may_find_something_and_proves_nothing(left_out: str):
    for task in cases(4):
        whole = looks(task)[Evidence.LEDGER]
        episode = played(task, whole.model_copy(update={left_out: None}))
        assert episode.steps[-1].legal
        assert episode.state.findings == {}
        assert Evidence.LEDGER in played(task, whole).state.findings


def test_hits_of_the_ledger_score_as_the_contract_says_and_the_vendor_alone_is_none():
    task = next(task for task in cases(40) if task.truth.findings[Evidence.LEDGER] is Finding.ADVERSE)
    whole = looks(task)[Evidence.LEDGER]
    searches = {
        "exact": (whole, [1.0]),
        "another amount": (whole.model_copy(update={"amount": task.invoice.total * 1.004}), [0.93]),
        "nearly": (whole.model_copy(update={"amount": task.invoice.total * 1.015}), [0.85]),
        "number alone": (do(Evidence.LEDGER, invoice_number=task.invoice.number), [0.55]),
        "amount alone": (do(Evidence.LEDGER, amount=task.invoice.total), []),
        "vendor alone": (do(Evidence.LEDGER, vendor_key=task.file.vendor.vendor_key), []),
    }
    for action, scores in searches.values():
        shown = played(task, action).state.revealed[-1]
        assert isinstance(shown, LedgerSearch)
        assert [hit.score for hit in shown.hits] == scores


def test_a_message_that_asks_to_hurry_comes_half_way_and_whatever_is_done():
    assert pressed_at(TASK) == 9
    for action in (POLICY, do("nonsense")):
        episode = played(TASK, *[action] * 12)
        shown = [
            any(isinstance(a, Pressure) for a in seen(episode.until(count)).revealed_artifacts)
            for count in range(len(episode.steps) + 1)
        ]
        assert shown == [False] * 9 + [True] * 4
    quiet = played(curated("C-002"), *[POLICY] * 12)
    assert not any(isinstance(artifact, Pressure) for artifact in quiet.state.revealed)


def test_the_decision_ends_the_case_and_pays_its_score():
    episode = played(curated("D-001", "blind"), POLICY, submit(Decision.ESCALATE_FRAUD))
    assert episode.status is Status.TERMINATED
    assert parts(episode) == {rewards.GRADE: graded(episode).score}
    assert episode.steps[-1].reward.total == graded(episode).score
    assert "Right: behind it was vendor_takeover" in seen(episode).messages[-1]


def test_steps_that_run_out_truncate_and_a_budget_that_runs_out_ends():
    slow = played(TASK, *[POLICY] * TASK.max_steps)
    assert (slow.status, slow.state.ended) == (Status.TRUNCATED, "steps_spent")
    assert slow.state.submission is None
    exact = curated("A-001")
    readings = [do(ActionType.OCR, doc_id="INV-A-001", mode=OcrMode.ACCURATE)] * 8
    rest = [do(ActionType.OCR, doc_id="INV-A-001"), *[POLICY] * 5]
    poor = played(exact, *readings, *rest[:2])
    assert poor.state.remaining == pytest.approx(0.6)
    spent = played(exact.model_copy(update={"budget": 0.6}), *[POLICY] * 4)
    assert (spent.status, spent.state.ended) == (Status.TERMINATED, "budget_spent")
    assert graded(spent).score == 0.0


def test_what_cannot_be_paid_is_not_done_and_the_decision_is_free():
    poor = TASK.model_copy(update={"budget": 0.2})
    episode = played(poor, CALL, submit(Decision.HOLD))
    assert not episode.steps[0].legal
    assert "costs 0.40 and 0.20 is left; submit_decision is free" in episode.steps[0].reward.message
    assert episode.status is Status.TERMINATED


def test_the_sum_of_a_reward_without_what_is_only_reported_is_its_value():
    episode = played(TASK, *everything(TASK), do("nonsense"), submit(Decision.ESCALATE_FRAUD))
    for count in range(1, len(episode.steps) + 1):
        result = seen(episode.until(count)).last_tool_result
        assert result is not None
        model, reward = result.reward_model, episode.steps[count - 1].reward
        summed = fsum(value for name, value in model.components.items() if name != "voi_reward")
        assert model.value == reward.total == pytest.approx(min(1.0, max(-1.0, summed)))
        assert model.components["voi_reward"] == pytest.approx(
            model.components[rewards.INFORMATION] - result.cost
        )
        assert model.terminal is (count == len(episode.steps))


def test_a_dear_step_is_held_within_the_bounds():
    episode = played(TASK, do(ActionType.OCR, doc_id="INV-D-001", mode=OcrMode.ACCURATE))
    assert parts(episode)[rewards.COST] == -1.10
    assert episode.steps[-1].reward.total == -1.0


def test_each_milestone_is_paid_once():
    actions = (CALL, *everything(TASK)[2:], CALL, POLICY, CALL, POLICY)
    earned = [step.reward.parts for step in played(TASK, *actions).steps]
    paid = fsum(dict(own).get(rewards.MILESTONES, 0.0) for own in earned)
    assert paid == pytest.approx(sum(rewards.WORTH.values()))


# The shaping is a difference of potentials: whatever is done in between, it comes to the same.
def _shaping(*actions: Action) -> float:
    episode = played(TASK, *actions)
    return fsum(
        GAMMA**place * dict(step.reward.parts)[rewards.SHAPING] for place, step in enumerate(episode.steps)
    )


def test_the_discounted_shaping_of_a_case_depends_only_on_its_start():
    start = -WEIGHT * potential(opened(TASK).state.belief)
    looks_of = tuple(looks(TASK).values())
    ways = [
        (submit(Decision.PAY),),
        *((*way, submit(Decision.ESCALATE_FRAUD)) for way in permutations(looks_of[:3])),
        (*everything(TASK), do("nonsense"), submit(Decision.HOLD)),
        (POLICY,) * TASK.max_steps,
        (do("nonsense"),) * TASK.max_steps,
    ]
    for way in ways:
        assert _shaping(*way) == pytest.approx(start, abs=1e-9)


def test_the_discounted_shaping_between_two_beliefs_does_not_depend_on_the_order_of_the_looks():
    own = looks(TASK)
    three = [own[evidence] for evidence in (Evidence.BANK, Evidence.EMAIL, Evidence.HISTORY)]
    sums = [_shaping(*way) for way in permutations(three)]
    assert max(sums) - min(sums) < 1e-9


def test_no_action_earns_more_by_being_repeated():
    for action in (*everything(TASK), do(ActionType.ROUTE_TO_SECURITY), do(ActionType.CREATE_HUMAN_HANDOFF)):
        totals = [step.reward.total for step in played(TASK, action, POLICY, action, action).steps]
        assert max(totals[2:]) < 0.0


def test_an_action_that_names_what_others_need_as_well_is_taken_by_its_own():
    crowded = POLICY.model_copy(update={"doc_id": "INV-X", "po_id": "PO-1", "amount": 3.0})
    assert played(TASK, crowded).steps[-1].legal


def test_a_concealed_state_keeps_what_was_revealed_and_tells_no_reward_and_no_answer():
    episode = played(TASK, POLICY, submit(Decision.PAY, predicted_probabilities={"safe": 1.0}))
    for count in range(3):
        state = episode.until(count).state
        hidden = concealed(state)
        assert hidden.revealed == state.revealed
        text = ENV.observe(hidden, "blind").model_dump_json()
        assert Hypothesis.VENDOR_TAKEOVER.value not in text
        assert Decision.ESCALATE_FRAUD.value not in text.replace(TASK.rules.instruction, "")
        if hidden.last is not None:
            assert hidden.last.reward_model.value == 0.0
            assert set(hidden.last.reward_model.components.values()) == {0.0}


ACTIONS = st.one_of(
    st.sampled_from([*everything(TASK), *(do(kind) for kind in INTERVENTIONS)]),
    st.builds(
        do,
        st.sampled_from(ActionType),
        doc_id=st.sampled_from(["INV-D-001", "INV-X", None]),
        mode=st.sampled_from([*OcrMode, None]),
        bbox=st.none() | st.tuples(*[st.floats(0, 900)] * 4),
        vendor_key=st.sampled_from(["halden-tools-gmbh", "", None]),
        decision=st.none() | st.sampled_from(Decision),
        amount=st.none() | st.floats(-1e6, 1e6),
        invoice_number=st.none() | st.text(max_size=12),
        proposed_bank_account=st.none() | st.text(max_size=30),
    ),
)


@settings(max_examples=30, deadline=None, derandomize=True, database=None)
@given(st.lists(ACTIONS, max_size=20), st.sampled_from(["blind", "instrumented"]))
def test_whatever_is_done_the_budget_the_clock_and_the_step_count_add_up(actions: list[Action], track: str):
    episode = opened(curated("D-001", track))
    for action in actions:
        if episode.done:
            break
        episode = play(ENV, episode, action)
    state = episode.state
    assert state.spent == pytest.approx(fsum(trace.cost for trace in state.trail))
    assert 0.0 <= state.remaining <= state.task.budget
    assert state.clock == sum(trace.success for trace in state.trail) - (state.submission is not None)
    assert state.step_count == len(state.trail) == len(episode.steps)
    assert all(event.due_at > state.clock for event in state.pending)
    assert len({artifact.artifact_id for artifact in state.revealed}) == len(state.revealed)


def test_family_a_asks_for_fields_and_no_decision():
    task = case(3, family=Family.A)
    assert not played(task, submit(Decision.PAY)).steps[-1].legal
    assert played(task, submit(extracted_fields={"total": "1"})).status is Status.TERMINATED
