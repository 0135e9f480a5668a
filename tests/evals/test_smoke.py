"""Every environment passes a smoke of its gates; the whole of them is `make gates`."""

from __future__ import annotations

import pytest

from evals.__main__ import main
from evals.subjects import SUBJECTS


@pytest.mark.slow
@pytest.mark.parametrize("slug", SUBJECTS)
def test_no_gate_is_shown_to_be_broken(slug: str, capsys: pytest.CaptureFixture[str]):
    assert main(["gates", "--env", slug, "--smoke", "--workers", "1"]) == 0, capsys.readouterr().out
