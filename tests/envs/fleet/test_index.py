"""The index of a shift: what faults do to it, when there is one, and what an instance remembers of it."""

from __future__ import annotations

from dataclasses import replace

from envs.fleet import index
from envs.fleet.models import Act, Fault
from envs.kernel.play import carry
from tests.envs.fleet.plays import ENV, Played, audit, case, do, ended, opened, plan, played, seen, shift

WAIT = do(Act.RESUME, 4)
WHERE = ("dropped", "split_wrong", "drift", "stale", "inflation")


def test_a_fault_damages_its_own_workers_part_and_a_repair_stops_it():
    for worker, part in enumerate(WHERE):
        task = shift(plan(worker))
        stood = index.damage(ended(opened(task)).state)
        repaired = index.damage(ended(played(task, WAIT, do(Act.INTERVENE, worker))).state)
        assert (
            getattr(stood, part) > getattr(repaired, part) > 0.0 or worker == 0 or getattr(stood, part) > 0.0
        )
        sound = index.damage(ended(opened(shift())).state)
        assert getattr(sound, part) == 0.0


def test_the_quality_that_is_graded_is_measured_on_the_index_that_was_built():
    episode = ended(opened(shift(plan(0, onset=1))))
    sound = ended(opened(shift()))
    values = [quality(e) for e in (episode, sound)]
    assert values[0] < values[1]
    assert values[1] == round(index.built(index.damage(sound.state)).quality, 4)


def quality(episode: Played) -> float:
    return next(gate.value for gate in seen(episode).gates or () if gate.name == "min_pipeline_quality")


def test_there_is_no_index_before_the_end_and_none_without_the_embedding_worker():
    running = played(shift(), WAIT)
    assert seen(running).gates is None
    held = ended(played(shift(), do(Act.PAUSE, 2)))
    assert not index.damage(held.state).embedded
    left = played(shift(), audit())
    assert not index.damage(left.state).embedded


def test_an_instance_remembers_the_index_of_its_last_complete_shift():
    done = ended(opened(case(1)))
    assert carry(ENV, done).index == index.damage(done.state)
    running = played(case(2), WAIT)
    assert carry(ENV, replace(running, memory=carry(ENV, done))).index == index.damage(done.state)


def test_a_sample_is_shown_under_a_close_look_alone():
    episode = played(shift(plan(0)), WAIT, do(Act.MONITOR, 0))
    samples = [worker.sample for worker in seen(episode).workers]
    assert samples[0]
    assert samples[1:] == [""] * 4


def test_an_inflated_report_claims_more_than_was_measured():
    shown = ended(opened(shift(plan(4, Fault.SABOTAGE, "prints_ok"))))
    built = index.built(index.damage(shown.state))
    assert built.reported > built.quality or built.quality == 1.0
