"""The environment's page and its docstring name all that there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs import fleet
from envs.fleet import POLICIES, Fleet, grader, judging
from envs.fleet.faults import PROFILES
from envs.fleet.models import LEVELS, Act, Action, Observation, Report, WorkerView
from tests.envs.fleet.plays import LADDER, earned

README = Path(fleet.__file__ or "").with_name("README.md").read_text(encoding="utf-8")
PAGES = {"docstring": Fleet.__doc__ or "", "README": README}

every_page = pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)


@every_page
def test_a_page_names_every_field_act_and_task(page: str):
    words = [*Action.model_fields, *Observation.model_fields, *Act, *LEVELS]
    assert [word for word in words if word not in page] == []


@every_page
def test_a_page_names_every_part_of_the_reward(page: str):
    assert [part for part in judging.FIELDS if f"| {part} |" not in page.replace("`", "")] == []


def test_the_readme_names_every_fault_variant_baseline_gate_and_field_and_the_version():
    names = {*(name for pair in PROFILES for name in pair), *POLICIES, *grader.GATES}
    names |= {*WorkerView.model_fields, *(set(Report.model_fields) - {"step", "deep"})}
    assert [name for name in sorted(names) if f"`{name}`" not in README] == []
    assert f"- **{Fleet.version}**:" in README


@pytest.mark.slow
@pytest.mark.parametrize("name", LADDER)
def test_the_readme_states_what_each_rung_earns(name: str):
    (row,) = [line for line in README.splitlines() if line.startswith(f"| `{name}` |")]
    means = [round(earned(name, level), 2) for level in LEVELS]
    assert [float(cell) for cell in row.split("|")[3:6]] == means
