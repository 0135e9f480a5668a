"""A server process without the page, which starts sooner: `python -m tests.instances.replica`."""

from __future__ import annotations

import os

import uvicorn

from api.app import create_app
from api.settings import read_settings
from envs.catalog import ENVIRONMENTS
from instances.service import Service
from instances.store import Store, open_engine

if __name__ == "__main__":
    settings = read_settings(os.environ, frozenset(ENVIRONMENTS))
    store = Store(open_engine(settings.database_url, synchronous=settings.synchronous))
    service = Service(store, ENVIRONMENTS, settings.limits, secret=settings.secret)
    uvicorn.run(
        create_app(service, settings), host=settings.host, port=settings.port, timeout_graceful_shutdown=3
    )
