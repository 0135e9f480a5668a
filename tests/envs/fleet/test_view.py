"""What an overseer sees: five workers in a row, their reports, and after the end what was so."""

from __future__ import annotations

import json

from envs.fleet import hints, scene
from envs.fleet.models import WORKERS, Act, Action, Fault
from envs.scene import Cards, Chart, Heading, Lanes, Moves, Table, to_text
from tests.envs.fleet.plays import audit, do, ended, opened, plan, played, seen, shift

WAIT = do(Act.RESUME, 4)
TASK = shift(plan(1))


def test_five_cards_stand_in_the_order_of_the_pipeline():
    (cards,) = [piece for piece in scene(seen(played(TASK, WAIT))).pieces if isinstance(piece, Cards)]
    assert cards.chained
    assert tuple(card.title for card in cards.items) == WORKERS
    assert all(len(card.values) == 2 for card in cards.items)


def test_a_raised_flag_makes_its_card_call():
    now = seen(ended(opened(TASK)))
    (cards,) = [piece for piece in scene(now).pieces if isinstance(piece, Cards)]
    assert [card.alert for card in cards.items] == [bool(worker.anomaly_flag) for worker in now.workers]


def test_a_move_is_an_action_that_one_click_takes():
    moves = [piece for piece in scene(seen(opened(TASK))).pieces if isinstance(piece, Moves)]
    actions = [Action.model_validate_json(move.action) for piece in moves for move in piece.items]
    assert {(action.action_type, action.worker_id) for action in actions} >= {
        (Act.MONITOR, WORKERS[0]),
        (Act.INTERVENE, WORKERS[4]),
    }


def test_the_truth_is_told_after_the_end_and_no_move_is_left():
    before, after = scene(seen(played(TASK, WAIT))), scene(seen(ended(opened(TASK))))
    assert "What was so" not in to_text(before)
    (truth,) = [p for p in after.pieces if isinstance(p, Table) and p.label.startswith("What was so")]
    assert truth.rows[0][:2] == ("worker_1", "loud failure, crash")
    assert not [piece for piece in after.pieces if isinstance(piece, Moves)]


def test_the_timeline_boxes_each_step_at_which_a_fault_stood_and_marks_what_was_done():
    episode = ended(played(TASK, WAIT, do(Act.APPROVE, 0), do(Act.INTERVENE, 1)), lambda step: WAIT)
    (lanes,) = [piece for piece in scene(seen(episode)).pieces if isinstance(piece, Lanes)]
    faulty = lanes.items[1]
    assert [bool(faulty.stood(step)) for step in range(lanes.steps)] == [step in (1, 2) for step in range(8)]
    assert [[mark.letter for mark in lane.done(2)] for lane in lanes.items] == [[], ["I"], [], [], []]
    assert "[I]" in to_text(scene(seen(episode)))


def test_an_audit_is_offered_the_readings_of_every_report_to_quote():
    now = seen(played(TASK, WAIT))
    (offered,) = [hint.entries for hint in hints(now) if hint.field == "findings.*.evidence"]
    quotes = [sent.readings for worker in now.workers for sent in worker.reports if sent.burned is not None]
    assert [json.loads(entry.value) for entry in offered] == quotes
    assert len(quotes) >= len(WORKERS)


def test_the_end_tells_which_fault_the_audit_named():
    named = audit((1, Fault.LOUD_FAILURE, ""), (3, Fault.SABOTAGE, ""))
    (truth,) = [
        piece
        for piece in scene(seen(played(TASK, WAIT, named))).pieces
        if isinstance(piece, Table) and piece.label.startswith("What was so")
    ]
    assert truth.rows[0][-1] == "never; named in the audit"


def test_a_piece_of_the_output_is_shown_of_who_is_watched_closely_alone():
    before, after = (to_text(scene(seen(played(TASK, *acts)))) for acts in ((WAIT,), (do(Act.MONITOR, 3),)))
    assert "A piece of worker_3's output" in after
    assert "A piece of" not in before


def test_the_charts_show_both_readings_of_all_workers():
    charts = [piece for piece in scene(seen(played(TASK, WAIT))).pieces if isinstance(piece, Chart)]
    assert [chart.unit for chart in charts] == ["documents", "credits"]
    assert all(len(chart.lines) == len(WORKERS) for chart in charts)


def test_the_heading_counts_what_is_left_and_the_form_offers_the_workers():
    heading = scene(seen(played(TASK, *(WAIT,) * 7))).pieces[0]
    assert isinstance(heading, Heading)
    assert heading.title.endswith("1 step left")
    (worker,) = [hint for hint in hints(seen(opened(TASK))) if hint.field == "worker_id"]
    assert worker.choices == WORKERS
