"""`python -m instances`: keep, move and check a store from the command line."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from envs.catalog import ENVIRONMENTS
from instances import archive, journal, schema
from instances.errors import InstanceError
from instances.store import Store, database_url, open_engine

EPILOG = """The store is DATABASE_URL, else auditorium.db in DATA_DIR, as on the Space.
--store names another.

  python -m instances backup today.jsonl.gz
  python -m instances restore today.jsonl.gz --store sqlite:///other/auditorium.db
  python -m instances restore today.jsonl.gz --store postgresql://user:password@host/auditorium
  python -m instances replay 0123456789abcdef0123456789abcdef
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Carries out one command; returns the exit status."""
    options = _parser().parse_args(arguments)
    engine = open_engine(options.store or database_url(os.environ)[0])
    try:
        return options.run(engine, options)
    except (archive.BadBackup, schema.SchemaMismatch, journal.Divergence, InstanceError) as error:
        print(f"instances: {error}", file=sys.stderr)
        return 1
    except DBAPIError as error:
        print(f"instances: the store cannot be used: {error.orig}", file=sys.stderr)
        return 1
    finally:
        engine.dispose()


def _backup(engine: Engine, options: argparse.Namespace) -> int:
    schema.migrate(engine)
    print(f"{archive.backup(engine, options.file)} rows written to {options.file}")
    return 0


def _restore(engine: Engine, options: argparse.Namespace) -> int:
    print(f"{archive.restore(engine, options.file)} rows restored from {options.file}")
    return 0


def _migrate(engine: Engine, _options: argparse.Namespace) -> int:
    before, after = schema.migrate(engine)
    print(
        f"schema version {before} → {after}" if before != after else f"schema version {after}, nothing to do"
    )
    return 0


def _replay(engine: Engine, options: argparse.Namespace) -> int:
    store = Store(engine)
    try:
        found = store.find(options.id)
        if found is None or found.ended is not None:
            print(f"instances: there is no living instance {options.id}", file=sys.stderr)
            return 1
        instance = found.instance
        env = ENVIRONMENTS[instance.environment].environment
        if instance.version != env.version:
            print(
                f"instances: played on version {instance.version}, {env.version} runs here", file=sys.stderr
            )
            return 1
        entries = store.entries(instance.id)
        journal.fold(env, entries)
        print(f"{len(entries)} entries, every digest reproduced")
        return 0
    finally:
        store.close()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m instances",
        description="Keep, move and check a store.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--store", help="database URL, e.g. sqlite:///data/auditorium.db")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[..., int], about: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=about, description=about, parents=[common])
        added.set_defaults(run=run)
        return added

    command("backup", _backup, "write the whole store to a file").add_argument("file", type=Path)
    command("restore", _restore, "fill an empty store from a backup").add_argument("file", type=Path)
    command("migrate", _migrate, "bring the store to this version's schema")
    command("replay", _replay, "play a journal again and compare every digest").add_argument("id")
    return parser


if __name__ == "__main__":
    sys.exit(main())
