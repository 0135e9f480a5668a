"""Server-sent events become entries, wherever the bytes are cut and whatever the JSON holds."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clients.errors import Gone, Unreachable
from clients.feed import Feed
from clients.wire import Answer, Lost, Retry

BROKEN = Lost("ReadError: ", arrived=True)


def _feed(**retry: Any) -> Feed:
    return Feed("/instances/x/events", 0, Retry(**{"draw": lambda: 0.0, **retry}))


def _event(n: int, text: str = "") -> bytes:
    entry = {
        "n": n,
        "kind": "step",
        "actor": {"kind": "agent", "label": text},
        "surface": "http",
        "at": "2026-01-01T00:00:00.000+00:00",
        "body": {},
        "outcome": {},
        "seed": None,
        "digest": None,
    }
    return f"event: entry\nid: {n}\ndata: {json.dumps(entry, ensure_ascii=False)}\n\n".encode()


@given(
    texts=st.lists(st.text(st.characters(exclude_categories=("Cs",)), max_size=20), max_size=4),
    cuts=st.lists(st.integers(1, 60)),
)
def test_entries_come_whole_wherever_the_bytes_are_cut(texts: list[str], cuts: list[int]):
    stream = b": still here\n\n" + b"".join(_event(n, text) for n, text in enumerate(texts, 1))
    feed, seen = _feed(), []
    for cut in [*cuts, len(stream)]:
        seen += feed.take(stream[:cut])
        stream = stream[cut:]
    assert [(entry.n, entry.actor["label"]) for entry in seen] == list(enumerate(texts, 1))


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x1c"])
def test_a_line_separator_in_the_json_ends_no_line(separator: str):
    (entry,) = _feed().take(_event(1, f"a{separator}b"))
    assert entry.actor["label"] == f"a{separator}b"


def test_a_new_stream_goes_on_behind_the_last_whole_entry():
    feed = _feed()
    feed.take(_event(1) + _event(2) + _event(3)[:40])
    feed.pause_s(BROKEN)
    assert feed.request.query == {"after": "2"}
    assert [entry.n for entry in feed.take(_event(3))] == [3]


def test_the_end_of_the_instance_ends_the_feed():
    feed = _feed()
    feed.take(_event(1) + b"event: gone\ndata: {}\n\n")
    assert feed.ended


def test_a_feed_that_breaks_too_often_in_a_row_gives_up():
    feed = _feed(attempts=3)
    assert [feed.pause_s(BROKEN) for _ in range(2)] == [0.125, 0.25]
    with pytest.raises(Unreachable, match="3 times"):
        feed.pause_s(BROKEN)


def test_bytes_between_two_breaks_start_the_count_anew():
    feed = _feed(attempts=2)
    for _ in range(5):
        assert feed.pause_s(BROKEN) == 0.125
        feed.take(b": still here\n\n")


def test_an_instance_that_has_ended_is_told_at_once():
    error = {"error": {"code": "gone", "message": "erased", "details": None}}
    with pytest.raises(Gone, match="erased"):
        _feed().pause_s(Answer(410, {}, json.dumps(error).encode()))
