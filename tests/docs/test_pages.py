"""What a page says is so: links lead somewhere, pins agree, examples run and answer what is printed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
import yaml

from tests.conftest import ROOT, Server, StartServer
from tests.docs.pages import Block, anchors, blocks, links, name, pages

PRINTED_URL = re.compile(r"http://localhost:7860|localhost:7860")
LANGUAGES = {"bash", "python", "json", "text", "yaml", "toml", "sql", "markdown"}
PAGES = [pytest.param(page, id=name(page)) for page in pages()]


def _with(language: str) -> list[object]:
    return [
        pytest.param(page, id=name(page))
        for page in pages()
        if any(block.language == language and block.not_run is None for block in blocks(page))
    ]


@pytest.mark.parametrize("page", PAGES)
def test_every_relative_link_leads_to_a_file_and_a_heading(page: Path):
    dead = []
    for link in links(page):
        if re.match(r"[a-z]+:|/", link):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            dead.append(link)
    assert not dead


@pytest.mark.parametrize("page", PAGES)
def test_every_block_names_its_language(page: Path):
    assert [block.line for block in blocks(page) if block.language not in LANGUAGES] == []


@pytest.mark.parametrize("page", _with("bash"))
def test_shell_examples_run_and_answer_what_is_printed(page: Path, server: Server, tmp_path: Path):
    shown = _shell_blocks(page)
    script = ['curl() { command curl --silent --show-error $fail "$@"; }']
    for index, (block, answer) in enumerate(shown):
        # A printed answer may be an error; without one, an error is a mistake in the page.
        script.append("fail=" if answer is not None else "fail=--fail-with-body")
        script.append(f"echo {name(page)}:{block.line} >&2\n{{\n{block.code}}} >{tmp_path}/{index}")
    text = PRINTED_URL.sub(server.url, "\n".join(script))
    done = _bash(text, tmp_path, server)
    assert done.returncode == 0, f"{done.stderr}\n{_outputs(tmp_path)}"
    for index, (block, answer) in enumerate(shown):
        if answer is not None:
            found = json.loads((tmp_path / str(index)).read_text())
            assert _agrees(json.loads(answer.code), found), (
                f"{name(page)}:{block.line} answers {json.dumps(found)}"
            )


@pytest.mark.parametrize("page", _with("python"))
def test_python_examples_run(page: Path, server: Server):
    namespace: dict[str, object] = {}
    for block in blocks(page):
        if block.language == "python" and block.not_run is None:
            code = PRINTED_URL.sub(server.url, block.code)
            exec(compile("\n" * block.line + code, name(page), "exec"), namespace)


@pytest.mark.slow
def test_a_backup_taken_as_printed_brings_an_instance_back(start_server: StartServer, tmp_path: Path):
    running = start_server()
    opened = httpx.post(f"{running.url}/instances", json={"environment": "forecast-audit"}).json()
    httpx.post(f"{opened['base_url']}/reset").raise_for_status()
    printed = "".join(block.code for block, _ in _shell_blocks(ROOT / "docs" / "instances.md"))
    done = _bash(printed, tmp_path, running)
    assert done.returncode == 0, done.stderr
    other = start_server(DATA_DIR=str(tmp_path / "restored"))
    assert httpx.get(f"{other.url}/instances/{opened['id']}").json()["entries"] == 1


@pytest.mark.parametrize("page", _with("json"))
def test_json_examples_are_json(page: Path):
    for block in blocks(page):
        if block.language == "json" and block.not_run is None:
            json.loads(block.code)


def test_the_space_runs_the_gradio_that_is_pinned():
    front_matter = yaml.safe_load(_front_matter())
    assert f"gradio=={front_matter['sdk_version']}" in (ROOT / "requirements.in").read_text().splitlines()


def test_the_front_matter_is_what_the_space_needs():
    front_matter = yaml.safe_load(_front_matter())
    wanted = {
        "title": "Auditorium",
        "sdk": "gradio",
        "python_version": "3.11",
        "app_file": "app.py",
        "base_path": "/ui",
    }
    assert wanted.items() <= front_matter.items()
    assert "openenv" in front_matter["tags"]
    assert (ROOT / front_matter["app_file"]).exists()


@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-dev.txt"])
def test_everything_that_is_installed_is_pinned(lock: str):
    lines = [line for line in (ROOT / lock).read_text().splitlines() if line and not line.startswith("#")]
    assert [line for line in lines if not re.match(r"[a-z0-9._-]+==[\w.]+", line)] == []


@pytest.mark.parametrize("chosen", ["requirements.in", "requirements-dev.in"])
def test_the_lock_holds_what_was_chosen(chosen: str):
    pins = re.findall(r"^([\w.-]+)(?:\[.*?\])?==([\w.]+)", (ROOT / chosen).read_text(), re.MULTILINE)
    locked = (ROOT / chosen).with_suffix(".txt").read_text().splitlines()
    assert pins
    assert {f"{package}=={version}" for package, version in pins} <= {line.split()[0] for line in locked}


def _bash(script: str, folder: Path, server: Server) -> subprocess.CompletedProcess[str]:
    """Runs a script like somebody who has the server's settings and its Python at hand."""
    env = os.environ | {
        "DATA_DIR": str(server.data_dir),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    command = ["bash", "-euo", "pipefail", "-c", script]
    return subprocess.run(
        command, check=False, cwd=folder, env=env, capture_output=True, text=True, timeout=60
    )


def _shell_blocks(page: Path) -> list[tuple[Block, Block | None]]:
    """Each shell block, with the JSON block that follows it as its answer."""
    all_blocks = blocks(page)
    followers = (*all_blocks[1:], None)
    return [
        (block, follower if follower is not None and follower.language == "json" else None)
        for block, follower in zip(all_blocks, followers, strict=True)
        if block.language == "bash" and block.not_run is None
    ]


def _agrees(shown: object, found: object) -> bool:
    """Whether an answer is as printed: "…" stands for any value, a key "…" for further keys."""
    match shown, found:
        case "…", _:
            return True
        case dict(), dict():
            rest = found.keys() - shown.keys()
            named = shown.keys() - {"…"}
            return (not rest or "…" in shown) and all(
                key in found and _agrees(shown[key], found[key]) for key in named
            )
        case list(), list():
            return len(shown) == len(found) and all(map(_agrees, shown, found))
        case _:
            return shown == found


def _outputs(folder: Path) -> str:
    return "\n".join(file.read_text() for file in sorted(folder.iterdir()) if file.is_file())


def _front_matter() -> str:
    return (ROOT / "README.md").read_text().split("---\n")[1]
