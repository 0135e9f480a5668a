"""A page of a case as plain data: what to show, not how.

Views build scenes from observations; pages turn them into components, terminals into text.
Knows no environment.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from envs.kernel.records import Record


class Heading(Record):
    """The top of a case. `quote` is somebody's words and shown as such."""

    kind: Literal["heading"] = "heading"
    eyebrow: str
    title: str
    quote: str = ""
    quote_by: str = ""


class Line(Record):
    """One series; None is a gap."""

    name: str
    values: tuple[float | None, ...]
    role: Literal["observed", "repaired"] = "observed"


class Limit(Record):
    """A horizontal bound drawn across a chart."""

    label: str
    value: float


class Chart(Record):
    """Series over shared labels. A click on a point fills the action field `selects`."""

    kind: Literal["chart"] = "chart"
    summary: str
    unit: str
    labels: tuple[str, ...]
    lines: tuple[Line, ...]
    limits: tuple[Limit, ...] = ()
    selects: str = ""


class Checklist(Record):
    """Sentences to tick; the ticked ones fill the action field `fills`."""

    kind: Literal["checklist"] = "checklist"
    label: str
    help: str
    fills: str
    items: tuple[str, ...]


class Prose(Record):
    """A labelled paragraph."""

    kind: Literal["prose"] = "prose"
    label: str
    text: str


class Table(Record):
    """Rows of cells under named columns."""

    kind: Literal["table"] = "table"
    label: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Message(Record):
    """Somebody's words. `role` is who they are here, `at` when they wrote."""

    by: str
    text: str
    role: str = ""
    at: str = ""


class Messages(Record):
    """A post, or what people wrote below each other. `notes` are facts about it, a few words each."""

    kind: Literal["messages"] = "messages"
    label: str
    items: tuple[Message, ...]
    notes: tuple[str, ...] = ()


class Card(Record):
    """One of several things that are alike.

    Attributes:
        state: A word for how it is; `alert` says whether it calls for a look.
        values: Its readings so far, drawn as a small line; None is a gap.
        filled: How much of something is left, in [0, 1], and what that is.
        facts: What else is known, a few words each.
    """

    title: str
    role: str
    state: str
    alert: bool = False
    values: tuple[float | None, ...]
    unit: str
    filled: Annotated[float, Field(ge=0.0, le=1.0)]
    filled_label: str
    facts: tuple[str, ...] = ()


class Cards(Record):
    """Things that are alike, side by side. `chained`: each hands on to the next, drawn by arrows."""

    kind: Literal["cards"] = "cards"
    label: str
    items: tuple[Card, ...]
    chained: bool = False


class Stretch(Record):
    """Something that stood from its first step to its last, both included."""

    first: int
    last: int
    label: str


class Mark(Record):
    """What was done at a step: a letter, and the word it stands for."""

    at: int
    letter: str
    label: str


class Lane(Record):
    """One of several things that are alike, over the steps."""

    title: str
    stretches: tuple[Stretch, ...]
    marks: tuple[Mark, ...]

    def stood(self, step: int) -> tuple[str, ...]:
        """What stood at a step."""
        return tuple(own.label for own in self.stretches if own.first <= step <= own.last)

    def done(self, step: int) -> tuple[Mark, ...]:
        """What was done at a step."""
        return tuple(mark for mark in self.marks if mark.at == step)


class Lanes(Record):
    """What was so and what was done about it, step by step; `steps` is how many there are."""

    kind: Literal["lanes"] = "lanes"
    label: str
    help: str
    steps: int
    items: tuple[Lane, ...]


class Move(Record):
    """An action that one click takes, as JSON, whatever the form holds."""

    label: str
    action: str


class Moves(Record):
    """Actions to take at once, side by side."""

    kind: Literal["moves"] = "moves"
    label: str
    help: str
    items: tuple[Move, ...]


class Bar(Record):
    """How much of something there is: `share` of the whole, and the same in words."""

    label: str
    share: Annotated[float, Field(ge=0.0, le=1.0)]
    text: str


class Bars(Record):
    """Shares under each other."""

    kind: Literal["bars"] = "bars"
    label: str
    help: str = ""
    items: tuple[Bar, ...]


Corners = tuple[float, float, float, float]
"""Left, top, right and bottom in points of a page."""


class Word(Record):
    """A word on a page. `doubtful`: it may have been read wrongly."""

    text: str
    box: Corners
    doubtful: bool = False


class Paper(Record):
    """A page: the words that were read, and bars where writing stands that was not.

    Attributes:
        width, height: In points.
        unread: Where writing stands.
        items: Actions on the page that one click takes.
        drawn: Actions that take a box drawn on the page, under `takes` in their JSON.
    """

    kind: Literal["paper"] = "paper"
    label: str
    help: str
    width: float
    height: float
    unread: tuple[Corners, ...]
    words: tuple[Word, ...]
    items: tuple[Move, ...] = ()
    drawn: tuple[Move, ...] = ()
    takes: str = ""

    @property
    def rows(self) -> tuple[tuple[Word, ...], ...]:
        """The words that were read, from top to bottom and left to right."""
        rows: dict[float, list[Word]] = {}
        for word in self.words:
            rows.setdefault(word.box[1], []).append(word)
        return tuple(tuple(sorted(row, key=lambda word: word.box[0])) for _, row in sorted(rows.items()))


Piece = Annotated[
    Heading | Chart | Checklist | Prose | Table | Messages | Cards | Lanes | Moves | Bars | Paper,
    Field(discriminator="kind"),
]


class Scene(Record):
    """What a person sees of a case, top to bottom."""

    pieces: tuple[Piece, ...]


class Entry(Record):
    """A whole value to tick, as JSON; `key` where it stands in a mapping."""

    label: str
    value: str
    key: str = ""


class Hint(Record):
    """How the form shows one action field; what the schema cannot know.

    Attributes:
        field: The action field's name.
        label, help, unit: Words beside the input.
        low, high: Bounds of this case, both included.
        choices: What to offer where the schema takes any text; the keys to fill in of a mapping.
        entries: What to offer where the schema takes a list or a mapping of records.
        shares: The mapping's numbers are sent as parts of their sum.
        left_out: The case has no use for the field.
    """

    field: str
    label: str
    help: str = ""
    unit: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()
    shares: bool = False
    left_out: bool = False


def to_text(scene: Scene) -> str:
    """The scene for a terminal, one piece a paragraph."""
    return "\n\n".join(_piece_text(piece) for piece in scene.pieces)


def _piece_text(piece: Piece) -> str:
    match piece:
        case Heading():
            quote = f"\n“{piece.quote}” ({piece.quote_by})" if piece.quote else ""
            return f"{piece.eyebrow}\n{piece.title}{quote}"
        case Checklist():
            return "\n".join([piece.label, *(f"- {item}" for item in piece.items)])
        case Prose():
            return f"{piece.label}\n{piece.text}"
        case Messages():
            notes = [" · ".join(piece.notes)] if piece.notes else []
            return "\n".join([piece.label, *map(_message, piece.items), *notes])
        case Moves():
            return f"{piece.label}: {', '.join(move.label for move in piece.items)}"
        case Chart() | Table() | Cards() | Lanes() | Bars() | Paper():
            return _drawn_text(piece)


def _drawn_text(piece: Chart | Table | Cards | Lanes | Bars | Paper) -> str:
    match piece:
        case Chart():
            return _chart(piece)
        case Table():
            return "\n".join([piece.label, *_columns([list(piece.columns), *map(list, piece.rows)])])
        case Cards():
            return "\n".join([piece.label, *map(_card, piece.items)])
        case Lanes():
            return "\n".join([piece.label, piece.help, *_columns([_lane(piece, own) for own in piece.items])])
        case Bars():
            head = f"{piece.label}. {piece.help}" if piece.help else piece.label
            return "\n".join([head, *_columns([[bar.label, bar.text] for bar in piece.items])])
        case Paper():
            lines = (" ".join(word.text for word in row) for row in piece.rows)
            return "\n".join([piece.label, *lines, *(move.label for move in piece.items)])


def _chart(chart: Chart) -> str:
    places = ["position", *map(str, range(len(chart.labels)))]
    rows = [
        places,
        ["", *chart.labels],
        *([line.name, *map(_number, line.values)] for line in chart.lines),
    ]
    bounds = [f"{limit.label}: {_number(limit.value)} {chart.unit}".rstrip() for limit in chart.limits]
    return "\n".join([chart.summary, *_columns(rows), *bounds])


def _card(card: Card) -> str:
    values = " ".join(map(_number, card.values))
    left = f"{card.filled_label} {card.filled:.0%}"
    alert = "! " if card.alert else ""
    facts = "; ".join((*card.facts, left))
    return f"{alert}{card.title} ({card.role}): {card.state}; {facts}\n  {card.unit}: {values}"


def _lane(lanes: Lanes, lane: Lane) -> list[str]:
    """A row: brackets around each step at which something stood, and the letters of what was done."""
    cells = ["".join(mark.letter for mark in lane.done(step)) or "·" for step in range(lanes.steps)]
    return [
        lane.title,
        *(f"[{cell}]" if lane.stood(step) else f" {cell} " for step, cell in enumerate(cells)),
        "; ".join(dict.fromkeys(own.label for own in lane.stretches)),
    ]


def _message(message: Message) -> str:
    about = ", ".join(word for word in (message.role, message.at) if word)
    head = f"{message.by} ({about})" if about else message.by
    return f"{head}: {message.text}"


def _number(value: float | None) -> str:
    # Not rounded: that a value was copied or has lost its digits must be seen.
    return "–" if value is None else f"{value:.12g}"


def _columns(rows: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
