"""Number-Hunt, scripted."""

from __future__ import annotations

from tests.golden.scripts.play import Play
from tests.tiny.models import Action, Level, Move, Request, Track


def _guess(number: int | None) -> Action:
    return Action(move=Move.GUESS, number=number)


PLAYS = (
    Play("halving finds the number", Request(seed=6), (_guess(16), _guess(8), _guess(4), _guess(6))),
    Play(
        "two fouls, then giving up",
        Request(seed=2),
        (_guess(0), _guess(None), Action(move=Move.GIVE_UP)),
    ),
    Play(
        "five blind misses; the first hunt's win is remembered",
        Request(seed=3, level=Level.HARD, track=Track.BLIND),
        tuple(_guess(number) for number in (1, 2, 3, 4, 5)),
    ),
)
