"""Number-Hunt as the kernel plays it."""

from __future__ import annotations

from typing import ClassVar

from envs.kernel.outcome import Grade, Step
from envs.kernel.protocol import Environment
from envs.kernel.rng import Rng
from tests.tiny import dynamics, tasks
from tests.tiny.dynamics import State
from tests.tiny.models import Action, Level, Memory, Observation, Request, Track
from tests.tiny.tasks import Task


class NumberHunt(Environment[Request, Memory, Task, State, Action, Observation]):
    """Find a hidden number in five guesses.

    **Description.** A number is hidden in a range. Each guess is answered with higher or lower, unless the
    answer fails to come.

    **Action space.** One record.

    | field | meaning | range | unit |
    |---|---|---|---|
    | move | what to do | guess, give_up | |
    | number | the guess | low to high, or null when giving up | |

    A guess outside the range is illegal: it is counted as a foul and costs reward, but spends no step.

    **Observation space.** One record.

    | field | meaning | range | unit |
    |---|---|---|---|
    | task_id | which hunt of this instance it is | hunt-1, hunt-2, … | |
    | low, high | ends of the range, both included | 1 to 100 | |
    | guesses | numbers and their answers; on the blind track every answer but a hit is silence | | |
    | fouls | illegal guesses so far | | |
    | wins | earlier hunts of this instance that found their number | | |
    | step_count, max_steps | steps spent and allowed | 0 to 5 | steps |

    **Rewards.** The sum of these parts, held within [-1, 1].

    | part | earns |
    |---|---|
    | hit | 1 for finding the number |
    | speed | .04 for each step left at a hit |
    | miss | -.05 for a guess that is not it |
    | foul | -.10 for an illegal guess |

    The grade is half for finding the number and half for the share of steps left.

    **Start.** The number is uniform in the range; nothing has been guessed.

    **Episode end.** Terminated by a hit or by giving up; truncated after 5 steps.

    **Arguments.** `seed` hides the number. `level`: easy (1 to 31, every guess answered) or hard (1 to 100,
    one answer in five fails to come). `track`: answered or blind. Each instance counts its hunts and wins.

    **Versions.** 1: the first.
    """

    slug: ClassVar[str] = "number-hunt"
    title: ClassVar[str] = "Number-Hunt"
    field: ClassVar[str] = "Searching"
    tagline: ClassVar[str] = "Find a hidden number before your guesses run out."
    version: ClassVar[int] = 1
    levels: ClassVar[tuple[str, ...]] = tuple(Level)
    tracks: ClassVar[tuple[str, ...]] = tuple(Track)
    horizon: ClassVar[tuple[int, int]] = (1, tasks.MAX_STEPS)

    request_type = Request
    memory_type = Memory
    state_type = State
    action_type = Action
    observation_type = Observation

    def task(self, request: Request, memory: Memory, rng: Rng) -> Task:
        return tasks.generated(request, memory, rng)

    def initial(self, task: Task, memory: Memory) -> State:
        return dynamics.initial(task, memory)

    def step(self, state: State, action: Action, rng: Rng) -> Step[State]:
        return dynamics.step(state, action, rng)

    def observe(self, state: State, track: str) -> Observation:
        return dynamics.observe(state, track)

    def grade(self, task: Task, steps: tuple[Step[State], ...]) -> Grade:
        return dynamics.grade(task, steps)

    def track(self, request: Request) -> str:
        return request.track

    def remember(
        self, memory: Memory, request: Request, task: Task, steps: tuple[Step[State], ...]
    ) -> Memory:
        won = bool(steps) and dynamics.won(steps[-1].state)
        return Memory(hunts=memory.hunts + 1, wins=memory.wins + won)
