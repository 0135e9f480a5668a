"""Content moderation as the kernel plays it: the rooms of this folder behind one door."""

from __future__ import annotations

from typing import ClassVar

from envs.kernel.outcome import Grade, Step
from envs.kernel.protocol import Environment, Refusal
from envs.kernel.rng import Rng
from envs.moderation import dynamics
from envs.moderation.cases import generator
from envs.moderation.dynamics import Memory, State
from envs.moderation.models import LEVELS, SPLITS, Action, Observation, Request
from envs.moderation.tasks import BY_NAME, Level, Task


class Moderation(Environment[Request, Memory, Task, State, Action, Observation]):
    """Investigate a post, classify it, and decide what becomes of it.

    **Description.** A post is on your desk. You see its words, where it was written, how far it spread and
    how often it was reported. You may fetch the author's history, the thread below it and the clauses of the
    policy; you say once what the post does; and you decide: allow, flag, remove or escalate. The right answer
    follows from a policy whose clauses have ranks, jurisdictions and dates. In most cases two posts that read
    alike have unlike answers, because of one fact that only a look shows.

    **Action space.** One record.

    | field | meaning | range | unit |
    |---|---|---|---|
    | action | what to do | fetch_user_history, fetch_thread_context, check_policy_clause, | |
    | | | mark_violation_type, allow, flag, remove, escalate | |
    | violation_type | for mark_violation_type | none, harassment, hate, threat, privacy, misinformation, | |
    | | | self_harm, spam, or null | |
    | clause_id | for check_policy_clause | one of available_context, or null | |

    Without the field that it needs, an action is illegal: nothing changes and no step is spent. A clause that
    is not there is illegal too and spends a step.

    **Observation space.** One record; nothing of it depends on the hidden facts.

    | field | meaning | range | unit |
    |---|---|---|---|
    | task | the level | easy, medium, hard | |
    | post_content | author, day, and the post itself | | |
    | geo | jurisdiction of the post | Norvale, Sundmark, Terrane, Quillon | |
    | engagement | how far it has spread | low, medium, high | |
    | reports | how often it was reported; decides nothing | 0 to 79 | reports |
    | available_context | clauses that can be fetched | 16 ids | |
    | user_history | entries of the author's account; null until fetched | 4 lines | |
    | thread_context | remarks below the post with who speaks; null until fetched | 4 lines | |
    | policy_context | the clauses fetched so far, with their notices; null before the first | | |
    | predicted_violation | the first mark; null before it | | |
    | final_action | the decision; null before it | allow, flag, remove, escalate | |
    | ruling | after the decision: the right answer, its clauses and facts; null before it | | |
    | escalations_left | in the quota of this instance | 0 to 4 | cases |
    | step_count, max_steps | steps spent and allowed | 0 to max_steps | steps |

    **Rewards.** The sum of these parts.

    | part | earns |
    |---|---|
    | investigation | .20 for the first look at the history and at the thread; with the decision, .20 for |
    | | each deciding clause that was read |
    | repetition | -.10 for a look, a clause or a mark that came before |
    | invented | -.10 for a clause that is not there |
    | decision | 1 if it is right, else -1 to 0 by what it silences, lets pass or loads off on others |
    | classification | with the decision, .20 if the first mark was right |
    | quota | -.30 for a needless escalation when four of the last ten cases of this instance were escalated |
    | late | -.05 for each step after the 5th, 6th or 7th |
    | undecided | -1 with the last step if it decides nothing |

    The score weighs the right decision .45, the type .20, the investigation .10 (the share of the evidence
    that the ruling rests on) and efficiency .25 (1 - steps / max_steps). The objective is the worth of the
    decision, .10 more if the type is right with it, less what is late and beyond the quota; a case that
    nobody decides is worth -1.

    **Start.** The post as it lies on the desk; nothing was looked at.

    **Episode end.** Terminated by allow, flag, remove or escalate; truncated after max_steps (6, 8, 10).

    **Arguments.** `task` or `task_id`: easy (the default), medium or hard, or easy_harassment,
    medium_ambiguous or hard_misinformation. `seed` draws the case. `split`: public (the default) or held-out.

    **Versions.** 1: nineteen families over seven topics, two phrase books. 2: neither the number of sentences
    nor who speaks in a thread tells anything; the post's card says how many escalations are left.
    """

    slug: ClassVar[str] = "moderation"
    title: ClassVar[str] = "Content moderation"
    field: ClassVar[str] = "Trust and safety"
    tagline: ClassVar[str] = "Look into a reported post, say what it does, and decide whether it stays up."
    version: ClassVar[int] = 2
    levels: ClassVar[tuple[str, ...]] = LEVELS
    tracks: ClassVar[tuple[str, ...]] = ("blind",)
    horizon: ClassVar[tuple[int, int]] = (1, 10)

    request_type = Request
    memory_type = Memory
    state_type = State
    action_type = Action
    observation_type = Observation

    def task(self, request: Request, memory: Memory, rng: Rng) -> Task:
        return generator.task(rng, level_of(request).level, request.split)

    def initial(self, task: Task, memory: Memory) -> State:
        return dynamics.initial(task, memory)

    def step(self, state: State, action: Action, rng: Rng) -> Step[State]:
        return dynamics.step(state, action)

    def observe(self, state: State, track: str) -> Observation:
        return dynamics.observe(state)

    def grade(self, task: Task, steps: tuple[Step[State], ...]) -> Grade:
        return dynamics.grade(task, steps)

    def track(self, request: Request) -> str:
        return self.tracks[0]

    def remember(
        self, memory: Memory, request: Request, task: Task, steps: tuple[Step[State], ...]
    ) -> Memory:
        return dynamics.remember(memory, steps[-1].state) if steps else memory

    def conceal(self, state: State) -> State:
        return state.model_copy(update={"ruling": None})

    def reserved(self, request: Request) -> bool:
        return request.split == SPLITS[1]

    def held_out(self, level: str, seed: int) -> Request:
        request = Request(task=level, split=SPLITS[1], seed=seed)
        level_of(request)
        return request


def level_of(request: Request) -> Level:
    """The level that a request names by either word; easy when it names none.

    Raises:
        Refusal: If there is no such task or split, or the two words name unlike tasks.
    """
    if request.split not in SPLITS:
        raise Refusal(f"Unknown split: {request.split}; use {' or '.join(SPLITS)}")
    named = [name for name in (request.task, request.task_id) if name is not None] or [LEVELS[0]]
    for name in named:
        if name not in BY_NAME:
            raise Refusal(f"Unknown task: {name}; use {', '.join(BY_NAME)}")
    found = {BY_NAME[name].level for name in named}
    if len(found) > 1:
        raise Refusal(f"task {request.task} and task_id {request.task_id} are two tasks; name one of them")
    return BY_NAME[named[0]]
