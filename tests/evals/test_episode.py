"""An episode is played in the kernel, and a rollout that fails is data."""

from __future__ import annotations

import pickle

import pytest

from envs.kernel.outcome import Status
from evals.episode import Played, play_case, policy_rng
from tests.evals import toy


def played(agent: str, seed: int = 3, trial: int = 0) -> Played:
    subject = toy.SUBJECTS["sorter"]
    request = toy.Request(level="medium", seed=seed)
    return play_case(
        subject.env, subject.policies[agent], request, seed, policy_rng(agent, f"case {seed}", trial)
    )


def test_an_episode_ends_with_its_grade():
    found = played("majority")
    assert found.status is Status.TERMINATED
    assert found.error == ""
    assert len(found.actions) == len(found.rewards) == found.steps >= 3
    assert found.grade.objective == pytest.approx(found.rewards[-1] - toy.LOOK_COST * (found.steps - 1))


def test_the_same_trial_is_played_the_same_and_another_is_not():
    assert played("random") == played("random")
    assert len({played("random", trial=trial).actions for trial in range(12)}) > 1


def test_a_policy_never_draws_what_the_case_draws():
    first = policy_rng("random", "case 3", 0)
    assert first.unit() not in {
        policy_rng("other", "case 3", 0).unit(),
        policy_rng("random", "case 4", 0).unit(),
    }


def test_a_policy_that_raises_gives_a_failed_episode_with_the_text():
    found = played("failing")
    assert found.actions == ()
    assert found.status is Status.RUNNING
    assert found.error == "ValueError: no idea what to do with <object object at 0x…>"
    assert found.grade.objective == 0.0


def test_an_answer_that_is_no_action_gives_a_failed_episode():
    assert played("mumbling").error == "TypeError: the policy answered str; use Action"


def test_a_policy_that_only_does_what_is_illegal_is_stuck():
    found = played("fumbling")
    assert found.error.startswith("stuck: ")
    assert found.steps == 0


def test_an_episode_travels_between_processes():
    assert pickle.loads(pickle.dumps(played("majority"))) == played("majority")
