"""The environment's page and its docstring name all that there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs import moderation
from envs.moderation import POLICIES, Moderation, grader
from envs.moderation.cases.families import FAMILIES
from envs.moderation.models import LEVELS, Act, Action, Decision, Observation, Violation
from envs.moderation.policy.facts import Geo
from envs.moderation.tasks import LEVELS as TASKS
from tests.envs.measured import measured

PAGES = {
    "docstring": Moderation.__doc__ or "",
    "README": Path(moderation.__file__ or "").with_name("README.md").read_text(encoding="utf-8"),
}
PARTS = (
    "investigation",
    "repetition",
    "invented",
    "decision",
    "classification",
    "quota",
    "late",
    "undecided",
)

every_page = pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)


@every_page
def test_a_page_names_every_field_and_choice(page: str):
    words = [*Action.model_fields, *Observation.model_fields, *Act, *Violation, *Geo]
    assert [word for word in words if word not in page] == []


@every_page
def test_a_page_names_every_part_of_the_reward(page: str):
    assert [part for part in PARTS if f"| {part} |" not in page.replace("`", "")] == []


def test_the_readme_names_every_family_baseline_and_task_and_the_version():
    names = [*FAMILIES, *POLICIES, *(task.name for task in TASKS.values())]
    assert [name for name in names if f"`{name}`" not in PAGES["README"]] == []
    assert f"- **{Moderation.version}**:" in PAGES["README"]


def test_the_readme_prints_the_harm_matrix():
    for right in Decision:
        (row,) = [line for line in PAGES["README"].splitlines() if line.startswith(f"| {right} | ")]
        cells = [float(cell) for cell in row.strip("|").split("|")[1:]]
        assert cells == [grader.price(right, decision) for decision in Decision]


@pytest.mark.parametrize("name", POLICIES)
def test_the_readme_states_what_was_measured_of_each_baseline(name: str):
    (row,) = [line for line in PAGES["README"].splitlines() if line.startswith(f"| `{name}` |")]
    assert [cell.strip() for cell in row.split("|")[3:6]] == [
        measured(Moderation, "blind", name, level) for level in LEVELS
    ]
