"""Forecast-Audit as the kernel plays it: the rooms of this folder behind one door."""

from __future__ import annotations

from typing import ClassVar

from envs.forecast_audit import catalogue, dynamics, grader
from envs.forecast_audit.audit import generator, loss
from envs.forecast_audit.audit.cases import AuditTask
from envs.forecast_audit.catalogue import Memory
from envs.forecast_audit.dynamics import State
from envs.forecast_audit.models import LEVELS, TRACKS, Action, Observation, Request
from envs.forecast_audit.tasks import Task
from envs.kernel.outcome import Grade, Step
from envs.kernel.protocol import Environment
from envs.kernel.rng import Rng


class ForecastAudit(Environment[Request, Memory, Task, State, Action, Observation]):
    """Audit one report of a time series before it is published.

    **Description.** A report has reached your desk because something in it is wrong: an hour is missing, a
    value is impossible, or a forecast breaks physics. You see the series, what the desk knows about it and
    how it was labelled. You say what should happen to the report, where the fault is, what the value should
    have been, how serious it is, which constraints it breaks, and why. On the audit track nobody has labelled
    the report: it may be sound, it may look odd for a good reason, and it may have up to three faults.

    **Action space.** One record.

    | field | meaning | range | unit |
    |---|---|---|---|
    | operation | what to do with the report | impute, flag_anomaly, accept, repair_and_finalize, escalate | |
    | target_index | position of the faulty value | 0 to n - 1, or null | position |
    | predicted_value | what it should be; written into the series | a finite number, or null | the metric's |
    | severity | harm if it were published | low, medium, high, or null | |
    | violated_constraints | the broken constraints, word for word | up to 64 sentences | |
    | rationale | a fact of this case and the reason | up to 4,000 characters | |

    A position outside the series is illegal: nothing changes and no step is spent. On the audit track
    `impute` and `flag_anomaly` mark one position and go on; the other operations end the report.

    **Observation space.** One record; nothing of it depends on the hidden gold.

    | field | meaning | range | unit |
    |---|---|---|---|
    | task_id, difficulty, domain | which case this is | difficulty: easy, medium, hard | |
    | metric_name | what is measured; its ending is the unit | snake_case | |
    | timestamps | when each value was taken | 5 to 24; 48 to 96 on the audit track | |
    | values | the series as it stands; null is a gap | finite | the metric's |
    | issue_type | the label of the report | missing_value, anomaly, invalid_forecast; undisclosed | |
    | constraints | what the desk knows | 2 to 5 sentences; 5 to 10 on the audit track | |
    | analyst_note | a colleague's words; after a step its verdict, or what was done so far | | |
    | step_count, max_steps | steps spent and allowed | 0 to max_steps | steps |
    | history_summary | how the series usually behaves | | |

    **Rewards.** The sum of these parts, held within [0, 1].

    | part | earns |
    |---|---|
    | operation | .35 for the right one; .20 for flagging an anomaly, .15 for repairing an invalid forecast |
    | index | .15 for the right one |
    | value | .20 within the case's tolerance, .10 within twice it |
    | severity | .10 for the right one |
    | constraints | .10 times F1 of cited against broken; 1 if there is nothing to cite and nothing cited |
    | rationale | .08 for a sentence with a fact and a reason, .05 for another sentence, up to .03 for less |
    | efficiency | .05 in the first step, .02 less in each later one, never below 0 |
    | penalty | -.15 for accepting a fault (-.25 a gap), -.20 for imputing no value, -.15 for imputing |
    | | or repairing without an index, -.05 for no rationale |

    The grade of an episode is what its last legal action earned: the report as it would be published.

    On the audit track every step earns 0 until the report is ended, and the end earns 1 - loss, the expected
    loss of publication: min(1, .25 regret + .30 missed + .25 error + .10 severity + .10 citations + false
    marks). Its parts are operation (.25 less the regret of how the report ended), index (.30 less the share
    of faults that no mark found), value (.25 less the mean absolute error in twice the typical swing),
    severity and constraints (.10 each) and penalty (-.15 for a mark where no fault is, -.05 more for a value
    written there). The objective is -loss; a report that nobody ends loses 1.

    **Start.** The report as it was queued; the note is the analyst's.

    **Episode end.** Terminated when a step earns .95 or more; truncated after `max_steps` (2, 2 and 3).
    On the audit track terminated by `accept`, `repair_and_finalize` or `escalate`, truncated after
    3, 4 and 6 steps.

    **Arguments.** `track`: contract (the default) or audit. On the contract track `task_id` names a case and
    beats `difficulty`, which gives the next case of that level; with neither, the next of all 33. Each
    instance has its own turn in each order; `seed` changes nothing. On the audit track `seed`, `difficulty`
    (easy unless said) and `split` (public, the default, or held-out) draw the case, and `task_id` is refused.

    **Versions.** 1: the contract's track, 33 curated cases, and the audit track, generated. 2: levels of the
    audit track that cost the reference alike, other real series, and repeated dates go to the owner. 3: its
    public and held-out cases are alike in kind and size of their faults.
    """

    slug: ClassVar[str] = "forecast-audit"
    title: ClassVar[str] = "Forecast-Audit"
    field: ClassVar[str] = "Reporting and forecasting"
    tagline: ClassVar[str] = (
        "Find the fault in a time series, repair it, and decide whether the report may go out."
    )
    version: ClassVar[int] = 3
    levels: ClassVar[tuple[str, ...]] = LEVELS
    tracks: ClassVar[tuple[str, ...]] = TRACKS
    horizon: ClassVar[tuple[int, int]] = (1, 6)

    request_type = Request
    memory_type = Memory
    state_type = State
    action_type = Action
    observation_type = Observation

    def task(self, request: Request, memory: Memory, rng: Rng) -> Task:
        catalogue.check(request)
        if request.track == "audit":
            return generator.task(rng, request.difficulty or self.levels[0], request.split)
        return catalogue.chosen(request, memory)

    def initial(self, task: Task, memory: Memory) -> State:
        return dynamics.initial(task)

    def step(self, state: State, action: Action, rng: Rng) -> Step[State]:
        return dynamics.step(state, action)

    def observe(self, state: State, track: str) -> Observation:
        return dynamics.observe(state)

    def grade(self, task: Task, steps: tuple[Step[State], ...]) -> Grade:
        return loss.grade(steps) if isinstance(task, AuditTask) else grader.grade(steps)

    def track(self, request: Request) -> str:
        return request.track

    def remember(
        self, memory: Memory, request: Request, task: Task, steps: tuple[Step[State], ...]
    ) -> Memory:
        return memory if request.track == "audit" else catalogue.advanced(request, memory)

    def conceal(self, state: State) -> State:
        return state.model_copy(update={"last_reward": None, "total_reward": 0.0})

    def reserved(self, request: Request) -> bool:
        return request.split == "held-out"

    def held_out(self, level: str, seed: int) -> Request:
        request = Request(track="audit", split="held-out", difficulty=level, seed=seed)
        catalogue.check(request)
        return request
