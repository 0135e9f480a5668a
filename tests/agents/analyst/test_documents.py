"""Documents are read in the order of the eye, cited as they are printed, and their faults are told."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from fpdf import FPDF
from pypdf import PdfReader, PdfWriter

from agents.analyst.sources.documents import Text
from agents.analyst.sources.layout import read_in_order
from agents.analyst.sources.pdf import read_pdf
from agents.analyst.sources.receiving import UploadLimits, UploadRefused
from agents.analyst.sources.shelf import Shelf
from envs.analyst.catalogue import NoteCode
from tests.agents.analyst.asking import filed

Draw = Callable[[FPDF], None]


def _pdf(*pages: Draw) -> bytes:
    document = FPDF()
    document.set_font("helvetica", size=12)
    for draw in pages:
        document.add_page()
        draw(document)
    return bytes(document.output())


def _at(*pieces: tuple[float, float, str]) -> Draw:
    """Pieces at their places, in millimetres from the upper left corner, written row by row."""

    def draw(document: FPDF) -> None:
        for x, y, text in sorted(pieces, key=lambda piece: piece[1]):
            document.text(x, y, text)

    return draw


def _read(content: bytes) -> Text:
    return read_pdf(content, "doc_1", "file.pdf", UploadLimits())


def _words(text: Text) -> str:
    return " ".join(" ".join(page.text.split()) for page in text.pages)


def test_two_columns_are_read_one_after_the_other() -> None:
    # C01
    page = _at(
        (20, 30, "Our crew repaired the north"),
        (110, 30, "replaced two valves before"),
        (20, 36, "pump and"),
        (110, 36, "the storm."),
    )
    expected = "Our crew repaired the north pump and replaced two valves before the storm."
    assert _words(_read(_pdf(page))) == expected


def test_columns_are_read_page_by_page() -> None:
    # C02
    first = _at((20, 30, "one"), (110, 30, "two"))
    second = _at((20, 30, "three"), (110, 30, "four"))
    assert _words(_read(_pdf(first, second))) == "one two three four"


def test_a_table_of_figures_is_read_across() -> None:
    assert read_in_order("Pumps        12\nValves        7") == "Pumps 12\nValves 7"


def test_joined_letters_are_read_apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # C04
    _stand_for(monkeypatch, "o\ufb03ce e\ufb03ciency, \ufb01nal pro\ufb01t")
    library = filed(tmp_path, _pdf(_at((20, 30, "page"))), "joined.pdf")
    assert library.texts[0].pages[0].text == "office efficiency, final profit"
    assert [len(library.search(word).passages) for word in ("efficiency", "profit")] == [1, 1]


def test_signs_of_broken_fonts_are_told_and_the_rest_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # C05
    _stand_for(monkeypatch, "Of\ue000ce total 41\nut o\x00 ha")
    library = filed(tmp_path, _pdf(_at((20, 30, "page"))), "broken.pdf")
    text = library.texts[0]
    assert "\x00" not in text.pages[0].text
    assert [note.code for note in text.document.notes] == [NoteCode.DAMAGED_TEXT]
    assert "not exact" in text.document.notes[0].text
    assert len(library.search("total 41").passages) == 1


def test_a_page_is_cited_by_its_printed_label_and_its_sheet(tmp_path: Path) -> None:
    # C06
    document = FPDF()
    document.set_font("helvetica", size=12)
    for at, label in enumerate(("r", "r", "D", "D", "D")):
        document.add_page(label_style=label, label_start=1 if at in (0, 2) else None)
        document.text(20, 30, "quartz" if at == 3 else f"filler {at}")
    library = filed(tmp_path, bytes(document.output()), "labels.pdf")
    assert library.texts[0].document.page_labels == ("i", "ii", "1", "2", "3")
    assert [found.cited for found in library.search("quartz").passages] == ["page 2 (sheet 4)"]
    page = library.texts[0].page("2")
    assert page is not None
    assert page.sheet == 4


def test_a_page_without_text_is_told() -> None:
    # C09
    text = _read(_pdf(_at((20, 30, "Total 12")), lambda document: document.rect(20, 20, 50, 50)))
    assert "12" in text.pages[0].text
    assert [(note.code, note.lines) for note in text.document.notes] == [(NoteCode.NO_TEXT, (2,))]


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-256"])
def test_a_file_that_only_limits_printing_opens(algorithm: str) -> None:
    # C10
    assert "Ref 88" in _words(_read(_locked(_pdf(_at((20, 30, "Ref 88"))), "", algorithm)))


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-256"])
def test_a_locked_file_needs_a_password_and_leaves_nothing(tmp_path: Path, algorithm: str) -> None:
    # C11
    shelf = Shelf(tmp_path)
    with pytest.raises(UploadRefused, match="needs a password") as refused:
        shelf.receive("locked.pdf", _locked(_pdf(_at((20, 30, "Ref 88"))), "tulip", algorithm), "src_1")
    assert refused.value.code == "needs_password"
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_is_refused() -> None:
    with pytest.raises(UploadRefused, match="damaged"):
        _read(b"%PDF-1.7\nnothing of the kind")


def test_the_sections_of_markdown_are_its_pages(tmp_path: Path) -> None:
    library = filed(
        tmp_path, b"# Terms\n\nAll of them.\n\n## Costs\n\nDelivery costs nine dollars.\n", "terms.md"
    )
    (found,) = library.search("what does delivery cost").passages
    assert (found.page_label, "nine dollars" in found.text) == ("2", True)


def _locked(content: bytes, password: str, algorithm: str) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(BytesIO(content)))
    writer.encrypt(password, owner_password="owner", algorithm=algorithm)
    file = BytesIO()
    writer.write(file)
    return file.getvalue()


def _stand_for(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """What a broken font makes of a page: the library that draws PDFs writes none."""
    monkeypatch.setattr("pypdf.PageObject.extract_text", lambda *_, **__: text)
