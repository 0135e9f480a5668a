"""What a player sees: the contract's observation and what is in it.

Pure data. What is shown when is decided in `observing`.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from envs.kernel import records
from envs.kernel.records import Record
from envs.ledgershield.actions import ActionType
from envs.ledgershield.artifacts import Artifact, Box
from envs.ledgershield.inference.hypotheses import Decision, Hypothesis


class Page(Record):
    """A page as it looks from afar: its size, and where lines of writing stand."""

    page: int
    width: float
    height: float
    lines: tuple[Box, ...]


class VisibleDocument(Record):
    """A document on the desk, not yet read."""

    doc_id: str
    doc_type: str
    thumbnail: str
    page_count: int
    language: str
    available_views: tuple[str, ...]
    pages: tuple[Page, ...]


class PendingEvent(Record):
    """The answer to a request, on its way."""

    event_id: str
    action_type: ActionType
    requested_at: int
    due_at: int


class RewardModel(Record):
    """What a step earned.

    Attributes:
        components: They sum to `value` before it is held within -1 and 1, but for `voi_reward`, which is
            information less cost and only reported.
        metadata: What was done, whether it succeeded, and why the episode ended.
    """

    value: float
    terminal: bool
    components: dict[str, float]
    metadata: dict[str, str | bool]


class ToolResult(Record):
    """What the last action led to."""

    tool_name: str
    success: bool
    cost: float
    message: str
    doc_id: str | None = None
    page: int | None = None
    mode: str | None = None
    scope: str | None = None
    text_preview: str | None = None
    artifact: Artifact | None = None
    pending: PendingEvent | None = None
    reward_model: RewardModel


class RiskSnapshot(Record):
    """What was found so far that speaks against paying, by the names of reasons."""

    signals: tuple[str, ...]
    cleared: tuple[str, ...]


class InvestigationStatus(Record):
    """How much was done."""

    tools_used: dict[str, int]
    interventions_taken: dict[str, int]
    artifacts_revealed: int
    failed_actions: int


class CaseMetadata(Record):
    """What surrounds the case; nothing here depends on what is behind it."""

    task_label: str
    due_date_days: int
    ashtg: str
    level: str
    split: str
    track: str
    thread_id: str
    currency: str


class PortfolioContext(Record):
    """The other invoices of the inbox, where a case has several."""

    linked_documents: tuple[str, ...]


class SprtState(Record):
    """Wald's test of each hypothesis against safe, and the posterior, to four places."""

    recommended_decision: Decision
    decision_ready: bool
    optimal_stopping_reached: bool
    posterior_probabilities: dict[Hypothesis, float]
    log_likelihood_ratios: dict[Hypothesis, float]
    upper_bound: float
    lower_bound: float


class ToolRankings(Record):
    """What the next look is worth: expected gain in utility less cost."""

    recommended_tool: str
    voi: float
    voi_cost_ratio: float
    should_stop: bool


class RewardMachine(Record):
    """How far an orderly investigation of this family has come."""

    state_id: int
    progress_fraction: float
    accepting: bool
    rejecting: bool


class Observation(records.Observation):
    """The case as a player sees it.

    Attributes:
        revealed_artifacts: Everything that was read, found or answered so far.
        last_tool_result: None before the first step.
        sprt_state, tool_rankings, reward_machine: None on the blind track.
    """

    case_id: str
    task_type: str
    instruction: str
    visible_documents: tuple[VisibleDocument, ...]
    revealed_artifacts: tuple[Artifact, ...]
    pending_events: tuple[PendingEvent, ...]
    budget_remaining: float
    budget_total: float
    step_count: Annotated[int, Field(ge=0)]
    max_steps: Annotated[int, Field(ge=1)]
    case_clock: Annotated[int, Field(ge=0)]
    risk_snapshot: RiskSnapshot
    investigation_status: InvestigationStatus
    last_tool_result: ToolResult | None
    messages: tuple[str, ...]
    allowed_actions: tuple[ActionType, ...]
    available_interventions: tuple[ActionType, ...]
    case_metadata: CaseMetadata
    portfolio_context: PortfolioContext
    sprt_state: SprtState | None
    tool_rankings: ToolRankings | None
    reward_machine: RewardMachine | None
