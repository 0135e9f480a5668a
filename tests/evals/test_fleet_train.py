"""Learning, measured: the gradient is one, a seed gives one result, and what ships is what was measured."""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b
from statistics import fmean
from typing import Any

import numpy as np
import orjson
import pytest

from envs.catalog import ENVIRONMENTS
from envs.fleet import learned
from envs.fleet.models import LEVELS, Act
from envs.kernel.play import look, open_episode, play
from envs.kernel.rng import Rng
from evals.runner import quiet
from evals.subjects import subject
from evals.training.course import BASELINES, MEASURES, Course, Trained, run
from evals.training.drawing import detection_rate, reward_curve
from evals.training.learning import Decision, Learner, Play
from evals.training.shipping import PLOTS, POLICY

SHORT = Course(episodes=240, seed=0, cases=1)
BRIEF = Course(episodes=48, seed=5, cases=1)
FLEET = ENVIRONMENTS["fleet"].environment


@pytest.fixture(scope="module")
def short() -> Trained:
    return run(subject("fleet"), SHORT, quiet)


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    return orjson.loads((PLOTS / "training_metrics.json").read_bytes())


def form(value: Any) -> Any:
    """The keys and kinds of a JSON value; all points of a curve have one form, and numbers may be missing."""
    match value:
        case dict():
            return {key: form(part) for key, part in value.items()}
        case list():
            (one,) = {orjson.dumps(form(part)) for part in value}
            return [orjson.loads(one)]
        case int() | float() | None:
            return "number"
        case _:
            return type(value).__name__


def test_learning_climbs_the_chance_of_what_paid_more_than_the_other_play() -> None:
    seen = np.array([[1.0, 0.5], [0.2, -1.0]])
    learner = Learner(np.zeros((3, 2)))
    good, bad = (Play((Decision(seen, place),), (value,)) for place, value in ((4, 1.0), (0, 0.0)))
    before = learned.chances(learner.weights, seen).ravel()
    learner.learn([[good, bad]])
    after = learned.chances(learner.weights, seen).ravel()
    assert after[4] > before[4]
    assert after[0] < before[0]


def test_learning_finds_the_act_that_pays_where_a_feature_says_so() -> None:
    """Two workers, one of them marked: act 1 on the marked one pays, whichever it is."""
    rng, learner = Rng(1, "bandit"), Learner(np.zeros((2, 2)))
    for update in range(60):
        cases = []
        for case in range(4):
            marked = rng.at(update, case).integer(0, 1)
            seen = np.array([[1.0, float(worker == marked)] for worker in range(2)])
            plays = []
            for trial in range(4):
                chance = learned.chances(learner.weights, seen).ravel()
                place = int(np.searchsorted(chance.cumsum(), rng.at(update, case, trial).unit()))
                plays.append(Play((Decision(seen, min(place, 3)),), (float(place == 2 * marked + 1),)))
            cases.append(plays)
        learner.learn(cases)
    assert learned.chances(learner.weights, np.array([[1.0, 1.0], [1.0, 0.0]]))[0, 1] > 0.8


def test_chances_are_positive_and_sum_to_one() -> None:
    drawn = np.array(Rng(2, "weights").normals(learned.SHAPE[0] * learned.SHAPE[1])).reshape(learned.SHAPE)
    chances = learned.chances(100.0 * drawn, np.ones((5, learned.SHAPE[1])))
    assert chances.shape == (5, learned.SHAPE[0])
    assert chances.sum() == pytest.approx(1.0)
    assert (chances >= 0.0).all()


def test_what_a_worker_showed_before_its_repair_is_forgotten() -> None:
    episode = open_episode(FLEET, FLEET.request_type(seed=3), FLEET.memory_type(), 3)
    for act in (Act.MONITOR, Act.PAUSE, Act.INTERVENE):
        episode = play(FLEET, episode, FLEET.action_type(action_type=act, worker_id="worker_1"))
    seen = learned.features(look(FLEET, episode))
    now, far = (seen[1, learned.FEATURES.index(name)] for name in ("flag", "flags"))
    assert now == far


def test_weights_of_another_shape_are_refused_with_what_to_do() -> None:
    with pytest.raises(ValueError, match="train anew"):
        learned.unpacked(orjson.dumps({level: [[0.0]] for level in LEVELS}))


@pytest.mark.slow
def test_the_same_seed_gives_the_same_files_and_another_seed_others() -> None:
    first, again = (run(subject("fleet"), BRIEF, quiet) for _ in range(2))
    assert orjson.dumps(again.metrics) == orjson.dumps(first.metrics)
    assert again.packed() == first.packed()
    assert reward_curve(again.metrics) == reward_curve(first.metrics)
    assert detection_rate(again.metrics) == detection_rate(first.metrics)
    other = run(subject("fleet"), replace(BRIEF, seed=6), quiet)
    assert other.packed() != first.packed()


@pytest.mark.slow
def test_what_ships_has_the_form_of_what_a_short_training_writes_and_begins_as_it_does(
    short: Trained, shipped: dict[str, Any]
) -> None:
    written = orjson.loads(orjson.dumps(short.metrics))
    assert form(shipped) == form(written)
    # The short training is as long as what stands behind the first point of the one that ships.
    for level in LEVELS:
        first, points = shipped["curves"][level][0], written["curves"][level]
        assert (first["episodes"], shipped["seed"]) == (points[-1]["episodes"], written["seed"])
        for measure in MEASURES:
            whole = fmean(point[measure]["mean"] for point in points)
            assert first[measure]["mean"] == pytest.approx(whole, abs=2e-4)


def test_the_baseline_has_the_weights_that_the_shipped_metrics_speak_of(shipped: dict[str, Any]) -> None:
    assert blake2b(POLICY.read_bytes(), digest_size=8).hexdigest() == shipped["weights"]
    assert shipped["version"] == FLEET.version


def test_the_shipped_policy_was_measured_beside_every_baseline_and_beats_the_flags(
    shipped: dict[str, Any],
) -> None:
    for level in LEVELS:
        rows = shipped["held_out"][level]
        assert set(rows) == {"trained", *BASELINES}
        assert rows["trained"]["objective"]["low"] > rows["follow-flags"]["objective"]["high"]
        assert shipped["curves"][level][-1]["reward"]["mean"] > shipped["curves"][level][0]["reward"]["mean"]


def test_the_shipped_pictures_are_drawn_from_the_shipped_metrics(shipped: dict[str, Any]) -> None:
    assert (PLOTS / "reward_curve.png").read_bytes() == reward_curve(shipped)
    assert (PLOTS / "detection_rate.png").read_bytes() == detection_rate(shipped)
