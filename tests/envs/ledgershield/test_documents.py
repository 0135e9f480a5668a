"""Documents: words with places, of which a zoom, a crop and OCR bring to light what is there."""

from __future__ import annotations

import pytest

from envs.ledgershield.actions import ActionType
from envs.ledgershield.artifacts import Reading
from envs.ledgershield.documents.layout import printed
from envs.ledgershield.documents.reading import READABLE
from envs.ledgershield.evidence import around
from envs.ledgershield.models import OcrMode
from envs.ledgershield.picture import paper
from envs.ledgershield.tasks import Document, Task
from envs.scene import Paper
from tests.envs.ledgershield.plays import Played, case, cases, curated, do, played, seen

TASK = curated("D-001", "blind")
DOC = "INV-D-001"


def read(episode: Played) -> Reading:
    shown = episode.state.revealed[-1]
    assert isinstance(shown, Reading)
    return shown


def box_of(document: Document, *fields: str) -> tuple[float, float, float, float]:
    names = {name for field in fields for name in document.fields[field]}
    return around([token.bbox for token in document.sheet.tokens if token.token_id in names])


def ocr(task: Task, mode: OcrMode, **fields: object) -> Played:
    return played(task, do(ActionType.OCR, doc_id=task.documents[0].doc_id, mode=mode, **fields))


def test_every_word_stands_on_the_page_and_none_covers_another():
    for task in (*cases(6), curated("A-002"), curated("A-004"), curated("E-001")):
        for document in task.documents:
            boxes = [token.bbox for token in document.sheet.tokens]
            for left, top, right, bottom in boxes:
                assert 0 <= left < right <= document.sheet.width
                assert 0 <= top < bottom <= document.sheet.height
            assert not any(_overlap(a, b) for n, a in enumerate(boxes) for b in boxes[:n])


def _overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])


def test_accurate_ocr_reads_every_word_of_the_page_as_it_stands():
    for task in cases(3):
        document = task.documents[0]
        assert read(ocr(task, OcrMode.ACCURATE)).tokens == document.sheet.tokens
        text = " ".join(token.text for token in document.sheet.tokens)
        assert all(said in text for said in printed(task.invoice).values())


def test_fast_ocr_drops_about_a_twelfth_and_misreads_up_to_three_twentieths():
    dropped = wrong = words = 0
    for task in cases(8):
        there = {token.token_id: token.text for token in task.documents[0].sheet.tokens}
        found = {token.token_id: token.text for token in read(ocr(task, OcrMode.FAST)).tokens}
        assert found.keys() <= there.keys()
        words += len(there)
        dropped += len(there) - len(found)
        wrong += sum(text != there[name] for name, text in found.items())
    assert dropped / words == pytest.approx(0.08, abs=0.02)
    assert 0.05 < wrong / words < 0.15


def test_fast_ocr_reads_a_word_alike_whenever_and_with_whatever_it_is_read():
    task = case(11)
    whole = {token.token_id: token for token in read(ocr(task, OcrMode.FAST)).tokens}
    assert read(ocr(task, OcrMode.FAST)).tokens == tuple(whole.values())
    region = read(ocr(task, OcrMode.FAST, bbox=(0.0, 0.0, 595.0, 300.0))).tokens
    assert region
    assert all(whole[token.token_id] == token for token in region)


@pytest.mark.parametrize("kind", [ActionType.ZOOM, ActionType.GET_DOC_CROP])
def test_a_small_region_is_read_exactly_and_holds_the_words_in_it_alone(kind: ActionType):
    document = TASK.documents[0]
    box = box_of(document, "invoice_number", "invoice_date")
    shown = read(played(TASK, do(kind, doc_id=DOC, page=1, bbox=box)))
    texts = [token.text for token in shown.tokens]
    assert texts == [TASK.invoice.number, "Date", TASK.invoice.date]
    assert set(shown.tokens) <= set(document.sheet.tokens)


@pytest.mark.parametrize("kind", [ActionType.ZOOM, ActionType.GET_DOC_CROP])
def test_a_region_beyond_an_eighth_of_the_page_stays_too_small_to_read(kind: ActionType):
    height = 842.0 * READABLE
    fits = played(TASK, do(kind, doc_id=DOC, bbox=(0.0, 0.0, 595.0, height)))
    assert fits.steps[-1].legal
    for box in ((0.0, 0.0, 595.0, height + 1.0), None):
        episode = played(TASK, do(kind, doc_id=DOC, bbox=box))
        assert not episode.steps[-1].legal
        assert "too small to read" in episode.steps[-1].reward.message
        assert episode.state.spent == 0.0


def test_zooming_the_whole_page_costs_more_than_reading_it_accurately():
    assert 0.20 / READABLE > 1.10


def test_who_zooms_on_two_blocks_has_all_that_the_tools_ask_for():
    for task in cases(6):
        document = task.documents[0]
        needed = (
            ("vendor_name", "invoice_number", "po_id", "receipt_id"),
            ("total", "bank_account"),
        )
        for fields in needed:
            left, top, right, bottom = box_of(document, *fields)
            assert (right - left) * (bottom - top) <= READABLE * document.sheet.width * document.sheet.height


def test_a_box_off_the_page_and_a_page_that_is_not_there_are_told():
    for fields, words in (
        ({"bbox": (600.0, 0.0, 700.0, 10.0)}, "covers nothing"),
        ({"bbox": (50.0, 50.0, 50.0, 60.0)}, "covers nothing"),
        ({"page": 2}, "no page 2"),
    ):
        episode = played(TASK, do(ActionType.OCR, doc_id=DOC, **fields))
        assert words in episode.steps[-1].reward.message


def pictured(episode: Played) -> Paper:
    observation = seen(episode)
    return paper(observation, observation.visible_documents[0])


def test_the_picture_draws_only_what_was_read_and_greeks_the_rest():
    before = pictured(played(TASK))
    assert before.words == ()
    assert before.unread == TASK.documents[0].sheet.lines
    box = box_of(TASK.documents[0], "bank_account")
    after = pictured(played(TASK, do(ActionType.ZOOM, doc_id=DOC, bbox=box)))
    assert " ".join(word.text for word in after.words) == TASK.invoice.account
    assert len(after.unread) == len(before.unread)
    greeked = [bar for bar in after.unread if bar[1] == after.words[0].box[1]]
    assert all(bar[2] <= after.words[0].box[0] for bar in greeked)


def test_an_exact_reading_goes_over_a_doubtful_one_in_the_picture():
    episode = ocr(case(2), OcrMode.FAST)
    accurate = do(ActionType.OCR, doc_id=case(2).documents[0].doc_id, mode=OcrMode.ACCURATE)
    exact = played(case(2), *episode.actions, accurate)
    assert all(word.doubtful for word in pictured(episode).words)
    assert not any(word.doubtful for word in pictured(exact).words)
    assert pictured(exact).unread == ()


def test_the_picture_reads_from_top_to_bottom_and_left_to_right():
    rows = pictured(ocr(TASK, OcrMode.ACCURATE)).rows
    assert [len({word.box[1] for word in row}) for row in rows] == [1] * len(rows)
    assert rows[0][0].text == TASK.invoice.vendor_name.split()[0]
