"""What a player of a case may see of it.

Decides what is shown on which track; depends on what the episode revealed and on nothing hidden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from envs.ledgershield.actions import COSTS, INTERVENTIONS, ActionType
from envs.ledgershield.inference import sprt, voi
from envs.ledgershield.inference.tables import Evidence, Finding, nominal
from envs.ledgershield.meaning import signals_of
from envs.ledgershield.models import TRACKS
from envs.ledgershield.seen import (
    CaseMetadata,
    InvestigationStatus,
    Observation,
    Page,
    PortfolioContext,
    RewardMachine,
    RiskSnapshot,
    SprtState,
    ToolRankings,
    VisibleDocument,
)
from envs.ledgershield.state import State
from envs.ledgershield.tasks import Document, Task

VIEWS = ("thumbnail", "zoom", "get_doc_crop", "ocr_fast", "ocr_accurate")
GAME = "Adversarial Sequential Hypothesis Testing Game"
EVIDENCE_COSTS: Mapping[Evidence, float] = MappingProxyType(
    {evidence: COSTS[ActionType(evidence)] for evidence in Evidence}
)
ALLOWED = tuple(ActionType)
DIGITS = 4


def observe(state: State, track: str) -> Observation:
    """The case as it is seen now."""
    task, instrumented = state.task, track == TRACKS[0]
    return Observation(
        case_id=task.task_id,
        task_type=task.family.value,
        instruction=task.rules.instruction,
        visible_documents=tuple(map(_document, task.documents)),
        revealed_artifacts=state.revealed,
        pending_events=state.pending,
        budget_remaining=state.remaining,
        budget_total=task.budget,
        step_count=state.step_count,
        max_steps=task.max_steps,
        case_clock=state.clock,
        risk_snapshot=_risks(state),
        investigation_status=_status(state),
        last_tool_result=state.last,
        messages=state.messages,
        allowed_actions=ALLOWED,
        available_interventions=INTERVENTIONS,
        case_metadata=_metadata(task),
        portfolio_context=PortfolioContext(linked_documents=tuple(d.doc_id for d in task.documents[1:])),
        sprt_state=sprt_state(state) if instrumented else None,
        tool_rankings=tool_rankings(state) if instrumented else None,
        reward_machine=reward_machine(state) if instrumented else None,
    )


def sprt_state(state: State) -> SprtState:
    """Wald's test after what was revealed, as the contract rounds it."""
    test = sprt.state(nominal(state.task.level), state.findings)
    return SprtState(
        recommended_decision=test.recommended_decision,
        decision_ready=test.decision_ready,
        optimal_stopping_reached=test.optimal_stopping_reached,
        posterior_probabilities={
            name: round(share, DIGITS) for name, share in test.posterior_probabilities.items()
        },
        log_likelihood_ratios={
            name: round(ratio, DIGITS) for name, ratio in test.log_likelihood_ratios.items()
        },
        upper_bound=round(test.upper_bound, DIGITS),
        lower_bound=round(test.lower_bound, DIGITS),
    )


def tool_rankings(state: State) -> ToolRankings:
    """What the next look is worth; what was asked for and is on its way is no look."""
    waiting = {event.action_type.value for event in state.pending}
    ranked = voi.ranking(
        nominal(state.task.level),
        state.findings,
        EVIDENCE_COSTS,
        state.amount,
        state.remaining,
        [evidence for evidence in Evidence if evidence.value in waiting],
    )
    return ToolRankings(
        recommended_tool=ranked.recommended_tool,
        voi=round(ranked.voi, DIGITS),
        voi_cost_ratio=round(ranked.voi_cost_ratio, DIGITS),
        should_stop=ranked.should_stop,
    )


def reward_machine(state: State) -> RewardMachine:
    """How far an orderly investigation has come."""
    return RewardMachine(
        state_id=state.machine.state_id,
        progress_fraction=round(state.machine.progress_fraction, DIGITS),
        accepting=state.machine.accepting,
        rejecting=state.machine.rejecting,
    )


def _document(document: Document) -> VisibleDocument:
    sheet = document.sheet
    return VisibleDocument(
        doc_id=document.doc_id,
        doc_type="invoice",
        thumbnail=f"thumbnail::{document.doc_id}",
        page_count=1,
        language=document.invoice.language,
        available_views=VIEWS,
        pages=(Page(page=1, width=sheet.width, height=sheet.height, lines=sheet.lines),),
    )


def _risks(state: State) -> RiskSnapshot:
    findings = state.findings
    return RiskSnapshot(
        signals=signals_of(findings),
        cleared=tuple(evidence.value for evidence in Evidence if findings.get(evidence) is Finding.CLEAR),
    )


def _status(state: State) -> InvestigationStatus:
    done = Counter(trace.kind for trace in state.trail if trace.success and trace.kind is not None)
    return InvestigationStatus(
        tools_used={kind.value: n for kind, n in done.items() if kind not in INTERVENTIONS},
        interventions_taken={kind.value: n for kind, n in done.items() if kind in INTERVENTIONS},
        artifacts_revealed=len(state.revealed),
        failed_actions=sum(not trace.success for trace in state.trail),
    )


def _metadata(task: Task) -> CaseMetadata:
    return CaseMetadata(
        task_label=task.rules.label,
        due_date_days=task.invoice.due_days,
        ashtg=GAME,
        level=task.level,
        split=task.split,
        track=task.track,
        thread_id=task.file.thread.thread_id,
        currency=task.invoice.currency,
    )
