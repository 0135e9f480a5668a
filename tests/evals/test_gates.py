"""A sound environment holds every gate, and each gate catches the defect that it is there for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from evals.gates.leakage import with_secrets_of
from evals.gates.lines import SMOKE, Line
from evals.gates.probe import probed
from evals.gates.table import as_text
from evals.subjects import Subject
from tests.evals import toy
from tests.evals.conftest import lines_of
from tests.evals.toy import DEFECTS, sorter


def breached(lines: Sequence[Line]) -> set[str]:
    return {line.gate for line in lines if not line.holds}


def changed(**changes: Any) -> Subject:
    return sorter(**changes)


def test_a_sound_environment_holds_every_gate(monkeypatch: pytest.MonkeyPatch):
    lines = lines_of(sorter(), monkeypatch)
    assert [line for line in lines if not line.holds] == []
    assert {line.gate for line in lines} == {
        "reference", "trivial policies", "random", "ladder", "difficulty", "leakage", "farming", "determinism",
        "size",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("defect", "gate"),
    [
        ("leak", "leakage"),
        ("leak", "trivial policies"),
        ("hidden", "leakage"),
        ("farmable", "farming"),
        ("shortcut", "trivial policies"),
        ("small", "size"),
        ("unstable", "determinism"),
        ("flat", "difficulty"),
    ],
)
def test_a_planted_defect_is_caught_by_its_gate(defect: str, gate: str, monkeypatch: pytest.MonkeyPatch):
    assert gate in breached(lines_of(DEFECTS[defect], monkeypatch))


@pytest.mark.parametrize(
    ("changes", "gate"),
    [
        ({"floors": {"": 0.001}}, "reference"),
        ({"random": "one-look"}, "random"),
        ({"rungs": ("pass-all", "one-look", "majority")[::-1]}, "reference"),
        ({"rungs": ("pass-all", "majority", "one-look", "majority")}, "ladder"),
        ({"rungs": ("one-look", "majority")}, "ladder"),
        ({"policies": {**toy.POLICIES, "one-look": toy.failing}}, "reference"),
    ],
)
def test_a_false_declaration_is_caught(changes: dict[str, Any], gate: str, monkeypatch: pytest.MonkeyPatch):
    assert gate in breached(lines_of(changed(**changes), monkeypatch))


def test_blind_agents_that_tell_twins_apart_and_a_reference_that_does_not_are_caught(
    monkeypatch: pytest.MonkeyPatch,
):
    fair = lines_of(sorter(pairs=toy.PAIRS), monkeypatch)
    assert "pairs" in {line.gate for line in fair} - breached(fair)
    seeing = toy.Pairs(toy.PAIRS.tasks, toy.PAIRS.right, ("majority",))
    assert "pairs" in breached(lines_of(sorter(pairs=seeing), monkeypatch))
    guessing = sorter(pairs=toy.PAIRS, rungs=("pass-all", "majority", "first-bin"))
    assert "pairs" in breached(lines_of(guessing, monkeypatch))
    none = toy.Pairs(lambda level, seed: None, toy.PAIRS.right, ())
    monkeypatch.setattr("evals.gates.pairs.MOST_SEEDS", 10)
    assert "pairs" in breached(lines_of(sorter(pairs=none), monkeypatch))


def test_the_probe_finds_what_metadata_tells_and_nothing_where_they_tell_nothing():
    source = np.random.default_rng(1)
    labels = [str(label) for label in source.integers(0, 3, 900)]
    weights = [float(weight) for weight in source.uniform(0, 1, 900)]
    blind = probed([{"weight": weight} for weight in weights], labels)
    assert blind.accuracy <= blind.base + 0.05
    telling = [{"weight": weight + 2 * int(label)} for weight, label in zip(weights, labels, strict=True)]
    assert probed(telling, labels).accuracy > 0.9


def test_the_secrets_of_another_state_are_put_in_and_nothing_else():
    env = toy.Sorter()
    first, second = (
        env.initial(env.task(toy.Request(seed=seed), toy.Memory(), toy.Rng(seed)), toy.Memory())
        for seed in (1, 2)
    )
    mixed = with_secrets_of(first, second)
    assert (mixed.task.bin, mixed.task.family) == (second.task.bin, second.task.family)
    assert (mixed.task.place, mixed.task.weight) == (first.task.place, first.task.weight)


def test_the_table_has_a_line_for_each_measurement_and_says_how_many_are_breached():
    lines = (
        Line("size", "easy", "300 distinct", "≥ 300", 600, holds=True),
        Line("random", "easy", "skill +0.1", "≤ 0", 1000, holds=False, note="strange"),
    )
    text = as_text("sorter", lines)
    assert text.splitlines()[-1] == "sorter: 1 of 2 lines are breached"
    assert "BREACH" in text
    assert "strange" in text
    assert as_text("sorter", lines[:1]).endswith("all gates hold")


def test_a_smoke_plays_few_cases():
    assert SMOKE.smoke
    assert SMOKE.cases < 100
