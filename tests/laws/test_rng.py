"""Randomness stands at addresses: a draw depends on where it is, and on nothing else."""

from __future__ import annotations

import ast
import math
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import envs
from envs.kernel import rng as module
from envs.kernel.records import LARGEST_SEED
from envs.kernel.rng import Rng
from tests.laws import digests

frugal = settings(max_examples=60, deadline=None, derandomize=True, database=None)

SEEDS = st.integers(0, LARGEST_SEED)
KEYS = st.lists(st.integers(-(2**63), 2**63) | st.text(max_size=12), max_size=4)
MANY = 4_000


@frugal
@given(SEEDS, KEYS)
def test_asking_twice_at_one_address_gives_one_answer(seed: int, keys: list[int | str]):
    rng = Rng(seed, *keys)
    assert rng.unit() == rng.unit() == Rng(seed, *keys).unit()
    assert rng.normals(3) == rng.normals(3)
    assert rng.shuffled("abcdef") == rng.shuffled("abcdef")


@frugal
@given(SEEDS, KEYS, KEYS)
def test_going_down_in_two_strides_leads_to_the_same_address(seed: int, first: list, second: list):
    assert Rng(seed).at(*first).at(*second).unit() == Rng(seed, *first, *second).unit()


@frugal
@given(SEEDS, KEYS, KEYS)
def test_going_down_leaves_the_generator_where_it_was(seed: int, keys: list, deeper: list):
    rng = Rng(seed, *keys)
    before = rng.unit()
    rng.at(*deeper).unit()
    assert rng.unit() == before


@frugal
@given(SEEDS, KEYS, SEEDS, KEYS)
def test_unlike_addresses_give_unlike_draws(seed: int, keys: list, other_seed: int, other_keys: list):
    same = (seed, keys) == (other_seed, other_keys)
    assert (Rng(seed, *keys).unit() == Rng(other_seed, *other_keys).unit()) is same


def test_a_number_and_its_digits_are_two_addresses():
    assert Rng(1).at(7).unit() != Rng(1).at("7").unit()
    assert Rng(1).at("a", "b").unit() != Rng(1).at("a,b").unit() != Rng(1).at('a", "b').unit()


@frugal
@given(SEEDS, KEYS)
def test_a_unit_draw_is_at_least_0_and_below_1(seed: int, keys: list[int | str]):
    assert 0.0 <= Rng(seed, *keys).unit() < 1.0


@frugal
@given(SEEDS, st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_a_uniform_draw_stays_within_its_bounds(seed: int, low: float, width: float):
    assert low <= Rng(seed).uniform(low, low + width) <= low + width


@frugal
@given(SEEDS, st.integers(-(2**31), 2**31), st.integers(0, 2**31))
def test_an_integer_draw_stays_within_its_bounds(seed: int, low: int, width: int):
    assert low <= Rng(seed).integer(low, low + width) <= low + width


@frugal
@given(SEEDS, st.lists(st.integers(), max_size=30))
def test_shuffling_keeps_every_item(seed: int, items: list[int]):
    assert sorted(Rng(seed).shuffled(items)) == sorted(items)


@frugal
@given(SEEDS, st.lists(st.integers(), min_size=1, max_size=30))
def test_a_choice_is_one_of_the_items(seed: int, items: list[int]):
    assert Rng(seed).choice(items) in items


@frugal
@given(SEEDS, st.integers(0, 9))
def test_more_normal_values_begin_with_the_fewer(seed: int, count: int):
    assert Rng(seed).normals(count + 5)[:count] == Rng(seed).normals(count)


def test_what_is_certain_happens_and_what_is_impossible_does_not():
    assert all(Rng(seed).flip(1.0) and not Rng(seed).flip(0.0) for seed in range(200))


def test_unit_draws_fill_every_tenth_alike():
    counts = Counter(int(Rng(5).at(number).unit() * 10) for number in range(MANY))
    _looks_uniform(counts, 10)


def test_integer_draws_reach_every_value_alike():
    counts = Counter(Rng(5, "die").at(number).integer(1, 6) for number in range(MANY))
    assert set(counts) == {1, 2, 3, 4, 5, 6}
    _looks_uniform(counts, 6)


def test_shuffles_bring_every_order_alike():
    counts = Counter(Rng(5).at(number).shuffled("abc") for number in range(MANY))
    _looks_uniform(counts, 6)


def test_flips_fall_as_often_as_they_should():
    share = sum(Rng(5).at(number).flip(0.3) for number in range(MANY)) / MANY
    assert share == pytest.approx(0.3, abs=4 * math.sqrt(0.3 * 0.7 / MANY))


def test_normal_values_have_mean_0_and_variance_1():
    values = Rng(5).normals(MANY)
    assert math.fsum(values) / MANY == pytest.approx(0.0, abs=4 / math.sqrt(MANY))
    assert math.fsum(v * v for v in values) / MANY == pytest.approx(1.0, abs=4 * math.sqrt(2 / MANY))


def test_neighbouring_addresses_are_not_correlated():
    draws = [Rng(5).at(number).unit() - 0.5 for number in range(MANY)]
    products = (a * b for a, b in pairwise(draws))
    assert 12 * math.fsum(products) / MANY == pytest.approx(0.0, abs=4 / math.sqrt(MANY))


def test_the_stream_is_the_one_that_recorded_episodes_were_played_with():
    rng = Rng(2024, "flags").at(3, "worker")
    assert rng.unit().hex() == "0x1.06fad1309bb76p-1"
    assert rng.integer(0, 999) == 513
    assert rng.shuffled("abcde") == tuple("ebadc")


def test_nothing_but_random_is_asked_of_the_generator(monkeypatch: pytest.MonkeyPatch):
    before = digests.stream()
    monkeypatch.setattr(module, "Random", _OnlyRandom)
    assert digests.stream() == before


def test_environments_draw_from_the_kernel_alone():
    kernel = Path(module.__file__)
    sources = [file for file in Path(envs.__file__).parent.rglob("*.py") if file != kernel]
    assert [file.name for file in sources if _draws_elsewhere(file)] == []


class _OnlyRandom:
    """A generator whose `random` is all there is; its other methods differ between Pythons."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed).random


def _draws_elsewhere(file: Path) -> bool:
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    imported = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    imported |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    # The raw stream of PCG64, seeded at an address of the kernel's, is the same everywhere (numpy's NEP 19).
    raw = {id(node.value) for node in nodes if isinstance(node, ast.Attribute) and node.attr == "PCG64"}
    numpy = any(
        isinstance(node, ast.Attribute)
        and node.attr == "random"
        and isinstance(node.value, ast.Name)
        and node.value.id in {"np", "numpy"}
        and id(node) not in raw
        for node in nodes
    )
    return numpy or not imported.isdisjoint({"random", "secrets", "uuid", "numpy.random"})


def _looks_uniform(counts: Counter, cells: int) -> None:
    """Chi-square within six standard deviations of its mean."""
    expected = counts.total() / cells
    chi_square = math.fsum((counts[cell] - expected) ** 2 / expected for cell in counts)
    assert len(counts) == cells
    assert chi_square <= (cells - 1) + 6 * math.sqrt(2 * (cells - 1))
