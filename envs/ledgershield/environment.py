"""LedgerShield as the kernel plays it: the rooms of this folder behind one door."""

from __future__ import annotations

from typing import ClassVar

from envs.kernel.outcome import Grade, Step
from envs.kernel.protocol import Environment, Refusal
from envs.kernel.rng import Rng
from envs.ledgershield import dynamics, grader, observing, sealing
from envs.ledgershield.cases import catalogue, generator
from envs.ledgershield.models import LEVELS, SPLITS, TRACKS, Action, Family, Request
from envs.ledgershield.seen import Observation
from envs.ledgershield.state import Memory, State
from envs.ledgershield.tasks import Task


class LedgerShield(Environment[Request, Memory, Task, State, Action, Observation]):
    """Find out what is behind an invoice before it is paid.

    **Description.** An invoice lies on the desk, unread, and a thread of e-mails with it. Reading costs,
    looking something up costs, and asking somebody takes time as well. Twelve things can be behind the
    invoice, and nine tools speak to them, none of which decides by itself: what one finding means depends on
    the others. When the evidence is enough you pay, hold, send to review or escalate, and say why.

    **Action space.** One record. An action uses the fields that it names.

    | field | meaning | range | unit |
    |---|---|---|---|
    | action_type | what to do | zoom, get_doc_crop, ocr, lookup_vendor, lookup_vendor_history, | |
    | | | lookup_policy, lookup_po, lookup_receipt, search_ledger, inspect_email_thread, | |
    | | | compare_bank_account, request_callback_verification, freeze_vendor_profile, | |
    | | | request_bank_change_approval_chain, request_po_reconciliation, | |
    | | | request_additional_receipt_evidence, route_to_procurement, route_to_security, | |
    | | | flag_duplicate_cluster_review, create_human_handoff, submit_decision | |
    | doc_id, page, bbox | for zoom, get_doc_crop and ocr: where | a visible document, 1, a box | points |
    | mode | for ocr | fast (the default), accurate | |
    | vendor_key | for look-ups, the ledger and the account | slug of the name on the invoice | |
    | rule_id | for lookup_policy; all rules without it | a rule of the policy | |
    | po_id, receipt_id | for their look-ups | as the invoice names them | |
    | invoice_number, amount | for search_ledger | as on the invoice | currency |
    | thread_id | for inspect_email_thread | as case_metadata names it | |
    | proposed_bank_account | for compare_bank_account | as on the invoice | |
    | contact | for a callback: whose number | master_file (the default), request | |
    | decision | for submit_decision | PAY, HOLD, NEEDS_REVIEW, ESCALATE_FRAUD | |
    | confidence | how likely it is right | 0 to 1 | |
    | predicted_probabilities | of the hypotheses | a distribution | |
    | reason_codes | why, as risk signals | names | |
    | policy_checks | outcome of each check | pass, fail, unknown | |
    | evidence_map | where each reason or field is seen | doc_id, page, bbox, token_ids, artifact_id | |
    | discrepancies | task B: what does not match | names | |
    | duplicate_links | task C: repeated entries of the ledger | ids | |
    | fraud_flags | tasks C and E: signs of fraud | names | |
    | campaign_links | task E: documents that belong to the first | ids | |
    | counterfactual | what would have changed the decision | text | |
    | extracted_fields, line_items | task A: what the invoice says | text, lines | |

    An action that is not there, lacks what it needs or cannot be paid is illegal: it takes a step and reward,
    and nothing of the budget.

    **Observation space.** One record; nothing of it depends on what is hidden.

    | field | meaning | range | unit |
    |---|---|---|---|
    | case_id, task_type, instruction | the case and what to do with it | task_a to task_e | |
    | visible_documents | what lies on the desk, with the boxes of its lines | 1 or 3 | |
    | revealed_artifacts | everything that was read, found or answered | | |
    | pending_events | requests on their way | | ticks |
    | budget_remaining, budget_total | what can be spent | 0 to 22 | units |
    | step_count, max_steps | steps spent and allowed | 0 to 24 | steps |
    | case_clock | ticks with every action that succeeds | 0 to 24 | ticks |
    | risk_snapshot | signals against paying, and tools that found none | names | |
    | investigation_status | how much was done | counts | |
    | last_tool_result | what the last action led to; null before it | | |
    | messages | what was told so far | | |
    | allowed_actions, available_interventions | names of actions | 21, 9 | |
    | case_metadata | label, terms, level, split, track, thread, currency | | days |
    | portfolio_context | the other invoices of the inbox | ids | |
    | sprt_state | posterior and Wald's test; null on the blind track | | nats |
    | tool_rankings | the best next tool and its worth; null on the blind track | | units |
    | reward_machine | progress of an orderly investigation; null on the blind track | 0 to 1 | |

    **Rewards.** The sum of these parts, held within [-1, 1].

    | part | earns |
    |---|---|
    | cost_penalty | minus the cost of the action |
    | milestones | once each: first signal .05, a call's answer .04, a request's answer .03, all marks .06 |
    | failure | -.05 for an action that could not be done |
    | graded_score | with the decision, the score |
    | information_value | instrumented: .1 for each nat that the step told |
    | potential_delta | instrumented: .35·(.98·Φ(s′) - Φ(s)), Φ how near a conclusion is, 0 at the end |
    | machine_bonus | instrumented: .02 for the family's next mark, .01 for a later one, -.01 if it failed |

    The score weighs the family's parts as the contract has it; paying a fraud takes .55 to .80 from it. The
    objective is money: the utility of the decision less what was spent, and .05 for each action that could
    not be done; undecided it is that of the worst decision, less the budget; of task A it is the score.

    **Start.** The case as it lies on the desk; nothing was read.

    **Episode end.** Terminated by submit_decision, or when the budget is spent; truncated after max_steps (12
    to 24).

    **Arguments.** `case_id` opens one of 21 curated cases; without it `seed` alone picks one of them. Naming
    `level` (easy, medium, hard), `family` (task_a to task_e) or `split` (public, held-out) draws a generated
    case. `track`: instrumented (the default) or blind.

    **Versions.** 1: 21 curated cases, nineteen generated families, two phrase books.
    """

    slug: ClassVar[str] = "ledgershield"
    title: ClassVar[str] = "LedgerShield"
    field: ClassVar[str] = "Accounts payable"
    tagline: ClassVar[str] = "Buy evidence about an invoice, and pay, hold, review or escalate it."
    version: ClassVar[int] = 1
    levels: ClassVar[tuple[str, ...]] = LEVELS
    tracks: ClassVar[tuple[str, ...]] = TRACKS
    horizon: ClassVar[tuple[int, int]] = (1, 24)

    request_type = Request
    memory_type = Memory
    state_type = State
    action_type = Action
    observation_type = Observation

    def task(self, request: Request, memory: Memory, rng: Rng) -> Task:
        self.track(request)
        _known("level", request.level, LEVELS)
        _known("split", request.split, SPLITS)
        _known("family", request.family, tuple(Family))
        if request.case_id is not None:
            _known("case_id", request.case_id, tuple(catalogue.DRAFTS))
            return catalogue.curated(request.case_id, request.track)
        if request.level is request.split is request.family is None:
            return catalogue.curated(catalogue.picked(rng), request.track)
        family = None if request.family is None else Family(request.family)
        return generator.task(
            rng, request.level or LEVELS[0], request.split or SPLITS[0], family, request.track
        )

    def initial(self, task: Task, memory: Memory) -> State:
        return dynamics.initial(task)

    def step(self, state: State, action: Action, rng: Rng) -> Step[State]:
        return dynamics.step(state, action)

    def observe(self, state: State, track: str) -> Observation:
        return observing.observe(state, track)

    def grade(self, task: Task, steps: tuple[Step[State], ...]) -> Grade:
        return grader.grade(steps[-1].state if steps else dynamics.initial(task))

    def track(self, request: Request) -> str:
        _known("track", request.track, TRACKS)
        return request.track

    def remember(
        self, memory: Memory, request: Request, task: Task, steps: tuple[Step[State], ...]
    ) -> Memory:
        return memory

    def conceal(self, state: State) -> State:
        return sealing.concealed(state)

    def reserved(self, request: Request) -> bool:
        return request.split == SPLITS[1]

    def held_out(self, level: str, seed: int) -> Request:
        _known("level", level, LEVELS)
        return Request(level=level, split=SPLITS[1], seed=seed, track=TRACKS[1])


def _known(name: str, value: str | None, allowed: tuple[str, ...]) -> None:
    """Refuses a value that is not one of those allowed; None names nothing."""
    if value is not None and value not in allowed:
        raise Refusal(f"Unknown {name}: {value[:40]}; use {', '.join(allowed)}")
