"""The curated cases by their ids, and which one a seed alone opens."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from envs.kernel.rng import Rng
from envs.ledgershield.cases import curated_fraud, curated_inbox, curated_matching, curated_reading, files
from envs.ledgershield.cases.book_public import PUBLIC
from envs.ledgershield.cases.drafts import Draft
from envs.ledgershield.tasks import Task

DRAFTS: Mapping[str, Draft] = MappingProxyType(
    {
        draft.case_id: draft
        for module in (curated_reading, curated_matching, curated_fraud, curated_inbox)
        for draft in module.CASES
    }
)
"""All curated cases, in the order of their ids."""


def curated(case_id: str, track: str) -> Task:
    """The curated case of this id; nothing of it is left to a seed.

    Raises:
        KeyError: If there is none.
    """
    return files.task(DRAFTS[case_id], PUBLIC, track, Rng(0, "curated", case_id))


def picked(rng: Rng) -> str:
    """The id of the case that a seed alone opens, each as likely as any other."""
    return rng.at("curated").choice(tuple(DRAFTS))
