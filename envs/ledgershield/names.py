"""Spelling: how a vendor's name becomes its key, and numbers are written to be compared."""

from __future__ import annotations

import re
import unicodedata

_OTHER = re.compile(r"[^a-z0-9]+")


def vendor_key(name: str) -> str:
    """The slug of a vendor's name: `Halden Tools GmbH` is `halden-tools-gmbh`.

    Accents are dropped; letters of other scripts stay out, and a name of nothing else is `vendor`.
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return _OTHER.sub("-", plain).strip("-") or "vendor"


def compact(text: str) -> str:
    """An account or a number without spaces, in capitals."""
    return "".join(text.split()).upper()
