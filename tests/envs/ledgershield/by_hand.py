"""Tables and findings that the tests of inference reckon with by hand or draw at random."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

from envs.ledgershield.inference import tables
from envs.ledgershield.inference.hypotheses import Scenario
from envs.ledgershield.inference.tables import EVIDENCE, SCENARIOS, Evidence, Finding, Tables

LEVELS = tuple(tables.SHARPNESS)
MEDIUM = tables.nominal("medium")

some_findings = st.dictionaries(st.sampled_from(Evidence), st.sampled_from(Finding))
levels = st.sampled_from(LEVELS)
quick = settings(max_examples=40, deadline=None, derandomize=True, database=None)


def told(share: float) -> Tables:
    """Tables by hand: the account is clear in `share` of the clean cases and in a tenth of all others."""
    flat = (0.5, 0.3, 0.2)
    own = tuple(
        (share, 1.0 - share, 0.0) if scenario is Scenario.CLEAN else (0.1, 0.9, 0.0) for scenario in SCENARIOS
    )
    return Tables(rows=(own, *(tuple(flat for _ in SCENARIOS) for _ in EVIDENCE[1:])))
