"""The rules of accounts payable at work: repeats, slips of a scanner, and what a hand-over says."""

from __future__ import annotations

import pytest

from envs.ledgershield import extraction, ledger
from envs.ledgershield.actions import ActionType
from envs.ledgershield.artifacts import EmailThread, Handoff
from envs.ledgershield.inference.hypotheses import Decision
from envs.ledgershield.inference.tables import Evidence
from envs.ledgershield.models import LineItem
from envs.ledgershield.remarks import remarks
from envs.ledgershield.tasks import LedgerEntry
from tests.envs.ledgershield.plays import curated, do, everything, looks, played, seen, submit

TASK = curated("D-001", "blind")


def entry(
    number: str, amount: float, vendor: str = "tarn", paid: str = "", credited: float = 0.0
) -> LedgerEntry:
    return LedgerEntry(
        entry_id="LE-1",
        vendor_key=vendor,
        invoice_number=number,
        invoice_date="2026-05-04",
        amount=amount,
        credited=credited,
        bank_line=paid,
    )


@pytest.mark.parametrize(
    ("filed", "asked", "amount", "exact"),
    [
        ("00412-0000077", "412-0000077", 310.00, True),  # E01
        ("DSO00412", "DS000412", 88.40, False),  # E04
        ("R-5501", "R-5501", 640.00, True),  # E07
        ("INV-4312", "INV-3412", 975.00, False),  # E12
        ("INV-1240", "INV-1240A", 310.00, False),  # E13
    ],
)
def test_the_ledger_finds_a_repeat_and_says_whether_it_is_the_same(
    filed: str, asked: str, amount: float, exact: bool
):
    (hit,) = ledger.search([entry(filed, amount)], "tarn", asked, amount)
    assert (hit.score >= ledger.EXACT) is exact
    assert hit.invoice_number == filed


def test_a_repeat_is_found_though_its_vendor_is_on_file_twice():  # E11
    (hit,) = ledger.search(
        [entry("INV-880", 200.0, "brook-plumbing-inc")], "brook-plumbing-llc", "INV-880", 200.0
    )
    assert hit.score >= ledger.EXACT
    assert hit.vendor_key == "brook-plumbing-inc"


def test_a_credit_note_is_no_repeat_of_its_invoice():  # E15
    assert ledger.search([entry("R-5501", 640.0)], "tarn", "R-5501", -640.0) == ()


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("Payment HX-00042", "paid"),
        ("HX-0042", "to confirm"),  # E02
        ("Payment Larsen (4900042)", "open"),  # E03
        ("", "open"),
    ],
)
def test_an_invoice_on_file_is_paid_if_the_statement_names_it_whole(line: str, status: str):
    (hit,) = ledger.search([entry("HX-00042", 75.0, paid=line)], "tarn", "HX-00042", 75.0)
    assert hit.status == status


def test_what_is_due_of_an_invoice_on_file_is_less_what_was_credited():
    (hit,) = ledger.search([entry("HX-00042", 500.0, credited=500.0)], "tarn", "HX-00042", 500.0)
    assert hit.due == 0.0


def test_a_digit_that_was_misread_is_told_as_a_slip_and_what_the_page_says_is_offered():  # E05, E29
    look = looks(TASK)[Evidence.BANK]
    for slip in ("DE93999999990000054322", "DE93 9999 9999 0000 0543 2I"):
        episode = played(TASK, look.model_copy(update={"proposed_bank_account": slip}))
        assert not episode.steps[-1].legal
        assert "DE93999999990000054321" in episode.steps[-1].reward.message


def handed(*tools: Evidence, case_id: str = "D-001") -> tuple[str, ...]:
    task = curated(case_id, "blind")
    own = looks(task)
    waits = [do(ActionType.LOOKUP_POLICY)] * 2
    episode = played(task, *(own[tool] for tool in tools), *waits, do(ActionType.CREATE_HUMAN_HANDOFF))
    written = episode.state.revealed[-1]
    assert isinstance(written, Handoff)
    return written.remarks


def test_who_hands_over_a_changed_account_says_to_hold_and_call_the_number_on_file():  # E30
    (remark,) = handed(Evidence.BANK)
    assert (
        remark
        == "another account than the one on file: hold; call the number on file; leave the record as it is"
    )


def test_an_account_that_was_approved_and_called_back_is_released_with_its_entry():  # E31
    (remark,) = handed(Evidence.BANK, Evidence.APPROVALS, Evidence.CALLBACK, case_id="D-006")
    assert remark.startswith("the account is new, was called back and approved: release; see approvals")


def test_a_mail_that_asks_for_another_payee_is_held_like_another_account():  # E32
    (mail,) = TASK.file.thread.messages[:1]
    sold = mail.model_copy(
        update={"text": "Our receivables were sold to Norrin Factoring, use their portal."}
    )
    (remark,) = remarks([TASK.file.thread.model_copy(update={"messages": (sold,)})])
    assert remark == "another payee, another portal: hold; call the number on file; leave the record as it is"
    assert isinstance(TASK.file.thread, EmailThread)


def test_what_does_not_match_is_said_with_what_it_exceeds_by():
    assert any("ordered by" in remark for remark in handed(Evidence.PO, case_id="B-001"))
    assert any(
        "more billed than received by" in remark for remark in handed(Evidence.RECEIPT, case_id="B-002")
    )


def test_a_clean_case_is_handed_over_without_a_remark():
    task = curated("D-002", "blind")
    episode = played(task, *everything(task), do(ActionType.CREATE_HUMAN_HANDOFF))
    written = episode.state.revealed[-1]
    assert isinstance(written, Handoff)
    assert written.remarks == ()


def test_a_reading_is_sure_where_the_page_adds_up_and_doubtful_where_it_does_not():  # E20, E21
    lines = [LineItem(description="Plate", quantity=1, unit_price=1.03, total=1.03)] * 3
    for tax, total in (("0.66", "3.75"), ("0.65", "3.74")):
        assert extraction.adds_up({"subtotal": "3.09", "tax": tax, "total": total}, lines)
    assert not extraction.adds_up({"subtotal": "3.09", "tax": "0.66", "total": "3.57"}, lines)
    assert not extraction.adds_up({"subtotal": "3.O9", "tax": "0.66", "total": "3.75"}, lines)


def test_the_decision_is_no_part_of_what_is_handed_over():
    decided = played(TASK, do(ActionType.CREATE_HUMAN_HANDOFF), submit(Decision.PAY))
    assert seen(decided).revealed_artifacts[-1].artifact_type == "handoff"
