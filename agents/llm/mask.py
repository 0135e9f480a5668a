"""The mask: the server's key, sent back by an endpoint, goes no further.

Decides what counts as a key, and takes it out of words and of JSON that has been decoded: escaped, it looks
like nothing. A key that somebody disguises in another way is beyond it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

LEAST = 16
"""Providers' keys have more than 30 characters; what has fewer than these may be a word that a model says."""
VEIL = "…"


@dataclass(frozen=True, slots=True)
class Mask:
    """Takes one key out of whatever came in.

    Args:
        key: One of fewer than `LEAST` characters is left where it is.
    """

    key: str = field(repr=False)

    def words(self, text: str) -> str:
        """The text without the key."""
        return text.replace(self.key, VEIL) if len(self.key) >= LEAST else text

    def json(self, decoded: object) -> object:
        """Decoded JSON without the key, in names and in values."""
        match decoded:
            case str():
                return self.words(decoded)
            case list():
                return [self.json(part) for part in cast("list[object]", decoded)]
            case dict():
                fields = cast("dict[str, object]", decoded)
                return {self.words(name): self.json(part) for name, part in fields.items()}
            case _:
                return decoded
