"""What stands in the catalogue is well-formed, and its page tells all that a player needs."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from envs.catalog import Entry
from envs.kernel.play import AnyEpisode
from envs.kernel.protocol import AnyEnvironment
from tests import tiny
from tests.laws.description import SECTIONS, page, sections, tabled

Moments = tuple[AnyEpisode, ...]

SLUG = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def test_an_environment_stands_under_its_own_slug(slug: str, env: AnyEnvironment):
    assert env.slug == slug
    assert SLUG.fullmatch(slug)


def test_a_version_is_a_whole_number_from_1(env: AnyEnvironment):
    assert type(env.version) is int
    assert env.version >= 1


def test_levels_and_tracks_are_distinct_words(env: AnyEnvironment):
    for names in (env.levels, env.tracks):
        assert names
        assert len(set(names)) == len(names)
        assert all(re.fullmatch(r"[a-z0-9]+([_-][a-z0-9]+)*", name) for name in names)


def test_a_horizon_goes_from_fewest_to_most_steps(env: AnyEnvironment):
    fewest, most = env.horizon
    assert 1 <= fewest <= most


def test_title_and_field_are_a_few_words(env: AnyEnvironment):
    assert all(0 < len(words) <= 40 and words == words.strip() for words in (env.title, env.field))


def test_a_tagline_is_one_sentence(env: AnyEnvironment):
    assert re.fullmatch(r"[A-Z][^.!?]*[.!?]", env.tagline)


def test_policies_have_names_like_slugs_and_one_is_random(entry: Entry):
    assert "random" in entry.policies
    assert all(SLUG.fullmatch(name) for name in entry.policies)


def test_a_page_begins_with_one_sentence(env: AnyEnvironment):
    first, blank = page(env).splitlines()[:2]
    assert first.endswith(".")
    assert not blank


def test_a_page_has_its_sections_in_order(env: AnyEnvironment):
    assert tuple(sections(env)) == SECTIONS
    assert all(text.strip() for text in sections(env).values())


def test_a_page_lists_exactly_the_fields_of_the_action(env: AnyEnvironment):
    assert sorted(tabled(sections(env)["Action space"])) == sorted(env.action_type.model_fields)


def test_a_page_lists_exactly_the_fields_of_the_observation(env: AnyEnvironment):
    assert sorted(tabled(sections(env)["Observation space"])) == sorted(env.observation_type.model_fields)


def test_a_page_names_every_argument_of_a_reset(env: AnyEnvironment):
    told = sections(env)["Arguments"]
    assert [name for name in env.request_type.model_fields if f"`{name}`" not in told] == []


def test_a_page_tells_of_every_version(env: AnyEnvironment):
    told = re.findall(r"(?:^|\s)(\d+): ", sections(env)["Versions"])
    assert sorted(map(int, told)) == list(range(1, env.version + 1))


def test_a_sixth_environment_needs_the_kernel_the_scene_and_one_line():
    folder = Path(tiny.__file__).parent
    imports = {name for file in folder.glob("*.py") for name in _imported(file)}
    ours = {name for name in imports if name.split(".")[0] in {"envs", "instances", "evals", "api", "ui"}}
    assert ours <= {"envs.catalog", "envs.scene"} | {name for name in ours if name.startswith("envs.kernel")}


def _imported(file: Path) -> list[str]:
    found: list[str] = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                found += [name.name for name in names]
            case ast.ImportFrom(module=str(module), names=names):
                found += [f"{module}.{name.name}" if module == "envs" else module for name in names]
            case _:
                pass
    return found
