"""Twenty held-out cases that were read and answered blind stay as they were read, and the answers right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from envs.moderation.tasks import Task
from tests.envs.moderation.plays import case

CASE = re.compile(r"^## (\w+) (\d+)\n\n```text\n(.*?)\n```\n\n\*\*(\w+) (\w+)\*\*", re.MULTILINE | re.DOTALL)
CASES = CASE.findall((Path(__file__).parent / "twenty_cases.md").read_text(encoding="utf-8"))


def _shown(task: Task) -> str:
    """What the reader had before them."""
    return "\n".join(
        (
            task.post_content,
            f"[{task.geo}, engagement {task.engagement}, {task.reports} reports]",
            *(f"history: {line}" for line in task.user_history),
            *(f"thread: {line}" for line in task.thread_context),
            *(f"{own.clause_id}: {line}" for own in task.notices for line in own.lines),
        )
    )


def test_there_are_twenty_of_every_level_and_every_decision():
    assert len(CASES) == 20
    assert {level for level, *_ in CASES} == {"easy", "medium", "hard"}
    assert {decision for *_, decision, _ in CASES} == {"allow", "flag", "remove", "escalate"}


@pytest.mark.parametrize(("level", "seed", "text", "decision", "violation"), CASES)
def test_what_the_reader_concluded_is_what_the_policy_says(
    level: str, seed: str, text: str, decision: str, violation: str
):
    task = case(int(seed), level, "held-out")
    assert _shown(task) == text
    assert (task.truth.ruling.decision, task.truth.ruling.violation) == (decision, violation)
