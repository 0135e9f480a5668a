"""A frame as the page's parts: which template gets which values."""

from __future__ import annotations

from collections.abc import Mapping

from envs.catalog import Entry as CatalogEntry
from envs.kernel.outcome import Status
from envs.kernel.play import grade, look
from envs.kernel.protocol import AnyEnvironment
from envs.scene import Cards, Chart, Checklist, Hint, Scene
from instances.model import Held, Instance
from ui import api_panel, form
from ui.asks import Standing
from ui.chart import figure
from ui.comparison import Row
from ui.form import Field, Kind, Option, fields
from ui.frame import Frame
from ui.html import render
from ui.plays import play_of
from ui.reward import sheet
from ui.spark import spark


def standing(held: Held, title: str, shown: Frame | None) -> Standing:
    """Where the page stands. A watcher is told no id but their own link."""
    place = Standing(
        environment=held.instance.environment,
        instance=held.instance.watch_id if held.read_only else held.instance.id,
        watch=held.instance.watch_id,
        title=title,
        n=held.n,
        read_only=held.read_only,
        assisted=held.instance.assisted,
    )
    if shown is None:
        return place
    return place.model_copy(
        update={
            "start": shown.start,
            "step": shown.step,
            "last": shown.last,
            "done": shown.episode.done,
            "commons": shown.commons,
            "others": tuple(dict.fromkeys(chip.who for chip in shown.others())),
        }
    )


def parts(shown: Frame, base: str, rows: tuple[Row, ...] = ()) -> dict[str, str]:
    """Every part of the Play tab, and what the API tab adds.

    Args:
        rows: Of a finished episode: the baselines on the same case, as far as they are known.
    """
    own = shown.play.paint
    painted = own(shown) if own else _painted(shown, rows)
    timeline = render("timeline.html", frame=shown, chips=shown.chips(), taken=shown.taken())
    return painted | {"timeline": timeline} | api_panel.fragments(shown, base)


def _painted(shown: Frame, rows: tuple[Row, ...]) -> dict[str, str]:
    scene = shown.scene()
    known = action_fields(shown)
    filled = {piece.fills for piece in scene.pieces if isinstance(piece, Checklist)}
    asked = tuple(field for field in known if field.path not in filled)
    setup = () if shown.held.read_only else setup_fields(shown.entry)
    return {
        "line": render("line.html", frame=shown, setup=setup, seeded=_seeded(shown.entry, shown.track)),
        "scene": render(
            "scene.html",
            frame=shown,
            scene=scene,
            figures=_figures(scene),
            sparks=_sparks(scene),
            inquiry=shown.play.inquiry if shown.open else None,
            told=len(shown.told),
        ),
        "act": render("act.html", frame=shown, fields=asked, hotkeys=_hotkeys(asked), **_end(shown, rows)),
        "reward": render("reward.html", frame=shown, **_reward(shown)),
    }


def start_parts(held: Held, entry: CatalogEntry, base: str) -> dict[str, str]:
    """The parts of an instance without an episode."""
    values = {"held": held, "env": entry.environment, "setup": setup_fields(entry)}
    painted = {"line": "", "scene": render("start.html", **values), "timeline": "", "act": "", "reward": ""}
    return painted | api_panel.start_fragments(held, base)


def absent_parts(code: str, message: str) -> dict[str, str]:
    """The parts of an instance that cannot be shown."""
    gone = render("absent.html", code=code, message=message)
    return {"line": "", "scene": gone, "timeline": "", "act": "", "reward": "", api_panel.TITLE: ""}


def picker(catalog: Mapping[str, CatalogEntry]) -> str:
    """The cards of what can be played."""
    return render("picker.html", entries=catalog.values())


def recent(instances: list[tuple[Instance, AnyEnvironment, Frame | None]]) -> str:
    """The cards of what this browser has played and may go on with."""
    return render("recent.html", items=instances)


def action_fields(shown: Frame) -> tuple[Field, ...]:
    """The action form of the episode as it stands now, whatever step is looked at."""
    env = shown.entry.environment
    hints: tuple[Hint, ...] = shown.entry.hints(look(env, shown.episode))
    return form.action_fields(env.action_type, hints)


def setup_fields(entry: CatalogEntry) -> tuple[Field, ...]:
    """The inputs of a new case: level, track where there is a choice, and what else a reset takes."""
    env = entry.environment
    play = play_of(env.slug)
    seeded = any(_seeded(entry, track) for track in env.tracks)
    left_out = play.left_out if seeded else play.left_out | {"seed"}
    choices = {play.level_field: ("Level", env.levels)}
    if len(env.tracks) > 1:
        choices["track"] = ("Track", env.tracks)
    taken = (field for field in fields(env.request_type) if field.path not in left_out)
    shown = (_choice(field, *choices[field.path]) if field.path in choices else field for field in taken)
    return tuple(sorted(shown, key=lambda field: field.path not in choices))


def _choice(field: Field, label: str, names: tuple[str, ...]) -> Field:
    options = tuple(Option(value=f'"{name}"', label=name.capitalize()) for name in names)
    return field.model_copy(update={"label": label, "kind": Kind.RADIO, "options": options, "help": ""})


def _seeded(entry: CatalogEntry, track: str) -> bool:
    """Whether a seed changes the cases of that track: not where they are curated."""
    return track not in play_of(entry.environment.slug).curated


def _figures(scene: Scene) -> dict[int, str]:
    return {place: figure(piece) for place, piece in enumerate(scene.pieces) if isinstance(piece, Chart)}


def _sparks(scene: Scene) -> dict[tuple[int, str], str]:
    """The small lines of cards, by their place and their row's label."""
    rows = (piece for piece in scene.pieces if isinstance(piece, Cards))
    return {(place, row.label): spark(card) for row in rows for place, card in enumerate(row.items)}


def _hotkeys(asked: tuple[Field, ...]) -> str:
    """The path of the field that number keys answer: the first choice with few options."""
    return next((field.path for field in asked if field.kind is Kind.RADIO), "")


def _end(shown: Frame, rows: tuple[Row, ...]) -> dict[str, object]:
    if not shown.episode.done:
        return {}
    if shown.episode.sealed:
        return {"grade": None, "rows": ()}
    return {"grade": grade(shown.entry.environment, shown.episode), "rows": rows}


def _reward(shown: Frame) -> dict[str, object]:
    taken = [step.reward for step in shown.episode.steps[: shown.step]]
    back = shown.looking_back and taken
    return {
        "sheet": sheet(taken[-1:] if back else taken),
        "so_far": sheet(taken),
        "single": bool(back),
        "message": taken[-1].message if taken else "",
        "status": Status,
    }
