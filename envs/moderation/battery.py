"""The battery: trivial policies that no gate may let earn skill.

Every decision with every type, without and with a full investigation, and every decision with the type that a
list of words gives. None of them understands a sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import product
from types import MappingProxyType

from envs.kernel.protocol import Policy
from envs.kernel.rng import Rng
from envs.moderation.baselines import HISTORY, THREAD, check, constant, keyword
from envs.moderation.models import Action, Decision, Observation, Violation
from envs.moderation.tasks import LEVELS


def investigated(observation: Observation, rng: Rng, decision: Decision, violation: Violation) -> Action:
    """Looks at history, thread and as many clauses as cost nothing, then answers the same in every case."""
    if observation.user_history is None:
        return HISTORY
    if observation.thread_context is None:
        return THREAD
    read = observation.policy_context.split("\n\n") if observation.policy_context else []
    unmarked = observation.predicted_violation is None
    if unmarked and observation.step_count + 3 <= LEVELS[observation.task].free_steps:
        return check(observation.available_context[len(read)])
    return constant(observation, rng, decision, violation)


def repeat(observation: Observation, rng: Rng) -> Action:
    """Looks at the history again and again."""
    return HISTORY


def _battery() -> dict[str, Policy[Observation, Action]]:
    found: dict[str, Policy[Observation, Action]] = {}
    for decision, violation in product(Decision, Violation):
        answer = {"decision": decision, "violation": violation}
        found[f"{decision}-{violation.replace('_', '-')}"] = partial(constant, **answer)
        found[f"looked-{decision}-{violation.replace('_', '-')}"] = partial(investigated, **answer)
    for decision in Decision:
        found[f"keyword-{decision}"] = partial(keyword, decision=decision)
    found["repeat-history"] = repeat
    return found


BATTERY: Mapping[str, Policy[Observation, Action]] = MappingProxyType(_battery())
CONSTANTS = tuple(name for name in BATTERY if not name.startswith(("keyword", "repeat")))
"""Those that answer the same whatever they see."""
