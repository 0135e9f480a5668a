"""Digests of all that is played for the laws, as JSON: `python -m tests.laws.digests`.

Another process that prints the same has played the same.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from hashlib import blake2b

from envs.kernel.play import AnyEpisode, carry, grade, look
from envs.kernel.protocol import AnyEnvironment
from envs.kernel.records import Record, digest, encode
from envs.kernel.rng import Rng
from tests.laws.plays import CATALOGUE, episodes, history


def played(slug: str) -> list[str]:
    """Digests of every task, state, reward, observation, grade and memory, in the order of play."""
    env = CATALOGUE[slug].environment
    return [found for episode in episodes(slug) for found in _of_episode(env, episode)]


def stream() -> list[str]:
    """Draws of every kind at some hundred addresses, floats to the last bit."""
    drawn: list[str] = []
    for number in range(100):
        rng = Rng(number, "stream", "ä").at(number * 7, str(number))
        floats = (rng.unit(), rng.uniform(-3.0, 5.0), *rng.normals(3))
        drawn += [value.hex() for value in floats]
        drawn += [str(rng.integer(-9, 9)), rng.choice("abcdef"), "".join(rng.shuffled("abcdef"))]
    return drawn


def _of_episode(env: AnyEnvironment, episode: AnyEpisode) -> Iterator[str]:
    yield from (_hash(episode.request), _hash(episode.memory), _hash(episode.task))
    for moment in history(episode):
        yield from (digest(moment.state), _hash(look(env, moment)), _hash(grade(env, moment)))
        yield from (_hash(step.reward) for step in moment.steps[-1:])
    yield _hash(carry(env, episode))


def _hash(record: Record) -> str:
    return blake2b(encode(record), digest_size=16).hexdigest()


def main() -> None:
    """Prints `{"stream": …, slug: …}`."""
    json.dump({"stream": stream(), **{slug: played(slug) for slug in CATALOGUE}}, sys.stdout)


if __name__ == "__main__":
    main()
