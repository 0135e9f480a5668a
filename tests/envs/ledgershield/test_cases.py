"""The cases: their files show exactly what was drawn for them, and nothing around them tells it."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from envs.kernel.protocol import Refusal
from envs.kernel.records import encode
from envs.kernel.rng import Rng
from envs.ledgershield import days, requests
from envs.ledgershield.actions import ActionType
from envs.ledgershield.cases import accounts, catalogue, generator
from envs.ledgershield.cases.book_held_out import HELD_OUT
from envs.ledgershield.cases.book_public import PUBLIC
from envs.ledgershield.inference import hypotheses
from envs.ledgershield.inference.hypotheses import Decision, Hypothesis, Scenario
from envs.ledgershield.inference.tables import Evidence, Finding
from envs.ledgershield.matching.accounts import doubts
from envs.ledgershield.meaning import findings_of
from envs.ledgershield.models import SPLITS, Family, Request
from envs.ledgershield.names import compact, vendor_key
from envs.ledgershield.state import Memory
from envs.ledgershield.tasks import RULES, Task
from evals.gates.probe import probed
from tests.envs.ledgershield.plays import ENV, case, cases, curated, everything, opened, played, seen

# Families as the specification has them: budget, steps, and the right decisions of the curated cases.
CURATED = {
    "B-001": Decision.HOLD, "B-002": Decision.HOLD, "B-003": Decision.PAY, "B-004": Decision.HOLD,
    "B-005": Decision.PAY, "C-001": Decision.ESCALATE_FRAUD, "C-002": Decision.PAY,
    "C-003": Decision.ESCALATE_FRAUD, "C-004": Decision.NEEDS_REVIEW, "D-001": Decision.ESCALATE_FRAUD,
    "D-002": Decision.PAY, "D-003": Decision.ESCALATE_FRAUD, "D-004": Decision.ESCALATE_FRAUD,
    "D-005": Decision.ESCALATE_FRAUD, "D-006": Decision.PAY, "E-001": Decision.ESCALATE_FRAUD,
    "E-002": Decision.ESCALATE_FRAUD,
}  # fmt: skip
BUDGETS = {
    "A-001": (10.0, 12), "A-004": (12.0, 15), "B-001": (12.0, 14), "C-001": (13.0, 16), "D-001": (16.0, 18),
    "D-003": (18.0, 20), "D-004": (17.0, 18), "D-005": (17.0, 20), "D-006": (16.0, 18), "E-001": (22.0, 24),
}  # fmt: skip
RESETS = 600


def test_there_are_21_curated_cases_in_their_families():
    assert Counter(draft.family for draft in catalogue.DRAFTS.values()) == {
        Family.A: 4, Family.B: 5, Family.C: 4, Family.D: 6, Family.E: 2,
    }  # fmt: skip


@pytest.mark.parametrize(("name", "right"), CURATED.items())
def test_a_curated_case_has_the_decision_that_its_story_asks_for(name: str, right: Decision):
    assert curated(name).truth.decision is right


@pytest.mark.parametrize(("name", "limits"), BUDGETS.items())
def test_a_curated_case_has_its_budget_and_its_steps(name: str, limits: tuple[float, int]):
    task = curated(name)
    assert (task.budget, task.max_steps) == limits


def test_the_seed_alone_picks_among_the_curated_cases_and_each_comes_up():
    picked = Counter(catalogue.picked(Rng(seed, "task")) for seed in range(600))
    assert set(picked) == set(catalogue.DRAFTS)
    assert max(picked.values()) < 3 * min(picked.values())
    assert _opened(Request(seed=5)).task_id == catalogue.picked(Rng(5, "task"))


def test_a_curated_case_is_the_same_whatever_the_seed():
    named = Request(case_id="CASE-C-003")
    assert ENV.task(named, Memory(), Rng(1, "task")) == ENV.task(named, Memory(), Rng(2, "task"))


@pytest.mark.parametrize(
    "asked",
    [Request(level="easy", seed=3), Request(split="public", seed=3), Request(family="task_c", seed=3)],
)
def test_naming_a_level_a_split_or_a_family_draws_a_generated_case(asked: Request):
    assert _opened(asked).task_id not in catalogue.DRAFTS


@pytest.mark.parametrize("field", ["case_id", "level", "split", "family", "track"])
def test_a_name_that_is_not_there_is_refused_with_those_that_are(field: str):
    with pytest.raises(Refusal, match=rf"Unknown {field}: nothing; use \w"):
        _opened(Request.model_validate({field: "nothing"}))


def test_a_seed_gives_the_same_case_again_and_another_seed_another():
    assert encode(generator.task(Rng(7, "task"), "easy", "public", None, "blind")) == encode(case(7))
    assert len({encode(case(seed)) for seed in range(40)}) == 40


def test_what_the_tools_show_are_exactly_the_findings_that_were_drawn():
    for task in (*cases(12), *(curated(name) for name in CURATED)):
        episode = played(task, *everything(task))
        assert all(step.legal for step in episode.steps)
        assert episode.state.findings == task.truth.findings


def test_a_reconciliation_says_what_the_look_up_of_the_same_matter_says():
    same = {
        ActionType.REQUEST_PO_RECONCILIATION: Evidence.PO,
        ActionType.REQUEST_ADDITIONAL_RECEIPT_EVIDENCE: Evidence.RECEIPT,
        ActionType.FLAG_DUPLICATE_CLUSTER_REVIEW: Evidence.LEDGER,
    }
    for task in cases(8):
        for kind, evidence in same.items():
            shown = findings_of([requests.answer(task, kind, kind.value)])
            assert shown == {evidence: task.truth.findings[evidence]}


# What is written may depend on the finding alone: else a reader of the words beats whoever reads the finding.
@pytest.mark.slow
def test_words_and_numbers_of_a_file_tell_no_more_than_its_findings():
    drawn = [case(seed) for seed in range(500)]
    for evidence in (Evidence.PO, Evidence.EMAIL, Evidence.POLICY):
        for finding in (Finding.MIXED, Finding.ADVERSE):
            own = [task for task in drawn if task.truth.findings[evidence] is finding]
            labels = [str(task.truth.decision) for task in own]
            found = probed([_words(task, evidence) for task in own], labels)
            error = (found.base * (1 - found.base) / len(own)) ** 0.5
            assert found.accuracy <= found.base + 3 * error


def _words(task: Task, evidence: Evidence) -> dict[str, str | float]:
    file = task.file
    match evidence:
        case Evidence.PO:
            return {
                "price": max(line.unit_price_billed / line.unit_price_ordered for line in file.order.lines),
                "quantity": max(line.quantity_billed / line.quantity_ordered for line in file.order.lines),
                "note": file.order.note,
            }
        case Evidence.EMAIL:
            mail = file.thread.messages[0]
            return {"text": mail.text, "sender": mail.sender, "way": mail.authentication}
        case _:
            limit = file.policy.approval_limit or 1.0
            return {"use": task.invoice.total / limit, "near": file.policy.near_limit_30d or 0}


@cache
def drawn() -> tuple[Task, ...]:
    return tuple(case(seed) for seed in range(RESETS))


@pytest.mark.slow
def test_nothing_of_a_reset_tells_the_answer():
    tasks = drawn()
    features = [_around(task) for task in tasks]
    for label in (lambda task: task.truth.decision, lambda task: task.truth.hypothesis):
        found = probed(features, [str(label(task)) for task in tasks])
        # The gates allow two points on 5,000 resets; on so few, chance alone brings more.
        assert found.accuracy <= found.base + 3 * (found.base * (1 - found.base) / RESETS) ** 0.5


def _around(task: Task) -> dict[str, str | float]:
    observation = seen(opened(task))
    pages = [page for document in observation.visible_documents for page in document.pages]
    boxes = [box for page in pages for box in page.lines]
    return {
        "family": observation.task_type,
        "documents": len(pages),
        "lines": len(boxes),
        "writing": sum(box[2] - box[0] for box in boxes),
        "margin": boxes[0][0],
        "top": boxes[0][1],
        "foot": boxes[-1][1],
        "due": observation.case_metadata.due_date_days,
        "id": observation.case_id[-1],
        "size": len(encode(observation)),
    }


@pytest.mark.slow
def test_each_hypothesis_is_as_likely_as_any_other():
    counts = Counter(task.truth.hypothesis for task in drawn())
    expected = RESETS / len(Hypothesis)
    assert all(abs(counts[own] - expected) < 4 * expected**0.5 for own in Hypothesis)


def test_every_scenario_occurs():
    assert {hypotheses.drawn(Rng(seed, "scenario")) for seed in range(2_000)} == set(Scenario)


def test_a_seed_is_the_same_case_in_both_splits_but_for_its_words():
    for seed in range(10):
        public, held_out = (case(seed, split=split) for split in SPLITS)
        assert public.truth == held_out.truth
        assert public.family is held_out.family
        assert held_out.invoice.tax_rate == public.invoice.tax_rate
        assert len(held_out.invoice.lines) == len(public.invoice.lines)
        assert public.task_id != held_out.task_id
        assert public.invoice.vendor_name != held_out.invoice.vendor_name


@pytest.mark.slow
def test_messages_that_ask_to_hurry_come_to_clean_cases_as_often_as_to_others():
    tasks = drawn()
    pressed = {
        clean: [
            task.file.pressure is not None for task in tasks if (task.truth.decision is Decision.PAY) is clean
        ]
        for clean in (True, False)
    }
    shares = {clean: sum(own) / len(own) for clean, own in pressed.items()}
    assert shares[True] == pytest.approx(0.5, abs=0.25)
    assert shares[False] == pytest.approx(0.5, abs=0.08)


def test_splits_share_no_phrase():
    # Which letters look alike is no phrase, and neither is a country.
    public, held_out = (
        _phrases(book.model_dump(exclude={"near_domains", "countries"})) for book in (PUBLIC, HELD_OUT)
    )
    # The domains that are reserved for examples belong to nobody.
    assert public & held_out <= {"example"}


def _phrases(value: object) -> set[str]:
    match value:
        case str():
            return {value}
        case tuple() | list():
            return set().union(*map(_phrases, value))
        case dict():
            return _phrases(tuple(value.values()))
        case _:
            return set()


def test_held_out_and_public_cases_are_unlike_at_the_same_seed():
    public, held_out = (case(4, split=split) for split in SPLITS)
    assert public.invoice.vendor_name != held_out.invoice.vendor_name
    assert public.task_id != held_out.task_id


def test_accounts_have_the_check_digits_of_their_country_and_rest():
    assert accounts.iban("DE", "999999990000012345") == "DE97 9999 9999 0000 0123 45"
    drawn = [document.invoice.account for task in cases(10) for document in task.documents]
    known = [document.invoice.account for name in CURATED for document in curated(name).documents]
    assert not any(doubts(account) for account in (*drawn, *known))


def test_a_vendor_key_is_the_slug_of_the_name():
    assert vendor_key("Halden Tools GmbH") == "halden-tools-gmbh"
    assert vendor_key("Brasserie du Col S.A.") == "brasserie-du-col-s-a"
    assert vendor_key("Café Noé") == "cafe-noe"
    assert vendor_key("青葉商事株式会社") == "vendor"


@pytest.mark.parametrize(
    ("civil", "text"),
    [
        ((2000, 1, 1), "2000-01-01"),
        ((2024, 2, 29), "2024-02-29"),
        ((2031, 12, 31), "2031-12-31"),
        ((1900, 3, 1), "1900-03-01"),
    ],
)
def test_a_day_is_written_as_the_calendar_has_it(civil: tuple[int, int, int], text: str):
    assert days.iso(days.day_of(*civil)) == text


def test_days_follow_each_other_over_leap_days():
    first = days.day_of(2028, 2, 28)
    assert [days.iso(first + later) for later in range(3)] == ["2028-02-28", "2028-02-29", "2028-03-01"]


def test_a_case_of_linked_invoices_has_three_and_names_those_that_share_the_first_account():
    for seed in range(20):
        task = case(seed, family=Family.E)
        first, *others = [compact(document.invoice.account) for document in task.documents]
        assert len(others) == 2
        assert task.links == tuple(
            document.doc_id
            for document, account in zip(task.documents[1:], others, strict=True)
            if account == first
        )


def test_every_family_has_the_budget_and_the_steps_of_the_contract():
    assert {family.value: (rules.budget, rules.max_steps) for family, rules in RULES.items()} == {
        "task_a": (10.0, 12),
        "task_b": (12.0, 14),
        "task_c": (13.0, 16),
        "task_d": (16.0, 18),
        "task_e": (22.0, 24),
    }


def _opened(request: Request) -> Task:
    return ENV.task(request, Memory(), Rng(request.seed or 0, "task"))
