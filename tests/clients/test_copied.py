"""The folder stands alone: copied to another machine, it needs nothing of the server."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

SERVER = ("agents", "api", "envs", "evals", "instances", "ui")
MODULES = {
    "clients.http": ("gymnasium", "numpy", "pydantic"),
    "clients.trl": ("gymnasium", "numpy", "pydantic", "trl"),
    "clients.gym": ("pydantic",),
}


@pytest.mark.parametrize(("module", "unneeded"), MODULES.items())
def test_a_copy_of_the_folder_imports_no_more_than_it_needs(
    module: str, unneeded: tuple[str, ...], tmp_path: Path
):
    shutil.copytree(ROOT / "clients", tmp_path / "clients")
    code = f"import sys, {module}; print(sorted(set({(*SERVER, *unneeded)!r}) & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env={}, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
