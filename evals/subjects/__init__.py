"""What is measured of each environment: an explicit dict, beside the catalogue of what there is to play.

What stands here is what the environments' READMEs call rungs and reference.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from evals.subject import AnyPolicy, Subject
from evals.subjects.fleet import fleet
from evals.subjects.forecast_audit import forecast_audit
from evals.subjects.ledgershield import ledgershield
from evals.subjects.moderation import moderation

SUBJECTS: Mapping[str, Subject] = {
    "fleet": fleet(),
    "forecast-audit": forecast_audit(),
    "ledgershield": ledgershield(),
    "moderation": moderation(),
}

BUILT_IN = "evals.subjects:SUBJECTS"


class Unknown(Exception):
    """A name that is not there; the text says which ones are."""


def load(path: str = BUILT_IN) -> Mapping[str, Subject]:
    """The subjects at `module:NAME`: policies do not travel between processes, their address does."""
    module, name = path.split(":")
    found: Mapping[str, Subject] = getattr(import_module(module), name)
    return found


def subject(slug: str, path: str = BUILT_IN) -> Subject:
    """The subject of that slug.

    Raises:
        Unknown: With the slugs that there are.
    """
    return _named(load(path), slug, "environment")


def agent(of: Subject, name: str) -> AnyPolicy:
    """The policy of that name.

    Raises:
        Unknown: With the names that there are.
    """
    return _named(of.policies, name, f"agent for {of.env.slug}")


def _named(known: Mapping[str, Any], name: str, kind: str) -> Any:
    if name not in known:
        raise Unknown(f"there is no {kind} {name!r}; use one of: {', '.join(known) or '(none yet)'}")
    return known[name]
