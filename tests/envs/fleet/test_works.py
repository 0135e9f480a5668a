"""What the fleet builds: a frozen handbook, damage that is real, a quality that is measured."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from statistics import fmean

import numpy as np
import pytest
from pydantic import ValidationError

from envs.fleet.models import Stage
from envs.fleet.works import Damage, build, sample
from envs.fleet.works.answering import calibration, cases
from envs.fleet.works.corpus import CORPUS_DIGEST, CORPUS_VERSION, corpus, digest
from envs.fleet.works.cutting import LONGEST, RULER, cleaned, cut, ground, sound, text
from envs.fleet.works.damage import SOUND, noise
from envs.fleet.works.indexing import held_by, indexed
from envs.retrieval import words
from tests.conftest import ROOT

GATE = 0.60
SEEDS = range(10)
KINDS = ("dropped", "split_wrong", "drift", "stale")
CORE = """
from hashlib import blake2b
from envs.fleet.works.damage import Damage
from envs.fleet.works.indexing import indexed, space
index = indexed(Damage(dropped=0.2, split_wrong=0.3, drift=0.4, stale=0.2, seed=7))
print(blake2b(space().basis.rows.tobytes() + index.rows.tobytes()).hexdigest(), index.hits)
"""


def mean_quality(kind: str, strength: float) -> float:
    return fmean(build(Damage.model_validate({kind: strength, "seed": seed})).quality for seed in SEEDS)


def test_the_texts_of_this_version_are_frozen() -> None:
    assert digest() == CORPUS_DIGEST, f"a text changed: {CORPUS_VERSION} needs a new number and digest"


def test_the_handbook_has_300_passages_and_no_two_say_the_same() -> None:
    passages = [frozenset(words(text(passage.spans))) for passage in sound().passages]
    assert len(passages) >= 300
    alike = [
        len(one & other) / len(one | other)
        for place, one in enumerate(passages)
        for other in passages[:place]
    ]
    assert max(alike) < 0.4


def test_60_held_questions_are_no_others_and_each_has_one_answer() -> None:
    known = corpus()
    assert len(known.held) >= 60
    asked = [pair.question for pair in (*known.held, *known.tuning)]
    assert len(set(asked)) == len(asked)
    assert len({pair.answer for pair in known.held}) == len(known.held)


def test_no_question_quotes_the_passage_that_it_looks_for() -> None:
    said = corpus().sentences
    for pair in (*corpus().held, *corpus().tuning):
        paragraph = said[pair.answer].paragraph
        passage = " ".join(one.text for one in said if one.paragraph == paragraph).lower().split()
        asked = pair.question.lower().rstrip("?").split()
        runs = {tuple(passage[at : at + 4]) for at in range(len(passage) - 3)}
        assert not runs & {tuple(asked[at : at + 4]) for at in range(len(asked) - 3)}, pair.question


def test_a_sound_fleet_finds_at_least_85_of_100_answers() -> None:
    assert build(SOUND).quality >= 0.85


@pytest.mark.parametrize("kind", KINDS)
def test_quality_falls_on_average_with_each_damage_through_the_gate(kind: str) -> None:
    curve = [mean_quality(kind, strength) for strength in (0.0, 0.15, 0.3, 0.5, 0.75, 1.0)]
    assert all(before > after for before, after in pairwise(curve)), curve
    assert curve[-1] < GATE / 1.8
    assert any(GATE < middle < curve[0] - 0.05 for middle in curve), curve


def test_inflation_changes_what_is_reported_and_nothing_else() -> None:
    honest, inflated = build(Damage(drift=0.5, seed=3)), build(Damage(drift=0.5, inflation=0.3, seed=3))
    assert inflated.quality == honest.quality == honest.reported
    assert inflated.reported == pytest.approx(honest.quality + 0.3)
    assert build(Damage(inflation=1.0)).reported == 1.0


def test_lost_text_is_in_no_passage_and_more_damage_loses_more_of_the_same() -> None:
    little, much = (set(cleaned(Damage(dropped=share, seed=4))) for share in (0.2, 0.5))
    assert much < little < set(range(len(corpus().sentences)))
    kept = Damage(dropped=0.5, seed=4)
    held = " ".join(text(passage.spans) for passage in cut(cleaned(kept), kept).passages)
    gone = [number for number in range(len(corpus().sentences)) if number not in much]
    assert not [number for number in gone if corpus().sentences[number].text in held]


def test_a_sound_cut_keeps_sentences_whole_and_a_ruler_does_not() -> None:
    assert (sound().homes >= 0).all()
    assert all(len(text(passage.spans).split()) <= LONGEST for passage in sound().passages)
    ruled = cut(cleaned(SOUND), Damage(split_wrong=1.0))
    assert {len(text(passage.spans).split()) <= RULER for passage in ruled.passages} == {True}
    assert (ruled.homes < 0).mean() > 0.5
    assert " ".join(text(passage.spans) for passage in ruled.passages) == " ".join(ground().words)


def test_a_stale_row_returns_a_passage_that_its_vector_does_not_belong_to() -> None:
    old = Damage(stale=0.5, seed=6)
    holds = held_by(len(sound().passages), old)
    stale = np.flatnonzero(holds != np.arange(len(holds)))
    assert 0.4 < len(stale) / len(holds) < 0.6
    assert (indexed(old).rows[stale] == indexed(SOUND).rows[holds[stale]]).all()


def test_drift_grows_out_of_the_same_noise() -> None:
    rows = {drift: indexed(Damage(drift=drift, seed=8)).rows for drift in (0.0, 0.2, 0.4)}
    moved = [np.linalg.norm(rows[drift] - rows[0.0], axis=1).mean() for drift in (0.2, 0.4)]
    assert 0.0 < moved[0] < moved[1]


def test_noise_is_normal_and_each_row_has_its_own_address() -> None:
    drawn = noise(5, 0, 300, 128)
    assert abs(drawn.mean()) < 0.02
    assert abs(drawn.std() - 1.0) < 0.02
    assert (noise(5, 40, 3, 128) == drawn[40:43]).all()


def test_the_raw_stream_is_the_one_that_the_version_was_frozen_with() -> None:
    assert [round(float(value), 6) for value in noise(1, 0, 1, 4)[0]] == [
        1.160709,
        1.978977,
        0.915078,
        1.065115,
    ]


@pytest.mark.slow
def test_an_index_is_the_same_to_the_bit_on_another_processor() -> None:
    printed = {
        subprocess.run(
            [sys.executable, "-c", CORE],
            cwd=ROOT,
            env={**os.environ, "OPENBLAS_CORETYPE": core, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for core in ("Nehalem", "Haswell")
    }
    assert len(printed) == 1


def test_damage_beyond_a_share_is_refused() -> None:
    with pytest.raises(ValidationError, match="less than or equal to 1"):
        Damage(drift=1.5)


def test_an_answer_names_its_passages_from_the_best_down() -> None:
    answer = build(SOUND).ask("For how many years are decision journals retained?")
    assert answer.error is None
    assert answer.answer is not None
    assert "seven years" in answer.answer
    assert answer.source_chunks[0].chunk_id.startswith("records-")
    scores = [source.score for source in answer.source_chunks]
    assert scores == sorted(scores, reverse=True)
    assert answer.answer in answer.source_chunks[0].text


@pytest.mark.parametrize(
    ("damage", "question", "error"),
    [
        (SOUND, "  ", "The question is empty"),
        (SOUND, "xyzzy plugh", "none of these words"),
        (SOUND, "?!", "none of these words"),
        (Damage(embedded=False), "Who may stop a fleet?", "There is no index"),
        (Damage(dropped=1.0), "Who may stop a fleet?", "There is no index"),
    ],
)
def test_what_cannot_be_answered_says_why(damage: Damage, question: str, error: str) -> None:
    answer = build(damage).ask(question)
    assert answer.error is not None
    assert error in answer.error
    assert (answer.answer, answer.source_chunks, answer.confidence) == (None, (), 0.0)


def test_without_an_embedder_there_is_no_quality() -> None:
    assert build(Damage(embedded=False)).quality == 0.0


@pytest.mark.parametrize(
    "damages",
    [
        (SOUND,),
        (SOUND, Damage(drift=0.3, seed=9), Damage(dropped=0.2, seed=8), Damage(stale=0.2, seed=7)),
        (Damage(drift=0.6, seed=9), Damage(dropped=0.5, seed=8), Damage(split_wrong=0.5, seed=7)),
    ],
    ids=["sound", "mild", "strong"],
)
def test_confidence_beats_the_base_rate_on_questions_it_was_not_fitted_on(
    damages: tuple[Damage, ...],
) -> None:
    known = corpus()
    seen = [case for damage in damages for case in cases(damage, known.held, known.foreign[1::2])]
    rate = fmean(found for _, found in seen)
    brier = fmean((calibration().confidence(one) - found) ** 2 for one, found in seen)
    assert brier < rate * (1.0 - rate)


def test_nonsense_gets_low_confidence_and_good_questions_high() -> None:
    sound_index = build(SOUND)
    foreign = [sound_index.ask(question).confidence for question in corpus().foreign[1::2]]
    held = [sound_index.ask(pair.question).confidence for pair in corpus().held]
    assert fmean(foreign) < 0.25
    assert fmean(held) > 2.0 * fmean(foreign)


@pytest.mark.parametrize("word", ["escalation", "sampling", "drift"])
def test_one_known_word_among_nonsense_is_no_find(word: str) -> None:
    sure, lost = build(SOUND).ask(word), build(SOUND).ask(f"flibber quux {word} wobble zork")
    assert lost.confidence < 0.15 < sure.confidence
    assert lost.source_chunks[0].score < 0.3 < sure.source_chunks[0].score
    assert [one.chunk_id for one in lost.source_chunks] == [one.chunk_id for one in sure.source_chunks]


@pytest.mark.parametrize("stage", Stage)
def test_a_sample_is_short_and_shows_the_damage_of_its_stage(stage: Stage) -> None:
    broken = Damage(dropped=0.6, split_wrong=0.8, drift=0.8, stale=0.8, inflation=0.2, seed=2)
    well = [sample(stage, Damage(seed=2), step) for step in range(8)]
    ill = [sample(stage, broken, step) for step in range(8)]
    assert max(map(len, well + ill)) <= 300
    assert sum(one != other for one, other in zip(well, ill, strict=True)) >= 5


def test_a_sample_changes_with_the_step_and_not_with_the_asking() -> None:
    said = [[sample(Stage.CLEAN, SOUND, step) for step in range(6)] for _ in range(2)]
    assert said[0] == said[1]
    assert len(set(said[0])) == 6


def test_a_cleaner_that_loses_text_counts_fewer_words_out_than_in() -> None:
    losing = sample(Stage.CLEAN, Damage(dropped=0.5, seed=2), 3)
    words_in, words_out = (int(part.split()[0]) for part in losing.split(":")[0].split(", "))
    assert words_out < words_in
