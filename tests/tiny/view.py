"""The hunt as a person sees it, from an observation alone."""

from __future__ import annotations

from envs.scene import Heading, Hint, Prose, Scene, Table
from tests.tiny.models import Observation


def scene(observation: Observation) -> Scene:
    """The range, the guesses so far and what is left."""
    left = observation.max_steps - observation.step_count
    return Scene(
        pieces=(
            Heading(
                eyebrow=observation.task_id, title=f"A number from {observation.low} to {observation.high}"
            ),
            Table(
                label="Guesses",
                columns=("number", "answer"),
                rows=tuple((str(guess.number), guess.answer) for guess in observation.guesses),
            ),
            Prose(
                label="So far",
                text=f"Guesses left: {left}. Fouls: {observation.fouls}. Earlier wins: {observation.wins}.",
            ),
        )
    )


def hints(observation: Observation) -> tuple[Hint, ...]:
    """The action form's fields in order, with the bounds of this hunt."""
    return (
        Hint(field="move", label="Move", help="Guess a number, or give up."),
        Hint(field="number", label="Number", help="Your guess.", low=observation.low, high=observation.high),
    )
