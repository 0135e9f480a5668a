"""Sorter: a generated environment that holds every gate, and what it becomes with a defect planted in it.

A parcel belongs into one of four bins. A look reads its label, at times wrongly; each costs. Passing is safe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from envs.catalog import Entry
from envs.kernel import records
from envs.kernel.outcome import Grade, Reward, Step
from envs.kernel.protocol import Environment
from envs.kernel.records import HIDDEN
from envs.kernel.rng import Rng
from envs.scene import Scene
from evals.subject import Group, Pairs, Probe, Subject

BINS = 4
MAX_STEPS = 7
FAMILIES = tuple(f"conveyor-{letter}" for letter in "abcdefghijkl")
MISREAD = {"easy": 0.1, "medium": 0.31, "hard": 0.42}
LOOK_COST = 0.005
SAFE = 0.35


class Move(StrEnum):
    """Read the label, put the parcel into a bin, or leave it to somebody else."""

    LOOK = "look"
    SORT = "sort"
    PASS = "pass"


class Request(records.Request):
    level: str = "easy"
    split: str = "public"


class Memory(records.Memory):
    pass


class Task(records.Task):
    family: Annotated[str, HIDDEN]
    template: Annotated[str, HIDDEN]
    place: str
    weight: float
    bin: Annotated[int, HIDDEN]
    misread: Annotated[float, HIDDEN]


class State(records.State):
    task: Task
    read: tuple[int, ...] = ()
    looks: int = 0
    earned: float = 0.0


class Action(records.Action):
    move: Move
    bin: int | None = None


class Observation(records.Observation):
    task_id: str
    place: str
    weight: float
    read: tuple[int, ...]
    step_count: int
    max_steps: int


class Sorter(Environment[Request, Memory, Task, State, Action, Observation]):
    """Sorts parcels.

    Attributes:
        defect: What is planted, one of `DEFECTS`, or nothing.
    """

    slug: ClassVar[str] = "sorter"
    title: ClassVar[str] = "Sorter"
    field: ClassVar[str] = "Post"
    tagline: ClassVar[str] = "Sort parcels."
    version: ClassVar[int] = 1
    levels: ClassVar[tuple[str, ...]] = tuple(MISREAD)
    tracks: ClassVar[tuple[str, ...]] = ("blind",)
    horizon: ClassVar[tuple[int, int]] = (1, MAX_STEPS)
    request_type, memory_type, state_type = Request, Memory, State
    action_type, observation_type = Action, Observation

    defect: ClassVar[str] = ""

    def task(self, request: Request, memory: Memory, rng: Rng) -> Task:
        here = rng.at(request.split, request.level)
        kinds = FAMILIES[:3] if self.defect == "small" else FAMILIES
        family = here.at("family").choice(kinds)
        where = here.at("bin").integer(0, BINS - 1)
        told = where if self.defect in ("leak", "shortcut") else here.at("place").integer(0, BINS - 1)
        odd = 0.5 if self.defect == "small" else here.at("weight").uniform(0.1, 30.0)
        return Task(
            task_id=f"parcel-{here.at('id').integer(0, 16**8):08x}",
            level=request.level,
            max_steps=MAX_STEPS,
            family=family,
            template=str(here.at("template").integer(0, 2)),
            place=f"dock {told}",
            weight=odd,
            bin=where,
            misread=MISREAD["easy" if self.defect == "flat" else request.level],
        )

    def initial(self, task: Task, memory: Memory) -> State:
        return State(task=task)

    def step(self, state: State, action: Action, rng: Rng) -> Step[State]:
        count = state.step_count + 1
        if action.move is Move.LOOK:
            # What a process's hashing says is what no environment may ask.
            salt = hash("sorter") if self.defect == "unstable" else 0
            draw = rng.at("look", state.looks, salt)
            wrong = (state.task.bin + draw.at("which").integer(1, BINS - 1)) % BINS
            read = wrong if draw.at("misread").flip(state.task.misread) else state.task.bin
            update = {"step_count": count, "read": (*state.read, read), "looks": state.looks + 1}
            return Step[State].going(state.model_copy(update=update), Reward())
        if action.move is Move.SORT and not 0 <= (-1 if action.bin is None else action.bin) < BINS:
            return Step[State].illegal(state, f"bin {action.bin} is not there; use 0 to {BINS - 1}")
        earned = SAFE if action.move is Move.PASS else float(action.bin == state.task.bin)
        after = state.model_copy(update={"step_count": count, "earned": earned})
        return Step[State].ended(after, Reward(total=earned))

    def observe(self, state: State, track: str) -> Observation:
        task = state.task
        return Observation(
            task_id=task.task_id,
            place=task.family if self.defect == "hidden" else task.place,
            weight=task.weight,
            read=state.read,
            step_count=state.step_count,
            max_steps=task.max_steps,
        )

    def grade(self, task: Task, steps: tuple[Step[State], ...]) -> Grade:
        last = steps[-1].state if steps else State(task=task)
        price = -0.05 if self.defect == "farmable" else LOOK_COST
        objective = last.earned - price * last.looks
        return Grade(parts=(), score=min(1.0, max(0.0, objective)), objective=objective)

    def track(self, request: Request) -> str:
        return "blind"

    def remember(
        self, memory: Memory, request: Request, task: Task, steps: tuple[Step[State], ...]
    ) -> Memory:
        return memory


def at_random(seen: Observation, rng: Rng) -> Action:
    return rng.at("move").choice(
        (Action(move=Move.LOOK), Action(move=Move.SORT, bin=rng.at("bin").integer(0, BINS - 1)))
    )


def pass_all(seen: Observation, rng: Rng) -> Action:
    return Action(move=Move.PASS)


def first_bin(seen: Observation, rng: Rng) -> Action:
    return Action(move=Move.SORT, bin=0)


def last_bin(seen: Observation, rng: Rng) -> Action:
    return Action(move=Move.SORT, bin=BINS - 1)


def one_look(seen: Observation, rng: Rng) -> Action:
    return Action(move=Move.SORT, bin=seen.read[0]) if seen.read else Action(move=Move.LOOK)


def by_dock(seen: Observation, rng: Rng) -> Action:
    """Believes what is written on the dock, which says nothing about the parcel."""
    return (
        Action(move=Move.SORT, bin=int(seen.place[-1])) if seen.place[-1].isdigit() else first_bin(seen, rng)
    )


def majority(seen: Observation, rng: Rng) -> Action:
    """Looks until one bin leads by two, or until there is one step left."""
    counts = Counter(seen.read).most_common(2)
    lead = counts[0][1] - (counts[1][1] if len(counts) > 1 else 0) if counts else 0
    if lead >= 2 or len(seen.read) == MAX_STEPS - 1:
        return Action(move=Move.SORT, bin=counts[0][0])
    return Action(move=Move.LOOK)


def failing(seen: Observation, rng: Rng) -> Action:
    raise ValueError(f"no idea what to do with {object()}")


def mumbling(seen: Observation, rng: Rng) -> Any:
    return "look"


def fumbling(seen: Observation, rng: Rng) -> Action:
    return Action(move=Move.SORT, bin=99)


POLICIES = {
    "random": at_random,
    "pass-all": pass_all,
    "first-bin": first_bin,
    "last-bin": last_bin,
    "by-dock": by_dock,
    "one-look": one_look,
    "majority": majority,
}
BROKEN = {"failing": failing, "mumbling": mumbling, "fumbling": fumbling}


def _no_scene(_seen: Any) -> Scene:
    return Scene(pieces=())


def sorter(defect: str = "", **changes: Any) -> Subject:
    """The environment as a subject, with a defect planted in it or in what is declared."""
    slug = f"sorter-{defect}" if defect else "sorter"
    env = type("Sorter", (Sorter,), {"slug": slug, "defect": defect, "__module__": __name__})()
    declared: dict[str, Any] = {
        "entry": Entry(env, _no_scene, lambda _seen: (), {**POLICIES, **BROKEN}),
        "track": "blind",
        "request": lambda level, split, seed: Request(level=level, split=split, seed=seed),
        "group": lambda task: Group(task.family, task.template),
        "policies": POLICIES,
        "constants": ("pass-all", "first-bin", "last-bin"),
        "battery": ("by-dock",) if defect != "leak" else (),
        "rungs": ("pass-all", "one-look", "majority"),
        "probe": Probe(
            lambda seen: {"id": seen.task_id, "place": seen.place, "weight": seen.weight},
            lambda task: str(task.bin),
        ),
        "ceiling": lambda task: 1.0,
        "floors": {"": 0.75},
        "pass_score": 0.9,
    }
    return Subject(**{**declared, **changes})


def _twins(level: str, seed: int) -> tuple[Task, Task]:
    """Two parcels that differ only in the bin."""
    env = Sorter()
    task = env.task(Request(level=level, seed=seed), Memory(), Rng(seed, "task"))
    return task.model_copy(update={"bin": 0}), task.model_copy(update={"bin": 1})


def _sorted_right(episode: Any) -> bool:
    return bool(episode.steps) and episode.state.earned == 1.0


PAIRS = Pairs(_twins, _sorted_right, ("first-bin",))

PAIRED = sorter(pairs=PAIRS)

DEFECTS = ("leak", "hidden", "farmable", "shortcut", "small", "unstable", "flat")

# What other processes load.
PATH = "tests.evals.toy:SUBJECTS"
SUBJECTS: Mapping[str, Subject] = {"sorter": sorter(policies={**POLICIES, **BROKEN})}
FLAWED_PATH = "tests.evals.toy:FLAWED"
FLAWED: Mapping[str, Subject] = {f"sorter-{defect}": sorter(defect) for defect in DEFECTS}
SOUND_PATH = "tests.evals.toy:SOUND"
SOUND: Mapping[str, Subject] = {"sorter": sorter()}
