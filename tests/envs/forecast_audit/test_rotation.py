"""Whose turn is next, per instance."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.forecast_audit.catalogue import ORDER, Memory
from envs.forecast_audit.models import LEVELS, Request
from envs.kernel.play import carry, open_episode
from envs.kernel.protocol import Refusal
from envs.kernel.rng import Rng
from tests.envs.forecast_audit.answers import ENV, TASKS

requests = st.builds(
    Request,
    task_id=st.none() | st.sampled_from(sorted(TASKS)),
    difficulty=st.none() | st.sampled_from(LEVELS),
)


def cases(*requests: Request) -> list[str]:
    """The cases that one instance's resets open, one after the other."""
    memory, names = Memory(), list[str]()
    for request in requests:
        episode = open_episode(ENV, request, memory, seed=1)
        names.append(episode.task.task_id)
        memory = carry(ENV, episode)
    return names


def test_bare_resets_walk_the_order_and_wrap_around():
    names = cases(*[Request()] * 34)
    assert names[:5] == [
        "easy_ops_missing_001",
        "medium_finance_anomaly_001",
        "hard_energy_forecast_001",
        "easy_ops_missing_002",
        "easy_ops_missing_003",
    ]
    assert names[12:14] == ["easy_ops_missing_011", "medium_finance_anomaly_002"]
    assert names[32:] == ["hard_energy_forecast_011", "easy_ops_missing_001"]
    assert sorted(names[:33]) == sorted(TASKS)


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_walks_its_own_cases_and_wraps_around(level: str):
    names = cases(*[Request(difficulty=level)] * 12)
    assert names[:11] == sorted(task.task_id for task in ORDER if task.level == level)
    assert names[11] == names[0]


def test_each_order_keeps_its_own_turn():
    assert cases(
        Request(),
        Request(difficulty="easy"),
        Request(difficulty="hard"),
        Request(),
        Request(difficulty="easy"),
    ) == [
        "easy_ops_missing_001",
        "easy_ops_missing_001",
        "hard_energy_forecast_001",
        "medium_finance_anomaly_001",
        "easy_ops_missing_002",
    ]


def test_a_named_case_beats_the_difficulty_and_moves_no_turn():
    named = Request(task_id="hard_energy_forecast_007", difficulty="easy")
    assert cases(Request(), named, Request(difficulty="easy"), Request()) == [
        "easy_ops_missing_001",
        "hard_energy_forecast_007",
        "easy_ops_missing_001",
        "medium_finance_anomaly_001",
    ]


def test_an_unknown_difficulty_is_refused_even_beside_a_known_case():
    with pytest.raises(Refusal, match="Unknown difficulty"):
        ENV.task(Request(task_id="easy_ops_missing_001", difficulty="HARD"), Memory(), Rng(1))


@given(requests, st.integers(0, 100), st.integers(0, 100))
def test_an_episode_moves_at_most_one_cursor(request: Request, overall: int, easy: int):
    memory = Memory(overall=overall, easy=easy)
    after = carry(ENV, open_episode(ENV, request, memory, seed=1))
    moved = [name for name in Memory.model_fields if getattr(memory, name) != getattr(after, name)]
    expected = [] if request.task_id is not None else [request.difficulty or "overall"]
    assert moved == expected


@given(requests, st.integers(0, 2**53 - 1), st.integers(0, 2**53 - 1))
def test_the_seed_changes_nothing(request: Request, one: int, other: int):
    assert ENV.task(request, Memory(), Rng(one)) == ENV.task(request, Memory(), Rng(other))
