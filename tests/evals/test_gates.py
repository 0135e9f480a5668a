"""A sound environment holds every gate, and each gate catches the defect that it is there for."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from evals.gates.determinism import determinism_lines
from evals.gates.farming import farming_line
from evals.gates.leakage import leakage_lines, with_secrets_of
from evals.gates.lines import SMOKE, Line
from evals.gates.pairs import pair_lines
from evals.gates.probe import probed
from evals.gates.size import size_lines
from evals.gates.table import as_text, gates
from evals.runner import Runner, RunStopped
from evals.shelf import MemoryShelf
from tests.evals import toy
from tests.evals.conftest import Here, policy_lines_of
from tests.evals.toy import FLAWED, FLAWED_PATH, PAIRED, PAIRS, PATH, SOUND, SOUND_PATH, sorter

# Enough to prove the policy gates of so simple an environment.
PROOF = replace(SMOKE, cases=500, most=500, tuning=150, smoke=False)


def breached(lines: Iterable[Line]) -> set[str]:
    return {line.gate for line in lines if not line.holds}


def test_a_sound_environment_holds_every_gate():
    runner = Runner(MemoryShelf(), Here())
    lines = asyncio.run(gates(runner, SOUND["sorter"], SMOKE, SOUND_PATH))
    assert [line for line in lines if not line.holds] == []
    assert list(dict.fromkeys(line.gate for line in lines)) == [
        *("reference", "trivial policies", "random", "ladder", "difficulty"),
        *("leakage", "farming", "determinism", "size"),
    ]


@pytest.mark.slow
def test_a_sound_environment_proves_its_policies():
    assert [line for line in policy_lines_of("sorter", SOUND_PATH, PROOF) if not line.holds] == []


def test_a_source_that_is_edited_meanwhile_makes_no_table(monkeypatch: pytest.MonkeyPatch):
    digests = iter(("before00", "after000"))
    monkeypatch.setattr("evals.gates.table.source_digest", lambda env: next(digests))
    tiny = replace(SMOKE, cases=16, most=16, tuning=16, resets=50, distinct=4)
    with pytest.raises(RunStopped, match="changed while its gates were measured"):
        asyncio.run(gates(Runner(MemoryShelf(), Here()), SOUND["sorter"], tiny, SOUND_PATH))


def test_a_trivial_policy_with_a_shortcut_is_caught():
    assert breached(policy_lines_of("sorter-shortcut", FLAWED_PATH)) >= {"trivial policies"}


def test_a_shortcut_that_no_policy_of_the_battery_takes_is_caught_by_looking_up():
    (line,) = [
        line
        for line in policy_lines_of("sorter-leak", FLAWED_PATH)
        if line.gate == "trivial policies" and line.about == "easy"
    ]
    assert not line.holds
    assert "look-up by place" in line.measured


@pytest.mark.slow
def test_levels_that_cost_nothing_are_caught():
    assert breached(policy_lines_of("sorter-flat", FLAWED_PATH, PROOF)) == {"difficulty"}


@pytest.mark.parametrize(
    ("changes", "gate"),
    [
        ({"floors": {"": 0.001}}, "reference"),
        ({"random": "one-look"}, "random"),
        ({"rungs": ("majority", "one-look", "pass-all")}, "reference"),
        ({"rungs": ("pass-all", "majority", "one-look", "majority")}, "ladder"),
        ({"rungs": ("one-look", "majority")}, "ladder"),
        ({"policies": {**toy.POLICIES, "one-look": toy.failing}}, "reference"),
    ],
)
def test_a_false_declaration_is_caught(changes: dict[str, Any], gate: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(toy.SUBJECTS, "sorter", sorter(**changes))  # pyright: ignore[reportArgumentType]
    assert gate in breached(policy_lines_of("sorter", PATH))


def test_an_answer_on_the_label_is_caught_by_the_probe():
    assert breached(leakage_lines(SOUND["sorter"], "easy", SMOKE)) == set()
    hidden, probe = leakage_lines(FLAWED["sorter-leak"], "easy", SMOKE)
    assert hidden.holds
    assert not probe.holds


def test_a_hidden_field_that_is_seen_is_caught():
    hidden, probe = leakage_lines(FLAWED["sorter-hidden"], "easy", SMOKE)
    assert not hidden.holds
    assert probe.holds


def test_an_action_that_pays_again_and_again_is_caught():
    assert farming_line(SOUND["sorter"], "easy", SMOKE).holds
    line = farming_line(FLAWED["sorter-farmable"], "easy", SMOKE)
    assert not line.holds
    assert "look × " in line.measured


def test_an_environment_that_asks_the_process_is_caught():
    assert breached(determinism_lines(SOUND["sorter"], SMOKE, SOUND_PATH)) == set()
    assert breached(determinism_lines(FLAWED["sorter-unstable"], SMOKE, FLAWED_PATH)) == {"determinism"}


def test_a_second_python_that_is_not_there_is_a_breach_when_it_was_asked_for():
    lines = list(determinism_lines(SOUND["sorter"], SMOKE, SOUND_PATH, second_python="python-nowhere"))
    assert [line.holds for line in lines] == [True, False]
    assert "did not run" in lines[1].measured


def test_few_families_and_twins_are_caught():
    assert breached(size_lines(SOUND["sorter"], SMOKE)) == set()
    lines = list(size_lines(FLAWED["sorter-small"], SMOKE))
    assert [line.about for line in lines if not line.holds] == ["easy", "medium", "hard", "families"]


def test_blind_agents_stay_near_a_half_on_twins_and_the_reference_does_not():
    assert [line.holds for line in pair_lines(PAIRED, "easy", SMOKE)] == [True, True]


@pytest.mark.parametrize(
    ("changes", "holds"),
    [
        ({"pairs": replace(PAIRS, blind=("majority",))}, [False, True]),
        ({"pairs": PAIRS, "rungs": ("pass-all", "majority", "first-bin")}, [True, False]),
        ({"pairs": replace(PAIRS, tasks=lambda level, seed: None)}, [False]),
    ],
)
def test_twins_that_a_blind_agent_tells_apart_or_a_reference_does_not_are_caught(
    changes: dict[str, Any], holds: list[bool]
):
    assert [line.holds for line in pair_lines(sorter(**changes), "easy", SMOKE)] == holds


def test_twins_can_count_as_wholes_which_half_an_answer_does_not_win():
    def measured(*, whole: bool) -> str:
        counted = sorter(pairs=replace(PAIRS, blind=("first-bin",), whole=whole))
        blind, _ = pair_lines(counted, "easy", SMOKE)
        return blind.measured.partition(" right")[0]

    assert measured(whole=False) == "50.0%"
    assert measured(whole=True) == "0.0%"


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
