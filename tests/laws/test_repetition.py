"""The same request, memory and seed give the same episode: twice, and in a process that hashes otherwise."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache

import pytest

from envs.kernel.play import AnyEpisode, carry, open_episode, play
from envs.kernel.protocol import AnyEnvironment
from envs.kernel.records import digest, encode
from tests.conftest import ROOT
from tests.laws import digests

Episodes = tuple[AnyEpisode, ...]

another_hash = pytest.mark.parametrize("hash_seed", ["0", "4242"])


@cache
def elsewhere(hash_seed: str) -> dict[str, list[str]]:
    """What a second process prints whose strings hash otherwise, so that its sets have another order."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.laws.digests"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        check=True,
        stdout=subprocess.PIPE,
        timeout=60,
    )
    return json.loads(done.stdout)


@another_hash
def test_another_process_plays_the_same(slug: str, hash_seed: str):
    assert elsewhere(hash_seed)[slug] == digests.played(slug)


@another_hash
def test_another_process_draws_the_same(hash_seed: str):
    assert elsewhere(hash_seed)["stream"] == digests.stream()


def test_playing_again_reproduces_every_digest(env: AnyEnvironment, episodes: Episodes):
    for episode in episodes:
        again = open_episode(env, episode.request, episode.memory, episode.seed)
        assert encode(again.task) == encode(episode.task)
        for action in episode.actions:
            again = play(env, again, action)
        assert [digest(step.state) for step in again.steps] == [digest(step.state) for step in episode.steps]
        assert again.steps == episode.steps


def test_remembering_again_gives_the_same_memory(env: AnyEnvironment, moments: Episodes):
    assert all(carry(env, moment) == carry(env, moment) for moment in moments)
