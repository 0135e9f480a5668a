"""What the fleet tests play: shifts with the faults they name, and episodes by their acts or by a policy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from statistics import fmean

from envs.fleet import POLICIES, Fleet, generator
from envs.fleet.dynamics import Closing, State
from envs.fleet.environment import Memory
from envs.fleet.models import LEVELS, SPLITS, WORKERS, Act, Action, Fault, Finding, Observation, Request
from envs.fleet.standing import Standing
from envs.fleet.tasks import Outage, Plan, Task
from envs.kernel.play import Episode, grade, look, play
from envs.kernel.protocol import Policy
from envs.kernel.rng import Rng

ENV = Fleet()
LADDER = ("random", "follow-flags", "monitor-then-act", "bayes-greedy", "reference")
RUNG_SEEDS = range(20)
PLACES = tuple((level, split) for level in LEVELS for split in SPLITS)

Played = Episode[Request, Memory, Task, State, Action]


def case(seed: int, level: str = "easy_fleet", split: str = "public") -> Task:
    return generator.task(Rng(seed, "task"), level, split)


def shift(
    *faults: Plan,
    level: str = "easy_fleet",
    seed: int = 1,
    oddities: tuple[Plan, ...] = (),
    outage: Outage | None = None,
) -> Task:
    """A shift with exactly these faults."""
    task = case(seed, level)
    outages = () if outage is None else (outage,)
    truth = task.truth.model_copy(update={"faults": faults, "oddities": oddities, "outages": outages})
    return task.model_copy(update={"truth": truth})


def plan(
    worker: int, family: str = Fault.LOUD_FAILURE, variant: str = "crash", onset: int = 1, dwell: int = 0
) -> Plan:
    return Plan(worker=worker, family=family, variant=variant, onset=onset, dwell=dwell)


def opened(task: Task, memory: Memory = Memory()) -> Played:  # noqa: B008 - frozen
    return Episode(Request(task_id=task.level), 1, memory, task, ENV.initial(task, memory))


def played(task: Task, *actions: Action) -> Played:
    episode = opened(task)
    for action in actions:
        episode = play(ENV, episode, action)
    return episode


def finished(task: Task, policy: str | Policy[Observation, Action], seed: int = 1) -> Played:
    """An episode that a policy plays to its end."""
    ask = POLICIES[policy] if isinstance(policy, str) else policy
    episode = opened(task)
    while not episode.done:
        episode = play(ENV, episode, ask(seen(episode), Rng(seed, "policy").at(len(episode.steps))))
    return episode


def ended(episode: Played, then: Callable[[int], Action] | None = None) -> Played:
    """The episode with nothing more done, or the same act again and again, to its end."""
    ask = then or (lambda step: do(Act.RESUME, 4))
    while not episode.done:
        episode = play(ENV, episode, ask(episode.state.step_count))
    return episode


def states(episode: Played) -> Iterator[State]:
    """The state before each act, and the last one."""
    yield from (episode.until(count).state for count in range(len(episode.steps) + 1))


def seen(episode: Played) -> Observation:
    return look(ENV, episode)


def told(episode: Played) -> Closing:
    """What the end of the episode tells, without the index."""
    assert episode.state.closing is not None
    return episode.state.closing


def objective(episode: Played) -> float:
    return grade(ENV, episode).objective


@cache
def earned(policy: str, level: str) -> float:
    """A policy's mean objective on the seeds that the environment's page speaks of."""
    return fmean(objective(finished(case(seed, level), policy, seed)) for seed in RUNG_SEEDS)


def parts(episode: Played) -> dict[str, float]:
    """What the last act earned, without the parts that are 0."""
    return {name: value for name, value in episode.steps[-1].reward.parts if value}


def do(act: Act, worker: int) -> Action:
    return Action(action_type=act, worker_id=WORKERS[worker])


def audit(*findings: tuple[int, Fault, str]) -> Action:
    named = tuple(Finding(worker_id=WORKERS[w], fault=fault, evidence=line) for w, fault, line in findings)
    return Action(action_type=Act.SUBMIT_AUDIT, worker_id=WORKERS[0], findings=named)


def standing(episode: Played, worker: int) -> Standing | None:
    return episode.state.faults[worker]


def with_stream(task: Task, stream: int) -> Task:
    """The same shift with other draws of flags, readings, reports and spreading."""
    return task.model_copy(update={"truth": task.truth.model_copy(update={"stream": stream})})


def sealed(episode: Played) -> Played:
    return replace(episode, sealed=True)
