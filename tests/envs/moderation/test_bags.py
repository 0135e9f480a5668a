"""Counting the words of public cases does not carry over to held-out ones."""

from __future__ import annotations

from functools import cache
from statistics import fmean

import numpy as np
import pytest
from numpy.typing import NDArray

from envs.moderation import grader
from envs.moderation.models import LEVELS, Decision
from envs.moderation.tasks import Task
from tests.envs.moderation.bags import Bags
from tests.envs.moderation.plays import case

CASES = 400
MOST_SKILL = 0.15


@cache
def drawn(level: str, split: str) -> tuple[Task, ...]:
    return tuple(case(seed, level, split) for seed in range(CASES))


def _post(task: Task) -> str:
    return task.post_content


def _everything(task: Task) -> str:
    notices = (line for own in task.notices for line in own.lines)
    return "\n".join((task.post_content, *task.user_history, *task.thread_context, *notices))


def _worth(task: Task, decision: Decision) -> float:
    """The objective of a decision whose type is right when it is."""
    ruling = task.truth.ruling
    return grader.price(ruling.decision, decision) + grader.LABELLED * (decision is ruling.decision)


@pytest.mark.slow
@pytest.mark.parametrize("read", [_post, _everything], ids=["the post", "everything"])
@pytest.mark.parametrize("level", LEVELS)
def test_a_bag_of_words_from_the_public_split_earns_next_to_no_skill_on_the_held_out_one(level: str, read):
    public, held_out = drawn(level, "public"), drawn(level, "held-out")
    labels = [task.truth.ruling.decision.value for task in public]
    bags = Bags.learned([read(task) for task in public], labels)
    known = bags.shares([read(task) for task in public]).argmax(axis=1)
    recalled = fmean(bags.classes[place] == label for place, label in zip(known, labels, strict=True))
    assert recalled > 0.6, "it has learned nothing at all"
    earned = fmean(
        _worth(task, _best(bags, shares))
        for task, shares in zip(held_out, bags.shares([read(task) for task in held_out]), strict=True)
    )
    constant = max(fmean(_worth(task, decision) for task in held_out) for decision in Decision)
    assert (earned - constant) / (1.0 + grader.LABELLED - constant) <= MOST_SKILL


def _best(bags: Bags, shares: NDArray[np.float32]) -> Decision:
    """What is worth most on average where the classes are as likely as that."""

    def expected(decision: Decision) -> float:
        rights = zip(bags.classes, shares, strict=True)
        return sum(float(share) * grader.price(Decision(right), decision) for right, share in rights)

    return max(Decision, key=expected)
