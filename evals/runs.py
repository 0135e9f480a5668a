"""What a run is: which agent plays which cases how often, and what one worker does of it."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import blake2b
from math import fsum
from pathlib import Path

import envs.kernel
from envs.kernel.play import AnyEpisode
from envs.kernel.protocol import AnyEnvironment
from evals.episode import Played, play_on, policy_rng
from evals.subject import Subject, opened
from evals.subjects import BUILT_IN, agent, load

# Cases of one unit of work: long enough that handing it over costs little, short enough to lose when killed.
CHUNK = 16
# Opened cases that a worker keeps, some 20 KB each: more than one level of a gate has, or none is met again.
KEPT_CASES = 8192


@dataclass(frozen=True, slots=True)
class Spec:
    """One agent on the cases `first` to `first + seeds - 1` of a level and a split.

    Attributes:
        trials: How often each case is played; trials differ in the policy's randomness alone.
        subjects: Where the environment is declared, see `subjects.load`.
    """

    environment: str
    agent: str
    split: str
    level: str
    seeds: int
    trials: int = 1
    first: int = 0
    subjects: str = BUILT_IN

    @property
    def subject(self) -> Subject:
        return load(self.subjects)[self.environment]

    @property
    def place(self) -> str:
        """Environment, track, split, level and agent, as the names of kept files have them."""
        return f"{self.environment}/{self.subject.track}/{self.split}/{self.level}/{self.agent}"

    @property
    def version(self) -> str:
        """The environment's version, and a digest of the code that plays: rows of unlike code never mix."""
        env = self.subject.env
        return f"v{env.version}-{code_digest(env)}"


@dataclass(frozen=True, slots=True)
class Row:
    """What one trial of one case came to.

    Attributes:
        objective: The grade's objective, what skill is computed from.
        reward: Sum of the rewards.
        illegal: Actions that the rules did not allow.
        error: Why the agent did not finish; empty when it did.
    """

    seed: int
    trial: int
    family: str
    template: str
    objective: float
    score: float
    reward: float
    steps: int
    actions: int
    status: str
    error: str


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of work for one worker: some cases of one chunk, in one trial."""

    spec: Spec
    trial: int
    seeds: tuple[int, ...]

    @property
    def chunk(self) -> int:
        return self.seeds[0] // CHUNK


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a unit: a row and the episode for each of its cases."""

    unit: Unit
    rows: tuple[Row, ...]
    played: tuple[Played, ...]


def play_unit(unit: Unit) -> Done:
    """Plays a unit; runs in the worker."""
    pairs = [_play(unit.spec, seed, unit.trial) for seed in unit.seeds]
    return Done(unit, tuple(row for row, _ in pairs), tuple(played for _, played in pairs))


def units(spec: Spec, known: frozenset[tuple[int, int]]) -> Sequence[Unit]:
    """What is left to play, chunk by chunk, in the order of trials and cases.

    Args:
        known: Seed and trial of the rows that are there.
    """
    found: dict[tuple[int, int], list[int]] = {}
    for trial in range(spec.trials):
        for seed in range(spec.first, spec.first + spec.seeds):
            if (seed, trial) not in known:
                found.setdefault((trial, seed // CHUNK), []).append(seed)
    return [Unit(spec, trial, tuple(seeds)) for (trial, _), seeds in found.items()]


@cache
def code_digest(env: AnyEnvironment) -> str:
    """8 hex digits of the source that this process plays with."""
    return source_digest(env)


def source_digest(env: AnyEnvironment) -> str:
    """8 hex digits that change with the source of the environment, its baselines or the kernel."""
    folders = (Path(inspect.getfile(type(env))).parent, Path(inspect.getfile(envs.kernel)).parent)
    state = blake2b(digest_size=4)
    for folder in folders:
        for file in sorted(folder.rglob("*.py")):
            state.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return state.hexdigest()


def case_name(spec: Spec, seed: int) -> str:
    """The address of a case among all of its environment."""
    return f"{spec.environment}/{spec.split}/{spec.level}/{seed}"


@lru_cache(maxsize=KEPT_CASES)
def _opened(subjects: str, environment: str, level: str, split: str, seed: int) -> AnyEpisode:
    """A case before its first step; many agents play the same one, and to generate it costs most."""
    return opened(load(subjects)[environment], level, split, seed)


def _play(spec: Spec, seed: int, trial: int) -> tuple[Row, Played]:
    subject = spec.subject
    episode = _opened(spec.subjects, spec.environment, spec.level, spec.split, seed)
    rng = policy_rng(spec.agent, case_name(spec, seed), trial)
    played = play_on(subject.env, agent(subject, spec.agent), episode, rng)
    group = subject.group(episode.task)
    row = Row(
        seed=seed,
        trial=trial,
        family=group.family,
        template=group.template,
        objective=played.grade.objective,
        score=played.grade.score,
        reward=fsum(played.rewards),
        steps=played.steps,
        actions=len(played.actions),
        status=played.status.value,
        error=played.error,
    )
    return row, played
