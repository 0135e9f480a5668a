"""What the desk's form offers of a case: its fields in order, with names, findings and places to tick.

Offers what was revealed and nothing else; what the page itself shows is in `view`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from envs.ledgershield import extraction, gold
from envs.ledgershield.artifacts import LedgerSearch
from envs.ledgershield.inference.hypotheses import Hypothesis
from envs.ledgershield.inference.tables import Evidence, Finding
from envs.ledgershield.meaning import SIGNALS, finding_of
from envs.ledgershield.models import EvidenceRef, Family
from envs.ledgershield.seen import Observation
from envs.scene import Entry, Hint

WRITTEN: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        Family.A: frozenset({"extracted_fields", "line_items"}),
        Family.B: frozenset({"discrepancies", "policy_checks"}),
        Family.C: frozenset({"fraud_flags", "duplicate_links"}),
        Family.D: frozenset({"reason_codes", "policy_checks", "counterfactual"}),
        Family.E: frozenset({"fraud_flags", "campaign_links", "policy_checks", "counterfactual"}),
    }
)
"""What each family has written under its decision, beside probabilities and evidence."""


def hints(seen: Observation) -> tuple[Hint, ...]:
    """The action form's fields in order."""
    return (*_doing(seen), *_deciding(seen))


def _doing(seen: Observation) -> tuple[Hint, ...]:
    documents = tuple(document.doc_id for document in seen.visible_documents)
    return (
        Hint(
            field="action_type",
            label="Action",
            help="Look, ask somebody, or decide.",
            choices=tuple(kind.value for kind in seen.allowed_actions),
        ),
        Hint(field="doc_id", label="Document", choices=documents),
        Hint(field="mode", label="OCR", help="Fast drops and misreads words."),
        Hint(field="page", label="Page", help="Every document here has one.", left_out=True),
        Hint(field="bbox", label="Region", help="[left, top, right, bottom]; or draw it on the page."),
        Hint(field="vendor_key", label="Vendor", help="Halden Tools GmbH is halden-tools-gmbh."),
        Hint(field="proposed_bank_account", label="Account", help="As the invoice prints it."),
        Hint(field="invoice_number", label="Invoice number"),
        Hint(field="amount", label="Amount", unit=seen.case_metadata.currency),
        Hint(field="po_id", label="Order"),
        Hint(field="receipt_id", label="Receipt"),
        Hint(field="thread_id", label="Thread", choices=(seen.case_metadata.thread_id,)),
        Hint(field="rule_id", label="Rule", help="Leave empty for all."),
        Hint(field="contact", label="Whom to call", help="The master file's number, or the request's own."),
    )


def _deciding(seen: Observation) -> tuple[Hint, ...]:
    decides = seen.task_type != Family.A
    return (
        Hint(field="decision", label="Decision", left_out=not decides),
        _named(seen, "reason_codes", "Reasons", tuple(Evidence)),
        _named(seen, "discrepancies", "What does not match", gold.MATCHED),
        _named(seen, "fraud_flags", "Signs of fraud", gold.SUSPECT),
        _offered(seen, "duplicate_links", "Repeats", _hits(seen)),
        _offered(seen, "campaign_links", "Linked to the first", seen.portfolio_context.linked_documents),
        Hint(
            field="evidence_map",
            label="Evidence",
            help="Tick what shows it.",
            entries=_evidence(seen),
            left_out=not _evidence(seen),
        ),
        _offered(seen, "policy_checks", "Policy checks", tuple(gold.checks(_NOTHING))),
        Hint(
            field="predicted_probabilities",
            label="What is behind it",
            help="How likely against each other; sent as shares that sum to 1.",
            choices=tuple(name.value for name in Hypothesis),
            shares=True,
            left_out=not decides,
        ),
        Hint(
            field="counterfactual",
            label="What would have changed it",
            help="Had … been …, this would be …",
            left_out="counterfactual" not in WRITTEN[seen.task_type],
        ),
        Hint(field="confidence", label="Confidence"),
        _offered(seen, "extracted_fields", "Fields, as printed", extraction.FIELDS),
        _lines(seen),
    )


_NOTHING = dict.fromkeys(Evidence, Finding.CLEAR)


def _offered(seen: Observation, field: str, label: str, choices: Iterable[str]) -> Hint:
    offered = tuple(choices)
    return Hint(
        field=field,
        label=label,
        choices=offered,
        left_out=field not in WRITTEN[seen.task_type] or not offered,
    )


def _named(seen: Observation, field: str, label: str, tools: tuple[Evidence, ...]) -> Hint:
    """A choice among the reasons that were found."""
    of = {name for tool in tools for name in SIGNALS[tool].values()}
    return _offered(seen, field, label, (name for name in seen.risk_snapshot.signals if name in of))


def _hits(seen: Observation) -> tuple[str, ...]:
    searches = (own for own in seen.revealed_artifacts if isinstance(own, LedgerSearch))
    return tuple(dict.fromkeys(hit.entry_id for own in searches for hit in own.hits))


def _evidence(seen: Observation) -> tuple[Entry, ...]:
    """What was found, by its reason or by the tool that found none; of an invoice to read, its fields."""
    if seen.task_type == Family.A:
        return tuple(_ref(name, ref, name) for name, ref in extraction.places(seen).items())
    found: dict[str, Entry] = {}
    for artifact in seen.revealed_artifacts:
        shown = finding_of(artifact)
        if shown is not None:
            tool, finding = shown
            name = SIGNALS[tool].get(finding, tool.value)
            label = f"{name.replace('_', ' ')}: {artifact.artifact_id}"
            found.setdefault(name, _ref(name, EvidenceRef(artifact_id=artifact.artifact_id), label))
    return tuple(found.values())


def _ref(name: str, ref: EvidenceRef, label: str) -> Entry:
    return Entry(label=label, key=name, value=ref.model_dump_json(exclude_defaults=True))


def _lines(seen: Observation) -> Hint:
    entries = tuple(
        Entry(
            label=f"{item.description}, {item.quantity:g} × {item.unit_price:.2f} = {item.total:.2f}",
            value=item.model_dump_json(exclude_defaults=True),
        )
        for item in (extraction.items(seen) if seen.task_type == Family.A else ())
    )
    return Hint(field="line_items", label="Lines", entries=entries, left_out=not entries)
