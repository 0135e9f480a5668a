"""The API in this process for most tests; those about the wire take the real server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.api.inside import Api, inside


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with inside(tmp_path) as running:
        yield running
