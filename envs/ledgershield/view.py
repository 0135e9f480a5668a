"""The desk as an analyst sees it, from an observation alone.

Shows what was revealed and what can be done next; the picture of a page is drawn in `picture`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from envs.ledgershield.actions import ACCURATE_OCR_COST, COSTS, ActionType
from envs.ledgershield.inference.hypotheses import Decision
from envs.ledgershield.models import OcrMode
from envs.ledgershield.picture import lines_of
from envs.ledgershield.seen import Observation
from envs.ledgershield.showing import shown
from envs.scene import Heading, Hint, Move, Moves, Piece, Prose, Scene, Table

REQUESTS = (
    ActionType.REQUEST_CALLBACK_VERIFICATION,
    ActionType.REQUEST_BANK_CHANGE_APPROVAL_CHAIN,
    ActionType.REQUEST_PO_RECONCILIATION,
    ActionType.REQUEST_ADDITIONAL_RECEIPT_EVIDENCE,
    ActionType.FLAG_DUPLICATE_CLUSTER_REVIEW,
)
MEASURES = (
    ActionType.FREEZE_VENDOR_PROFILE,
    ActionType.ROUTE_TO_PROCUREMENT,
    ActionType.ROUTE_TO_SECURITY,
    ActionType.CREATE_HUMAN_HANDOFF,
)


def scene(observation: Observation) -> Scene:
    """The inbox, what was revealed, what is on its way, and what can be done."""
    return Scene(pieces=tuple(_pieces(observation)))


def hints(observation: Observation) -> tuple[Hint, ...]:
    """The action form's fields in order, with the names of this case."""
    documents = tuple(document.doc_id for document in observation.visible_documents)
    return (
        Hint(
            field="action_type",
            label="Action",
            help="Look, ask somebody, or decide.",
            choices=tuple(kind.value for kind in observation.allowed_actions),
        ),
        Hint(field="doc_id", label="Document", choices=documents),
        Hint(field="mode", label="OCR", help="Fast drops and misreads words."),
        Hint(field="page", label="Page", help="Every document here has one."),
        Hint(field="bbox", label="Region", help="[left, top, right, bottom] on a page of 595 × 842."),
        Hint(field="vendor_key", label="Vendor", help="Halden Tools GmbH is halden-tools-gmbh."),
        Hint(field="proposed_bank_account", label="Account", help="As the invoice prints it."),
        Hint(field="invoice_number", label="Invoice number"),
        Hint(field="amount", label="Amount", unit=observation.case_metadata.currency),
        Hint(field="po_id", label="Order"),
        Hint(field="receipt_id", label="Receipt"),
        Hint(field="thread_id", label="Thread", choices=(observation.case_metadata.thread_id,)),
        Hint(field="rule_id", label="Rule", help="Leave empty for all."),
        Hint(field="contact", label="Whom to call", help="The master file's number, or the request's own."),
        Hint(field="decision", label="Decision"),
        Hint(field="confidence", label="Confidence"),
        Hint(field="predicted_probabilities", label="Probabilities", help="By hypothesis; they sum to 1."),
        Hint(field="reason_codes", label="Reasons", help="Risk signals that speak for the decision."),
        Hint(field="policy_checks", label="Checks", help="pass, fail or unknown by check."),
        Hint(field="evidence_map", label="Evidence", help="For each reason its artifact_id or its place."),
        Hint(field="discrepancies", label="Discrepancies", help="Task B: what does not match."),
        Hint(field="duplicate_links", label="Duplicates", help="Task C: entries of the ledger."),
        Hint(field="fraud_flags", label="Flags", help="Tasks C and E: signs of fraud."),
        Hint(field="campaign_links", label="Linked", help="Task E: documents that belong to the first."),
        Hint(field="counterfactual", label="Otherwise", help="Which finding would have changed what."),
        Hint(field="extracted_fields", label="Fields", help="Task A: by name, as printed."),
        Hint(field="line_items", label="Lines", help="Task A: description, quantity, unit price, total."),
    )


def _pieces(seen: Observation) -> Iterator[Piece]:
    yield Heading(
        eyebrow=f"{seen.case_metadata.task_label.lower()} · {seen.case_metadata.level}",
        title=f"{seen.case_id}: {seen.budget_remaining:.2f} of {seen.budget_total:.2f} left",
    )
    yield Prose(label="Task", text=seen.instruction)
    yield _inbox(seen)
    for document in seen.visible_documents:
        yield from _document(seen, document.doc_id)
    for artifact in seen.revealed_artifacts:
        yield from shown(artifact)
    if seen.pending_events:
        yield _pending(seen)
    yield from _belief(seen)
    yield Prose(label="Log", text="\n".join(seen.messages))
    if not _over(seen):
        yield from _moves(seen)


def _inbox(seen: Observation) -> Table:
    rows = [
        (
            document.doc_id,
            document.doc_type,
            document.language,
            f"due in {seen.case_metadata.due_date_days} d",
        )
        for document in seen.visible_documents
    ]
    return Table(
        label=f"Inbox, tick {seen.case_clock}",
        columns=("document", "kind", "language", "terms"),
        rows=(*rows, (seen.case_metadata.thread_id, "e-mail thread", "", "")),
    )


def _document(seen: Observation, doc_id: str) -> Iterator[Piece]:
    lines = lines_of(seen, doc_id)
    if lines:
        yield Table(label=f"{doc_id} as read", columns=("line",), rows=tuple((line,) for line in lines))


def _pending(seen: Observation) -> Table:
    rows = tuple(
        (event.event_id, f"tick {event.due_at}", f"in {event.due_at - seen.case_clock}")
        for event in seen.pending_events
    )
    return Table(label="On its way", columns=("request", "due", "ticks"), rows=rows)


def _belief(seen: Observation) -> Iterator[Piece]:
    if seen.sprt_state is None or seen.tool_rankings is None:
        return
    shares = seen.sprt_state.posterior_probabilities
    rows = tuple((name.value, f"{share:.4f}") for name, share in shares.items())
    best = seen.tool_rankings
    yield Table(
        label=f"Belief; next look: {best.recommended_tool}, worth {best.voi:.4f}",
        columns=("hypothesis", "probability"),
        rows=rows,
    )


def _moves(seen: Observation) -> Iterator[Piece]:
    reads = tuple(
        Move(
            label=f"Read {document.doc_id}, {mode} ({_ocr_cost(mode):.2f})",
            action=_json(ActionType.OCR, doc_id=document.doc_id, mode=mode),
        )
        for document in seen.visible_documents
        for mode in OcrMode
    )
    looks = (
        _move(ActionType.INSPECT_EMAIL_THREAD, thread_id=seen.case_metadata.thread_id),
        _move(ActionType.LOOKUP_POLICY),
    )
    yield Moves(label="Look", help="Each costs a step and its price.", items=(*reads, *looks))
    yield Moves(label="Ask", help="The answer comes later.", items=tuple(map(_move, REQUESTS)))
    yield Moves(label="Act", help="Done at once.", items=tuple(map(_move, MEASURES)))
    if seen.task_type != "task_a":
        decisions = tuple(
            Move(label=decision, action=_json(ActionType.SUBMIT_DECISION, decision=decision))
            for decision in Decision
        )
        yield Moves(label="Decide", help="Ends the case; the form takes reasons too.", items=decisions)


def _over(seen: Observation) -> bool:
    return seen.last_tool_result is not None and seen.last_tool_result.reward_model.terminal


def _move(kind: ActionType, **fields: str) -> Move:
    return Move(label=f"{_spoken(kind)} ({COSTS[kind]:.2f})", action=_json(kind, **fields))


def _ocr_cost(mode: OcrMode) -> float:
    return ACCURATE_OCR_COST if mode is OcrMode.ACCURATE else COSTS[ActionType.OCR]


def _spoken(kind: ActionType) -> str:
    return kind.value.replace("_", " ").capitalize()


def _json(kind: ActionType, **fields: str) -> str:
    return json.dumps({"action_type": kind, **fields})
