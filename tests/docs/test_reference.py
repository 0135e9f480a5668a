"""The reference pages name everything that the code has, and nothing that it has not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest

from api import batch, export, runs, submissions
from api.errors import STATUS
from api.hub import HEALTH, HOME, ROUTES
from api.routes import CALLER_HEADERS, INSTANCE_HEADER
from api.settings import read_settings
from envs.catalog import ENVIRONMENTS
from tests.conftest import ROOT
from tests.docs.pages import table

README = ROOT / "README.md"
API = ROOT / "docs" / "api.md"
SLUGS = frozenset(ENVIRONMENTS)
SERVER = ("app.py", "agents", "api", "envs", "evals", "instances", "ui")


class Recorder(Mapping[str, str]):
    """An empty environment that remembers what it was asked for."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.asked.add(name)
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def _settings_rows() -> tuple[tuple[str, str], ...]:
    return tuple((setting.strip("`"), default) for setting, default, *_ in table(README, "Settings"))


def test_the_readme_lists_exactly_the_settings_that_are_read():
    env = Recorder()
    read_settings(env, SLUGS)
    assert {setting for setting, _ in _settings_rows()} == env.asked


@pytest.mark.parametrize(
    ("setting", "default"), [row for row in _settings_rows() if re.fullmatch(r"`[^`]+`", row[1])]
)
def test_a_printed_default_is_the_default(setting: str, default: str):
    assert read_settings({setting: default.strip("`")}, SLUGS) == read_settings({}, SLUGS)


def test_environment_variables_are_read_by_programs_only():
    files = [
        file
        for name in SERVER
        for file in ([ROOT / name] if name.endswith(".py") else sorted((ROOT / name).rglob("*.py")))
    ]
    readers = {
        f.relative_to(ROOT).as_posix()
        for f in files
        # Handing all of them on to a child process reads none.
        if re.search(r"(?<!\*\*os\.)\benviron\b(?!\.setdefault)|getenv", f.read_text())
    }
    assert {reader for reader in readers if not reader.endswith("__main__.py")} == {"app.py"}


def test_the_api_page_lists_exactly_the_error_codes_with_their_status():
    listed = {code.strip("`"): int(status) for code, status, *_ in table(API, "Errors")}
    assert listed == dict(STATUS)


def test_the_api_page_lists_exactly_the_routes_of_the_hub_with_their_success():
    listed = {(route.strip("`"), int(status)) for route, status, *_ in table(API, "Routes")}
    there = {
        (f"{route.method} {route.path}", min(route.answers))
        for route in (*ROUTES, *export.ROUTES, *batch.ROUTES, *runs.ROUTES, *submissions.ROUTES, HOME, HEALTH)
    }
    assert listed == there


def test_the_api_page_lists_exactly_the_headers_that_are_read():
    listed = {header.strip("`") for header, *_ in table(API, "Headers")}
    assert listed == {header["name"] for header in (*CALLER_HEADERS, INSTANCE_HEADER)}


def test_the_readme_lists_exactly_the_catalogued_environments():
    assert {slug.strip("`") for slug, *_ in table(README, "Auditorium")} == SLUGS
