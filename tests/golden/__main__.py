"""Writes every golden transcript anew: `python -m tests.golden`."""

from __future__ import annotations

from tests.golden.scripts import SCRIPTS
from tests.golden.transcript import path, written
from tests.laws.plays import CATALOGUE


def main() -> None:
    """Writes the transcripts and says which ones changed."""
    for slug, script in SCRIPTS.items():
        text = written(CATALOGUE[slug], script).encode()
        changed = not path(slug).exists() or path(slug).read_bytes() != text
        path(slug).write_bytes(text)
        print(f"{path(slug).name}: {'CHANGED' if changed else 'as before'}")


if __name__ == "__main__":
    main()
