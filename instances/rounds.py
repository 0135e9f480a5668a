"""Rounds of held-out cases: which case is whose, and the rows of rounds and submissions.

Decides what a secret, a round and a number come to. What a sealed instance shows is in `sealing`.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Table, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from envs.kernel.records import LARGEST_SEED
from envs.kernel.rng import Rng
from instances.model import Round, Submission
from instances.schema import INSTANCES, META, ROUNDS, SUBMISSIONS

DATED_CASES = 100


def dated_round(slug: str, level: str, now: float) -> Round:
    """The round of this month, which closes when the month ends (UTC)."""
    month = datetime.fromtimestamp(now, UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    following = month.replace(year=month.year + month.month // 12, month=month.month % 12 + 1)
    name = f"{slug}-{level}-{month:%Y-%m}"
    return Round(name, slug, level, DATED_CASES, following.timestamp())


def case_seed(secret: bytes, round_name: str, case: int) -> int:
    """The seed of a round's case; nobody without the secret can compute or recognise it."""
    return _number(secret, f"case\n{round_name}\n{case}")


def case_order(secret: bytes, submission_id: str, cases: int) -> tuple[int, ...]:
    """The order in which a submission meets the first `cases` cases of its round."""
    return Rng(_number(secret, f"order\n{submission_id}")).shuffled(range(cases))


def alias(secret: bytes, client: str) -> str:
    """32 hex digits that stand for a client; nobody without the secret can tell for which."""
    return hmac.digest(secret, f"client\n{client}".encode(), sha256).hex()[:32]


def _number(secret: bytes, text: str) -> int:
    drawn = hmac.digest(secret, text.encode(), sha256)
    return int.from_bytes(drawn[:8], "big") % (LARGEST_SEED + 1)


def kept_secret(connection: Connection, made: str) -> str:
    """The store's own secret; `made` becomes it when there is none yet."""
    query = select(META.c.value).where(META.c.key == "secret")
    found = connection.execute(query).scalar()
    if found is None:
        _keep(connection, META, key="secret", value=made)
        found = connection.execute(query).scalar_one()
    return found


def round_named(connection: Connection, name: str) -> Round | None:
    """The round of that name."""
    row = connection.execute(select(ROUNDS).where(ROUNDS.c.name == name)).first()
    return None if row is None else Round(row.name, row.environment, row.level, row.cases, row.closes_at)


def keep_round(connection: Connection, held: Round) -> None:
    """Keeps a round, unless it is there already."""
    _keep(
        connection,
        ROUNDS,
        name=held.name,
        environment=held.environment,
        level=held.level,
        cases=held.cases,
        closes_at=held.closes_at,
    )


def put_round(connection: Connection, held: Round) -> None:
    """Keeps a round; of one that is there already, only the closing time can change."""
    keep_round(connection, held)
    connection.execute(update(ROUNDS).where(ROUNDS.c.name == held.name).values(closes_at=held.closes_at))


def submission_with(connection: Connection, submission_id: str) -> Submission | None:
    """The submission of that id, with its round."""
    row = connection.execute(select(SUBMISSIONS).where(SUBMISSIONS.c.id == submission_id)).first()
    if row is None:
        return None
    held = round_named(connection, row.round)
    assert held is not None, f"submission {row.id} names round {row.round}, which is not kept"
    return Submission(row.id, held, row.agent, row.agent_version, row.cases, row.created_at, row.closed_at)


def put_submission(connection: Connection, submission: Submission) -> None:
    """Keeps a new submission."""
    connection.execute(
        insert(SUBMISSIONS).values(
            id=submission.id,
            round=submission.round.name,
            agent=submission.agent,
            agent_version=submission.agent_version,
            cases=submission.cases,
            created_at=submission.created_at,
            closed_at=submission.closed_at,
        )
    )


def instances_of(connection: Connection, submission_id: str) -> tuple[tuple[int, str], ...]:
    """Case and instance id of what a submission has opened and nobody has erased."""
    query = select(INSTANCES.c.case, INSTANCES.c.id).where(
        INSTANCES.c.submission_id == submission_id, INSTANCES.c.ended.is_(None)
    )
    return tuple((row.case, row.id) for row in connection.execute(query))


def put_instances(connection: Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Opens a submission's instances."""
    names = [str(column.name) for column in INSTANCES.columns]
    connection.execute(insert(INSTANCES), [dict(zip(names, row, strict=True)) for row in rows])


def close_submission(connection: Connection, submission_id: str, at: float) -> None:
    """Notes when a submission was closed; the first time counts.

    Its instances are locked first: whoever is adding an entry to one of them is done before it closes.
    """
    mine = INSTANCES.c.submission_id == submission_id
    connection.execute(select(INSTANCES.c.id).where(mine).order_by(INSTANCES.c.id).with_for_update())
    still_open = SUBMISSIONS.c.closed_at.is_(None)
    connection.execute(
        update(SUBMISSIONS).where(SUBMISSIONS.c.id == submission_id, still_open).values(closed_at=at)
    )


def _keep(connection: Connection, table: Table, **values: Any) -> None:
    """Inserts a row, unless its key is there: another process may be about to do the same."""
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    connection.execute(dialect.insert(table).values(**values).on_conflict_do_nothing())
