"""The data analyst, scripted: what was answered outside is recorded with each question."""

from __future__ import annotations

from envs.analyst.models import Act, Action, Answered, Request
from envs.analyst.results import ResultColumn
from envs.analyst.turns import (
    DatabaseUsed,
    Detail,
    DocumentsOutput,
    DocumentUsed,
    Done,
    Intent,
    Language,
    Planning,
    PlanStep,
    Shown,
    Stage,
    TableOutput,
    ToolCall,
    Turn,
)
from tests.golden.scripts.play import Play


def _ask(message: str, turn: Turn) -> Answered:
    return Answered(action=Act.ASK, message=message, user_id="u_1", outcome=turn)


AIM = Action(
    action=Act.SET_OBJECTIVE,
    objective="Understand which regions drive revenue.",
    business_questions=("Which regions contribute most?",),
    user_id="u_1",
)
BY_REGION = Turn(
    message_id="77f06761-0fdf-4cc5-84f8-5f81bcbb6f84",
    generated_at="2026-07-06T03:21:09.114Z",
    intent=Intent.STRUCTURED_FLOW,
    language=Language.EN,
    text="Revenue: Central $1,210,000.00; East $740,000.00.",
    planning=Planning(
        goal_restated="Total revenue by region",
        assumptions=("Time: 2026-01-01 to 2026-03-31.",),
        steps=(
            PlanStep(
                step=1,
                stage=Stage.MODELING,
                objective="Aggregate revenue by region",
                status=Done.SUCCESS,
                tools_used=("retrieve_data", "analyze_aggregate"),
            ),
        ),
    ),
    tool_calls=(
        ToolCall(
            order=1,
            task_id="t1",
            name="analyze_aggregate",
            input={"ir": {"source_id": "shop", "table_id": "orders"}},
            output=TableOutput(
                columns=("region", "revenue"),
                row_count=2,
                preview=(("Central", 1_210_000.0), ("East", 740_000.0)),
            ),
            status=Done.SUCCESS,
        ),
    ),
    sources=(
        DatabaseUsed(
            source_id="shop",
            name="orders",
            query="SELECT region, SUM(amount) AS revenue FROM orders GROUP BY region",
            detail=Detail(table="orders", row_count=2),
        ),
    ),
    table=Shown(
        caption="Revenue by region",
        columns=(
            ResultColumn(name="region", type="text"),
            ResultColumn(name="revenue", type="number", unit="USD"),
        ),
        rows=(("Central", 1_210_000.0), ("East", 740_000.0)),
        row_count=2,
    ),
    carried={"question": "Total revenue by region"},
    confidence=0.93,
)
RETURNS = Turn(
    message_id="0f1c9c86-9ee8-4d35-8c25-7c2c5d3b0a11",
    generated_at="2026-07-06T03:22:00.000Z",
    intent=Intent.UNSTRUCTURED_FLOW,
    language=Language.EN,
    text="Goods can be returned within 30 days (handbook.pdf, page 12).",
    tool_calls=(
        ToolCall(
            order=1,
            name="retrieve_knowledge",
            input={"query": "returns"},
            output=DocumentsOutput(row_count=1),
            status=Done.SUCCESS,
        ),
    ),
    sources=(
        DocumentUsed(
            document_id="doc_7",
            filename="handbook.pdf",
            page_label="12",
            query="returns",
            snippet="Goods can be returned within 30 days.",
            score=0.83,
        ),
    ),
    confidence=0.83,
)
WHICH = Turn(
    message_id="5d6b2a5e-35b5-4e47-9a70-4a2a4f6d6c22",
    generated_at="2026-07-06T03:23:00.000Z",
    intent=Intent.STRUCTURED_FLOW,
    language=Language.ID,
    text="Berdasarkan ukuran apa?\n- pendapatan\n- jumlah pesanan",
    options=("pendapatan", "jumlah pesanan"),
)

PLAYS = (
    Play(
        "an objective, an answer from tables, one from a document, a question back, and the end",
        Request(seed=1),
        (
            AIM,
            _ask("What was revenue by region last quarter?", BY_REGION),
            _ask("What does the handbook say about returns?", RETURNS),
            _ask("Mana yang terbaik?", WHICH),
            Action(action=Act.FINISH),
        ),
    ),
    Play(
        "nothing to ask, nothing to set, and nobody who answers",
        Request(seed=2),
        (
            Action(action=Act.ASK, message="  "),
            Action(action=Act.SET_OBJECTIVE),
            Action(action=Act.ASK, message="How many orders are there?"),
            Action(action=Act.HELP),
        ),
    ),
)
