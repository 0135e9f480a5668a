"""Every law is asked of every environment, the tiny one included."""

from __future__ import annotations

import pytest

from envs.catalog import Entry
from envs.kernel.play import AnyEpisode
from envs.kernel.protocol import AnyEnvironment
from tests.laws import plays


# Of the session, because a property test must not ask for a fixture that is made anew for each test.
@pytest.fixture(scope="session", params=plays.CATALOGUE)
def slug(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="session")
def entry(slug: str) -> Entry:
    return plays.CATALOGUE[slug]


@pytest.fixture(scope="session")
def env(entry: Entry) -> AnyEnvironment:
    return entry.environment


@pytest.fixture(scope="session")
def episodes(slug: str) -> tuple[AnyEpisode, ...]:
    return plays.episodes(slug)


@pytest.fixture(scope="session")
def moments(slug: str) -> tuple[AnyEpisode, ...]:
    return plays.moments(slug)
