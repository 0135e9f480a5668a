"""A schema and hints become inputs by fixed rules."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

import pytest
from pydantic import Field as Bound
from pydantic import ValidationError

from envs.kernel.records import Record
from envs.moderation.models import Act, Action
from envs.scene import Entry, Hint
from ui.form import Field, Kind, action_fields, complaints, fields, unfilled


class Colour(StrEnum):
    RED = "red"
    BLUE = "dark_blue"


class Many(StrEnum):
    A = "a"
    B = "b"
    C = "c"
    D = "d"
    E = "e"
    F = "f"
    G = "g"
    H = "h"
    J = "j"


class Pay(Record):
    kind: Literal["pay"]
    amount: float


class Hold(Record):
    kind: Literal["hold"]
    days: Annotated[int, Bound(ge=1, le=30)]


class Order(Record):
    colour: Colour
    days: Annotated[int, Bound(ge=1)] = 1
    told: str = ""


class Everything(Record):
    note: Annotated[str, Bound(max_length=4_000)] = ""
    name: str | None = None
    place: Annotated[int | None, Bound(ge=0, le=9)] = None
    share: Annotated[float, Bound(ge=0.0, le=1.0)] = 0.5
    vast: Annotated[int | None, Bound(ge=-(2**63), lt=2**63)] = None
    urgent: bool = False
    few: Colour
    many: Many | None = None
    several: tuple[Colour, ...] = ()
    decision: Annotated[Pay | Hold, Bound(discriminator="kind")] | None = None
    free: dict[str, int] | None = None
    orders: Annotated[tuple[Order, ...], Bound(max_length=3)] = ()


FORM = {field.path: field for field in fields(Everything)}


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("few", Kind.RADIO),
        ("many", Kind.SELECT),
        ("place", Kind.SLIDER),
        ("share", Kind.SLIDER),
        ("vast", Kind.NUMBER),
        ("urgent", Kind.CHECK),
        ("several", Kind.CHECKS),
        ("decision", Kind.UNION),
        ("name", Kind.TEXT),
        ("note", Kind.LONG),
        ("free", Kind.JSON),
        ("orders", Kind.LIST),
    ],
)
def test_a_field_gets_the_input_of_its_type(path: str, kind: Kind) -> None:
    assert FORM[path].kind is kind


def test_required_fields_come_first_then_the_order_of_the_hints() -> None:
    hints = (Hint(field="vast", label="Vast"), Hint(field="note", label="Note"))
    paths = [field.path for field in fields(Everything, hints)]
    assert paths[:3] == ["few", "vast", "note"]
    assert FORM["few"].required
    assert not FORM["place"].required


def test_a_hint_narrows_a_number_to_a_slider() -> None:
    hinted = {
        field.path: field for field in fields(Everything, (Hint(field="vast", label="Index", low=0, high=4),))
    }
    assert hinted["vast"].kind is Kind.SLIDER
    assert hinted["vast"].range == "0–4"
    assert hinted["vast"].label == "Index"


def test_a_choice_keeps_its_value_and_gets_words() -> None:
    assert [(option.value, option.label) for option in FORM["few"].options] == [
        ('"red"', "Red"),
        ('"dark_blue"', "Dark blue"),
    ]


def test_a_union_has_a_branch_of_fields_for_each_way() -> None:
    pay, hold = FORM["decision"].branches
    assert [field.path for field in pay.fields] == ["decision.kind", "decision.amount"]
    assert [field.kind for field in hold.fields] == [Kind.CONST, Kind.SLIDER]


@pytest.mark.parametrize(
    ("body", "path", "words"),
    [
        ("{}", "few", "Choose one."),
        ('{"few":"red","place":"x"}', "place", "valid integer"),
        ('{"few":"red","several":["green"]}', "several", "red"),
        ('{"few":"red","decision":{"kind":"hold","days":99}}', "decision", "30"),
        ('{"few":"red","orders":[{"colour":"red"},{}]}', "orders.1.colour", "Choose one."),
        ('{"few":"red","orders":[{"colour":"red","days":0}]}', "orders.0.days", "greater than or equal to 1"),
        ('{"few":"red","orders":[1]}', "orders", "object"),
        ('{"few":"red","unknown":1}', "", "Extra inputs"),
        ("{", "", "JSON"),
    ],
)
def test_a_complaint_stands_at_its_field(body: str, path: str, words: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Everything.model_validate_json(body)
    found = complaints(caught.value, FORM.values())
    assert list(found) == [path]
    assert words in found[path]


def test_each_choice_of_an_action_says_what_it_does_and_which_fields_it_uses() -> None:
    deciding = action_fields(Action)[0]
    told = {option.label: option for option in deciding.options}
    assert deciding.path == "action"
    assert all(option.help for option in told.values())
    assert told["Check policy clause"].needs == ("clause_id",)
    assert told["Mark violation type"].needs == ("violation_type",)
    assert told["Allow"].needs == told["Allow"].takes == ()


def hinted(hint: Hint) -> list[Field]:
    return [field for field in fields(Everything, (hint,)) if field.path == hint.field]


def test_a_mapping_gets_a_field_for_each_key_that_the_case_offers() -> None:
    (field,) = hinted(Hint(field="free", label="Free", choices=("first_one", "second")))
    (branch,) = field.branches
    assert [(each.path, each.label, each.kind) for each in branch.fields] == [
        ("free.first_one", "First one", Kind.NUMBER),
        ("free.second", "Second", Kind.NUMBER),
    ]


def test_a_mapping_whose_numbers_are_shares_gets_sliders_against_each_other() -> None:
    (field,) = hinted(Hint(field="free", label="Free", choices=("safe",), shares=True))
    assert field.kind is Kind.SHARES
    assert [option.key for option in field.options] == ['"safe"']


def test_whole_entries_of_a_mapping_are_ticked() -> None:
    (field,) = hinted(Hint(field="free", label="Free", entries=(Entry(label="One", key="one", value="1"),)))
    assert field.kind is Kind.ENTRIES
    assert [(option.key, option.value) for option in field.options] == [('"one"', "1")]


def test_a_list_offers_what_the_case_has() -> None:
    (field,) = hinted(Hint(field="several", label="Several", choices=("red",)))
    assert (field.kind, [option.value for option in field.options]) == (Kind.CHECKS, ['"red"'])


def test_a_list_of_records_gets_the_fields_of_one_with_the_texts_that_the_case_offers() -> None:
    offered = Hint(field="orders.*.told", label="Told", entries=(Entry(label="At noon", value='"12:00"'),))
    orders = next(field for field in fields(Everything, (offered,)) if field.path == "orders")
    (record,) = orders.branches
    assert orders.high == 3
    assert [(field.path, field.kind) for field in record.fields] == [
        ("orders.*.colour", Kind.SELECT),
        ("orders.*.days", Kind.NUMBER),
        ("orders.*.told", Kind.SELECT),
    ]
    assert [(option.label, option.value) for option in record.fields[2].options] == [("At noon", '"12:00"')]


def test_a_field_that_the_case_has_no_use_for_is_left_out() -> None:
    assert hinted(Hint(field="free", label="Free", left_out=True)) == []


def test_a_choice_that_lacks_what_it_needs_is_told_at_the_field() -> None:
    mark = Action(action=Act.MARK_VIOLATION_TYPE)
    assert unfilled(mark) == {"violation_type": "Needed to mark violation type."}
    assert unfilled(mark.model_copy(update={"violation_type": "spam"})) == {}
    assert unfilled(Action(action=Act.FLAG)) == {}
