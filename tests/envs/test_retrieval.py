"""The laws of retrieval, on libraries of a few lines."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs import retrieval
from envs.kernel.rng import Rng
from envs.retrieval import Lexical, Signs, best, calibrated, fitted, likeness, sentences, signs, units, words

LIBRARY = (
    "A physician treats patients in a hospital.",
    "The doctor treats patients in the hospital with medicine.",
    "A hospital is full of medicine and patients.",
    "Ships leave the harbour with the tide.",
    "The tide fills the harbour and lifts ships.",
    "A sailor knows the tide.",
)


def test_words_are_lower_case_and_singular_without_the_commonest() -> None:
    assert words("The workers' Policies, and a worker's gas bus") == (
        "worker",
        "policy",
        "worker",
        "ga",
        "bus",
    )


def test_sentences_joined_are_the_paragraph_again() -> None:
    paragraph = 'They say "I have it." Nobody asks 5,000 times. Why? "Because." 40 is enough!'
    said = sentences(paragraph)
    assert " ".join(said) == paragraph
    assert said == (
        'They say "I have it."',
        "Nobody asks 5,000 times.",
        "Why?",
        '"Because."',
        "40 is enough!",
    )


def test_a_library_smaller_than_the_rank_is_refused_with_its_size() -> None:
    with pytest.raises(ValueError, match="6 texts has no basis of rank 7"):
        fitted(LIBRARY, 7)


def test_a_text_is_most_like_itself() -> None:
    basis = fitted(LIBRARY, 4)
    rows = units(np.array([basis.vector(text) for text in LIBRARY]))
    assert best(likeness(rows, rows), 1)[:, 0].tolist() == list(range(len(LIBRARY)))


def test_vectors_find_what_shares_no_word_with_the_question_and_words_do_not() -> None:
    basis = fitted(LIBRARY, 2)
    rows = units(np.array([basis.vector(text) for text in LIBRARY]))
    by_meaning = likeness(units(basis.vector("physician")[np.newaxis]), rows)[0]
    assert by_meaning[2] > 5 * by_meaning[3:].max()
    assert Lexical(LIBRARY).scores("physician")[2] == 0.0


def test_the_vector_of_a_text_is_the_sum_of_those_of_its_parts() -> None:
    basis = fitted(LIBRARY, 4)
    whole = basis.vector("a sailor treats the tide")
    assert (whole == basis.vector("sailor treats") + basis.vector("tide")).all()


def test_a_text_that_is_not_understood_has_no_direction_and_is_like_nothing() -> None:
    basis = fitted(LIBRARY, 4)
    rows = units(np.array([basis.vector(text) for text in LIBRARY]))
    assert not basis.knows("zzzz qqqq")
    assert likeness(units(basis.vector("zzzz qqqq")[np.newaxis]), rows).max() == 0.0


def test_a_question_is_covered_by_the_share_of_its_words_that_was_found() -> None:
    basis = fitted(LIBRARY, 4)
    assert basis.covered("sailor tide", ["A sailor knows the tide."]) == 1.0
    assert basis.covered("sailor zebra", ["A sailor knows the tide."]) < 0.5
    assert basis.covered("the of and", LIBRARY) == 0.0


@given(st.lists(st.integers(0, 3), min_size=3, max_size=30))
def test_of_equal_scores_the_first_comes_first(levels: list[int]) -> None:
    scores = np.array(levels, dtype=np.float64)
    expected = sorted(range(len(levels)), key=lambda place: (-levels[place], place))[:3]
    assert best(scores, 3).tolist() == expected


@given(st.lists(st.sampled_from(["tide", "ship", "doctor", "zebra", "the"]), max_size=6))
def test_scores_of_words_lie_in_the_unit_interval(asked: list[str]) -> None:
    scores = Lexical(LIBRARY).scores(" ".join(asked))
    assert scores.shape == (len(LIBRARY),)
    assert ((scores >= 0.0) & (scores <= 1.0)).all()


def test_what_no_text_has_lowers_every_score_and_changes_no_order() -> None:
    lexical = Lexical(LIBRARY)
    plain, padded = lexical.scores("harbour tide"), lexical.scores("harbour tide zebra")
    assert (padded[plain > 0] < plain[plain > 0]).all()
    assert best(plain, 6).tolist() == best(padded, 6).tolist()


def test_the_signs_of_a_search_do_not_depend_on_the_order_of_passages() -> None:
    scores = np.array([0.125, 0.75, 0.25, 0.5, 0.375])
    assert signs(scores, 3, 0.6) == signs(scores[::-1], 3, 0.6) == Signs(0.75, 0.5, 0.6)


def test_calibration_recovers_the_curve_that_made_the_outcomes() -> None:
    rng, true = Rng(3, "calibration"), retrieval.Calibration((-3.0, 4.0, 2.0, 1.0))
    seen = [Signs(*(rng.at(case, part).unit() for part in range(3))) for case in range(4000)]
    found = [rng.at(case, "found").flip(true.confidence(one)) for case, one in enumerate(seen)]
    fitted_curve = calibrated(seen, found)
    errors = [abs(fitted_curve.confidence(one) - true.confidence(one)) for one in seen]
    assert max(errors) < 0.06


def test_calibration_stays_finite_where_nothing_is_in_doubt() -> None:
    seen = [Signs(top, 0.0, 0.0) for top in (0.1, 0.2, 0.8, 0.9)]
    curve = calibrated(seen, [False, False, True, True])
    assert curve.confidence(seen[0]) < 0.3 < 0.7 < curve.confidence(seen[-1])
