"""What `/openapi.json` says is so: whatever it allows or forbids is sent, and every answer is checked."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
import schemathesis
from schemathesis.config import GenerationConfig, ProjectConfig, ProjectsConfig, SchemathesisConfig

from tests.api.calls import COMMONS, SLUG, TASK
from tests.conftest import Server, launch

pytestmark = pytest.mark.slow

SEED = 7860
EXAMPLES = 20
# A stream that never ends cannot be checked as an answer; test_wire.py listens to it.
STREAMS = "/events$"


@pytest.fixture(scope="module")
def unlimited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app without rate limits and with the contract at the root too, so that the document has every route."""
    running = launch(
        tmp_path_factory.mktemp("openapi"),
        AUDITORIUM_REQUESTS_PER_S="0",
        AUDITORIUM_CREATIONS_PER_S="0",
        AUDITORIUM_ROOT_ENV=SLUG,
    )
    yield running
    running.stop()


@pytest.fixture
def document(unlimited: Server) -> schemathesis.BaseSchema:
    """Every operation, on ids that schemathesis makes up."""
    return schemathesis.openapi.from_url(f"{unlimited.url}/openapi.json", config=_config())


@pytest.fixture
def played_document(unlimited: Server) -> schemathesis.BaseSchema:
    """Every operation, on the one instance that can be played and never be erased."""
    httpx.post(f"{unlimited.url}/reset", json=TASK).raise_for_status()
    config = _config(parameters={"instance_id": COMMONS})
    return schemathesis.openapi.from_url(f"{unlimited.url}/openapi.json", config=config)


def _config(**project: object) -> SchemathesisConfig:
    generation = GenerationConfig(max_examples=EXAMPLES, deterministic=True)
    default = ProjectConfig(generation=generation, **project)
    return SchemathesisConfig(seed=SEED, projects=ProjectsConfig(default=default))


any_instance = schemathesis.pytest.from_fixture("document").exclude(path_regex=STREAMS)
the_commons = schemathesis.pytest.from_fixture("played_document").exclude(path_regex=STREAMS)


@any_instance.parametrize()
def test_every_answer_about_an_instance_that_may_not_be_there_is_documented(case: schemathesis.Case):
    case.call_and_validate()


@the_commons.include(path_regex="instance_id").parametrize()
def test_every_answer_about_an_instance_that_is_played_is_documented(case: schemathesis.Case):
    case.call_and_validate()
