"""The environment's page and its docstring name all that there is."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

import pytest

from envs import forecast_audit
from envs.forecast_audit import POLICIES, ForecastAudit, grader
from envs.forecast_audit.catalogue import ORDER
from envs.forecast_audit.models import LEVELS, Action, IssueType, Observation, Operation, Severity
from tests.envs.forecast_audit.answers import ENV, TASKS, finished, right_answer

PAGES = {
    "docstring": ForecastAudit.__doc__ or "",
    "README": Path(forecast_audit.__file__ or "").with_name("README.md").read_text(encoding="utf-8"),
}
EXAMPLE = TASKS["easy_ops_missing_001"]

every_page = pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)


@every_page
def test_a_page_names_every_field_and_choice(page: str):
    words = [*Action.model_fields, *Observation.model_fields, *Operation, *Severity, *IssueType]
    assert [word for word in words if word not in page] == []


@every_page
def test_a_page_names_every_part_of_the_reward(page: str):
    parts = [name for name, _ in grader.reward(EXAMPLE, right_answer(EXAMPLE), 1).parts]
    assert [part for part in parts if f"| {part} |" not in page.replace("`", "")] == []


def test_the_docstring_keeps_the_order_of_a_page():
    headings = (
        "Description",
        "Action space",
        "Observation space",
        "Rewards",
        "Start",
        "Episode end",
        "Arguments",
    )
    positions = [PAGES["docstring"].index(f"**{heading}.**") for heading in (*headings, "Versions")]
    assert positions == sorted(positions)


def test_the_readme_names_every_baseline_and_the_version():
    assert [name for name in POLICIES if f"`{name}`" not in PAGES["README"]] == []
    assert f"- **{ForecastAudit.version}**:" in PAGES["README"]


@pytest.mark.parametrize("name", [name for name in POLICIES if name != "random"])
def test_the_readme_states_what_each_baseline_earns(name: str):
    earned = [
        fmean(ENV.grade(task, finished(task, name).steps).score for task in ORDER if task.level == level)
        for level in LEVELS
    ]
    first, *_ = [line for line in PAGES["README"].splitlines() if line.startswith(f"| `{name}` |")]
    assert [float(cell) for cell in first.split("|")[3:6]] == [round(score, 2) for score in earned]
