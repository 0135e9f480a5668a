"""The official run: commands that evaluation knows, and only files of this code in the folder that ships."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.__main__ import _parser
from evals.subjects import BUILT_IN, SUBJECTS
from tests.ui import measured
from tests.ui.measured import OLD_CODE, SLUG
from ui.results.__main__ import official, ship
from ui.results.kept import SHIPPED_FOLDER, Folder

SUBJECT = SUBJECTS[SLUG]


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_every_command_of_the_official_run_is_one_of_evaluations() -> None:
    commands = official(SUBJECT, 300)
    for words in commands:
        _parser(BUILT_IN).parse_args([*words, "--store", "sqlite:///x.db"])
    agents = {words[words.index("--agent") + 1] for words in commands if words[0] == "run"}
    assert set(SUBJECT.rungs) <= agents


def test_what_ships_is_of_this_code_and_this_size_and_replaces_what_was_there(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'auditorium.db'}"
    wanted = measured.run() | measured.gates()
    others = measured.run("random", 0.1, code=OLD_CODE) | measured.run("random", 0.1, cases=20)
    measured.keep(url, wanted | others | {f"parts/{SLUG}/a": b"[]", "rounds/a": b"[]"})
    folder = measured.write(tmp_path / "shipped", measured.run("flag-max-z", 0.2))
    measured.alone(ship(SUBJECT, 30, url, folder))
    assert files_in(folder) == wanted


def test_gates_of_other_code_do_not_ship(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'auditorium.db'}"
    measured.keep(url, measured.run() | measured.gates(code=OLD_CODE))
    measured.alone(ship(SUBJECT, 30, url, tmp_path / "shipped"))
    assert files_in(tmp_path / "shipped") == measured.run()


@pytest.mark.parametrize("prefix", ["", "rounds/", "submissions/", "parts/"])
def test_only_runs_and_gates_ship(prefix: str) -> None:
    names = measured.alone(Folder(SHIPPED_FOLDER).names(prefix))
    assert [name for name in names if not name.startswith(("runs/", "gates/"))] == []
