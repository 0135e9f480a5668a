"""What a written reason is worth."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.forecast_audit.rationale import KEYWORDS, REASONED, SENTENCE, credit
from envs.forecast_audit.tasks import Task
from tests.envs.forecast_audit.answers import TASKS, tasks

FACTS = TASKS["medium_finance_anomaly_001"].facts
EVERY_FACT = frozenset[str]().union(*(task.facts for task in TASKS.values()))


@pytest.mark.parametrize(
    "text",
    [
        "The day of 2024-03-07 is far above the clearing limit.",
        "4310 is ten times its neighbours because a decimal point slipped.",
        "4,310.0 exceeds the 900 kUSD of the account.",
        "Since refunds are booked elsewhere, this is an error.",
    ],
)
def test_a_sentence_with_a_fact_and_a_reason_earns_all(text: str):
    assert credit(text, FACTS) == REASONED == 0.08


@pytest.mark.parametrize(
    "text",
    [
        "This looks wrong to me and should be repaired.",
        "I have seen 4310 in the third row of it.",
        "Something is impossible here because it does not fit.",
    ],
)
def test_a_sentence_without_a_fact_or_without_a_reason_earns_less(text: str):
    assert credit(text, FACTS) == SENTENCE == 0.05


@pytest.mark.parametrize(
    "text",
    [
        "spike",
        "4310 exceeds the limit",
        "4310, 900, exceeds, above, trend, clearing, account, limit, because",
        "anomaly spike outlier cap breach 2024-03-07 repair high severity interpolate linear trend",
        "because because because because because because the the 4310",
        "the the the the the the the the the 4310 above",
        "Der Wert vom 2024-03-07 liegt oberhalb",
        "異常値です",
    ],
)
def test_keywords_repetition_and_fragments_earn_at_most_three_hundredths(text: str):
    assert credit(text, FACTS) <= KEYWORDS == 0.03


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "…!?", "()[]{}", "🙂🙂"])
def test_a_rationale_without_a_word_earns_nothing(text: str):
    assert credit(text, FACTS) == 0.0


@given(st.lists(st.sampled_from(sorted(EVERY_FACT)), min_size=1, max_size=80))
def test_a_list_of_facts_is_no_sentence(facts: list[str]):
    assert credit(" ".join(facts), EVERY_FACT) <= KEYWORDS


@given(st.text(max_size=4000), tasks)
def test_any_text_earns_one_of_four_amounts(text: str, task: Task):
    assert credit(text, task.facts) in (0.0, KEYWORDS, SENTENCE, REASONED)


@pytest.mark.parametrize(
    "text",
    ["1" * 4000, "1:" * 2000, "1,1." * 1000, "a'" * 2000, "a" * 4000, "é’" * 2000, "0 " * 2000, "²" * 4000],
    ids=lambda text: text[:4],
)
def test_the_longest_text_without_a_sentence_earns_no_more_than_keywords(text: str):
    assert credit(text, FACTS) <= KEYWORDS


@given(tasks, st.data())
def test_a_value_counts_as_printed_with_or_without_its_decimals(task: Task, data: st.DataObject):
    value = data.draw(st.sampled_from([value for value in task.values if value is not None]))
    for printed in (f"{value}", f"{value:g}", f"{value:+g}", f"{value:,.2f}"):
        assert credit(f"It says {printed} and that is above what it was.", task.facts) == REASONED


@given(tasks, st.data())
def test_a_timestamp_and_a_constraints_own_words_are_facts(task: Task, data: st.DataObject):
    stamp = data.draw(st.sampled_from(task.timestamps))
    assert credit(f"At {stamp} it is out of line because of a fault.", task.facts) == REASONED
    sentence = data.draw(st.sampled_from(task.sentences))
    assert credit(f"This report is wrong because of a rule: {sentence}", task.facts) == REASONED


def test_a_long_honest_text_is_not_punished_for_repeating_common_words():
    sentence = "On day {} the desk saw {} and we think that it is too much, because {} was usual in week {}."
    text = " ".join(sentence.format(n, n * 7 + 1, n * 3 + 2, n * 11) for n in range(1, 31))
    assert credit(text, FACTS | {"22.0"}) == REASONED
