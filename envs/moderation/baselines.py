"""Baselines: what simple rules make of an observation.

They see what a player sees and nothing else, and each reads as much of it as it names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from envs.kernel.protocol import Policy
from envs.kernel.rng import Rng
from envs.moderation import reading
from envs.moderation.cases.disguises import plain
from envs.moderation.models import Act, Action, Decision, Observation, Violation
from envs.moderation.policy.engine import Ruling, rule
from envs.moderation.policy.facts import Deed, Topic
from envs.moderation.tasks import LEVELS

Read = Policy[Observation, Action]

HISTORY = Action(action=Act.FETCH_USER_HISTORY)
THREAD = Action(action=Act.FETCH_THREAD_CONTEXT)

KEYWORDS: Mapping[Violation, frozenset[str]] = MappingProxyType(
    {
        Violation.HARASSMENT: frozenset(
            "idiot clown muppet nitwit dolt fool buffoon numpty dunce twerp".split()
        ),
        Violation.HATE: frozenset(
            "lowlanders ferry dunewalkers lakesiders hillfolk marshers saltborn".split()
        ),
        Violation.THREAT: frozenset("regret hurt break teeth fist hospital beat beating settle".split()),
        Violation.PRIVACY: frozenset("lives street row mews rise address number flat".split()),
        Violation.MISINFORMATION: frozenset(
            "cures tea vinegar drops powder syrup fever ague cough pox".split()
        ),
        Violation.SELF_HARM: frozenset("goodbye hope reasons life tired woken dead".split()),
        Violation.SPAM: frozenset("code link order hurry savings card checkout password".split()),
    }
)
"""Words that a filter would look for, whole words only."""


def random_action(observation: Observation, rng: Rng) -> Action:
    """Any action, any type, any clause."""
    act = rng.at("action").choice(tuple(Act))
    if act is Act.MARK_VIOLATION_TYPE:
        return mark(rng.at("type").choice(tuple(Violation)))
    if act is Act.CHECK_POLICY_CLAUSE:
        return check(rng.at("clause").choice(observation.available_context))
    return Action(action=act)


def constant(observation: Observation, rng: Rng, decision: Decision, violation: Violation) -> Action:
    """The same type and decision for every case."""
    return mark(violation) if observation.predicted_violation is None else decide(decision)


def keyword(observation: Observation, rng: Rng, decision: Decision) -> Action:
    """The type by the first word of a list that stands in the post; the same decision for every case."""
    if observation.predicted_violation is not None:
        return decide(decision)
    words = set(plain(observation.post_content).replace(",", " ").replace(".", " ").split())
    found = (violation for violation, listed in KEYWORDS.items() if words & listed)
    return mark(next(found, Violation.NONE))


def read_post(observation: Observation, rng: Rng) -> Action:
    """Judges by the post alone, as if history, thread and notices showed nothing."""
    return _concluded(observation, _ruling(observation))


def read_post_and_policy(observation: Observation, rng: Rng) -> Action:
    """Reads the clauses of what the post does, then judges; looks at neither history nor thread."""
    unread = _unread(observation, _topics(observation))
    return check(unread[0]) if unread else _concluded(observation, _ruling(observation))


def reference(observation: Observation, rng: Rng) -> Action:
    """Reads everything that bears on the case, then applies the policy."""
    if observation.user_history is None:
        return HISTORY
    if observation.thread_context is None:
        return THREAD
    unread = _unread(observation, _topics(observation))
    if unread:
        return check(unread[0])
    ruling = _ruling(observation)
    deciding = _unread(observation, ruling.clause_ids if ruling else ())
    free = LEVELS[observation.task].free_steps
    # Naming the clause that it decides by is worth a step only while steps cost nothing.
    if deciding and observation.step_count + 3 <= free and observation.predicted_violation is None:
        return check(deciding[0])
    return _concluded(observation, ruling)


def mark(violation: Violation) -> Action:
    return Action(action=Act.MARK_VIOLATION_TYPE, violation_type=violation)


def check(clause_id: str) -> Action:
    return Action(action=Act.CHECK_POLICY_CLAUSE, clause_id=clause_id)


def decide(decision: Decision) -> Action:
    return Action(action=Act(decision))


def _concluded(observation: Observation, ruling: Ruling | None) -> Action:
    """The mark, then the decision; what cannot be read is allowed."""
    if observation.predicted_violation is None:
        return mark(ruling.violation if ruling else Violation.NONE)
    return decide(ruling.decision if ruling else Decision.ALLOW)


def _ruling(observation: Observation) -> Ruling | None:
    facts = reading.facts_of(observation)
    return None if facts is None else rule(facts)


def _topics(observation: Observation) -> tuple[Topic, ...]:
    deeds: tuple[Deed, ...] = reading.deeds_of(observation.post_content)
    return tuple(deed.topic for deed in deeds)


def _unread(observation: Observation, names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the clauses that were not read yet."""
    text = observation.policy_context or ""
    read = {block.partition(":")[0] for block in text.split("\n\n")}
    return tuple(str(name) for name in names if name not in read)


def _always(decision: Decision, violation: Violation) -> Callable[[Observation, Rng], Action]:
    return partial(constant, decision=decision, violation=violation)


POLICIES: Mapping[str, Read] = MappingProxyType(
    {
        "random": random_action,
        "allow-all": _always(Decision.ALLOW, Violation.NONE),
        "flag-all": _always(Decision.FLAG, Violation.HARASSMENT),
        "escalate-all": _always(Decision.ESCALATE, Violation.HARASSMENT),
        "keyword": partial(keyword, decision=Decision.FLAG),
        "read-post": read_post,
        "read-post-and-policy": read_post_and_policy,
        "reference": reference,
    }
)
