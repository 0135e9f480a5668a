"""Faults that people reported of other tools, each once: what our baselines and calendars make of them."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from envs.forecast_audit import POLICIES
from envs.forecast_audit.audit.calendars import Frequency, frequency_of, label, ordinals
from envs.forecast_audit.baselines import hampel, linear
from envs.forecast_audit.constraints import Level
from envs.forecast_audit.models import Action, IssueType, Observation, Operation, Series
from envs.kernel.rng import Rng

READERS = ("hampel-linear", "curve-only", "reference")
each_reader = pytest.mark.parametrize("name", READERS)


def observation(values: Series, timestamps: tuple[str, ...] = (), **words: object) -> Observation:
    shown = Observation(
        task_id="case",
        difficulty="easy",
        domain="energy",
        metric_name="house_meter_kwh",
        timestamps=timestamps or tuple(f"2026-01-{day:02d}" for day in range(1, len(values) + 1)),
        values=values,
        issue_type=IssueType.UNDISCLOSED,
        constraints=(),
        analyst_note="",
        step_count=0,
        max_steps=6,
        history_summary="",
    )
    return shown.model_copy(update=words)


def asked(name: str, shown: Observation) -> Action:
    return POLICIES[name](shown, Rng(1))


@each_reader
def test_d01_an_hour_that_the_clock_skips_in_spring_is_no_gap(name: str):
    stamps = ("2026-03-29 00:00", "2026-03-29 01:00", "2026-03-29 03:00", "2026-03-29 04:00")
    answer = asked(name, observation((5.0, 6.0, 8.0, 9.0), stamps))
    assert (answer.operation, answer.target_index) == (Operation.ACCEPT, None)


@each_reader
def test_d02_an_hour_that_comes_twice_in_autumn_is_kept_twice(name: str):
    stamps = tuple(f"2026-10-25 {hour}:00" for hour in ("00", "01", "02", "02", "03"))
    answer = asked(name, observation((1.0, 2.0, 4.0, 8.0, 16.0), stamps))
    assert answer.operation is Operation.ACCEPT


@each_reader
def test_d03_half_hours_that_repeat_when_a_logger_falls_back_are_all_kept(name: str):
    hours = ("01:00", "01:30", "03:00", "03:30", "03:00", "03:30", "04:00")
    values = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0)
    answer = asked(name, observation(values, tuple(f"2026-03-08 {hour}" for hour in hours)))
    assert (answer.operation, answer.target_index, answer.predicted_value) == (Operation.ACCEPT, None, None)


def test_d04_a_day_is_the_one_that_the_site_writes_at_its_hours():
    # 22:30 and 23:30 of 10 January and 22:59 and 23:00 of 11 January, as clocks in Warsaw have them.
    written = {"2026-01-10 23:00": 1, "2026-01-11 00:00": 2, "2026-01-11 23:00": 4, "2026-01-12 00:00": 8}
    totals: dict[str, int] = {}
    for stamp, value in written.items():
        day = label(Frequency.DAY, next(ordinals(Frequency.HOUR, stamp)) // 24)
        totals[day] = totals.get(day, 0) + value
    assert totals == {"2026-01-10": 1, "2026-01-11": 6, "2026-01-12": 8}


REPEATED_DAYS = ("2026-01-01", "2026-01-02", "2026-01-02", "2026-01-03")


def test_d06_a_day_that_comes_twice_with_one_value_is_reported_once():
    answer = asked("reference", observation((5.0, 7.0, 7.0, 9.0), REPEATED_DAYS))
    assert (answer.operation, answer.target_index) == (Operation.ESCALATE, 2)
    assert "repeats 2026-01-02: the same value" in answer.rationale


def test_d07_a_day_with_two_unlike_values_is_for_the_owner_and_never_their_mean():
    answer = asked("reference", observation((5.0, 7.0, 70.0, 9.0), REPEATED_DAYS))
    assert (answer.operation, answer.target_index) == (Operation.ESCALATE, 2)
    assert answer.predicted_value is None
    assert "7.0 and 70.0" in answer.rationale


def test_d08_missing_ends_stay_missing():
    values = (None, None, 10.0, 12.0, None)
    assert [linear(values, at) for at in (0, 1, 4)] == [None, None, None]
    assert asked("hampel-linear", observation(values)).operation is Operation.ACCEPT


@each_reader
def test_d11_a_series_of_working_days_has_no_gaps_at_weekends(name: str):
    days = ("2026-05-07", "2026-05-08", "2026-05-11", "2026-05-12")
    assert asked(name, observation((1.0, 2.0, 3.0, 4.0), days)).operation is Operation.ACCEPT
    longer = tuple(label(Frequency.WORKDAY, at) for at in range(14000, 14012))
    assert frequency_of(longer) is Frequency.WORKDAY
    assert [next(ordinals(Frequency.WORKDAY, day)) for day in longer] == list(range(14000, 14012))


@each_reader
def test_d12_office_hours_have_no_holes_at_night(name: str):
    stamps = tuple(f"2026-05-{day} {hour:02d}:00" for day in (11, 12) for hour in range(9, 17))
    values = (20.1, 22.4, 25.0, 27.7, 28.3, 27.9, 25.2, 21.8, 20.6, 22.0, 25.3, 27.4, 28.8, 27.5, 25.6, 21.3)
    assert asked(name, observation(values, stamps)).operation is Operation.ACCEPT


def test_d14_a_single_spike_on_a_flat_line_is_found_and_nothing_else():
    values = tuple(10.0 if at == 12 else 0.0 for at in range(20))
    assert hampel(values) == (12,)
    assert asked("hampel-linear", observation(values)).target_index == 12


def test_d17_a_last_value_below_zero_is_the_one_that_is_flagged():
    assert hampel((0.4, 0.3, 0.5, 0.2, -6.0)) == (4,)


def test_d21_a_counter_glitch_is_flagged_and_filled_from_its_neighbours():
    values = (0.45, 0.44, 0.46, 715.0, 0.45, 0.43)
    assert hampel(values) == (3,)
    assert linear(values, 3) == pytest.approx(0.455)


def test_d23_a_missing_reading_is_not_a_zero():
    values = (5.0, None, 7.0)
    answer = asked("hampel-linear", observation(values))
    assert (answer.target_index, answer.predicted_value) == (1, 6.0)


@pytest.mark.parametrize("values", [(), (None, None)])
def test_d25_a_rule_without_values_has_nothing_to_judge(values: Series):
    assert list(Level(low=0.0).quantities(values)) == []


def test_d24_a_missing_value_is_not_judged_by_a_rule():
    assert list(Level(low=0.0).quantities((1.0, None, 2.0))) == [1.0, 2.0]


def test_d27_an_infinite_value_does_not_reach_a_series():
    with pytest.raises(ValidationError):
        observation((1.0, 2.0)).model_validate_json(
            observation((1.0, 2.0)).model_dump_json().replace("[1.0,", "[1e999,")
        )
    assert linear((1.0, None, 3.0), 1) == 2.0


@each_reader
def test_d16_no_repair_goes_below_a_floor_that_the_desk_knows(name: str):
    rule = ("Units sold cannot fall below 0 kWh.", "Units sold cannot exceed 90 kWh.")
    answer = asked(name, observation((5.0, 4.0, 3.0, 2.0, 1.0, None, 0.0, 0.0), constraints=rule))
    assert answer.predicted_value is not None
    assert answer.predicted_value >= 0.0


@each_reader
def test_d20_a_whole_series_in_another_unit_is_not_divided_in_silence(name: str):
    answer = asked(
        name, observation((12345.0, 11800.0, 12010.0), constraints=("A day is at or below 60 kWh.",))
    )
    assert answer.operation is not Operation.REPAIR_AND_FINALIZE
    assert answer.predicted_value is None


def test_d20_a_reader_of_limits_names_the_limit_and_asks_the_owner():
    rule = "A day is at or below 60 kWh."
    answer = asked("reference", observation((12345.0, 11800.0, 12010.0), constraints=(rule,)))
    assert (answer.operation, answer.violated_constraints) == (Operation.ESCALATE, (rule,))
