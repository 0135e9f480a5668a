"""The Space: settings → store → instances → API → page, in one process."""

from __future__ import annotations

import gc
import os
import sys

import uvicorn
from fastapi import FastAPI
from sqlalchemy.exc import SQLAlchemyError

import ui
from agents.analyst.conversing.opening import conversing
from api.app import create_app
from api.peers import PeerProtocol
from api.settings import BadSetting, Settings, read_settings
from envs.catalog import ENVIRONMENTS
from instances.schema import SchemaMismatch
from instances.service import Service
from instances.store import Store, open_engine


def build(settings: Settings) -> FastAPI:
    """The whole application over the store that the settings name."""
    store = Store(open_engine(settings.database_url, synchronous=settings.synchronous))
    service = Service(
        store,
        ENVIRONMENTS,
        settings.limits,
        secret=settings.secret,
        effects={"analyst": conversing(store, settings.analyst, settings.agents)},
    )
    app = create_app(service, settings)
    return ui.mount(app, service, ui.PageSettings(durable=settings.durable, version=app.version))


def main() -> None:
    """Serves until it is stopped."""
    try:
        settings = read_settings(os.environ, frozenset(ENVIRONMENTS))
    except BadSetting as error:
        sys.exit(f"auditorium: {error}")
    try:
        app = build(settings)
    except (OSError, SQLAlchemyError, SchemaMismatch) as error:
        sys.exit(f"auditorium: the store cannot be opened: {error}; check DATA_DIR and DATABASE_URL")
    # What is built by now stays; looking through it again and again costs a fifth of every step.
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    uvicorn.run(
        app,
        host=settings.host,
        port=settings.port,
        proxy_headers=settings.trusted_proxies > 0,
        forwarded_allow_ips="*",
        access_log=False,
        ws=PeerProtocol,
        # A frame over a body's limit is answered; one that is much larger ends the connection.
        ws_max_size=4 * settings.body_bytes,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
    )


if __name__ == "__main__":
    main()
