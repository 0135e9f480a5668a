"""One line of the gates' table, and how much is played for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """What was measured, and whether it holds.

    Attributes:
        gate: As in the table of gates.
        about: The level, policy or family.
        measured: The figure, with its bound where it has one.
        bound: What must hold of it.
        n: Cases, resets or episodes behind it.
        note: What else a reader must know.
    """

    gate: str
    about: str
    measured: str
    bound: str
    n: int
    holds: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is played.

    Attributes:
        cases: Fresh cases for policies on each level; more where their variance asks for it, up to `most`.
        tuning: Cases on which the best constant is chosen.
        spread: Cases, the first of these, on which the others' variance is measured.
        resets: For the probe, on each level.
        distinct: Cases that must differ, on each level and split.
        farmed: Cases on each level in which actions are repeated.
        replayed: Episodes on each level that a second process plays again.
        pairs: Pairs on each level.
        smoke: Too little is played to prove a gate, so only what is shown to be broken is a breach.
    """

    cases: int = 1_000
    most: int = 8_000
    tuning: int = 2_000
    spread: int = 400
    resets: int = 5_000
    distinct: int = 300
    farmed: int = 100
    replayed: int = 100
    pairs: int = 200
    smoke: bool = False


FULL = Sizes()
SMOKE = Sizes(
    cases=32,
    most=32,
    tuning=48,
    spread=48,
    resets=200,
    distinct=48,
    farmed=4,
    replayed=4,
    pairs=6,
    smoke=True,
)
