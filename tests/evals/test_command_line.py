"""`python -m evals` says what it did, and what was wrong with what it was asked."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from evals.__main__ import main
from tests.conftest import ROOT
from tests.evals import toy

RUN = ("run", "--env", "sorter", "--agent", "one-look", "--level", "easy", "--seeds", "20", "--workers", "1")


def test_a_run_prints_skill_and_is_reported_afterwards(store_url: str, capsys: pytest.CaptureFixture[str]):
    assert main([*RUN, "--store", store_url], toy.PATH) == 0
    printed = capsys.readouterr()
    assert "one-look: skill +" in printed.out
    assert "sorter/blind/public/easy" in printed.err
    assert main(["report", "--json", "--store", store_url], toy.PATH) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert run["agent"] == "one-look"
    assert run["level_spread"]["cases"] == 20
    assert sum(family["cases"] for family in run["families"]) == 20
    assert len(run["level_spread"]["quantiles"]) == 5


def test_gates_that_hold_end_with_0_and_are_kept_when_asked(
    store_url: str, capsys: pytest.CaptureFixture[str]
):
    asked = ["gates", "--smoke", "--keep", "--workers", "2", "--store", store_url]
    assert main(asked, toy.SOUND_PATH) == 0
    assert "sorter: all gates hold" in capsys.readouterr().out
    assert main(["report", "--env", "sorter", "--store", store_url], toy.SOUND_PATH) == 0
    assert "sorter: all gates hold" in capsys.readouterr().out


@pytest.mark.slow
def test_a_breach_ends_with_1(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr("evals.gates.size.FEWEST_FAMILIES", 13)
    assert main(["gates", "--smoke", "--workers", "1"], toy.SOUND_PATH) == 1
    assert "BREACH" in capsys.readouterr().out


def test_an_empty_store_says_how_to_fill_it(store_url: str, capsys: pytest.CaptureFixture[str]):
    assert main(["report", "--store", store_url], toy.PATH) == 0
    assert "python -m evals run" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (("run", "--env", "nowhere", "--agent", "x"), "no environment 'nowhere'; use one of: sorter"),
        (("run", "--env", "sorter", "--agent", "x"), "no agent for sorter 'x'; use one of: random, pass-all"),
        ((*RUN[:5], "--level", "odd"), "no level 'odd' of sorter; use one of: easy, medium, hard"),
    ],
)
def test_a_name_that_is_not_there_is_answered_with_those_that_are(
    asked: tuple[str, ...], answer: str, store_url: str, capsys: pytest.CaptureFixture[str]
):
    assert main([*asked, "--store", store_url], toy.PATH) == 2
    assert answer in capsys.readouterr().err


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (("--seeds", "0"), "0 is too small; use 1 or more"),
        (("--seeds", "many"), "'many' is not a whole number"),
        (("--split", "secret"), "choose from"),
        (("--scheduler", "tcp://x:1"), "not allowed with"),
    ],
)
def test_an_option_that_cannot_be_is_answered_with_what_can(
    asked: tuple[str, ...], answer: str, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(SystemExit):
        main([*RUN, *asked], toy.PATH)
    assert answer in capsys.readouterr().err


@pytest.mark.parametrize("command", ["", "run", "gates", "report"])
def test_help_is_there_for_every_command(command: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), "--help"])
    assert ended.value.code == 0
    assert "python -m evals" in capsys.readouterr().out


def test_starting_loads_nothing_slow():
    code = "import sys, evals.__main__; print([m for m in sys.modules if m in sys.argv[1:]])"
    slow = ["dask", "distributed", "pyarrow", "scipy.stats", "scipy.optimize", "matplotlib"]
    done = subprocess.run(
        [sys.executable, "-c", code, *slow], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]"
