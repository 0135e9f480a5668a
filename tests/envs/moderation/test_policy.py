"""The evaluator: ranks, conflicts, dates, jurisdictions, strikes; and the page that the clauses write."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.moderation.models import Decision, Engagement, Violation
from envs.moderation.policy import wording
from envs.moderation.policy.clauses import CLAUSES, topic_clause
from envs.moderation.policy.engine import rule
from envs.moderation.policy.facts import (
    STRIKE_DAYS,
    Account,
    Deed,
    Facts,
    Force,
    Geo,
    Notice,
    Setting,
    Standing,
    Strike,
    Topic,
)
from tests.conftest import ROOT
from tests.envs.moderation.plays import DAY, facts

DAYS = st.integers(DAY - 200, DAY + 200)
STRIKES = st.builds(
    Strike, violation=st.sampled_from(Violation), day=DAYS, standing=st.sampled_from(Standing)
)
NOTICES = st.builds(
    Notice,
    topic=st.sampled_from(Topic),
    decision=st.sampled_from(Decision),
    geo=st.none() | st.sampled_from(Geo),
    since=DAYS,
    until=DAYS,
)
DEEDS = st.lists(
    st.builds(Deed, topic=st.sampled_from(Topic), force=st.sampled_from(Force)),
    min_size=1,
    max_size=2,
    unique_by=lambda deed: deed.topic,
).map(tuple)
ANY_FACTS = st.builds(
    Facts,
    deeds=DEEDS,
    day=DAYS,
    geo=st.sampled_from(Geo),
    engagement=st.sampled_from(Engagement),
    reports=st.integers(0, 500),
    campaign=st.booleans(),
    account=st.sampled_from(Account),
    strikes=st.lists(STRIKES, max_size=4).map(tuple),
    setting=st.sampled_from(Setting),
    notices=st.lists(NOTICES, max_size=2).map(tuple),
)
any_facts = settings(max_examples=150, deadline=None, derandomize=True, database=None)


def decided(given_facts: Facts) -> tuple[str, ...]:
    found = rule(given_facts)
    return (found.decision.value, *found.clauses)


def strikes(*ages: int, standing: Standing = Standing.STANDS) -> tuple[Strike, ...]:
    return tuple(Strike(violation=Violation.HARASSMENT, day=DAY - age, standing=standing) for age in ages)


def notice(decision: Decision = Decision.REMOVE, **changed: object) -> Notice:
    there = {"topic": Topic.INSULTS, "geo": Geo.NORVALE, "since": DAY - 5, "until": DAY + 5}
    return Notice.model_validate(there | {"decision": decision} | changed)


@any_facts
@given(ANY_FACTS)
def test_every_case_has_one_ruling_with_its_clauses_and_facts(given_facts: Facts):
    ruling = rule(given_facts)
    assert ruling.clauses
    assert ruling.triggers
    assert set(ruling.clause_ids) <= set(CLAUSES)
    assert wording.explained(ruling)


@any_facts
@given(ANY_FACTS)
def test_an_allowed_post_has_no_type_and_no_severity_and_every_other_has_both(given_facts: Facts):
    ruling = rule(given_facts)
    allowed = ruling.decision is Decision.ALLOW
    assert (ruling.violation is Violation.NONE) is allowed
    assert (ruling.severity == "none") is (
        allowed or Force.HARMLESS in _forces(given_facts, ruling.violation)
    )


def _forces(given_facts: Facts, violation: Violation) -> set[Force]:
    return {d.force for d in given_facts.deeds if topic_clause(d.topic).violation is violation}


@any_facts
@given(ANY_FACTS, st.integers(0, 10_000), st.booleans())
def test_reports_decide_nothing(given_facts: Facts, reports: int, campaign: bool):
    changed = given_facts.model_copy(update={"reports": reports, "campaign": campaign})
    assert rule(changed) == rule(given_facts)


@pytest.mark.parametrize("topic", Topic)
def test_what_the_post_does_decides_where_nothing_else_counts(topic: Topic):
    found = [rule(facts(topic, force)).decision for force in Force]
    assert found == [Decision.ALLOW, Decision.FLAG, Decision.REMOVE, Decision.ESCALATE]
    assert rule(facts(topic)).violation is topic_clause(topic).violation


def test_a_higher_rank_silences_a_lower_one():
    over = strikes(10, 20)
    assert decided(facts(strikes=over)) == ("remove", "repeat.1")
    flagged = facts(strikes=over, notices=(notice(Decision.FLAG),))
    assert decided(flagged) == ("flag", "insults.5")
    danger = flagged.model_copy(update={"setting": Setting.DANGER})
    assert decided(danger) == ("escalate", "safety.1")


def test_paragraphs_of_one_rank_that_disagree_escalate_and_those_that_agree_do_not():
    quoted = facts(setting=Setting.QUOTATION, notices=(notice(Decision.REMOVE),))
    assert decided(quoted) == ("escalate", "insults.5", "quotation.1")
    assert rule(quoted).conflict
    agreed = facts(setting=Setting.QUOTATION, notices=(notice(Decision.ALLOW),))
    assert decided(agreed) == ("allow", "insults.5", "quotation.1")
    banter = facts(setting=Setting.BANTER, strikes=strikes(10, 20))
    assert decided(banter) == ("escalate", "consent.1", "repeat.1")


@pytest.mark.parametrize(
    ("since", "until", "holds"),
    [(-5, 5, True), (0, 0, True), (-5, 0, True), (0, 5, True), (-5, -1, False), (1, 5, False)],
)
def test_a_notice_holds_from_its_first_to_its_last_day(since: int, until: int, holds: bool):
    dated = notice(since=DAY + since, until=DAY + until)
    assert (decided(facts(notices=(dated,)))[0] == "remove") is holds


@pytest.mark.parametrize(
    ("geo", "holds"), [(Geo.NORVALE, True), (None, True), (Geo.SUNDMARK, False), (Geo.QUILLON, False)]
)
def test_a_notice_holds_in_its_jurisdiction(geo: Geo | None, holds: bool):
    assert (decided(facts(notices=(notice(geo=geo),)))[0] == "remove") is holds


@pytest.mark.parametrize(("force", "touched"), list(zip(Force, (False, True, True, False), strict=True)))
def test_a_notice_touches_paragraphs_2_and_3_only(force: Force, touched: bool):
    ordered = facts(force=force, notices=(notice(Decision.FLAG),))
    assert ("insults.5" in rule(ordered).clauses) is touched


@pytest.mark.parametrize(
    ("held", "answer"),
    [
        ((), "flag"),
        (strikes(0), "flag"),
        (strikes(0, STRIKE_DAYS), "remove"),
        (strikes(0, STRIKE_DAYS + 1), "flag"),
        (strikes(1, 2, 3), "remove"),
        ((*strikes(1), *strikes(2, standing=Standing.OVERTURNED)), "flag"),
        ((*strikes(1), *strikes(2, standing=Standing.APPEALED)), "escalate"),
        ((*strikes(1, 3), *strikes(2, standing=Standing.APPEALED)), "remove"),
        ((*strikes(1), *strikes(STRIKE_DAYS + 1, standing=Standing.APPEALED)), "flag"),
    ],
)
def test_strikes_count_for_ninety_days_while_they_stand(held: tuple[Strike, ...], answer: str):
    assert decided(facts(strikes=held))[0] == answer


def test_strikes_for_another_violation_do_not_count():
    assert decided(facts(Topic.THREATS, strikes=strikes(1, 2)))[0] == "flag"


@pytest.mark.parametrize(
    ("account", "setting", "answer"),
    [
        (Account.NEWSROOM, Setting.OFFICE, ("allow", "news.1")),
        (Account.PRIVATE, Setting.OFFICE, ("flag", "health-claims.2")),
        (Account.NEWSROOM, Setting.NOTHING, ("flag", "health-claims.2")),
        (Account.SATIRE, Setting.NOTHING, ("allow", "satire.1")),
        (Account.SATIRE, Setting.BELIEVED, ("flag", "satire.2")),
        (Account.SATIRE, Setting.URGING, ("escalate", "satire.1", "continuation.1")),
    ],
)
def test_accounts_count_together_with_the_thread(account: Account, setting: Setting, answer: tuple[str, ...]):
    assert decided(facts(Topic.HEALTH_CLAIMS, account=account, setting=setting)) == answer


def test_a_claim_that_spreads_is_escalated():
    spread = facts(Topic.HEALTH_CLAIMS, engagement=Engagement.HIGH)
    assert decided(spread) == ("escalate", "reach.1")
    assert decided(facts(Topic.INSULTS, engagement=Engagement.HIGH)) == ("flag", "insults.2")


def test_of_two_deeds_the_stricter_decides_with_its_type():
    insult, detail = (
        Deed(topic=Topic.INSULTS, force=Force.PLAIN),
        Deed(topic=Topic.PRIVATE_DETAILS, force=Force.GRAVE),
    )
    both = facts(deeds=(insult, detail))
    assert (rule(both).decision, rule(both).violation) == (Decision.REMOVE, Violation.PRIVACY)
    shared = both.model_copy(update={"setting": Setting.CONSENT})
    assert (rule(shared).decision, rule(shared).violation) == (Decision.FLAG, Violation.HARASSMENT)


def test_every_rule_can_decide():
    reached: set[str] = set()
    notices = [(), *((notice(decision),) for decision in Decision)]
    for force in Force:
        for setting in Setting:
            for account in Account:
                for held in ((), strikes(1, 2), (*strikes(1), *strikes(2, standing=Standing.APPEALED))):
                    for given_notices in notices:
                        one = facts(
                            force=force, setting=setting, account=account, strikes=held, notices=given_notices
                        )
                        reached.update(rule(one).clauses)
    reached |= set(rule(facts(Topic.HEALTH_CLAIMS, engagement=Engagement.HIGH)).clauses)
    reached |= set(rule(facts(Topic.PRIVATE_DETAILS, setting=Setting.CONSENT)).clauses)
    general = {
        f"{clause.clause_id}.{paragraph.paragraph}"
        for clause in CLAUSES.values()
        for paragraph in clause.rules
        if clause.violation is None or clause.clause_id == "insults"
    }
    assert general <= reached


def test_the_page_is_what_the_clauses_say():
    page = (ROOT / "docs" / "moderation-policy.md").read_text(encoding="utf-8")
    assert page == wording.page(), "run `python -m envs.moderation.policy > docs/moderation-policy.md`"


def test_a_fetched_clause_says_its_paragraphs_its_notices_and_how_ranks_stand():
    text = wording.clause_text("threats", ("In Norvale, so and so.",))
    head, *lines = text.splitlines()
    assert head == "threats: Threats"
    assert len(lines) == len(CLAUSES["threats"].paragraphs) + 2
    assert lines[-2] == "Notice: In Norvale, so and so."
    assert "safety, law, conduct, reach, topic" in lines[-1]
