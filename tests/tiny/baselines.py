"""Baselines of Number-Hunt; each sees observations only."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from envs.kernel.protocol import Policy
from envs.kernel.rng import Rng
from tests.tiny.models import Action, Answer, Move, Observation


def random_guess(observation: Observation, rng: Rng) -> Action:
    """Any number of the range."""
    return Action(move=Move.GUESS, number=rng.integer(observation.low, observation.high))


def halve(observation: Observation, rng: Rng) -> Action:
    """The middle of what the answers leave."""
    low, high = observation.low, observation.high
    for guess in observation.guesses:
        match guess.answer:
            case Answer.HIGHER:
                low = max(low, guess.number + 1)
            case Answer.LOWER:
                high = min(high, guess.number - 1)
            case Answer.HIT | Answer.SILENCE:
                pass
    return Action(move=Move.GUESS, number=(low + high) // 2)


def give_up(observation: Observation, rng: Rng) -> Action:
    """Ends every hunt at once."""
    return Action(move=Move.GIVE_UP)


POLICIES: Mapping[str, Policy[Observation, Action]] = MappingProxyType(
    {"random": random_guess, "give-up": give_up, "halve": halve}
)
