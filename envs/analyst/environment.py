"""An analysis as the kernel plays it: the rooms of this folder behind one door."""

from __future__ import annotations

from typing import ClassVar

from envs.analyst import dynamics
from envs.analyst.dynamics import Memory, State, Task
from envs.analyst.models import LEVELS, Action, Answered, Observation, Request
from envs.kernel.outcome import Grade, Step
from envs.kernel.protocol import Environment
from envs.kernel.rng import Rng


class Analyst(Environment[Request, Memory, Task, State, Action, Observation]):
    """Answer business questions over data and documents, with the evidence.

    **Description.** An analysis has an objective, business questions, sources (tables and documents) and a
    conversation. Each question is one step. What answers it (the plan, the tools that were called, the
    queries that ran, the rows and passages that came back, the words) comes from outside the kernel and is
    recorded with the question, so that an analysis reads back and replays without asking anybody again.

    **Action space.** One record.

    | field | meaning | range | unit |
    |---|---|---|---|
    | action | what to do | ask, help, set_objective, finish | |
    | message | for ask: the question, in English or Indonesian | up to 4,000 characters | |
    | objective | for set_objective: what the analysis is for; null leaves it | up to 2,000 characters | |
    | business_questions | for set_objective: what it shall answer; null leaves them | up to 20 | |
    | user_id | who asks; attribution only | up to 200 characters | |

    An ask without a message is illegal, and so is set_objective without anything to set: nothing changes and
    no step is spent. Played without a service nobody answers, and the exchange says so.

    **Observation space.** One record.

    | field | meaning | range | unit |
    |---|---|---|---|
    | objective | what the analysis is for | | |
    | business_questions | what it shall answer | up to 20 | |
    | exchanges | the last messages, each with its answer, or null | up to 6 | |
    | asked | messages so far | 0 to max_steps | messages |
    | analyses | answers so far in which an analysis of data succeeded | 0 to asked | answers |
    | closed | whether the analysis was closed | | |
    | step_count, max_steps | steps spent and allowed | 0 to max_steps | steps |

    **Rewards.** None: an open analysis has no right answer, and its score and objective are 0.

    **Start.** No question was asked; objective and business questions are those of the instance's last
    analysis.

    **Episode end.** Terminated by finish; truncated after max_steps (300).

    **Arguments.** `seed` changes nothing.

    **Versions.** 1: open analyses.
    """

    slug: ClassVar[str] = "analyst"
    title: ClassVar[str] = "Data analyst"
    field: ClassVar[str] = "Business analytics"
    tagline: ClassVar[str] = "Ask a business question in your own words and get the answer with its evidence."
    version: ClassVar[int] = 1
    levels: ClassVar[tuple[str, ...]] = LEVELS
    tracks: ClassVar[tuple[str, ...]] = ("open",)
    horizon: ClassVar[tuple[int, int]] = (1, dynamics.MAX_STEPS)

    request_type = Request
    memory_type = Memory
    state_type = State
    action_type = Action
    observation_type = Observation
    recorded_type = Answered
    """What the journal may hold beside an action: one with what answered it."""

    def task(self, request: Request, memory: Memory, rng: Rng) -> Task:
        return dynamics.task()

    def initial(self, task: Task, memory: Memory) -> State:
        return dynamics.initial(task, memory)

    def step(self, state: State, action: Action, rng: Rng) -> Step[State]:
        return dynamics.step(state, action)

    def observe(self, state: State, track: str) -> Observation:
        return dynamics.observe(state)

    def grade(self, task: Task, steps: tuple[Step[State], ...]) -> Grade:
        return Grade(parts=(), score=0.0, objective=0.0)

    def track(self, request: Request) -> str:
        return self.tracks[0]

    def remember(
        self, memory: Memory, request: Request, task: Task, steps: tuple[Step[State], ...]
    ) -> Memory:
        return dynamics.remember(steps[-1].state) if steps else memory
