"""What a person sees, from an observation alone."""

from __future__ import annotations

import pytest

from envs.forecast_audit import hints, scene
from envs.forecast_audit.constraints import Level
from envs.forecast_audit.models import Action
from envs.forecast_audit.tasks import Task
from envs.scene import Chart, Checklist, Heading, Limit, Prose, to_text
from tests.envs.forecast_audit.answers import TASKS, opened, played, right_answer, seen

every_task = pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
EASY = TASKS["easy_ops_missing_001"]


def chart(task: Task) -> Chart:
    (found,) = [piece for piece in scene(seen(opened(task))).pieces if isinstance(piece, Chart)]
    return found


def stated_limits(task: Task) -> list[Limit]:
    """The bounds of the predicates that speak of every single value."""
    levels = [
        constraint.predicate
        for constraint in task.constraints
        if isinstance(constraint.predicate, Level) and not constraint.predicate.where
    ]
    bounds = [("at least", level.low) for level in levels] + [("at most", level.high) for level in levels]
    return [Limit(label=label, value=value) for label, value in bounds if value is not None]


@every_task
def test_the_chart_draws_exactly_the_limits_that_the_constraints_state(task: Task):
    drawn = chart(task).limits
    assert sorted(drawn, key=str) == sorted(stated_limits(task), key=str)


@every_task
def test_the_scene_shows_heading_chart_constraints_and_history(task: Task):
    heading, curve, constraints, history = scene(seen(opened(task))).pieces
    assert isinstance(heading, Heading)
    assert heading.quote == task.analyst_note
    assert isinstance(curve, Chart)
    assert curve.selects == "target_index"
    assert curve.lines[0].values == task.values
    assert curve.labels == task.timestamps
    assert isinstance(constraints, Checklist)
    assert constraints.fills == "violated_constraints"
    assert constraints.items == task.sentences
    assert isinstance(history, Prose)
    assert history.text == task.history_summary


@every_task
def test_the_scene_reads_as_text(task: Task):
    text = to_text(scene(seen(opened(task))))
    assert all(word in text for word in (*task.timestamps, *task.sentences, task.history_summary))


def test_the_example_is_introduced_in_words():
    heading = scene(seen(opened(EASY))).pieces[0]
    assert heading == Heading(
        eyebrow="operations · easy · missing value",
        title="Warehouse orders per hour",
        quote="Backfill the missing hour before the report is published.",
        quote_by="analyst’s note",
    )
    assert chart(EASY).unit == "orders/hour"
    assert chart(EASY).summary == (
        "Warehouse orders per hour: 5 points from 09:00 to 13:00 between 120 and 140 orders/hour, "
        "with no value at 12:00."
    )


def test_a_verdict_is_not_put_into_the_analysts_mouth():
    heading = scene(seen(played(EASY, right_answer(EASY)))).pieces[0]
    assert isinstance(heading, Heading)
    assert heading.quote_by == "verdict on the last action"


@pytest.mark.parametrize(
    ("task_id", "title", "unit"),
    [
        ("hard_energy_forecast_011", "Rooftop PV forecast", "kW"),
        ("easy_ops_missing_003", "Cold room temperature", "°C"),
        ("easy_ops_missing_005", "Delivery vans on road", ""),
        ("easy_ops_missing_010", "Defects per 10k units", "defects/10k units"),
        ("medium_finance_anomaly_010", "Bond yield", "%"),
    ],
)
def test_a_metrics_name_gives_title_and_unit(task_id: str, title: str, unit: str):
    task = TASKS[task_id]
    heading = scene(seen(opened(task))).pieces[0]
    assert isinstance(heading, Heading)
    assert (heading.title, chart(task).unit) == (title, unit)


@every_task
def test_the_form_follows_the_actions_fields_and_the_cases_bounds(task: Task):
    shown = hints(seen(opened(task)))
    assert [hint.field for hint in shown] == list(Action.model_fields)
    assert (shown[1].low, shown[1].high) == (0, len(task.values) - 1)
    assert shown[2].unit == chart(task).unit


def test_a_series_without_any_value_can_be_shown():
    empty = seen(opened(EASY)).model_copy(update={"values": (None,) * 5})
    assert "09:00, 10:00, 11:00, 12:00, 13:00" in to_text(scene(empty))


def test_rates_clock_times_and_totals_are_not_drawn_as_limits():
    observation = seen(opened(EASY)).model_copy(
        update={
            "constraints": (
                "The belt ramps by 4 units an hour at most.",
                "Buses return between 18:00 and 20:00.",
                "From 01:00 to 05:00 it pays out no more than 10 an hour.",
                "It cannot exceed −1,250.5 at all.",
            )
        }
    )
    curve = scene(observation).pieces[1]
    assert isinstance(curve, Chart)
    assert curve.limits == (Limit(label="at most", value=-1250.5),)
