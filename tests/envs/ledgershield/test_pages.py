"""The environment's page and its docstring name all that there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs import ledgershield
from envs.ledgershield import POLICIES, LedgerShield, gold, rewards
from envs.ledgershield.actions import ACCURATE_OCR_COST, COSTS, ActionType
from envs.ledgershield.inference.hypotheses import HYPOTHESIS, Decision, Hypothesis, Scenario
from envs.ledgershield.inference.utilities import LOSSES
from envs.ledgershield.meaning import SIGNALS
from envs.ledgershield.models import Action
from envs.ledgershield.seen import Observation
from envs.ledgershield.tasks import RULES
from tests.envs.ledgershield.plays import curated

PAGES = {
    "docstring": LedgerShield.__doc__ or "",
    "README": Path(ledgershield.__file__ or "").with_name("README.md").read_text(encoding="utf-8"),
}
README = PAGES["README"]
PARTS = (
    rewards.COST,
    rewards.INFORMATION,
    rewards.SHAPING,
    rewards.MILESTONES,
    rewards.MACHINE,
    rewards.FAILURE,
    rewards.GRADE,
)

every_page = pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)


@every_page
def test_a_page_names_every_field_action_and_decision(page: str):
    words = [*Action.model_fields, *Observation.model_fields, *ActionType, *Decision]
    assert [word for word in words if word not in page] == []


@every_page
def test_a_page_names_every_part_of_the_reward(page: str):
    assert [part for part in PARTS if f"| {part} |" not in page.replace("`", "")] == []


def test_the_readme_names_every_baseline_hypothesis_scenario_signal_and_check_and_the_version():
    signals = [name for own in SIGNALS.values() for name in own.values()]
    checks = gold.checks(curated("D-001").truth.findings)
    names = [*POLICIES, *Hypothesis, *Scenario, *signals, *checks]
    assert [name for name in names if f"`{name}`" not in README] == []
    assert f"- **{LedgerShield.version}**:" in README


def test_the_readme_puts_every_scenario_beside_its_hypothesis():
    rows = [line for line in README.splitlines() if line.startswith("| `")]
    for scenario, hypothesis in HYPOTHESIS.items():
        assert any(row.startswith(f"| `{hypothesis}`") and f"`{scenario}`" in row for row in rows)


def test_the_readme_states_what_every_action_costs():
    table = README.split("| action | cost | shows |")[1].split("\n\n")[0]
    for kind, cost in COSTS.items():
        (row,) = [line for line in table.splitlines() if f"`{kind}`" in line.partition(" | ")[0]]
        assert float(row.split("|")[2].split()[0]) == cost
    assert f"{ACCURATE_OCR_COST:.2f} accurate" in README


def test_the_readme_states_the_budget_and_the_label_of_every_family():
    for family, rules in RULES.items():
        (row,) = [line for line in README.splitlines() if line.startswith(f"| `{family}` |")]
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert cells[1] == rules.label
        assert (float(cells[2].split()[0]), int(cells[3].split()[0])) == (rules.budget, rules.max_steps)


def test_the_readme_prints_what_a_wrong_decision_loses():
    for right in Decision:
        (row,) = [
            line
            for line in README.splitlines()
            if line.startswith(f"| {right} | ") and "PAY |" not in line[6:]
        ]
        cells = [float(cell) for cell in row.strip("|").split("|")[1:]]
        assert [-cell for cell in cells] == [LOSSES[right][decision] for decision in Decision]
