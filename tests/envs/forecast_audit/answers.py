"""What the tests play: right answers, constant ones and arbitrary ones."""

from __future__ import annotations

from hypothesis import strategies as st

from envs.forecast_audit import POLICIES, ForecastAudit
from envs.forecast_audit.catalogue import ORDER, Memory
from envs.forecast_audit.dynamics import State
from envs.forecast_audit.models import Action, Observation, Operation, Request, Severity
from envs.forecast_audit.tasks import Task
from envs.kernel.play import Episode, open_episode, play
from envs.kernel.rng import Rng

AuditEpisode = Episode[Request, Memory, Task, State, Action]

ENV = ForecastAudit()
TASKS = {task.task_id: task for task in ORDER}


def right_answer(task: Task) -> Action:
    """The gold with a reason that names a timestamp."""
    return Action(
        operation=task.gold.operation,
        target_index=task.gold.target_index,
        predicted_value=task.gold.value,
        severity=task.gold.severity,
        violated_constraints=task.gold.violated_constraints,
        rationale=f"The value at {task.timestamps[task.gold.target_index]} contradicts the others' pattern.",
    )


def opened(task: Task) -> AuditEpisode:
    return open_episode(ENV, Request(task_id=task.task_id), Memory(), seed=1)


def played(task: Task, *actions: Action) -> AuditEpisode:
    episode = opened(task)
    for action in actions:
        episode = play(ENV, episode, action)
    return episode


def repeated(task: Task, action: Action) -> AuditEpisode:
    """The same action until the episode ends."""
    episode = opened(task)
    while not episode.done:
        episode = play(ENV, episode, action)
    return episode


def finished(task: Task, name: str, seed: int = 1) -> AuditEpisode:
    """An episode played to its end by a baseline."""
    episode = opened(task)
    while not episode.done:
        rng = Rng(seed, "policy").at(len(episode.steps))
        episode = play(ENV, episode, POLICIES[name](seen(episode), rng))
    return episode


def seen(episode: AuditEpisode) -> Observation:
    return ENV.observe(episode.state, "contract")


def with_value(task: Task, value: float) -> tuple[float | None, ...]:
    """The observed series with another value where the fault is."""
    index = task.gold.target_index
    return (*task.values[:index], value, *task.values[index + 1 :])


tasks = st.sampled_from(ORDER)
# Every series has at least five values.
legal_indices = st.none() | st.integers(0, 4)
sentences = st.sampled_from([sentence for task in ORDER for sentence in task.sentences]) | st.text(
    max_size=20
)
actions = st.builds(
    Action,
    operation=st.sampled_from(Operation),
    target_index=legal_indices,
    predicted_value=st.none() | st.floats(allow_nan=False, allow_infinity=False),
    severity=st.none() | st.sampled_from(Severity),
    violated_constraints=st.lists(sentences, max_size=6).map(tuple),
    rationale=st.text(max_size=200),
)
