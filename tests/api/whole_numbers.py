"""A hook for schemathesis: JSON Schema takes 4.0 for an integer, our strict records do not."""

from __future__ import annotations

from typing import Any

import schemathesis


@schemathesis.hook
def map_body(_context: schemathesis.HookContext, body: Any) -> Any:
    return _whole(body)


def _whole(value: Any) -> Any:
    match value:
        case float() if value.is_integer():
            return int(value)
        case list():
            return [_whole(item) for item in value]
        case dict():
            return {key: _whole(item) for key, item in value.items()}
        case _:
            return value
