"""Held-out rounds judged: the skill of a closed submission on its round's cases.

Decides what an unplayed case counts: what its episode had come to, which is the worst for one never opened.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import orjson

from envs.kernel.play import AnyEpisode, grade
from envs.kernel.records import Request
from evals.episode import play_case, policy_rng
from evals.runner import Runner
from evals.runs import Spec, code_digest
from evals.shelf import Shelf
from evals.skill import scale_of, skill
from evals.statistics.rates import Interval
from evals.subject import PUBLIC, opened_by
from evals.subjects import BUILT_IN, agent, load
from instances.model import Round


@dataclass(frozen=True, slots=True)
class Yardstick:
    """The two ends of skill on one case, and what the case resembles."""

    constant: float
    reference: float
    cluster: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges submissions; the yardsticks of a round are measured once and kept.

    Attributes:
        shelf: Where they are kept.
        executor: Where the reference plays, away from the server's own work.
    """

    shelf: Shelf
    executor: Executor
    subjects: str = BUILT_IN

    async def skill(self, held: Round, seeds: Sequence[int], episodes: Mapping[int, AnyEpisode]) -> Interval:
        """The skill of what was played.

        Args:
            seeds: Of the round's first cases, as many as the submission asked for.
            episodes: By case, unsealed; a case that is not there was never opened.
        """
        env = load(self.subjects)[held.environment].env
        sticks = await self._yardsticks(held, seeds)
        objectives = [
            grade(env, episodes[case] if case in episodes else self._untouched(held, seed)).objective
            for case, seed in enumerate(seeds)
        ]
        scale = scale_of(
            [stick.constant for stick in sticks],
            [stick.reference for stick in sticks],
            [stick.cluster for stick in sticks],
        )
        return skill(objectives, scale)

    def _untouched(self, held: Round, seed: int) -> AnyEpisode:
        subject = load(self.subjects)[held.environment]
        return opened_by(subject, subject.env.held_out(held.level, seed), seed)

    async def _yardsticks(self, held: Round, seeds: Sequence[int]) -> list[Yardstick]:
        code = code_digest(load(self.subjects)[held.environment].env)
        name = f"rounds/{held.name}/{code}.json"
        kept = orjson.loads(await self.shelf.get(name) or b"[]")
        sticks = [Yardstick(c, r, (family, template)) for c, r, family, template in kept]
        if len(sticks) < len(seeds):
            constant = await self._best_constant(held)
            loop = asyncio.get_running_loop()
            where = (self.subjects, held.environment, held.level)
            missing = seeds[len(sticks) :]
            measured = [
                loop.run_in_executor(self.executor, _measured, *where, seed, constant) for seed in missing
            ]
            sticks += await asyncio.gather(*measured)
            rows = [[stick.constant, stick.reference, *stick.cluster] for stick in sticks]
            await self.shelf.put(name, "application/json", orjson.dumps(rows))
        return sticks[: len(seeds)]

    async def _best_constant(self, held: Round) -> str:
        reference = load(self.subjects)[held.environment].reference
        spec = Spec(held.environment, reference, PUBLIC, held.level, seeds=1, subjects=self.subjects)
        return await Runner(self.shelf, self.executor).best_constant(spec)


def _measured(path: str, slug: str, level: str, seed: int, constant: str) -> Yardstick:
    """One case's yardstick; runs in the worker."""
    subject = load(path)[slug]
    request: Request = subject.env.held_out(level, seed)

    def objective(name: str) -> float:
        rng = policy_rng(name, f"round/{seed}", 0)
        return play_case(subject.env, agent(subject, name), request, seed, rng).grade.objective

    group = subject.group(opened_by(subject, request, seed).task)
    return Yardstick(objective(constant), objective(subject.reference), (group.family, group.template))
