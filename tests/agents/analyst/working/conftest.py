"""A desk in this process, and a workshop whose worker is a process of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from agents.analyst.sources.uploads import Uploads
from agents.analyst.working.bench import Bench
from agents.analyst.working.turning import Desk
from agents.analyst.working.workshop import Workshop
from instances.service import Service
from instances.store import Store, open_engine
from tests.agents.analyst.working.asking import Asker
from tests.tiny import TINY


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Where an analysis without uploads is asked."""
    return Bench(tmp_path_factory.mktemp("bench"), None).desk("an_42", ())


@pytest.fixture(scope="module")
async def asker(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Asker]:
    """A workshop over a store with instances that files can be added to."""
    store = Store(open_engine(f"sqlite:///{tmp_path_factory.mktemp('store') / 'auditorium.db'}"))
    service = Service(store, TINY)
    workshop = Workshop(Uploads(store))
    yield Asker(store, service, workshop)
    await workshop.close()
    store.close()
