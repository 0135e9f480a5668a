"""The same request, memory and seed give the same episode: twice, and in a process of another mind."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from envs.kernel.play import AnyEpisode, carry, open_episode, play
from envs.kernel.protocol import AnyEnvironment
from envs.kernel.records import digest
from tests.conftest import ROOT
from tests.laws import digests

Episodes = tuple[AnyEpisode, ...]

HASH_SEEDS = ("0", "4242")


@pytest.fixture(scope="session", params=HASH_SEEDS)
def elsewhere(request: pytest.FixtureRequest) -> dict[str, list[str]]:
    """What a second process prints whose strings hash otherwise, so that its sets have another order."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.laws.digests"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": request.param},
        check=True,
        capture_output=True,
        timeout=60,
    )
    return json.loads(done.stdout)


def test_another_process_plays_the_same(slug: str, elsewhere: dict[str, list[str]]):
    assert elsewhere[slug] == digests.played(slug)


def test_another_process_draws_the_same(elsewhere: dict[str, list[str]]):
    assert elsewhere["stream"] == digests.stream()


def test_playing_again_reproduces_every_digest(env: AnyEnvironment, episodes: Episodes):
    for episode in episodes:
        again = open_episode(env, episode.request, episode.memory, episode.seed)
        assert digest(again.task) == digest(episode.task)
        for action in episode.actions:
            again = play(env, again, action)
        assert [digest(step.state) for step in again.steps] == [digest(step.state) for step in episode.steps]
        assert again.steps == episode.steps


def test_remembering_again_gives_the_same_memory(env: AnyEnvironment, moments: Episodes):
    assert all(carry(env, moment) == carry(env, moment) for moment in moments)


def test_an_instance_that_starts_anew_remembers_nothing(env: AnyEnvironment):
    assert env.memory_type() == env.memory_type()
