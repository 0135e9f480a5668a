"""Bars add up, in value and in print."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.kernel.outcome import Reward, clipped
from ui.reward import CLIPPED, sheet, signed

VALUES = st.floats(-2.0, 2.0).map(lambda value: round(value, 4))
NAMES = st.sampled_from(("operation", "index", "value", "penalty"))


@st.composite
def rewards(draw: st.DrawFn) -> Reward:
    parts = tuple(draw(st.dictionaries(NAMES, VALUES)).items())
    return Reward(parts=parts, total=clipped(parts, 0.0, 1.0))


def printed(text: str) -> float:
    return float(text.replace("−", "-").replace("+", ""))


@given(st.lists(rewards(), max_size=6))
def test_printed_parts_add_up_to_the_printed_total(given_rewards: list[Reward]) -> None:
    shown = sheet(given_rewards)
    if shown.bars:
        parts = math.fsum(printed(bar.text) for bar in shown.bars)
        assert math.isclose(parts, printed(shown.text), abs_tol=1e-9)


@given(st.lists(rewards(), max_size=6))
def test_values_add_up_to_the_total_and_no_bar_is_longer_than_the_longest(
    given_rewards: list[Reward],
) -> None:
    shown = sheet(given_rewards)
    if shown.bars:
        assert math.isclose(math.fsum(bar.value for bar in shown.bars), shown.total, abs_tol=1e-6)
        assert all(0.0 <= bar.share <= 1.0 for bar in shown.bars)


def test_what_a_bound_takes_away_has_a_bar_of_its_own() -> None:
    parts = (("operation", 0.7), ("value", 0.33))
    shown = sheet([Reward(parts=parts, total=1.0)])
    assert [(bar.name, bar.text) for bar in shown.bars] == [
        ("operation", "+0.70"),
        ("value", "+0.33"),
        (CLIPPED, "−0.03"),
    ]
    assert shown.text == "+1.00"


@pytest.mark.parametrize(
    ("value", "text"), [(0.5, "+0.50"), (-0.05, "−0.05"), (0.0, "0.00"), (-0.0, "0.00"), (0.001, "0.00")]
)
def test_a_number_carries_its_sign_unless_it_prints_as_zero(value: float, text: str) -> None:
    assert signed(value) == text
