"""Generated cases are what they claim to be: solvable, unlike each other, and blind."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from envs.forecast_audit.audit import curves, generator
from envs.forecast_audit.audit.cases import AuditTask, Family
from envs.forecast_audit.audit.windows import WINDOWS
from envs.forecast_audit.models import LEVELS, SPLITS, IssueType, Operation
from envs.kernel.records import encode
from envs.kernel.rng import Rng
from tests.envs.forecast_audit.audit_answers import PLACES, case, cases, opened, oracle, played, score, seen

EACH = 40


@pytest.fixture(scope="module")
def some() -> tuple[AuditTask, ...]:
    return tuple(cases(EACH))


def test_there_are_at_least_twelve_families_and_all_of_them_occur():
    drawn = {case(seed, level).truth.family for level in LEVELS for seed in range(160)}
    assert len(Family) >= 14
    assert drawn == set(Family)


@pytest.mark.parametrize(("level", "split"), PLACES)
def test_three_hundred_seeds_give_three_hundred_cases(level: str, split: str):
    drawn = [case(seed, level, split) for seed in range(300)]
    assert len({task.values for task in drawn}) > 295
    assert len({encode(seen(opened(task))) for task in drawn}) == 300
    assert len({task.task_id for task in drawn}) == 300
    clean = sum(task.truth.family is Family.CLEAN for task in drawn) / 300
    assert 0.2 <= clean <= 0.36


def test_the_same_seed_gives_the_same_case():
    assert encode(generator.task(Rng(7, "task"), "hard", "public")) == encode(case(7, "hard"))


def test_levels_and_splits_draw_unlike_cases_at_one_seed():
    assert len({case(7, level, split).values for level, split in PLACES}) == 6


def test_splits_share_no_series_and_no_parameter():
    names = [{window.name for window in WINDOWS[split]} for split in SPLITS]
    assert names[0].isdisjoint(names[1])
    public = [curves.span(Rng(seed), 3.0, 9.0, "public") for seed in range(500)]
    held_out = [curves.span(Rng(seed), 3.0, 9.0, "held-out") for seed in range(500)]
    assert max(public) < min(held_out)
    assert {case(seed, "easy").metric_name.split("_")[0] for seed in range(60)}.isdisjoint(
        case(seed, "easy", "held-out").metric_name.split("_")[0] for seed in range(60)
    )


def test_the_true_series_keeps_every_constraint_and_the_observed_one_breaks_those_listed(some):
    for task in some:
        assert all(constraint.holds(task.truth.clean) for constraint in task.constraints)
        broken = tuple(c.sentence for c in task.constraints if not c.holds(task.values))
        assert broken == task.truth.violated == task.gold.violated_constraints


def test_a_report_differs_from_the_truth_within_its_faults_only(some):
    for task in some:
        faulty = {at for fault in task.truth.faults for at in range(fault.start, fault.stop)}
        pairs = enumerate(zip(task.values, task.truth.clean, strict=True))
        assert {at for at, (value, true) in pairs if value != true} <= faulty
        assert (task.truth.operation is Operation.ACCEPT) == (not task.truth.faults)


def test_whoever_knows_the_truth_loses_nothing_and_needs_no_more_steps_than_there_are(some):
    for task in some:
        actions = oracle(task)
        assert len(actions) <= task.max_steps
        assert score(played(task, *actions)) == pytest.approx(1.0, abs=1e-3)


def test_faults_of_one_report_do_not_touch_and_one_at_most_is_for_the_owner(some):
    most = {"easy": 1, "medium": 2, "hard": 3}
    for task in some:
        found = sorted(task.truth.faults, key=lambda fault: fault.start)
        assert len(found) <= most[task.level]
        assert all(a.stop <= b.start for a, b in pairwise(found))
        assert sum(not fault.repairable for fault in found) <= 1


def test_what_is_not_the_curve_or_a_sentence_tells_nothing_of_the_fault(some):
    for task in some:
        assert task.issue_type is IssueType.UNDISCLOSED
        assert task.max_steps == generator.MAX_STEPS[task.level]
        assert len(task.values) == len(task.timestamps) in (48, 50, 56, 60, 96)
        assert len(task.task_id) == len("audit-") + 12
        assert not any(word in task.task_id for word in (*Family, *LEVELS, *SPLITS))


def test_faulty_reports_have_as_many_sentences_as_sound_ones():
    counts: dict[bool, Counter[int]] = {True: Counter(), False: Counter()}
    for seed in range(240):
        task = case(seed, "medium")
        counts[bool(task.truth.faults)][len(task.constraints)] += 1
    means = [sum(n * times for n, times in found.items()) / found.total() for found in counts.values()]
    assert means[0] == pytest.approx(means[1], abs=0.3)


def test_a_pair_shares_its_curve_to_the_last_digit_and_differs_in_words_and_answer():
    for legitimate, faulty in generator.pairs("hard", "held-out", range(200)):
        assert legitimate.values == faulty.values
        assert legitimate.timestamps == faulty.timestamps
        assert legitimate.metric_name == faulty.metric_name
        assert legitimate.truth.operation is Operation.ACCEPT is not faulty.truth.operation
        words = [(t.sentences, t.analyst_note, t.history_summary) for t in (legitimate, faulty)]
        assert words[0] != words[1]


def test_one_of_a_pair_is_what_the_seed_opens():
    for seed in range(100):
        twins = generator.pair(seed, "easy", "public")
        opened_here = case(seed, "easy")
        assert (twins is not None) == opened_here.truth.paired
        assert twins is None or opened_here in twins


def test_no_word_alone_tells_the_twins_apart():
    counts: dict[str, list[int]] = {}
    total = 0
    for level in LEVELS:
        for twins in generator.pairs(level, "public", range(330)):
            total += 1
            for side, task in enumerate(twins):
                text = " ".join((*task.sentences, task.analyst_note, task.history_summary)).lower()
                for word in {
                    word.strip(".,;:") for word in text.split() if not any(c.isdigit() for c in word)
                }:
                    counts.setdefault(word, [0, 0])[side] += 1
    accuracies = {word: 0.5 + abs(a - b) / (2 * total) for word, (a, b) in counts.items()}
    assert total > 150
    assert max(accuracies.values()) < 0.68, max(accuracies, key=lambda word: accuracies[word])
