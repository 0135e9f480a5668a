"""`python -m tests.ui.pictures [state …]`: plays through the page and pictures it in `docs/pictures`.

The same pictures every time: clock, ids and seeds of the server are fixed, and nothing on the page moves.
Fails on an error of the page, a request to another machine, and sideways scrolling on a phone.
"""

from __future__ import annotations

import io
import itertools
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import httpx
import numpy as np
import uvicorn
from PIL import Image
from playwright.sync_api import Browser, ConsoleMessage, Page, ViewportSize, sync_playwright

import ui
from agents.analyst.conversing.opening import conversing
from api.app import create_app
from api.settings import read_settings
from envs.catalog import ENVIRONMENTS
from instances.service import Service
from instances.store import Store, open_engine
from tests.ui.conftest import CHROMIUM, PATIENCE_MS, SWITCHES
from tests.ui.playing import sideways
from tests.ui.stories import STORIES, WHO, Stage, Story

FOLDER = Path(__file__).resolve().parent.parent.parent / "docs" / "pictures"
WIDE: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
# What a reader of the page sees as its address, wherever the server listens.
HOST = "localhost:7860"
NOON = 1_767_614_400.0
SEED = 4_117
# How long something took differs from run to run.
TIMES = r"/\b\d+(\.\d+)? (?=ms\b)/g"


@dataclass
class Faults:
    """What went wrong on the pages since it was last asked."""

    found: list[str] = field(default_factory=list)
    tolerated: str = ""

    def watch(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.found.append(f"error: {error}"))
        page.on("console", self._console)
        page.on("request", lambda request: self._request(request.url))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not (self.tolerated and self.tolerated in message.text):
            self.found.append(f"console: {message.text}")

    def _request(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"data", "blob"} and parts.netloc != HOST:
            self.found.append(f"request to another machine: {url}")


class Ids:
    """Ids that look as if drawn and are the same whenever the same story is played on the same screen."""

    def __init__(self) -> None:
        self._numbers = self._of("")

    def restart(self, name: str) -> None:
        self._numbers = self._of(name)

    def __call__(self) -> str:
        return next(self._numbers)

    def _of(self, name: str) -> Iterator[str]:
        return (blake2b(f"{name} {n}".encode(), digest_size=16).hexdigest() for n in itertools.count())


@contextmanager
def serving(folder: Path, ids: Ids) -> Iterator[int]:
    """The whole application in a thread, on a new store, with a clock that stands still; gives its port."""
    settings = read_settings({"DATA_DIR": str(folder), "HOST": "127.0.0.1"}, frozenset(ENVIRONMENTS))
    store = Store(open_engine(settings.database_url, synchronous=settings.synchronous))
    effects = {"analyst": conversing(store, settings.analyst, settings.agents)}
    service = Service(
        store,
        ENVIRONMENTS,
        settings.limits,
        clock=lambda: NOON,
        token=ids,
        draw=lambda: SEED,
        effects=effects,
    )
    app = ui.mount(create_app(service, settings), service)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            if not thread.is_alive():
                raise RuntimeError("the server did not start")
            time.sleep(0.05)
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def browsing(port: int) -> Iterator[Browser]:
    """A browser that finds that port at `HOST`."""
    rule = f"--host-resolver-rules=MAP {HOST} 127.0.0.1:{port}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*SWITCHES, rule])
        yield browser
        browser.close()


def photograph(story: Story, browser: Browser, http: httpx.Client, ids: Ids) -> list[str]:
    """Writes the story's three pictures, from a wide screen and a phone; returns what went wrong."""
    faults = Faults(tolerated=story.tolerates)
    for size in (WIDE, PHONE):
        ids.restart(f"{story.name} {size}")
        with _screen(browser, size) as page:
            faults.watch(page)
            story.play(Stage(page, http, f"http://{HOST}"))
            if size is WIDE:
                _shoot(page, story, "light")
                _darken(page)
                _shoot(page, story, "dark")
                continue
            _shoot(page, story, "phone")
            if by := sideways(page):
                faults.found.append(f"the phone can be scrolled sideways by {by} px")
    return [f"{story.name}: {fault}" for fault in faults.found]


@contextmanager
def _screen(browser: Browser, size: ViewportSize) -> Iterator[Page]:
    """A page in a browser of its own, under a pseudonym that is always the same."""
    context = browser.new_context(
        viewport=size,
        color_scheme="light",
        reduced_motion="reduce",
        locale="en-GB",
        timezone_id="UTC",
        has_touch=size is PHONE,
        is_mobile=size is PHONE,
    )
    context.add_init_script(f"localStorage.setItem('auditorium:who', '{WHO}')")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    yield page
    context.close()


def _darken(page: Page) -> None:
    if page.locator("#theme").count():
        page.evaluate("document.getElementById('theme').click()")
    else:
        page.emulate_media(color_scheme="dark")


def _shoot(page: Page, story: Story, name: str) -> None:
    page.mouse.move(0, 0)
    page.evaluate(
        """async () => {
          await document.fonts.ready;
          const status = document.getElementById("api-status");
          const walk = status && document.createTreeWalker(status, NodeFilter.SHOW_TEXT);
          while (walk?.nextNode()) walk.currentNode.data = walk.currentNode.data.replace(TIMES, "4.2 ");
          for (let i = 0; i < 3; i += 1) await new Promise((done) => requestAnimationFrame(done));
        }""".replace("TIMES", TIMES)
    )
    page.wait_for_timeout(150)
    shot = page.screenshot(full_page=story.whole, animations="disabled", caret="hide")
    _small(Image.open(io.BytesIO(shot)).convert("RGB")).save(
        FOLDER / f"{story.name}.{name}.png", optimize=True
    )


def _small(image: Image.Image) -> Image.Image:
    """The picture in 256 colours: its commonest ones exactly, the others by the nearest."""
    packed = np.asarray(image).astype(np.int32) @ (1 << 16, 1 << 8, 1)
    found, where, counts = np.unique(packed, return_inverse=True, return_counts=True)
    colours = np.stack([found >> 16, found >> 8 & 255, found & 255], axis=1)
    common = colours[np.argsort(-counts, kind="stable")[:16]]
    others = image.quantize(256 - len(common), Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = np.concatenate([common, np.reshape(others, (-1, 3))])
    nearest = np.abs(colours[:, None] - palette[None]).sum(axis=2).argmin(axis=1).astype(np.uint8)
    small = Image.fromarray(nearest[where].reshape(packed.shape))
    small.putpalette(palette.astype(np.uint8).tobytes())
    return small


def index() -> str:
    """The pictures as a table, for reading on GitHub."""
    rows = "".join(
        f"| {story.shows} | [light]({story.name}.light.png) | [dark]({story.name}.dark.png) "
        f"| [phone]({story.name}.phone.png) |\n"
        for story in STORIES
    )
    return (
        "# The page in pictures\n\n"
        "Written by `make pictures`, on a server of its own with fixed cases, clock and ids.\n\n"
        f"| state | 1280 px | dark | 390 px |\n|---|---|---|---|\n{rows}"
    )


def main(names: list[str]) -> int:
    """Takes the pictures of the states named, of all for none; returns how many faults there were."""
    if CHROMIUM is None:
        sys.exit("pictures: there is no chromium on this machine")
    unknown = set(names) - {story.name for story in STORIES}
    if unknown:
        sys.exit(f"pictures: unknown {', '.join(sorted(unknown))}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "README.md").write_text(index())
    chosen = [story for story in STORIES if not names or story.name in names]
    faults: list[str] = []
    ids = Ids()
    with (
        TemporaryDirectory() as folder,
        serving(Path(folder), ids) as port,
        browsing(port) as browser,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=10.0) as http,
    ):
        for story in chosen:
            faults += photograph(story, browser, http, ids)
            print(f"docs/pictures/{story.name}", flush=True)
    for fault in faults:
        print(fault, file=sys.stderr)
    return len(faults)


if __name__ == "__main__":
    sys.exit(min(1, main(sys.argv[1:])))
