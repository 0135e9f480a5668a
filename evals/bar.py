"""The progress bar of the command line."""

from __future__ import annotations

import sys

from tqdm import tqdm


class Bar:
    """One progress bar on stderr, over all that a command plays."""

    def __init__(self) -> None:
        # A log file gets a line now and then, a terminal a bar that moves.
        interval_s = 0.1 if sys.stderr.isatty() else 5.0
        self._bar = tqdm(total=0, unit="episode", file=sys.stderr, leave=False, mininterval=interval_s)
        self._known: dict[str, tuple[int, int]] = {}

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_error: object) -> None:
        self._bar.close()

    def __call__(self, what: str, done: int, total: int) -> None:
        self._known[what] = (done, total)
        self._bar.set_description(what, refresh=False)
        self._bar.total = sum(total for _, total in self._known.values())
        self._bar.update(sum(done for done, _ in self._known.values()) - self._bar.n)

    def write(self, text: str) -> None:
        """Prints a result without tearing the bar."""
        self._bar.write(text, file=sys.stdout)
