"""A draft: all that is decided of a case before its file is written."""

from __future__ import annotations

from envs.kernel.records import Record
from envs.ledgershield.inference.hypotheses import Scenario
from envs.ledgershield.inference.tables import Evidence, Finding
from envs.ledgershield.models import Family
from envs.ledgershield.tasks import Invoice


class Draft(Record):
    """A case before its file.

    Attributes:
        day: Today.
        invoices: What lies on the desk, the one that the case is about first.
        domain: The vendor's, as it is on file.
        budget, max_steps: The family's own where None.
    """

    case_id: str
    family: Family
    level: str
    split: str
    day: int
    scenario: Scenario
    findings: dict[Evidence, Finding]
    invoices: tuple[Invoice, ...]
    domain: str
    pressed: bool
    budget: float | None = None
    max_steps: int | None = None

    @property
    def invoice(self) -> Invoice:
        return self.invoices[0]
