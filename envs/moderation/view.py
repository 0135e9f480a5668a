"""The post as a moderator sees it, from an observation alone.

Signs that turn a line around or cannot be seen are shown by their numbers, wherever they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from envs.moderation.models import Act, Observation
from envs.scene import Heading, Hint, Message, Messages, Move, Moves, Piece, Prose, Scene, Table

_UNSEEN = re.compile("[\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_REMARK = re.compile(r"^(\S+) \(([^)]*)\): (.*)$", re.DOTALL)
_PARAGRAPH = re.compile(r"^(\d+)\. (.*)$")
_WARNING = (
    "Cases are invented and mild in their words, but they speak of abuse, threats, illness and despair. "
    "Stop whenever you like."
)


def scene(observation: Observation) -> Scene:
    """The post, what was looked at beside it, and after the decision the ruling."""
    return Scene(pieces=tuple(_pieces(observation)))


def hints(observation: Observation) -> tuple[Hint, ...]:
    """The action form's fields in order, with the clauses of this case."""
    return (
        Hint(field="action", label="Action", help="Look, classify once, then decide."),
        Hint(field="violation_type", label="Type", help="For “mark violation type”: what the post does."),
        Hint(
            field="clause_id",
            label="Clause",
            help="For “check policy clause”: which one.",
            choices=observation.available_context,
        ),
    )


def visible(text: str) -> str:
    """The text with every sign that turns it around or hides in it shown as `⟨U+202E⟩`."""
    return _UNSEEN.sub(lambda sign: f"⟨U+{ord(sign[0]):04X}⟩", text)


def _pieces(observation: Observation) -> Iterator[Piece]:
    yield Heading(
        eyebrow=f"content moderation · {observation.task}",
        title=f"A post in {observation.geo}, {_counted(observation.reports, 'report')}",
    )
    yield Prose(label="Content warning", text=_WARNING)
    yield _post(observation)
    if observation.final_action is None:
        yield from _moves(observation)
    if observation.ruling is not None:
        yield Prose(label="The ruling", text=observation.ruling)
    if observation.thread_context is not None:
        yield Messages(label="The thread", items=tuple(map(_remark, observation.thread_context)))
    if observation.user_history is not None:
        rows = tuple(map(_entry, observation.user_history))
        yield Table(label="History of the account", columns=("day", "entry"), rows=rows)
    if observation.policy_context is not None:
        yield from map(_clause, observation.policy_context.split("\n\n"))


def _post(observation: Observation) -> Messages:
    head, _, text = observation.post_content.partition("\n")
    author, _, day = head.rpartition(" · ")
    deceptive = (
        ("a direction sign or an invisible sign stands in the name",) if _UNSEEN.search(author) else ()
    )
    return Messages(
        label="The post",
        items=(Message(by=visible(author), role="author", at=day, text=visible(text)),),
        notes=(
            observation.geo,
            f"engagement {observation.engagement}",
            _counted(observation.reports, "report"),
            _counted(observation.escalations_left, "escalation") + " left",
            *deceptive,
        ),
    )


def _moves(observation: Observation) -> Iterator[Piece]:
    looks = (
        Move(label="Open the history", action=_json(Act.FETCH_USER_HISTORY)),
        Move(label="Open the thread", action=_json(Act.FETCH_THREAD_CONTEXT)),
    )
    taken = (observation.user_history is not None, observation.thread_context is not None)
    left = tuple(look for look, seen in zip(looks, taken, strict=True) if not seen)
    clauses = tuple(
        Move(label=name, action=f'{{"action":"{Act.CHECK_POLICY_CLAUSE}","clause_id":"{name}"}}')
        for name in observation.available_context
        if name not in _read(observation)
    )
    if left:
        yield Moves(label="Look", help="Each opens at once and takes a step.", items=left)
    yield Moves(label="Policy", help="Reading a clause takes a step.", items=clauses)
    decisions = (Act.ALLOW, Act.FLAG, Act.REMOVE, Act.ESCALATE)
    items = tuple(Move(label=act.capitalize(), action=_json(act)) for act in decisions)
    yield Moves(label="Decide", help="Ends the case; classify first.", items=items)


def _counted(number: int, what: str) -> str:
    return f"1 {what}" if number == 1 else f"{number} {what}s"


def _json(act: Act) -> str:
    return f'{{"action":"{act}"}}'


def _read(observation: Observation) -> set[str]:
    blocks = (observation.policy_context or "").split("\n\n")
    return {block.partition(":")[0] for block in blocks}


def _remark(line: str) -> Message:
    match = _REMARK.match(line)
    if match is None:
        return Message(by="", text=visible(line))
    return Message(by=visible(match[1]), role=match[2], text=visible(match[3]))


def _entry(line: str) -> tuple[str, str]:
    day, found, rest = line.partition(": ")
    return (day, visible(rest)) if found and day[:1].isdigit() else ("", visible(line))


def _clause(block: str) -> Table:
    head, *lines = block.split("\n")
    rows = tuple((match[1], match[2]) if (match := _PARAGRAPH.match(line)) else ("", line) for line in lines)
    return Table(label=f"Clause {head}", columns=("§", "says"), rows=rows)
