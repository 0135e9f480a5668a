"""What an analyst sees, from an observation alone."""

from __future__ import annotations

from typing import TypeVar

from envs.ledgershield import hints, scene
from envs.ledgershield.actions import ActionType
from envs.ledgershield.inference.hypotheses import Decision
from envs.ledgershield.models import Action, OcrMode
from envs.ledgershield.seen import Observation
from envs.scene import Heading, Messages, Moves, Prose, Table, to_text
from tests.envs.ledgershield.plays import case, curated, do, everything, played, seen, submit

T = TypeVar("T")
TASK = curated("D-001")
START = seen(played(TASK))


def pieces(observation: Observation, kind: type[T]) -> list[T]:
    return [piece for piece in scene(observation).pieces if isinstance(piece, kind)]


def labels(observation: Observation) -> list[str]:
    return [table.label for table in pieces(observation, Table)]


def test_the_heading_names_the_case_and_what_is_left():
    (heading,) = pieces(seen(played(TASK, do(ActionType.LOOKUP_POLICY))), Heading)
    assert heading.eyebrow == "ap inbox incident triage · medium"
    assert heading.title == "CASE-D-001: 15.85 of 16.00 left"


def test_the_inbox_lists_documents_and_thread_and_shows_no_word_of_them():
    inbox = pieces(START, Table)[0]
    assert [row[0] for row in inbox.rows] == ["INV-D-001", "THR-D-001"]
    text = to_text(scene(START))
    assert TASK.invoice.number not in text
    assert "Halden" not in text


def test_what_was_read_stands_with_its_document_line_by_line():
    read = seen(played(TASK, do(ActionType.OCR, doc_id="INV-D-001", mode=OcrMode.ACCURATE)))
    (document,) = [table for table in pieces(read, Table) if table.label == "INV-D-001 as read"]
    assert document.rows[0] == ("Halden Tools GmbH",)
    assert any(TASK.invoice.account in row[0] for row in document.rows)


def test_everything_that_was_found_is_shown():
    after = seen(played(TASK, *everything(TASK), do(ActionType.CREATE_HUMAN_HANDOFF)))
    shown = labels(after)
    for start in (
        "Account DE93",
        "Approvals",
        "Call to",
        "Record since",
        "Ledger:",
        "Order PO",
        "Receipt GR",
    ):
        assert any(label.startswith(start) for label in shown)
    assert {"Policy", "Handed over"} <= set(shown)
    thread, hurry = pieces(after, Messages)
    assert "authentication fail" in thread.items[0].role
    assert thread.notes == ("domain on file: halden-tools.example",)
    assert hurry.label == "Somebody is in a hurry"


def test_requests_on_their_way_are_shown_with_the_tick_they_are_due_at():
    waiting = seen(played(TASK, do(ActionType.REQUEST_BANK_CHANGE_APPROVAL_CHAIN)))
    (table,) = [own for own in pieces(waiting, Table) if own.label == "On its way"]
    assert table.rows == (("request_bank_change_approval_chain", "tick 3", "in 2"),)


def test_the_belief_is_shown_on_the_instrumented_track_alone():
    assert any(label.startswith("Belief; next look: compare_bank_account") for label in labels(START))
    blind = labels(seen(played(curated("D-001", "blind"))))
    assert not any(label.startswith("Belief") for label in blind)


def test_what_a_click_does_is_an_action_and_stops_being_offered_after_the_end():
    moves = [move for own in pieces(START, Moves) for move in own.items]
    assert len(moves) == 2 + 2 + 5 + 4 + 4
    for move in moves:
        assert played(TASK, Action.model_validate_json(move.action)).steps[-1].legal
    assert pieces(seen(played(TASK, submit(Decision.HOLD))), Moves) == []


def test_a_case_of_reading_offers_no_decision():
    reading = seen(played(curated("A-001")))
    assert [own.label for own in pieces(reading, Moves)] == ["Look", "Ask", "Act"]


def test_the_form_offers_the_actions_the_documents_and_the_thread_of_the_case():
    by_field = {hint.field: hint for hint in hints(START)}
    assert by_field["action_type"].choices == tuple(kind.value for kind in ActionType)
    assert by_field["doc_id"].choices == ("INV-D-001",)
    assert by_field["thread_id"].choices == ("THR-D-001",)
    assert set(by_field) <= set(Action.model_fields)


def test_markup_in_a_mail_stays_text():
    task = case(3)
    loaded = task.file.thread.messages[0].model_copy(update={"text": "<script>alert(1)</script> {{ 7*7 }}"})
    thread = task.file.thread.model_copy(update={"messages": (loaded,)})
    hostile = seen(played(task)).model_copy(update={"revealed_artifacts": (thread,)})
    assert "<script>alert(1)</script> {{ 7*7 }}" in to_text(scene(hostile))


def test_the_log_tells_everything_in_order():
    (_, log) = pieces(seen(played(TASK, do("nonsense"), submit(Decision.PAY))), Prose)
    lines = log.text.splitlines()
    assert lines[0] == "Loaded case CASE-D-001"
    assert lines[1].startswith("there is no action 'nonsense'")
    assert lines[2].startswith("Wrong: behind it was vendor_takeover")
