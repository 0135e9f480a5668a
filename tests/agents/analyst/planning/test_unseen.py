"""Questions of the kinds that public text-to-SQL sets ask, over a database nobody prepared: sailing clubs.

Abbreviated names, a link table, a text that refers to a number, years as texts, and equals.
"""

from __future__ import annotations

import pytest

from tests.agents.analyst.planning.asking import Book, Rows, book

HARBOURS: Rows = (
    (1, "Aldo", "north", 300, "1998"),
    (2, "Brea", "south", 120, "2005"),
    (3, "Cala", "north", 80, "2014"),
    (4, "Dorn", "east", 120, "2016"),
)
SAILORS: Rows = (
    (11, "Ada", "Holm", 19, "F", 2),
    (12, "Bo", "Lund", 34, "M", 1),
    (13, "Cy", "Holm", 52, "M", 1),
    (14, "Di", "Moss", 25, "F", 3),
    (15, "Eli", "Nord", 41, "M", 2),
)
BOATS: Rows = (
    (21, "Gull", "sloop", 9.5, "1"),
    (22, "Tern", "ketch", 14.0, "1"),
    (23, "Kite", "sloop", 7.0, "2"),
    (24, "Erne", "yawl", 11.0, "2"),
)
CREWS: Rows = ((11, 21), (12, 21), (12, 22), (13, 23), (13, 21))


@pytest.fixture(scope="module")
def sailing(tmp_path_factory: pytest.TempPathFactory) -> Book:
    return book(
        tmp_path_factory.mktemp("sailing"),
        harbour=("hid INTEGER PRIMARY KEY, hname TEXT, coast TEXT, berths INTEGER, open_year TEXT", HARBOURS),
        sailor=(
            (
                "sid INTEGER PRIMARY KEY, fname TEXT, lname TEXT, age INTEGER, sex TEXT,"
                " home_harbour_id INTEGER REFERENCES harbour(hid)"
            ),
            SAILORS,
        ),
        boat=(
            (
                "bid INTEGER PRIMARY KEY, boat_name TEXT, rig TEXT, length REAL,"
                " harbour_id TEXT REFERENCES harbour(hid)"
            ),
            BOATS,
        ),
        sails_on=("sid INTEGER REFERENCES sailor(sid), bid INTEGER REFERENCES boat(bid)", CREWS),
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Show the ids of sailors who are older than 40.", [(13,), (15,)]),
        ("What is the name of the harbour with id 3?", [("Cala",)]),
    ],
)
def test_an_id_is_the_key_of_the_table_beside_it(sailing: Book, question: str, rows: list[tuple[object]]):
    assert sailing.ask(question).rows == rows


def test_a_text_that_refers_to_a_number_joins(sailing: Book):
    rows = sailing.ask("List the names of boats and the names of their harbours.").rows
    assert sorted(rows) == [("Erne", "Brea"), ("Gull", "Aldo"), ("Kite", "Brea"), ("Tern", "Aldo")]


def test_years_that_are_kept_as_texts_are_compared(sailing: Book):
    assert sailing.ask("How many harbours have an open year after 2004?").cell == 3


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("List the names of harbours in descending order of berths.", ["Aldo", "Brea", "Dorn", "Cala"]),
        ("List the names of harbours in ascending order of berths.", ["Cala", "Brea", "Dorn", "Aldo"]),
    ],
)
def test_rows_that_an_order_leaves_equal_stay_in_the_order_of_their_key(
    sailing: Book, question: str, first: list[str]
):
    assert [row[0] for row in sailing.ask(question).rows] == first


def test_an_average_across_all_rows_is_one_number(sailing: Book):
    assert sailing.ask("What is the average age across all sailors?").cell == pytest.approx(34.2)


def test_what_was_done_by_all_is_not_split_by_them(sailing: Book):
    assert sailing.ask("What is the maximum length of boats sailed by sailors?").cell == 14.0


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Show the coasts that have a harbour with more than 200 berths.", [("north",)]),
        ("Show all coasts.", [("east",), ("north",), ("south",)]),
        ("What are all the rigs?", [("ketch",), ("sloop",), ("yawl",)]),
    ],
)
def test_values_that_are_listed_by_themselves_are_listed_once(
    sailing: Book, question: str, rows: list[tuple[str]]
):
    assert sorted(sailing.ask(question).rows) == rows


def test_the_coasts_shared_by_two_kinds_of_harbours_are_in_both(sailing: Book):
    question = "Show the coasts shared by harbours with berths above 200 and smaller than 100."
    assert sailing.ask(question).rows == [("north",)]


def test_the_different_coasts_without_a_boat_are_those_of_none(sailing: Book):
    assert sailing.ask("List the different coasts that have no boat.").rows == [("east",)]


def test_which_value_has_no_row_of_a_kind_is_asked_of_the_values(sailing: Book):
    rows = sailing.ask("Which rigs do not have any boat with length above 9?").rows
    assert rows == []


def test_a_value_that_is_refused_is_one_of_the_rows_themselves(sailing: Book):
    rows = sailing.ask("Return the names of boats that do not have sloop as their rig.").rows
    assert sorted(rows) == [("Erne",), ("Tern",)]


def test_the_row_with_the_maximum_is_shown_and_not_the_maximum(sailing: Book):
    assert sailing.ask("Show the id and name of the boat with the maximum length.").rows == [(22, "Tern")]


def test_an_aggregate_of_a_column_keeps_to_the_rows_that_are_asked_about(sailing: Book):
    assert sailing.ask("What is the maximum and minimum number of berths of all harbours?").rows == [
        (300, 80)
    ]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Find the first name of sailors who are 25 years old.", ["Di"]),
        ("Which sailors are over 40 years old? Show their first names.", ["Cy", "Eli"]),
        ("Show the first names of sailors of age either 19 or 34.", ["Ada", "Bo"]),
    ],
)
def test_ages_are_read_in_years(sailing: Book, question: str, names: list[str]):
    assert sorted(str(row[0]) for row in sailing.ask(question).rows) == names


def test_an_id_that_is_shown_stands_for_the_name_of_a_group(sailing: Book):
    rows = sailing.ask("Show the sailor ids and the number of boats for each sailor.").rows
    assert sorted(rows) == [(11, 1), (12, 2), (13, 2)]


def test_the_most_common_value_of_rows_is_one_of_that_value(sailing: Book):
    assert sailing.ask("What is the rig that is most common among boats?").rows == [("sloop",)]


def test_who_has_a_part_of_a_text_in_a_name(sailing: Book):
    assert sailing.ask('Find the names of all harbours that have "al" in their names.').rows == [
        ("Aldo",),
        ("Cala",),
    ]


def test_kinds_are_counted_and_not_their_rows(sailing: Book):
    assert sailing.ask("How many boat rigs exist?").cell == 3


def test_a_role_names_the_table_that_it_refers_to(sailing: Book):
    rows = sailing.ask("What are the names of the home harbours of sailors older than 50?").rows
    assert rows == [("Aldo",)]
