"""The desk as an analyst sees it, from an observation alone.

Shows what was revealed and what can be done next; the picture of a page is drawn in `picture`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from envs.ledgershield.actions import ACCURATE_OCR_COST, COSTS, ActionType
from envs.ledgershield.inference.hypotheses import Decision
from envs.ledgershield.models import OcrMode
from envs.ledgershield.paper import foot, foot_box, head, head_box
from envs.ledgershield.picture import paper
from envs.ledgershield.seen import Observation, PendingEvent, VisibleDocument
from envs.ledgershield.showing import shown
from envs.scene import Bar, Bars, Heading, Move, Moves, Piece, Prose, Scene, Table

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
SAID: Mapping[ActionType, str] = MappingProxyType(
    {
        ActionType.LOOKUP_VENDOR: "Vendor's record",
        ActionType.LOOKUP_VENDOR_HISTORY: "Vendor's history",
        ActionType.LOOKUP_POLICY: "Policy",
        ActionType.LOOKUP_PO: "Order",
        ActionType.LOOKUP_RECEIPT: "Receipt",
        ActionType.SEARCH_LEDGER: "Search the ledger",
        ActionType.INSPECT_EMAIL_THREAD: "E-mail thread",
        ActionType.COMPARE_BANK_ACCOUNT: "Compare the account",
        ActionType.REQUEST_CALLBACK_VERIFICATION: "Call the vendor",
        ActionType.FREEZE_VENDOR_PROFILE: "Freeze the vendor",
        ActionType.REQUEST_BANK_CHANGE_APPROVAL_CHAIN: "Who approved the account",
        ActionType.REQUEST_PO_RECONCILIATION: "Reconcile the order",
        ActionType.REQUEST_ADDITIONAL_RECEIPT_EVIDENCE: "Ask the warehouse",
        ActionType.ROUTE_TO_PROCUREMENT: "Tell procurement",
        ActionType.ROUTE_TO_SECURITY: "Tell security",
        ActionType.FLAG_DUPLICATE_CLUSTER_REVIEW: "Review look-alikes",
        ActionType.CREATE_HUMAN_HANDOFF: "Write up for a colleague",
    }
)
"""What stands on a button."""


def scene(observation: Observation) -> Scene:
    """The inbox, what was revealed, what is on its way, and what can be done."""
    return Scene(pieces=tuple(_pieces(observation)))


def _pieces(seen: Observation) -> Iterator[Piece]:
    yield Heading(
        eyebrow=f"{seen.case_metadata.task_label.lower()} · {seen.case_metadata.level}",
        title=f"{seen.case_id}: {seen.budget_remaining:.2f} of {seen.budget_total:.2f} left",
    )
    over = _over(seen)
    if over and seen.last_tool_result is not None:
        yield Prose(label="What was behind it", text=seen.last_tool_result.message)
    yield Prose(label="Task", text=seen.instruction)
    yield _left(seen)
    for document in seen.visible_documents:
        items, drawn = ((), ()) if over else (_readings(document), _drawn(document))
        yield paper(seen, document, items, drawn)
    if not over:
        yield from _moves(seen)
    for artifact in seen.revealed_artifacts:
        yield from shown(artifact)
    yield from _belief(seen)
    rows = tuple((str(place), text) for place, text in enumerate(seen.messages))
    yield Table(label="Log", columns=("", "what happened"), rows=rows)


def _left(seen: Observation) -> Bars:
    """Budget and steps, and what was asked for with the ticks until it is there."""
    spent = (
        Bar(
            label="budget",
            share=seen.budget_remaining / seen.budget_total,
            text=f"{seen.budget_remaining:.2f} of {seen.budget_total:.2f}",
        ),
        Bar(
            label="steps",
            share=1 - seen.step_count / seen.max_steps,
            text=f"{seen.max_steps - seen.step_count} of {seen.max_steps}",
        ),
    )
    return Bars(
        label="What is left",
        help=f"Clock at tick {seen.case_clock}, terms of {seen.case_metadata.due_date_days} days.",
        items=(*spent, *(_pending(event, seen.case_clock) for event in seen.pending_events)),
    )


def _pending(event: PendingEvent, clock: int) -> Bar:
    waited = clock - event.requested_at
    return Bar(
        label=f"{event.event_id.replace('_', ' ')}, on its way",
        share=waited / (event.due_at - event.requested_at),
        text=f"due at tick {event.due_at}",
    )


def _belief(seen: Observation) -> Iterator[Piece]:
    if seen.sprt_state is None or seen.tool_rankings is None:
        return
    best, test = seen.tool_rankings, seen.sprt_state
    shares = test.posterior_probabilities.items()
    yield Bars(
        label="Belief",
        help=f"Next: {_words(best.recommended_tool)}, worth {best.voi:.2f} after its cost. "
        + ("Ready to decide." if test.decision_ready else "Not ready to decide."),
        items=tuple(
            Bar(label=_words(name), share=share, text=f"{share:.4f}")
            for name, share in sorted(shares, key=lambda pair: -pair[1])
        ),
    )


def _readings(document: VisibleDocument) -> tuple[Move, ...]:
    """What one click reads of a document."""
    doc_id = document.doc_id
    zooms = (("head", head_box(document)), ("foot", foot_box(document)))
    return (
        *(
            Move(
                label=f"Zoom the {name} ({COSTS[ActionType.ZOOM]:.2f})",
                action=_json(ActionType.ZOOM, doc_id=doc_id, page=1, bbox=box),
            )
            for name, box in zooms
        ),
        *(
            Move(
                label=f"Read all, {mode} ({_ocr_cost(mode):.2f})",
                action=_json(ActionType.OCR, doc_id=doc_id, mode=mode),
            )
            for mode in OcrMode
        ),
    )


def _drawn(document: VisibleDocument) -> tuple[Move, ...]:
    """What can be done with a box that is drawn on a document."""
    ways: tuple[tuple[str, ActionType, dict[str, str]], ...] = (
        ("Zoom", ActionType.ZOOM, {}),
        ("Crop", ActionType.GET_DOC_CROP, {}),
        ("OCR fast", ActionType.OCR, {"mode": OcrMode.FAST}),
    )
    return tuple(
        Move(label=f"{name} ({COSTS[kind]:.2f})", action=_json(kind, doc_id=document.doc_id, page=1, **more))
        for name, kind, more in ways
    )


def _moves(seen: Observation) -> Iterator[Piece]:
    unread = "" if _named(seen) else " Order, receipt, vendor and account come once head and foot are read."
    yield Moves(label="Look up", help=f"Each costs a step and its price.{unread}", items=tuple(_looks(seen)))
    yield Moves(label="Ask", help="The answer comes later.", items=tuple(map(_move, REQUESTS)))
    yield Moves(label="Act", help="Done at once.", items=tuple(map(_move, MEASURES)))
    if seen.task_type != "task_a":
        decisions = tuple(
            Move(label=decision, action=_json(ActionType.SUBMIT_DECISION, decision=decision))
            for decision in Decision
        )
        yield Moves(
            label="Decide at once",
            help="Ends the case with the bare decision; the form takes reasons, evidence and probabilities.",
            items=decisions,
        )


def _named(seen: Observation) -> bool:
    return head(seen) is not None and foot(seen) is not None


def _looks(seen: Observation) -> Iterator[Move]:
    """Look-ups that can be made with what was read so far."""
    yield _move(ActionType.INSPECT_EMAIL_THREAD, thread_id=seen.case_metadata.thread_id)
    yield _move(ActionType.LOOKUP_POLICY)
    above, below = head(seen), foot(seen)
    if above is None:
        return
    key = above.vendor_key
    yield _move(ActionType.LOOKUP_VENDOR, vendor_key=key)
    yield _move(ActionType.LOOKUP_VENDOR_HISTORY, vendor_key=key)
    yield _move(ActionType.LOOKUP_PO, po_id=above.po_id)
    yield _move(ActionType.LOOKUP_RECEIPT, receipt_id=above.receipt_id)
    if below is None:
        return
    yield _move(ActionType.COMPARE_BANK_ACCOUNT, vendor_key=key, proposed_bank_account=below.account)
    yield _move(ActionType.SEARCH_LEDGER, vendor_key=key, invoice_number=above.number, amount=below.total)


def _over(seen: Observation) -> bool:
    return seen.last_tool_result is not None and seen.last_tool_result.reward_model.terminal


def _move(kind: ActionType, **fields: str | float) -> Move:
    return Move(label=f"{SAID[kind]} ({COSTS[kind]:.2f})", action=_json(kind, **fields))


def _ocr_cost(mode: OcrMode) -> float:
    return ACCURATE_OCR_COST if mode is OcrMode.ACCURATE else COSTS[ActionType.OCR]


def _words(name: str) -> str:
    return name.replace("_", " ")


def _json(kind: ActionType, **fields: object) -> str:
    return json.dumps({"action_type": kind, **fields})
