"""What a search says of its own sureness is what a set of questions to the shop's documents taught it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from agents.analyst.sources.library import SURE, Library
from agents.analyst.sources.shop.opening import open_handbook, open_notes
from envs.kernel.records import Record
from envs.retrieval import calibrated
from tests.agents.analyst.asking import filed

SET = Path(__file__).with_name("passages.jsonl")


class Asked(Record):
    """A question, and where its answer stands; None where it stands nowhere."""

    question: str
    page: str | None


@dataclass(frozen=True)
class Searched:
    """The set, searched."""

    library: Library
    asked: tuple[Asked, ...]

    def found(self, asked: Asked) -> bool:
        passages = self.library.search(asked.question).passages
        return asked.page in [f"{each.filename}:{each.page_label}" for each in passages]


@pytest.fixture(scope="module")
def searched() -> Searched:
    texts = (*open_handbook().texts, *open_notes().texts)
    asked = tuple(Asked.model_validate_json(line) for line in SET.read_text().splitlines())
    return Searched(Library("documents", "documents", texts), asked)


def test_the_answer_is_among_what_is_found(searched: Searched) -> None:
    missed = [each for each in searched.asked if each.page is not None and not searched.found(each)]
    assert len(missed) <= 1, missed


def test_sureness_tells_what_is_answered_from_what_is_not(searched: Searched) -> None:
    sure = [searched.library.sureness(each.question) >= 0.5 for each in searched.asked]
    wrong = [each for each, is_sure in zip(searched.asked, sure, strict=True) if is_sure != bool(each.page)]
    assert len(wrong) <= 2, wrong


def test_the_shipped_curve_is_the_one_that_the_set_gives(searched: Searched) -> None:
    seen = [(searched.library.signs(each.question), searched.found(each)) for each in searched.asked]
    fitted = calibrated([sign for sign, _ in seen if sign], [found for sign, found in seen if sign])
    assert SURE.weights == pytest.approx(fitted.weights, abs=0.05)


def test_indonesian_words_are_found_in_any_of_their_forms(tmp_path: Path) -> None:
    text = "# Aturan\n\nBarang yang rusak dapat dikembalikan oleh pembeli.\n\n# Lain\n\nTidak ada.\n"
    library = filed(tmp_path, text.encode(), "aturan.md")
    (found, *_) = library.search("bagaimana pengembalian barang yang rusak?").passages
    assert found.page_label == "1"
    assert library.search("berapa gaji karyawan dan bonusnya?").confidence < 0.5
