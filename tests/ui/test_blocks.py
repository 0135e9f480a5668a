"""The page as Gradio knows it: its parts, its pages, and no door beside the API."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from envs.catalog import ENVIRONMENTS
from instances.service import Service
from instances.store import Store, open_engine
from tests.tiny import TINY
from ui.app import blocks
from ui.pages.shell import PageSettings

SHELL = ["bar", "notes", "keys"]
LOBBY = ["wire", "lobby", "picker", "recent"]
TABLE = ["table", "tabs", "tab-play", "line", "cols", "scene", "side", "act", "reward", "timeline", "tab-api"]


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    store = Store(open_engine(f"sqlite:///{tmp_path_factory.mktemp('page') / 'a.db'}"))
    service = Service(store, {**ENVIRONMENTS, **TINY})

    # Within a loop, because Gradio opens one of its own where there is none and never closes it; and on a
    # thread, because Playwright keeps a loop running on this one.
    async def build() -> dict[str, object]:
        page = blocks(service, PageSettings(durable=False, version="1.2.3"))
        return dict(page.get_config_file())

    with ThreadPoolExecutor(1) as thread:
        found = thread.submit(lambda: asyncio.run(build())).result()
    service.close()
    store.close()
    return found


def parts(config: dict[str, object], page: str) -> list[str]:
    components = {part["id"]: part for part in config["components"]}  # type: ignore[attr-defined]
    return [
        components[number]["props"]["elem_id"]
        for number in config["page"][page]["components"]  # type: ignore[index]
        if components[number]["props"].get("elem_id")
    ]


def test_play_has_its_parts_in_their_order(config: dict[str, object]) -> None:
    found = parts(config, "")
    expected = [*SHELL, *LOBBY, *TABLE]
    assert [name for name in found if name in expected] == expected


@pytest.mark.parametrize("page", ["reports", "plots", "leaderboard", "human-baseline", "about"])
def test_every_other_page_has_the_shell_and_its_text(config: dict[str, object], page: str) -> None:
    assert parts(config, page) == [*SHELL, "page"]


def test_gradio_has_no_event_that_could_be_called_from_outside(config: dict[str, object]) -> None:
    assert [event for event in config["dependencies"] if event["api_visibility"] != "private"] == []  # type: ignore[attr-defined]


def test_the_picker_has_a_card_for_every_environment(config: dict[str, object]) -> None:
    picker = next(part for part in config["components"] if part["props"].get("elem_id") == "picker")  # type: ignore[attr-defined]
    for slug in (*ENVIRONMENTS, *TINY):
        assert f'data-play="{slug}"' in picker["props"]["value"]


def test_no_file_of_the_page_names_another_machine() -> None:
    root = Path(__file__).parents[2]
    files = [*root.glob("assets/css/*"), *root.glob("assets/js/*"), *root.glob("ui/templates/*")]
    assert len(files) > 20
    named = [path.name for path in files if "https://" in path.read_text() or "http://" in path.read_text()]
    assert named == []
