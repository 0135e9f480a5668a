"""What `/openapi.json` says is so: schemathesis sends what it allows and forbids, and checks every answer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from pydantic import BaseModel, create_model

from api.routes import Components
from tests.api.calls import COMMONS, PREFIX, SLUG, TASK
from tests.api.inside import inside
from tests.conftest import ROOT, Server, launch

HERE = Path(__file__).parent
SETTINGS = (HERE / "schemathesis.toml").read_text()
# Streams cannot be checked as one answer; test_wire.py and the contract's own test listen to them.
STREAMS = "/events$|/chat/stream$|/tools/help$"
# The same endpoints as under `/openenv/<slug>`, which names sessions in a parameter.
TWICE = "^/openenv/[^/]+/instances/"
CONTRACT = (
    ("GET", "/"),
    ("GET", "/health"),
    ("GET", "/metadata"),
    ("GET", "/schema"),
    ("POST", "/reset"),
    ("POST", "/step"),
    ("GET", "/state"),
)
HUB = {
    ("POST", "/instances"),
    ("GET", "/instances/{instance_id}"),
    ("DELETE", "/instances/{instance_id}"),
    ("GET", "/instances/{instance_id}/transcript"),
    ("GET", "/instances/{instance_id}/events"),
    ("POST", "/instances/{instance_id}/fork"),
    ("GET", "/catalog"),
    ("POST", "/instances/batch/reset"),
    ("POST", "/instances/batch/step"),
}


@pytest.fixture(scope="module")
def unlimited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app without rate limits and with the contract at the root too: the document has every route."""
    running = launch(
        tmp_path_factory.mktemp("openapi"),
        AUDITORIUM_REQUESTS_PER_S="0",
        AUDITORIUM_CREATIONS_PER_S="0",
        AUDITORIUM_ROOT_ENV=SLUG,
    )
    # The analyst's process starts with the first request that needs it, which may take longer than an answer.
    httpx.get(f"{running.url}/envs/analyst/api/v1/analyses/default/sources", timeout=60).raise_for_status()
    yield running
    running.stop()


def _check(server: Server, folder: Path, settings: str, *options: str) -> None:
    config = folder / "schemathesis.toml"
    config.write_text(settings)
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "run", *options]
    done = subprocess.run(
        [*command, "--exclude-path-regex", f"{STREAMS}|{TWICE}", "--no-color", f"{server.url}/openapi.json"],
        check=False,
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "SCHEMATHESIS_HOOKS": "tests.api.whole_numbers"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in server.log.read_text()


@pytest.mark.slow
def test_every_answer_is_documented_whatever_is_named_as_instance(unlimited: Server, tmp_path: Path):
    _check(unlimited, tmp_path, SETTINGS)


@pytest.mark.slow
def test_every_answer_about_an_instance_that_is_played_is_documented(unlimited: Server, tmp_path: Path):
    # The commons: they can be played by everybody and erased by nobody.
    httpx.post(f"{unlimited.url}/reset", json=TASK).raise_for_status()
    settings = f'{SETTINGS}\n[parameters]\ninstance_id = "{COMMONS}"\n'
    _check(unlimited, tmp_path, settings, "--include-path-regex", "instance_id")


async def test_the_document_has_every_route_and_every_error(tmp_path: Path):
    async with inside(tmp_path, {"AUDITORIUM_ROOT_ENV": SLUG}) as api:
        document = (await api.client.get("/openapi.json")).json()
    operations = {
        (method.upper(), path): operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }
    assert len({operation["operationId"] for operation in operations.values()}) == len(operations)
    prefixes = ("", PREFIX, f"{PREFIX}/instances/{{instance_id}}")
    contract = {(method, prefix + path) for prefix in prefixes for method, path in CONTRACT}
    assert contract | HUB <= set(operations)
    for operation in operations.values():
        assert operation["summary"]
        assert {"429", "503"} <= set(operation["responses"])


def test_two_models_of_one_name_are_two_components():
    inner = create_model("Report", claim=(str, ...))
    outer = create_model("Report", told=(tuple[inner, ...], ...))
    holder: type[BaseModel] = create_model("Holder", report=(inner, ...))
    components = Components()
    refs = [components.schema(kind, "x")["$ref"] for kind in (inner, holder, outer, inner)]
    names = [ref.rpartition("/")[2] for ref in refs]
    assert names == ["x.Report", "x.Holder", "x.Report2", "x.Report"]
    assert components.schemas["x.Holder"]["properties"]["report"]["$ref"] == refs[0]
    assert set(components.schemas["x.Report2"]["properties"]) == {"told"}
