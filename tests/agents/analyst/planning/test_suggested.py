"""What is suggested to somebody who has not asked anything can be asked."""

from __future__ import annotations

from datetime import datetime

from agents.analyst.engines import Database
from agents.analyst.planning.outcome import Planned
from agents.analyst.planning.parsing import ground
from agents.analyst.planning.planner import Planner
from envs.analyst.catalogue import Source, SourceType
from envs.analyst.suggesting import suggested


def test_every_suggested_question_is_answered_and_not_asked_back(shop: Database) -> None:
    planner = Planner([ground(shop.source, shop.values)])
    questions = suggested(shop.source)
    assert len(questions) == 4
    for question in questions:
        assert isinstance(planner.plan(question, datetime.fromisoformat("2026-05-13")), Planned), question


def test_nothing_is_suggested_of_documents() -> None:
    assert suggested(Source(source_id="d", name="d", source_type=SourceType.DOCUMENTS)) == ()
