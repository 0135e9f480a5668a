"""Transcripts as digests, in this process or another: `python -m evals.gates.replay < cases.json`.

Imports no more than playing needs, so that a second Python without the statistics can run it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

from envs.kernel.play import AnyEpisode, grade, look, open_episode, play
from envs.kernel.records import Record, digest, encode
from evals.subject import Subject
from evals.subjects import BUILT_IN, subject


class Script(NamedTuple):
    """A case and what is done in it: the request and the actions as JSON."""

    request: str
    seed: int
    actions: tuple[str, ...]


def transcript(of: Subject, script: Script) -> str:
    """A digest of the task and of every observation, state, reward and grade, to the byte."""
    env = of.env
    request = env.request_type.model_validate_json(script.request)
    episode: AnyEpisode = open_episode(env, request, env.memory_type(), script.seed)
    state = blake2b(digest_size=16)

    def note(*records: Record) -> None:
        for record in records:
            state.update(encode(record) + b"\n")

    note(episode.task, look(env, episode), grade(env, episode))
    for body in script.actions:
        episode = play(env, episode, env.action_type.model_validate_json(body))
        note(episode.steps[-1].reward, look(env, episode), grade(env, episode))
        state.update(f"{digest(episode.state)} {episode.status}\n".encode())
    return state.hexdigest()


def transcripts(slug: str, scripts: Sequence[Script], path: str = BUILT_IN) -> list[str]:
    """One digest for each script."""
    of = subject(slug, path)
    return [transcript(of, script) for script in scripts]


def main() -> None:
    """Reads `{"slug", "path", "scripts"}` and prints the digests."""
    asked = json.load(sys.stdin)
    scripts = [Script(request, seed, tuple(actions)) for request, seed, actions in asked["scripts"]]
    json.dump(transcripts(asked["slug"], scripts, asked["path"]), sys.stdout)


if __name__ == "__main__":
    main()
