"""How a guess moves the hunt, and what it earns."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from envs.kernel import records
from envs.kernel.outcome import Grade, Parts, Reward, Step, clipped
from envs.kernel.rng import Rng
from tests.tiny.models import Action, Answer, Guess, Memory, Move, Observation, Track
from tests.tiny.tasks import Task

HIT = 1.0
SPEED = 0.04
MISS = 0.05
FOUL = 0.1


class State(records.State):
    """The hunt so far; `wins` are those of the instance's earlier hunts."""

    task: Task
    wins: Annotated[int, Field(ge=0)]
    guesses: tuple[Guess, ...] = ()
    fouls: Annotated[int, Field(ge=0)] = 0


def initial(task: Task, memory: Memory) -> State:
    """The hunt before the first guess."""
    return State(task=task, wins=memory.wins)


def step(state: State, action: Action, rng: Rng) -> Step[State]:
    """What a move does; a foul is counted and costs, but spends no step."""
    match action.move:
        case Move.GIVE_UP:
            after = state.model_copy(update={"step_count": state.step_count + 1})
            return Step[State].ended(after, Reward(message="You gave up."))
        case Move.GUESS:
            return _guessed(state, action.number, rng)


def observe(state: State, track: str) -> Observation:
    """The hunt as its player sees it."""
    task = state.task
    return Observation(
        task_id=task.task_id,
        low=task.low,
        high=task.high,
        guesses=tuple(_shown(guess, track) for guess in state.guesses),
        fouls=state.fouls,
        wins=state.wins,
        step_count=state.step_count,
        max_steps=task.max_steps,
    )


def grade(task: Task, steps: tuple[Step[State], ...]) -> Grade:
    """Half for finding the number, half for the steps left; the objective is the sum of rewards."""
    found = bool(steps) and won(steps[-1].state)
    spared = (task.max_steps - steps[-1].state.step_count) / (task.max_steps - 1) if found else 0.0
    parts = (("found", 0.5 * found), ("spared", 0.5 * spared))
    earned = tuple(("step", step.reward.total) for step in steps)
    return Grade(
        parts=parts, score=clipped(parts, 0.0, 1.0), objective=clipped(earned, float("-inf"), float("inf"))
    )


def won(state: State) -> bool:
    """Whether the number was found."""
    return bool(state.guesses) and state.guesses[-1].answer is Answer.HIT


def _guessed(state: State, number: int | None, rng: Rng) -> Step[State]:
    task = state.task
    if number is None or not task.low <= number <= task.high:
        return Step[State].illegal(
            state.model_copy(update={"fouls": state.fouls + 1}),
            f"The guess was {'missing' if number is None else number}; use {task.low} to {task.high}.",
            (("foul", -FOUL),),
        )
    answer = _answer(task, number, rng.at("silence", state.step_count))
    guess = Guess(number=number, answer=answer)
    count = state.step_count + 1
    after = state.model_copy(update={"step_count": count, "guesses": (*state.guesses, guess)})
    if answer is Answer.HIT:
        parts: Parts = (("hit", HIT), ("speed", SPEED * (task.max_steps - count)))
        return Step[State].ended(
            after, Reward(parts=parts, total=clipped(parts, -1.0, 1.0), message="A hit.")
        )
    parts = (("miss", -MISS),)
    return Step[State].going(after, Reward(parts=parts, total=clipped(parts, -1.0, 1.0), message="A miss."))


def _answer(task: Task, number: int, rng: Rng) -> Answer:
    if number == task.number:
        return Answer.HIT
    if rng.flip(task.silence_rate):
        return Answer.SILENCE
    return Answer.HIGHER if task.number > number else Answer.LOWER


def _shown(guess: Guess, track: str) -> Guess:
    if track == Track.ANSWERED or guess.answer is Answer.HIT:
        return guess
    return guess.model_copy(update={"answer": Answer.SILENCE})
