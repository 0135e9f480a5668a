"""What a person sees, from an observation alone."""

from __future__ import annotations

import json
from typing import TypeVar

import pytest

from envs.moderation import hints, scene
from envs.moderation.models import Action, Decision, Observation
from envs.moderation.view import visible
from envs.scene import Heading, Messages, Moves, Prose, Table, to_text
from tests.envs.moderation.plays import HISTORY, THREAD, case, check, decide, played, seen

T = TypeVar("T")
TASK = case(42, "easy")
START = seen(played(TASK))


def pieces(observation: Observation, kind: type[T]) -> list[T]:
    return [piece for piece in scene(observation).pieces if isinstance(piece, kind)]


def test_the_post_stands_on_a_card_with_its_author_its_day_and_what_surrounds_it():
    (post,) = pieces(START, Messages)
    head, _, text = TASK.post_content.partition("\n")
    assert (f"{post.items[0].by} · {post.items[0].at}", post.items[0].text) == (head, text)
    around = (TASK.geo, f"engagement {TASK.engagement}", f"{TASK.reports} reports")
    assert post.notes == (*around, "4 escalations left")


def test_every_page_of_a_case_warns_of_its_content():
    for observation in (START, seen(played(TASK, decide(Decision.FLAG)))):
        assert pieces(observation, Prose)[0].label == "Content warning"


def test_looks_clauses_and_decisions_can_be_taken_by_a_click_until_they_were():
    look, clauses, decisions = pieces(START, Moves)
    assert [move.label for move in decisions.items] == ["Allow", "Flag", "Remove", "Escalate"]
    assert len(clauses.items) == len(START.available_context)
    for move in (*look.items, *clauses.items, *decisions.items):
        assert Action.model_validate_json(move.action)
    looked = seen(played(TASK, HISTORY, THREAD, check("news")))
    labels = {move.label for moves in pieces(looked, Moves) for move in moves.items}
    assert "news" not in labels
    assert len(pieces(looked, Moves)) == 2
    assert pieces(seen(played(TASK, decide(Decision.FLAG))), Moves) == []


def test_what_was_opened_stands_beside_the_post():
    looked = seen(played(TASK, HISTORY, THREAD, check("threats")))
    _, thread = pieces(looked, Messages)
    assert len(thread.items) == len(TASK.thread_context)
    assert all(item.role in {"author", "person concerned", "reader"} for item in thread.items)
    history, clause = pieces(looked, Table)
    assert len(history.rows) == len(TASK.user_history)
    assert clause.label == "Clause threats: Threats"
    assert [row[0] for row in clause.rows[:5]] == ["1", "2", "3", "4", "5"]


def test_after_the_decision_the_ruling_is_shown():
    decided = seen(played(TASK, decide(Decision.FLAG)))
    (ruling,) = [piece for piece in pieces(decided, Prose) if piece.label == "The ruling"]
    assert ruling.text == decided.ruling


def test_the_form_offers_the_clauses_of_the_case():
    action, violation, clause = hints(START)
    assert [action.field, violation.field, clause.field] == list(Action.model_fields)
    assert clause.choices == START.available_context


# codidact/qpixel#136, savetheinternet/Tinyboard#114: a direction sign in a name turns the row around.
def test_a_direction_sign_in_a_name_is_shown_by_its_number_and_called_deceptive():
    deceptive = START.model_copy(update={"post_content": "\u202enimda · 2031-05-14\nhello"})
    (post,) = pieces(deceptive, Messages)
    assert post.items[0].by == "⟨U+202E⟩nimda"
    assert (post.items[0].at, post.items[0].text) == ("2031-05-14", "hello")
    assert any("direction sign" in note for note in post.notes)
    assert "\u202e" not in to_text(scene(deceptive))
    heading = pieces(deceptive, Heading)[0]
    assert "\u202e" not in heading.title


@pytest.mark.parametrize("sign", ["\u202e", "\u202a", "\u2066", "\u200b", "\u200f", "\ufeff"])
def test_signs_that_cannot_be_seen_are_shown_wherever_they_stand(sign: str):
    hidden = f"a{sign}b"
    shown = f"a⟨U+{ord(sign):04X}⟩b"
    assert visible(hidden) == shown
    observation = START.model_copy(
        update={
            "post_content": f"@x · 2031-05-14\n{hidden}",
            "thread_context": (f"@y{sign} (reader): {hidden}", f"no speaker{sign}"),
            "user_history": (f"2031-01-02: {hidden}", f"note {hidden}"),
        }
    )
    text = json.dumps(scene(observation).model_dump(mode="json"), ensure_ascii=False)
    assert sign not in text
    assert text.count(f"⟨U+{ord(sign):04X}⟩") == 6


def test_markup_in_a_post_stays_text():
    loaded = START.model_copy(update={"post_content": "@x · 2031-05-14\n<script>alert(1)</script> {{ 7*7 }}"})
    assert "<script>alert(1)</script> {{ 7*7 }}" in to_text(scene(loaded))
