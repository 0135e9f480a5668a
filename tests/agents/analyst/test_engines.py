"""Three engines give one answer, read only, and stop when they are told."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from threading import Timer

import duckdb
import pytest

from agents.analyst.engines import Database, Limits, Stop, open_sqlite, run
from agents.analyst.engines.dialects import Dialect
from agents.analyst.engines.duckdb import open_duckdb
from agents.analyst.engines.guard import Refused, guard
from agents.analyst.sources.shop.opening import SOURCE_ID
from envs.analyst.ir import (
    Aggregate,
    AllOf,
    AnyOf,
    Benchmark,
    Combine,
    Combined,
    Comparison,
    Condition,
    Dimension,
    Exists,
    Grain,
    Having,
    Measure,
    Op,
    Operand,
    Order,
    QueryIR,
    TimeRange,
)
from envs.analyst.problems import AmbiguousPath, Cancelled, FanOut, Malformed, NoPath, Stopped, WrongType
from envs.analyst.results import CaveatCode, Cell, Result
from tests.agents.analyst.asking import measure, ref, where

REGION = Dimension(column=ref("name", "region"))
REVENUE = measure("sum", "amount", "revenue")
FIRST_QUARTER = TimeRange(column=ref("ordered_at"), start="2026-01-01", end="2026-04-01")


def _ir(table: str = "orders", **parts: object) -> QueryIR:
    return QueryIR(source_id=SOURCE_ID, table_id=table, **parts)  # pyright: ignore[reportArgumentType]


QUESTIONS = {
    "groups over a join": _ir(measures=(REVENUE, measure("count", None, "orders")), group_by=(REGION,)),
    "every aggregate": _ir(
        measures=tuple(measure(each.value, "amount", each.value) for each in Aggregate),
        group_by=(Dimension(column=ref("status")),),
    ),
    **{
        f"by {grain}": _ir(
            measures=(measure("count", None, "n"),),
            group_by=(Dimension(column=ref("ordered_at"), grain=grain),),
            limit=400,
        )
        for grain in Grain
    },
    "two times compared": _ir(
        measures=(REVENUE,),
        group_by=(REGION,),
        time_range=FIRST_QUARTER,
        comparison=Comparison(kind="previous_period", start="2025-10-01", end="2026-01-01"),
    ),
    "top with ties": _ir(
        "customer",
        measures=(measure("count", None, "n"),),
        group_by=(Dimension(column=ref("birth_year")),),
        order_by=(Order(by="n", descending=True),),
        limit=3,
        ties=True,
    ),
    "top of every group": _ir(
        measures=(REVENUE,),
        group_by=(REGION, Dimension(column=ref("category", "product"))),
        order_by=(Order(by="revenue", descending=True),),
        limit=2,
        limit_within=("name",),
    ),
    "those without": _ir(
        "customer", measures=(measure("count", None, "n"),), filters=(Exists(exists="orders", negated=True),)
    ),
    "those with many": _ir(
        "customer", select=(ref("name"),), filters=(Exists(exists="orders", at_least=38),)
    ),
    "above the average": _ir(
        "product",
        select=(ref("name"), ref("unit_price")),
        filters=(
            Condition(
                column=ref("unit_price"),
                op=Op.GT,
                than=Benchmark(agg=Aggregate.AVG, column=ref("unit_price")),
            ),
        ),
        order_by=(Order(by="unit_price", descending=True),),
    ),
    "groups above the average": _ir(
        measures=(REVENUE,), group_by=(REGION,), having=(Having(alias="revenue", op=Op.GT, than="avg"),)
    ),
    "a ratio": _ir(
        measures=(
            measure("sum", "amount", "per_unit", per=Operand(agg=Aggregate.SUM, column=ref("quantity"))),
        ),
        group_by=(REGION,),
    ),
    "a product of columns": _ir(
        measures=(
            measure(
                "sum", "quantity", "list", combine=Combine(op="times", column=ref("unit_price", "product"))
            ),
        ),
        group_by=(Dimension(column=ref("category", "product")),),
    ),
    "days between": _ir(
        measures=(
            measure(
                "avg", "ordered_at", "days", combine=Combine(op="minus", column=ref("joined_on", "customer"))
            ),
        ),
    ),
    "one or the other": _ir(
        measures=(measure("count", None, "n"),),
        filters=(
            AnyOf(
                any_of=(
                    where("status", "eq", " RETURNED ", fold=True),
                    AllOf(all_of=(where("quantity", "ge", 7), where("discount", "eq", 0.3))),
                )
            ),
        ),
    ),
    "texts alike": _ir(
        "product",
        select=(ref("name"),),
        filters=(
            AnyOf(
                any_of=(
                    where("name", "contains", "DESK"),
                    where("name", "starts_with", "amber"),
                    where("name", "ends_with", "ring"),
                )
            ),
        ),
    ),
    "blanks": _ir("customer", measures=(measure("count", None, "n"),), filters=(where("email", "blank"),)),
    "days with both ends": _ir(
        measures=(measure("count", None, "n"),),
        filters=(where("ordered_at", "between", ("2026-03-10", "2026-03-13")),),
    ),
    "a month of any year": _ir(
        measures=(measure("count", None, "n"),),
        filters=(where("ordered_at", "eq", 3, grain=Grain.MONTH_OF_YEAR),),
    ),
    "in one and not in the other": _ir(
        "product",
        select=(ref("name"),),
        combined=Combined(op="except", other=_ir(select=(ref("name", "product"),))),
    ),
    "a list": _ir(
        select=(ref("order_id"), ref("ordered_at"), ref("name", "customer"), ref("amount")),
        order_by=(Order(by=ref("ordered_at"), descending=True),),
        limit=7,
    ),
    "distinct": _ir(select=(ref("status"), ref("name", "channel")), distinct=True),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_duckdb_and_sqlite_give_the_same_answer(
    question: str, shop: Database, shop_on_sqlite: Database
) -> None:
    ours, theirs = run(shop, QUESTIONS[question]), run(shop_on_sqlite, QUESTIONS[question])
    assert ours.rows
    _same(ours, theirs)


def test_postgres_gives_the_same_answers(shop: Database, shop_on_postgres: Database) -> None:
    for name, ir in QUESTIONS.items():
        _same(run(shop, ir), run(shop_on_postgres, ir), name)


def _same(ours: Result, theirs: Result, name: str = "") -> None:
    """Equal but for the last digits of floats, which depend on the order of the rows."""
    assert (ours.columns, ours.caveats) == (theirs.columns, theirs.caveats), name
    for left, right in zip(ours.rows, theirs.rows, strict=True):
        assert left == tuple(_about(cell) for cell in right), name


def _about(cell: Cell) -> object:
    return pytest.approx(cell, rel=1e-9) if isinstance(cell, float) else cell


def test_the_executed_sql_gives_the_answer_again(shop: Database) -> None:
    answer = run(shop, QUESTIONS["groups over a join"])
    again = shop.engine.fetch(answer.sql, Limits())
    assert [(row[0], row[2]) for row in again] == [(row[0], row[2]) for row in answer.rows]


@pytest.fixture
def works(tmp_path: Path) -> Iterator[Database]:
    """Orders with lines, customers and one order of nobody's."""
    path = tmp_path / "works.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript("""
            CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, name TEXT, age INTEGER);
            CREATE TABLE orders (
                order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer, amount REAL, dept TEXT,
                ship_to INTEGER REFERENCES place, bill_to INTEGER REFERENCES place
            );
            CREATE TABLE line (line_id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders, qty INTEGER);
            CREATE TABLE place (place_id INTEGER PRIMARY KEY, town TEXT);
            CREATE TABLE worker (id INTEGER PRIMARY KEY, name TEXT, boss INTEGER REFERENCES worker);
            INSERT INTO customer VALUES (1, 'Ann', 20), (2, 'Bo', 40), (3, 'Cy', 70);
            INSERT INTO place VALUES (1, 'Alt'), (2, 'Bern');
            INSERT INTO orders VALUES
                (1, 1, 100, 'Ops', 1, 2), (2, 1, 50, 'HR', 1, 1), (3, 1, NULL, NULL, 2, 2),
                (4, 2, 7, NULL, 1, 1), (5, NULL, 3, 'Ops', 1, 1);
            INSERT INTO line VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1), (4, 2, 5);
            INSERT INTO worker VALUES (1, 'Mo', NULL), (2, 'Ed', 1), (3, 'Flo', 1);
        """)
    with open_sqlite(path) as database:
        yield database


def _works(table: str = "orders", **parts: object) -> QueryIR:
    return QueryIR(source_id="works", table_id=table, **parts)  # pyright: ignore[reportArgumentType]


def test_lines_do_not_multiply_the_amounts_of_their_orders(works: Database) -> None:
    # B15
    lines = Measure(agg=Aggregate.COUNT, table="line", alias="lines")
    assert run(works, _works(measures=(measure("sum", "amount", "total"), lines))).rows == ((160.0, 4),)
    grouped = (Dimension(column=ref("dept")),)
    by = run(works, _works(measures=(measure("sum", "amount", "total"), lines), group_by=grouped))
    assert by.rows == (("HR", 50.0, 1), ("Ops", 103.0, 3), (None, 7.0, 0))


def test_an_attribute_counts_once_however_many_rows_refer_to_it(works: Database) -> None:
    # B16
    age = Measure(agg=Aggregate.AVG, column=ref("age", "customer"), alias="age")
    assert run(works, _works(measures=(age,))).rows == ((30.0,),)


def test_a_ratio_is_that_of_the_totals(works: Database) -> None:
    # B14
    ratio = measure("sum", "amount", "each", per=Operand(agg=Aggregate.SUM, column=ref("qty", "line")))
    assert run(works, _works(measures=(ratio,))).rows == ((20.0,),)


def test_a_negation_keeps_what_is_unknown_only_when_told_and_says_so(works: Database) -> None:
    # B19
    outside = Condition(column=ref("dept"), op=Op.NE, value="HR", missing=True)
    kept = run(works, _works(measures=(measure("count", None, "n"),), filters=(outside,)))
    assert kept.rows == ((4,),)
    assert [(each.code, each.count) for each in kept.caveats] == [(CaveatCode.MISSING_KEPT, 2)]
    strict = outside.model_copy(update={"missing": False})
    assert run(works, _works(measures=(measure("count", None, "n"),), filters=(strict,))).rows == ((2,),)


def test_rows_without_a_partner_stay_and_are_told_or_go(works: Database) -> None:
    by_name = {
        "measures": (measure("count", None, "n"),),
        "group_by": (Dimension(column=ref("name", "customer")),),
    }
    kept = run(works, _works(**by_name))
    assert kept.rows == (("Ann", 3), ("Bo", 1), (None, 1))
    assert [(each.code, each.count, each.of) for each in kept.caveats] == [(CaveatCode.UNMATCHED_ROWS, 1, 5)]
    assert run(works, _works(**by_name, unmatched="drop")).rows == (("Ann", 3), ("Bo", 1))


def test_amounts_that_are_missing_are_counted(works: Database) -> None:
    told = run(works, _works(measures=(measure("avg", "amount"),))).caveats
    assert [(each.code, each.count, each.of) for each in told] == [(CaveatCode.MISSING_VALUES, 1, 5)]


def test_equals_at_the_edge_are_kept_or_told(works: Database) -> None:
    # B12
    top = {
        "measures": (measure("count", None, "n"),),
        "group_by": (Dimension(column=ref("dept")),),
        "order_by": (Order(by="n", descending=True),),
        "limit": 1,
    }
    cut = run(works, _works(**top))
    assert (cut.rows, cut.caveats[0].code, cut.caveats[0].count) == ((("Ops", 2),), CaveatCode.TIES_CUT, 1)
    kept = run(works, _works(**top, ties=True))
    assert (kept.rows, kept.caveats[0].code) == ((("Ops", 2), (None, 2)), CaveatCode.TIES_KEPT)


def test_two_equal_paths_are_asked_about_and_chosen_by_name(works: Database) -> None:
    asked = _works(select=(ref("town", "place"),), distinct=True)
    with pytest.raises(AmbiguousPath) as ambiguous:
        run(works, asked)
    assert set(ambiguous.value.options) == {
        "orders.ship_to>place.place_id",
        "orders.bill_to>place.place_id",
    }
    chosen = _works(
        select=(ref("town", "place", "orders.bill_to>place.place_id"),), filters=(where("order_id", "eq", 1),)
    )
    assert run(works, chosen).rows == (("Bern",),)


def test_a_table_that_refers_to_itself_can_be_asked_both_ways(works: Database) -> None:
    leads = _works("worker", select=(ref("name"),), filters=(Exists(exists="worker"),))
    assert run(works, leads).rows == (("Mo",),)
    bosses = _works("worker", select=(ref("name"), ref("name", "worker", "worker.boss>worker.id")))
    assert run(works, bosses).rows == (("Ed", "Mo"), ("Flo", "Mo"), ("Mo", None))


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (_works("customer", select=(ref("amount", "orders"),)), FanOut),
        (_works(select=(ref("name", "worker"),)), NoPath),
        (_works(measures=(measure("sum", "dept"),)), WrongType),
        (_works(filters=(where("amount", "eq", "many"),)), WrongType),
        (_works(filters=(where("amount", "contains", "1"),)), WrongType),
        (_works(measures=(measure("sum"),)), Malformed),
        (_works(measures=(measure("count"),), select=(ref("dept"),)), Malformed),
        (_works(measures=(measure("count"),), order_by=(Order(by="other"),)), Malformed),
    ],
)
def test_what_makes_no_sense_is_refused_before_it_is_asked(
    works: Database, wrong: QueryIR, problem: type[Exception]
) -> None:
    with pytest.raises(problem):
        run(works, wrong)


RUNAWAY = (
    "SELECT COUNT(*) FROM orders a, orders b, orders c WHERE (a.order_id + b.order_id) % 7919 = c.quantity"
)


@pytest.mark.parametrize("engine", ["shop", "shop_on_sqlite"])
def test_a_runaway_query_stops_at_its_limit(engine: str, request: pytest.FixtureRequest) -> None:
    database: Database = request.getfixturevalue(engine)
    with pytest.raises(Stopped, match="stopped after"):
        database.engine.fetch(RUNAWAY, Limits(elapsed_s=0.2))


@pytest.mark.parametrize("engine", ["shop", "shop_on_sqlite", "shop_on_postgres"])
def test_a_query_that_nobody_waits_for_is_cancelled(engine: str, request: pytest.FixtureRequest) -> None:
    database: Database = request.getfixturevalue(engine)
    stop = Stop()
    timer = Timer(0.2, stop.ask)
    timer.start()
    with pytest.raises(Cancelled):
        database.engine.fetch(RUNAWAY, Limits(elapsed_s=60.0), stop)
    with pytest.raises(Cancelled):
        database.engine.fetch("SELECT 1", Limits(), stop)


def test_postgres_stops_a_runaway_query_itself(shop_on_postgres: Database) -> None:
    with pytest.raises(Stopped, match="stopped after"):
        shop_on_postgres.engine.fetch(RUNAWAY, Limits(elapsed_s=0.2))
    assert shop_on_postgres.engine.fetch("SELECT 1", Limits()) == [(1,)]


@pytest.mark.parametrize("engine", ["shop", "shop_on_sqlite", "shop_on_postgres"])
@pytest.mark.parametrize(
    "statement", ["DELETE FROM orders", "CREATE TABLE other (a INTEGER)", "DROP TABLE orders"]
)
def test_no_engine_writes(engine: str, statement: str, request: pytest.FixtureRequest) -> None:
    database: Database = request.getfixturevalue(engine)
    with pytest.raises(Exception, match=r"(?i)read.only|not authorized|readonly|cannot execute"):
        database.engine.fetch(statement, Limits())


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "ATTACH 'other.duckdb' AS other",
        "INSTALL httpfs",
        "SET memory_limit = '8GB'",
        "COPY orders TO 'orders.csv'",
    ],
)
def test_duckdb_reaches_nothing_outside_its_file(shop: Database, statement: str) -> None:
    with pytest.raises(duckdb.Error):
        shop.engine.fetch(statement, Limits())


@pytest.mark.parametrize(
    "statement",
    ["ATTACH 'other.sqlite' AS other", "PRAGMA writable_schema = ON", "SELECT load_extension('x')",
     "SELECT * FROM sqlite_master"],
)  # fmt: skip
def test_sqlite_lets_nothing_but_questions_through(shop_on_sqlite: Database, statement: str) -> None:
    with pytest.raises(sqlite3.DatabaseError):
        shop_on_sqlite.engine.fetch(statement, Limits())


@pytest.mark.parametrize(
    "statement",
    ["SELECT 1; SELECT 2", "DELETE FROM orders", "SELECT * FROM secrets", "SELECT read_text('/etc/passwd')",
     "SELECT * FROM read_csv('a.csv')", "SELECT * FROM orders WHERE id IN (SELECT id FROM other)"],
)  # fmt: skip
def test_only_one_select_over_known_tables_passes(statement: str) -> None:
    with pytest.raises(Refused):
        guard(statement, Dialect.DUCKDB, ["orders"])
    guard("SELECT a FROM orders", Dialect.DUCKDB, ["orders"])


def test_a_value_cannot_become_sql(works: Database) -> None:
    injected = where("dept", "eq", "x' OR 1=1; DROP TABLE orders; --")
    assert run(works, _works(measures=(measure("count"),), filters=(injected,))).rows == ((0,),)


def test_a_declared_key_whose_target_repeats_is_no_key(tmp_path: Path) -> None:
    path = tmp_path / "bad.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript("""
            CREATE TABLE kind (code TEXT, name TEXT);
            CREATE TABLE item (id INTEGER PRIMARY KEY, code TEXT REFERENCES kind (code));
            INSERT INTO kind VALUES ('a', 'x'), ('a', 'y');
            INSERT INTO item VALUES (1, 'a');
        """)
    with open_sqlite(path) as database:
        assert database.source.foreign_keys == ()


def test_an_ir_is_written_with_the_contracts_names_and_read_back() -> None:
    for ir in QUESTIONS.values():
        assert QueryIR.model_validate_json(ir.model_dump_json(exclude_defaults=True)) == ir
    written = _ir(measures=(REVENUE,), group_by=(Dimension(column=ref("status")),)).written()
    assert written["group_by"] == ["status"]
    assert {"source_id", "table_id", "measures", "group_by"} == written.keys()


def test_a_table_of_256_columns_is_read_in(tmp_path: Path) -> None:
    path = tmp_path / "wide.duckdb"
    with duckdb.connect(str(path)) as connection:
        columns = ", ".join(f"'v{at}' AS c{at}" for at in range(256))
        connection.execute(f"CREATE TABLE wide AS SELECT {columns}")
    with open_duckdb(path, "src_wide", "wide") as database:
        assert len(database.source.tables[0].columns) == 256
        assert database.values.of("wide", "c255") == ("v255",)
