"""Baselines are players: they see observations, act by the rules and come to an end."""

from __future__ import annotations

import pytest

from envs.catalog import Entry
from envs.kernel.play import AnyEpisode, look
from envs.kernel.records import encode
from envs.kernel.rng import Rng
from tests.laws.plays import CATALOGUE, episodes_of, history, requests

each_policy = pytest.mark.parametrize(
    ("slug", "policy"), [(slug, policy) for slug, entry in CATALOGUE.items() for policy in entry.policies]
)


@each_policy
def test_a_policy_plays_every_episode_to_its_end(slug: str, policy: str):
    played = episodes_of(slug, policy)
    assert len(played) == len(requests(slug))
    assert all(episode.done for episode in played)


@each_policy
def test_a_policy_never_does_what_the_rules_forbid(slug: str, policy: str):
    assert all(step.legal for episode in episodes_of(slug, policy) for step in episode.steps)


@each_policy
def test_a_policy_that_is_asked_twice_answers_the_same(slug: str, policy: str):
    entry = CATALOGUE[slug]
    for episode in episodes_of(slug, policy):
        for moment, action in zip(history(episode), episode.actions, strict=False):
            assert encode(_asked(entry, policy, moment)) == encode(action)


def _asked(entry: Entry, policy: str, moment: AnyEpisode):
    observation = look(entry.environment, moment)
    return entry.policies[policy](observation, Rng(moment.seed, policy).at(len(moment.steps)))
