"""Golden transcripts: what an environment did when somebody last read it is what it does now."""

from __future__ import annotations

import pytest

from envs.kernel.outcome import Status
from envs.kernel.play import grade
from instances import journal
from tests.golden.scripts import SCRIPTS
from tests.golden.transcript import FOLDER, entries, path, written
from tests.laws.plays import CATALOGUE, scripted

READABLE = 100
"""Steps of an episode that a person reads to its end."""
SCORED = [slug for slug in CATALOGUE if slug != "analyst"]
"""An open analysis is neither right nor wrong."""

every_environment = pytest.mark.parametrize("slug", CATALOGUE)


@every_environment
def test_every_environment_has_a_transcript(slug: str):
    assert slug in SCRIPTS, f"{slug} has no script; write one in tests/golden/scripts"
    assert path(slug).exists(), f"{slug} has no transcript; run `make golden`, read it and keep it"


def test_every_transcript_belongs_to_an_environment():
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(SCRIPTS) <= set(CATALOGUE)


@every_environment
def test_the_transcript_is_what_is_played_now(slug: str):
    now = written(CATALOGUE[slug], SCRIPTS[slug])
    assert path(slug).read_bytes().decode() == now, "run `make golden` and read the difference"


@every_environment
def test_the_transcript_is_of_the_environments_version(slug: str):
    head = path(slug).read_text(encoding="utf-8").splitlines()[0]
    assert head == f"{slug} version {CATALOGUE[slug].environment.version}"


@every_environment
def test_the_transcript_alone_replays_to_its_digests(slug: str):
    recorded = entries(path(slug).read_text(encoding="utf-8"))
    assert len(recorded) == sum(1 + len(play.actions) for play in SCRIPTS[slug])
    last = journal.fold(CATALOGUE[slug].environment, recorded)
    assert last is not None
    assert len(last.actions) == len(SCRIPTS[slug][-1].actions)


@every_environment
def test_the_script_shows_an_illegal_action_and_both_ends(slug: str):
    episodes = scripted(slug)
    truncated = {Status.TRUNCATED} if CATALOGUE[slug].environment.horizon[1] <= READABLE else set()
    assert {Status.TERMINATED} | truncated <= {episode.status for episode in episodes}
    assert any(not step.legal for episode in episodes for step in episode.steps)


@pytest.mark.parametrize("slug", SCORED)
def test_the_script_plays_well_and_badly(slug: str):
    scores = [grade(CATALOGUE[slug].environment, episode).score for episode in scripted(slug)]
    assert max(scores) - min(scores) >= 0.5
