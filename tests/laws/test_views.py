"""Whatever a player can come to see has a page, a text and a form."""

from __future__ import annotations

from typing import TypeVar

from envs.catalog import Entry
from envs.kernel.play import AnyEpisode, look
from envs.kernel.protocol import AnyEnvironment
from envs.scene import Chart, Checklist, Heading, to_text
from ui.form import ANY, Branch, fields

T = TypeVar("T")
Moments = tuple[AnyEpisode, ...]


def test_every_observation_has_a_scene_under_one_heading(entry: Entry, moments: Moments):
    for moment in moments:
        pieces = entry.scene(look(entry.environment, moment)).pieces
        assert [type(piece) for piece in pieces].count(Heading) == 1
        assert isinstance(pieces[0], Heading)


def test_every_scene_has_a_text(entry: Entry, moments: Moments):
    for moment in moments:
        scene = entry.scene(look(entry.environment, moment))
        heading = scene.pieces[0]
        assert isinstance(heading, Heading)
        assert heading.title in to_text(scene)


def test_every_line_of_a_chart_has_a_value_for_every_label(entry: Entry, moments: Moments):
    for chart in _pieces(entry, moments, Chart):
        assert chart.lines
        assert {len(line.values) for line in chart.lines} == {len(chart.labels)}


def test_every_chart_says_in_a_sentence_what_it_shows(entry: Entry, moments: Moments):
    assert all(chart.summary.strip().endswith(".") for chart in _pieces(entry, moments, Chart))


def test_charts_and_checklists_fill_fields_of_the_action(entry: Entry, moments: Moments):
    known = entry.environment.action_type.model_fields.keys()
    assert {chart.selects for chart in _pieces(entry, moments, Chart)} <= {"", *known}
    assert {checklist.fills for checklist in _pieces(entry, moments, Checklist)} <= {*known}


def test_hints_name_every_field_of_the_action_once_and_nothing_else(entry: Entry, moments: Moments):
    action = entry.environment.action_type
    inner = {path for field in fields(action) for branch in field.branches for path in _paths(branch)}
    for moment in moments:
        named = [hint.field for hint in entry.hints(look(entry.environment, moment))]
        assert sorted(name for name in named if ANY not in name) == sorted(action.model_fields)
        within = [name for name in named if ANY in name]
        assert len(set(within)) == len(within)
        assert {*within} <= inner


def test_hints_have_labels_and_bounds_in_order(entry: Entry, moments: Moments):
    for moment in moments:
        for hint in entry.hints(look(entry.environment, moment)):
            assert hint.label.strip()
            assert hint.low is None or hint.high is None or hint.low <= hint.high


def _paths(branch: Branch) -> list[str]:
    return [field.path for field in branch.fields]


def test_looking_twice_shows_the_same(entry: Entry, env: AnyEnvironment, moments: Moments):
    for moment in moments:
        assert entry.scene(look(env, moment)) == entry.scene(look(env, moment))


def _pieces(entry: Entry, moments: Moments, kind: type[T]) -> list[T]:
    scenes = (entry.scene(look(entry.environment, moment)) for moment in moments)
    return [piece for scene in scenes for piece in scene.pieces if isinstance(piece, kind)]
