"""The page's own files (styles, scripts, fonts, plotly.js) under an address that changes with their content.

A browser may keep them for a year; a text file is sent compressed once for all.
"""

from __future__ import annotations

import gzip
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import plotly
from starlette.requests import Request
from starlette.responses import Response

ASSETS = Path(__file__).resolve().parent.parent / "assets"
FOLDERS = ("css", "js", "fonts")
ICON = "icon.svg"
DAY = "public, max-age=86400"
YEAR = "public, max-age=31536000, immutable"

mimetypes.add_type("font/woff2", ".woff2")
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("image/svg+xml", ".svg")


@dataclass(frozen=True, slots=True)
class Item:
    """One file as it goes over the wire. `packed` is its gzip form, None where that gains nothing."""

    content: bytes
    packed: bytes | None
    media_type: str


@dataclass(frozen=True, slots=True)
class Bundle:
    """All files by their path below `/ui/bundle/<digest>/`."""

    digest: str
    items: Mapping[str, Item]

    def answer(self, request: Request) -> Response:
        """The file that the request's path names, or 404."""
        item = self.items.get(request.path_params["path"])
        if item is None or request.path_params["digest"] != self.digest:
            return Response("This version of the page has no such file.", 404, media_type="text/plain")
        headers = {"Cache-Control": YEAR, "Vary": "Accept-Encoding"}
        if item.packed is None or "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(item.content, headers=headers, media_type=item.media_type)
        headers["Content-Encoding"] = "gzip"
        return Response(item.packed, headers=headers, media_type=item.media_type)

    def icon(self) -> Response:
        """The page's icon, for browsers that ask before they have read its head."""
        return Response(self.items[ICON].content, headers={"Cache-Control": DAY}, media_type="image/svg+xml")


def load(assets: Path = ASSETS) -> Bundle:
    """Reads the files from disk. plotly.js comes from the package that builds the figures, so both agree."""
    contents = {
        f"{folder}/{path.name}": path.read_bytes()
        for folder in FOLDERS
        for path in sorted((assets / folder).iterdir())
        if path.suffix in {".css", ".js", ".woff2"}
    }
    contents[ICON] = (assets / ICON).read_bytes()
    plotly_js = Path(str(plotly.__file__)).parent / "package_data" / "plotly.min.js"
    contents["js/plotly.min.js"] = plotly_js.read_bytes()
    digest = blake2b(digest_size=8)
    for path, content in contents.items():
        digest.update(path.encode() + b"\0" + content)
    return Bundle(digest.hexdigest(), {path: _item(path, content) for path, content in contents.items()})


def _item(path: str, content: bytes) -> Item:
    media_type = mimetypes.guess_type(path)[0] or "application/octet-stream"
    packed = None if path.endswith(".woff2") else gzip.compress(content, 6, mtime=0)
    return Item(content, packed, media_type)
