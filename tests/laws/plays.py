"""What the laws are tried on: the episodes that baselines and scripts reach in every environment."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache

from envs.catalog import ENVIRONMENTS, Entry
from envs.kernel.play import AnyEpisode, carry, look, open_episode, play
from envs.kernel.protocol import AnyEnvironment
from envs.kernel.records import Action, Memory, Observation, Request, encode
from envs.kernel.rng import Rng
from tests.golden.scripts import SCRIPTS
from tests.tiny import TINY

CATALOGUE: Mapping[str, Entry] = {**ENVIRONMENTS, **TINY}

# How the contracts call what a reset can choose.
LEVEL_NAMES = ("level", "difficulty", "task")
TRACK_NAMES = ("track",)
# An illegal action may cost no step; a policy that needs more actions than this for each step is stuck.
PATIENCE = 4


@cache
def requests(slug: str) -> tuple[Request, ...]:
    """A bare reset, and one for each level on each track, with unlike seeds."""
    env = CATALOGUE[slug].environment
    levels = _choices(env, LEVEL_NAMES, env.levels)
    choices = [{**level, **track} for level in levels for track in _choices(env, TRACK_NAMES, env.tracks)]
    return tuple(_request(env, {**choice, "seed": seed}) for seed, choice in enumerate([{}, *choices]))


@cache
def episodes_of(slug: str, policy: str) -> tuple[AnyEpisode, ...]:
    """What a policy plays on one instance, request after request, until it ends or is stuck."""
    entry = CATALOGUE[slug]
    memory: Memory = entry.environment.memory_type()
    played: list[AnyEpisode] = []
    for request in requests(slug):
        episode = open_episode(entry.environment, request, memory, request.seed or 0)
        while not episode.done and len(episode.steps) < PATIENCE * episode.task.max_steps:
            episode = play(entry.environment, episode, choice(entry, policy, episode))
        played.append(episode)
        memory = carry(entry.environment, episode)
    return tuple(played)


@cache
def scripted(slug: str) -> tuple[AnyEpisode, ...]:
    """The episodes of the golden script, illegal actions included."""
    env = CATALOGUE[slug].environment
    memory: Memory = env.memory_type()
    played: list[AnyEpisode] = []
    for script in SCRIPTS.get(slug, ()):
        episode = open_episode(env, script.request, memory, script.request.seed or 0)
        for action in script.actions:
            episode = play(env, episode, action)
        played.append(episode)
        memory = carry(env, episode)
    return tuple(played)


@cache
def episodes(slug: str) -> tuple[AnyEpisode, ...]:
    """Every episode that is played for the laws."""
    by_policy = (episodes_of(slug, policy) for policy in CATALOGUE[slug].policies)
    return tuple(episode for played in (*by_policy, scripted(slug)) for episode in played)


@cache
def moments(slug: str) -> tuple[AnyEpisode, ...]:
    """Every episode as it was after each of its steps, and before the first."""
    return tuple(moment for episode in episodes(slug) for moment in history(episode))


def history(episode: AnyEpisode) -> Iterator[AnyEpisode]:
    """The episode as it was after 0, 1, 2, … steps."""
    return (episode.until(count) for count in range(len(episode.steps) + 1))


def choice(entry: Entry, policy: str, episode: AnyEpisode) -> Action:
    """What a policy does now. It gets the observation's bytes and nothing that hangs on the object."""
    observation: Observation = entry.environment.observation_type.model_validate_json(
        encode(look(entry.environment, episode))
    )
    return entry.policies[policy](observation, Rng(episode.seed, policy).at(len(episode.steps)))


def _choices(env: AnyEnvironment, names: tuple[str, ...], values: tuple[str, ...]) -> list[dict[str, str]]:
    """Each value under the first of these names that a reset of this environment has."""
    name = next((name for name in names if name in env.request_type.model_fields), None)
    return [{}] if name is None else [{name: value} for value in values]


def _request(env: AnyEnvironment, fields: Mapping[str, str | int]) -> Request:
    request: Request = env.request_type.model_validate_json(json.dumps(fields))
    return request
