"""A browser on the running app: Debian's Chromium, a fresh context for each test."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect, sync_playwright

from tests.conftest import Server

CHROMIUM = shutil.which("chromium")
SWITCHES = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
PATIENCE_MS = 30_000
expect.set_options(timeout=PATIENCE_MS)

OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Browser, server: Server) -> Iterator[OpenPage]:
    """Opens pages: `visit("?env=forecast-audit", width=390)`; each call is another person's browser.

    The test fails when a page throws or asks another machine for anything.
    """
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def open_page(path: str = "", *, width: int = 1280, height: int = 900, theme: str = "light") -> Page:
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if theme == "dark" else "light",
            has_touch=width < 500,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
        page.on("request", lambda request: _local(request, server, faults))
        page.goto(f"{server.url}/ui/{path}")
        page.wait_for_selector("#live[data-mode]")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=10.0) as client:
        yield client


def _local(request: Request, server: Server, faults: list[str]) -> None:
    if urlsplit(request.url).scheme in {"data", "blob"}:
        return
    if urlsplit(request.url).netloc != urlsplit(server.url).netloc:
        faults.append(f"request to another machine: {request.url}")
