"""Baselines: simple ways to hold an analysis. An open one is not scored, so none is better."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from envs.analyst.models import Act, Action, Observation
from envs.kernel.protocol import Policy
from envs.kernel.rng import Rng

OBJECTIVE = "Understand which regions drive revenue and why it dipped."
QUESTIONS = (
    "What was total revenue by region last quarter?",
    "Which products grew most against last year?",
    "Berapa jumlah pesanan per bulan?",
    "What does the handbook say about returns?",
)


def random_action(observation: Observation, rng: Rng) -> Action:
    """Any act, with one of a few questions."""
    act = rng.at("act").choice(tuple(Act))
    if act is Act.ASK:
        return Action(action=act, message=rng.at("question").choice(QUESTIONS))
    if act is Act.SET_OBJECTIVE:
        return Action(action=act, objective=OBJECTIVE)
    return Action(action=act)


def inquirer(observation: Observation, rng: Rng) -> Action:
    """Sets an objective, asks its questions one after another, and finishes."""
    if observation.step_count == 0:
        return Action(action=Act.SET_OBJECTIVE, objective=OBJECTIVE, business_questions=QUESTIONS)
    if observation.asked < len(QUESTIONS):
        return Action(action=Act.ASK, message=QUESTIONS[observation.asked])
    return Action(action=Act.FINISH)


POLICIES: Mapping[str, Policy[Observation, Action]] = MappingProxyType(
    {"random": random_action, "inquirer": inquirer}
)
