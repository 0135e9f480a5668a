"""The API and what it stands on run where no page can be shown."""

from __future__ import annotations

import subprocess
import sys

from tests.conftest import ROOT

HEAVY = ("gradio", "pandas", "plotly", "matplotlib", "ui")


def test_the_api_imports_no_page():
    code = f"import sys, api.app; print(sorted(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
