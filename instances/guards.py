"""Guards: what the database itself refuses and announces, whichever process asks.

No entry is taken for an instance that has ended or whose submission is closed: a process whose memory is
out of date cannot bring back what another has erased. On PostgreSQL every new entry and every end is told.
"""

from __future__ import annotations

from sqlalchemy import Connection

CHANNEL = "auditorium"
"""Where PostgreSQL announces `<instance id> <n>` for the newest entry, `<instance id> ended` for an end."""

_SQLITE = (
    """
    CREATE TRIGGER journal_guard BEFORE INSERT ON journal
    WHEN NOT EXISTS (
        SELECT 1 FROM instances LEFT JOIN submissions ON submissions.id = instances.submission_id
        WHERE instances.id = NEW.instance_id AND ended IS NULL AND closed_at IS NULL
    )
    BEGIN SELECT RAISE(ABORT, 'this instance takes no more entries'); END
    """,
)
# The lock makes who ends an instance wait for those who are adding to it, and those who come later wait for
# the end. Nested loops over the keys are right however large the tables are; a plan that was made when they
# were small would read them whole for every entry.
_POSTGRES = (
    f"""
    CREATE FUNCTION journal_guard() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
    BEGIN
        PERFORM 1 FROM instances WHERE id IN (SELECT instance_id FROM added) ORDER BY id FOR SHARE;
        IF EXISTS (
            SELECT 1 FROM added
            LEFT JOIN instances ON instances.id = added.instance_id
            LEFT JOIN submissions ON submissions.id = instances.submission_id
            WHERE instances.id IS NULL OR ended IS NOT NULL OR closed_at IS NOT NULL
        ) THEN
            RAISE EXCEPTION 'this instance takes no more entries' USING ERRCODE = 'check_violation';
        END IF;
        PERFORM pg_notify('{CHANNEL}', instance_id || ' ' || max(n)) FROM added GROUP BY instance_id;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER journal_guard AFTER INSERT ON journal REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION journal_guard()
    """,
    f"""
    CREATE FUNCTION end_notice() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM pg_notify('{CHANNEL}', NEW.id || ' ended');
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER end_notice AFTER UPDATE OF ended ON instances
    FOR EACH ROW EXECUTE FUNCTION end_notice()
    """,
)


_LIFT = {
    "sqlite": ("DROP TRIGGER journal_guard",),
    "postgresql": ("DROP FUNCTION journal_guard CASCADE", "DROP FUNCTION end_notice CASCADE"),
}
_PUT = {"sqlite": _SQLITE, "postgresql": _POSTGRES}


def put(connection: Connection) -> None:
    """Sets the guards up."""
    for statement in _PUT[connection.dialect.name]:
        connection.exec_driver_sql(statement)


def lift(connection: Connection) -> None:
    """Takes them down, for rows that were in order where they come from; `put` sets them up again."""
    for statement in _LIFT[connection.dialect.name]:
        connection.exec_driver_sql(statement)
