"""What an analyst sees, from an observation alone."""

from __future__ import annotations

import json
import math
from typing import TypeVar

import pytest

from envs.ledgershield import hints, scene
from envs.ledgershield.actions import ActionType
from envs.ledgershield.inference.hypotheses import Decision
from envs.ledgershield.models import Action, OcrMode
from envs.ledgershield.seen import Observation
from envs.scene import Bars, Heading, Hint, Messages, Move, Moves, Paper, Prose, Table, to_text
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


def test_documents_lie_on_the_desk_and_no_word_of_them_is_shown():
    assert [own.label for own in pieces(START, Paper)] == ["INV-D-001, invoice, page 1 of 1"]
    text = to_text(scene(START))
    assert TASK.invoice.number not in text
    assert "Halden" not in text


def test_what_was_read_stands_on_its_page_line_by_line():
    read = seen(played(TASK, do(ActionType.OCR, doc_id="INV-D-001", mode=OcrMode.ACCURATE)))
    text = to_text(scene(read))
    assert "\nHalden Tools GmbH\n" in text
    assert TASK.invoice.account in text


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
    asked = do(ActionType.REQUEST_BANK_CHANGE_APPROVAL_CHAIN)
    left = pieces(seen(played(TASK, asked, do(ActionType.LOOKUP_POLICY))), Bars)[0]
    waiting = left.items[-1]
    assert waiting.label == "request bank change approval chain, on its way"
    assert (waiting.share, waiting.text) == (0.5, "due at tick 3")
    assert [bar.text for bar in left.items[:2]] == ["15.55 of 16.00", "16 of 18"]


def test_the_belief_is_shown_on_the_instrumented_track_alone():
    (belief,) = [own for own in pieces(START, Bars) if own.label == "Belief"]
    assert belief.help.startswith("Next: compare bank account")
    assert math.fsum(bar.share for bar in belief.items) == pytest.approx(1.0, abs=1e-3)
    blind = pieces(seen(played(curated("D-001", "blind"))), Bars)
    assert [own.label for own in blind] == ["What is left"]


def clicks(observation: Observation) -> list[Move]:
    return [
        *(move for own in pieces(observation, Moves) for move in own.items),
        *(move for own in pieces(observation, Paper) for move in own.items),
    ]


def test_what_a_click_does_is_an_action_that_can_be_done():
    read = played(TASK, *(Action.model_validate_json(move.action) for move in pieces(START, Paper)[0].items))
    for start in (played(TASK), read):
        for move in clicks(seen(start)):
            action = Action.model_validate_json(move.action)
            assert played(TASK, *start.actions, action).steps[-1].legal
    assert len(clicks(seen(read))) - len(clicks(START)) == 6


def test_a_box_drawn_on_a_page_makes_an_action():
    (page,) = pieces(START, Paper)
    for move in page.drawn:
        drawn = json.loads(move.action) | {page.takes: [40, 40, 300, 90]}
        assert played(TASK, Action.model_validate_json(json.dumps(drawn))).steps[-1].legal


def test_after_the_end_it_says_what_was_behind_it_and_offers_nothing():
    over = seen(played(TASK, submit(Decision.HOLD)))
    assert clicks(over) == []
    assert pieces(over, Prose)[0].label == "What was behind it"


def test_a_case_of_reading_offers_no_decision():
    reading = seen(played(curated("A-001")))
    assert [own.label for own in pieces(reading, Moves)] == ["Look up", "Ask", "Act"]


def offered(observation: Observation) -> dict[str, Hint]:
    return {hint.field: hint for hint in hints(observation) if not hint.left_out}


def test_the_form_offers_the_actions_the_documents_and_the_thread_of_the_case():
    by_field = offered(START)
    assert by_field["action_type"].choices == tuple(kind.value for kind in ActionType)
    assert by_field["doc_id"].choices == ("INV-D-001",)
    assert by_field["thread_id"].choices == ("THR-D-001",)
    assert set(by_field) <= set(Action.model_fields)


def test_what_was_found_can_be_ticked_as_reason_and_as_evidence_and_nothing_before():
    assert not {"reason_codes", "evidence_map"} & offered(START).keys()
    by_field = offered(seen(played(TASK, *everything(TASK))))
    assert "bank_override_attempt" in by_field["reason_codes"].choices
    cites = {entry.key: json.loads(entry.value) for entry in by_field["evidence_map"].entries}
    assert cites["bank_override_attempt"] == {"artifact_id": "bank:DE93999999990000054321"}


def test_an_invoice_to_read_offers_its_lines_and_fields_and_no_decision():
    task = curated("A-001")
    read = do(ActionType.OCR, doc_id=task.invoice.doc_id, mode=OcrMode.ACCURATE)
    by_field = offered(seen(played(task, read)))
    assert len(by_field["line_items"].entries) == len(task.invoice.lines)
    assert set(by_field["extracted_fields"].choices) == {
        entry.key for entry in by_field["evidence_map"].entries
    }
    assert not {"decision", "predicted_probabilities", "reason_codes"} & by_field.keys()


def test_markup_in_a_mail_stays_text():
    task = case(3)
    loaded = task.file.thread.messages[0].model_copy(update={"text": "<script>alert(1)</script> {{ 7*7 }}"})
    thread = task.file.thread.model_copy(update={"messages": (loaded,)})
    hostile = seen(played(task)).model_copy(update={"revealed_artifacts": (thread,)})
    assert "<script>alert(1)</script> {{ 7*7 }}" in to_text(scene(hostile))


def test_the_log_tells_everything_in_order():
    log = pieces(seen(played(TASK, do("nonsense"), submit(Decision.PAY))), Table)[-1]
    told = [text for _, text in log.rows]
    assert told[0] == "Loaded case CASE-D-001"
    assert told[1].startswith("there is no action 'nonsense'")
    assert told[2].startswith("Wrong: behind it was vendor_takeover")
