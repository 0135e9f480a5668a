"""`python -m evals`: run agents, check gates and read results from the command line."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import orjson

from envs.catalog import Entry
from envs.kernel.protocol import Refusal
from evals import report, subjects
from evals.bar import Bar
from evals.executors import NoCluster, open_executor
from evals.gates import table
from evals.gates.lines import FULL, SMOKE
from evals.nl2sql import command as nl2sql
from evals.nl2sql.questions import Unreadable
from evals.nl2sql.verdicts import MissingDatabase
from evals.runner import Runner, RunStopped
from evals.runs import Spec, code_digest
from evals.shelf import MemoryShelf, Shelf, StoreShelf
from evals.subject import SPLITS, Subject
from evals.subjects import Unknown, agent, load, subject
from evals.training import shipping
from evals.training.course import Course
from evals.training.course import run as run_course
from instances.errors import InstanceError
from instances.service import Service
from instances.store import Store, database_url, open_engine

EPILOG = """Skill is 0 for the best policy that never looks and 1 for the reference, on the same cases.
Results are kept in the store: DATABASE_URL, else auditorium.db in DATA_DIR; --store names another.

  python -m evals run --env forecast-audit --agent hampel-linear --split public --seeds 200
  python -m evals gates --env forecast-audit --smoke
  python -m evals report --env forecast-audit
"""
_RUN = """Plays an agent on cases 0 to N - 1 of a split, on every level or on one.

A run that was stopped, even by kill -9, goes on where it was when you give the same command again; with more
--seeds or --trials only what is missing is played. The first run of a level also plays what skill is measured
by: every policy that never looks on 1,000 tuning cases of its own, and the best of them and the reference on
yours. Each level leaves a .json and a .parquet file in the store."""
_GATES = """Measures what must hold before anybody is ranked on an environment, and prints a table.

The exit status is 1 when a line is breached. Nothing is read from earlier runs. --smoke plays few cases,
which prove nothing: there a breach is only what is shown to be broken."""
_TRAIN = """Trains a policy of the fleet by policy gradient, a third of N episodes on each level.

Writes training_metrics.json, reward_curve.png and detection_rate.png: what was measured in training, and the
result beside the baselines on held-out cases. The same N, S and C give the same files."""


def main(arguments: Sequence[str] | None = None, path: str = subjects.BUILT_IN) -> int:
    """Carries out one command; returns the exit status.

    Args:
        path: Where environments are declared, see `subjects.load`.
    """
    options = _parser(path).parse_args(arguments)
    try:
        return asyncio.run(options.command(options, path))
    except (Unknown, RunStopped, NoCluster, Refusal, InstanceError, Unreadable, MissingDatabase) as error:
        print(f"evals: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("evals: stopped; what was done is kept: give the same command again to go on", file=sys.stderr)
        return 130


async def _run(options: argparse.Namespace, path: str) -> int:
    of = subject(options.env, path)
    agent(of, options.agent)
    async with _store_shelf(options, path) as shelf:
        with open_executor(options.workers, options.scheduler) as executor, Bar() as bar:
            runner = Runner(shelf, executor, bar)
            for level in _levels(of, options.level):
                spec = Spec(
                    options.env,
                    options.agent,
                    options.split,
                    level,
                    options.seeds,
                    options.trials,
                    options.first,
                    path,
                )
                result = await runner.run(spec, episodes=options.episodes)
                bar.write(_run_text(report.run_report(f"{result.name}.json", result.as_json())))
    return 0


async def _gates(options: argparse.Namespace, path: str) -> int:
    sizes = SMOKE if options.smoke else FULL
    slugs = [options.env] if options.env else list(load(path))
    breached = False
    with open_executor(options.workers, options.scheduler) as executor:
        for slug in slugs:
            of = subject(slug, path)
            with Bar() as bar:
                runner = Runner(MemoryShelf(), executor, bar)
                lines = await table.gates(runner, of, sizes, path, options.second_python)
            print(table.as_text(slug, lines, smoke=options.smoke))
            breached |= not all(line.holds for line in lines)
            if options.keep:
                version = f"v{of.env.version}-{code_digest(of.env)}"
                async with _store_shelf(options, path) as shelf:
                    content = table.as_json(slug, version, lines, smoke=options.smoke)
                    await shelf.put(f"{table.PREFIX}{slug}.json", "application/json", content)
    return 1 if breached else 0


async def _report(options: argparse.Namespace, path: str) -> int:
    if options.env is not None:
        subject(options.env, path)
    async with _store_shelf(options, path) as shelf:
        runs = await report.run_reports(shelf, options.env)
        tables = await report.gates_reports(shelf, options.env)
    if options.json:
        whole = {"runs": runs, "gates": tables}
        sys.stdout.buffer.write(orjson.dumps(whole, option=orjson.OPT_INDENT_2) + b"\n")
        return 0
    for own in runs:
        print(_run_text(own))
    for gated in tables:
        print(table.as_text(gated.environment, gated.lines, smoke=gated.smoke))
    if not runs and not tables:
        print("There are no results in this store yet; make some with: python -m evals run --help")
    return 0


async def _nl2sql(options: argparse.Namespace, path: str) -> int:
    if options.own:
        print(nl2sql.own_text(failures=options.failures))
        return 0
    if options.questions is None or options.db_dir is None:
        raise Unknown("nl2sql needs --questions and --db-dir, or --own")
    judged = nl2sql.score(options.questions, options.db_dir)
    if options.json:
        sys.stdout.buffer.write(orjson.dumps(nl2sql.as_json(judged), option=orjson.OPT_INDENT_2) + b"\n")
    else:
        print(nl2sql.as_text(judged, failures=options.failures))
    return 0


async def _fleet_train(options: argparse.Namespace, path: str) -> int:
    of, course = subject("fleet", path), Course(options.episodes, options.seed, options.cases)
    with Bar() as bar:
        trained = run_course(of, course, bar)
    written = shipping.write(trained, options.out)
    if options.ship:
        written.append(shipping.ship(trained))
    print(shipping.as_text(trained))
    print("\n".join(map(str, written)))
    return 0


def _run_text(run: report.RunReport) -> str:
    if run.skill is None:
        skill = f"no skill: {run.skill_missing}"
    else:
        low, high = ("?" if end is None else f"{end:+.3f}" for end in (run.skill.low, run.skill.high))
        skill = f"skill {run.skill.estimate:+.3f} [{low}, {high}]"
    failed = f", {run.failed} failed" if run.failed else ""
    head = f"{run.environment} {run.track} {run.split} {run.level}  {run.agent}: {skill}"
    return (
        f"{head}, score {run.score.estimate:.3f}, {run.steps:.1f} steps, "
        f"{run.seeds} cases × {run.trials}{failed}\n  {run.files[0]}"
    )


def _levels(of: Subject, level: str | None) -> tuple[str, ...]:
    if level is None:
        return of.env.levels
    if level not in of.env.levels:
        known = ", ".join(of.env.levels)
        raise Unknown(f"there is no level {level!r} of {of.env.slug}; use one of: {known}")
    return (level,)


@asynccontextmanager
async def _store_shelf(options: argparse.Namespace, path: str) -> AsyncIterator[Shelf]:
    store = Store(open_engine(options.store or database_url(os.environ)[0]))
    catalog: dict[str, Entry] = {slug: of.entry for slug, of in load(path).items()}
    service = Service(store, catalog)
    try:
        yield StoreShelf(service)
    finally:
        service.close()
        store.close()


def _parser(path: str) -> argparse.ArgumentParser:
    shape = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        "python -m evals",
        description="Measure agents on the environments.",
        epilog=EPILOG,
        formatter_class=shape,
    )
    store = argparse.ArgumentParser(add_help=False)
    store.add_argument("--store", help="database URL, e.g. sqlite:///data/auditorium.db")
    work = argparse.ArgumentParser(add_help=False)
    where = work.add_mutually_exclusive_group()
    where.add_argument(
        "--workers", type=_positive, metavar="W", help="processes (default: one for each core)"
    )
    where.add_argument("--scheduler", metavar="tcp://…", help="play on the Dask cluster at this address")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    known = ", ".join(load(path)) or "(none yet)"

    run = commands.add_parser(
        "run",
        help="play an agent on many cases",
        description=_RUN,
        parents=[store, work],
        formatter_class=shape,
    )
    run.add_argument("--env", required=True, help=f"environment: {known}")
    run.add_argument("--agent", required=True, help="a baseline; a wrong name is answered with all names")
    run.add_argument("--split", choices=SPLITS, default=SPLITS[0], help="default: %(default)s")
    run.add_argument("--level", help="default: every level")
    run.add_argument("--seeds", type=_positive, default=100, metavar="N", help="cases (default: %(default)s)")
    run.add_argument(
        "--trials", type=_positive, default=1, metavar="K", help="plays of each case (default: %(default)s)"
    )
    run.add_argument("--first", type=_count, default=0, metavar="I", help="first case (default: %(default)s)")
    run.add_argument(
        "--no-episodes", dest="episodes", action="store_false", help="keep rows only, no playable instances"
    )
    run.set_defaults(command=_run)

    gates = commands.add_parser(
        "gates", help="check an environment", description=_GATES, parents=[store, work], formatter_class=shape
    )
    gates.add_argument("--env", help=f"default: all of {known}")
    gates.add_argument("--smoke", action="store_true", help="few cases, for tests")
    gates.add_argument("--keep", action="store_true", help="keep the table in the store, for the pages")
    gates.add_argument(
        "--second-python", metavar="COMMAND", help="a Python of another version for determinism"
    )
    gates.set_defaults(command=_gates)

    train = commands.add_parser(
        "fleet-train", help="train a policy of the fleet", description=_TRAIN, formatter_class=shape
    )
    train.add_argument("--simulate", action="store_true", help="play in this process, as it always does")
    train.add_argument("--episodes", type=_positive, default=4_800, metavar="N", help="default: %(default)s")
    train.add_argument("--seed", type=_count, default=0, metavar="S", help="default: %(default)s")
    train.add_argument(
        "--cases",
        type=_positive,
        default=60,
        metavar="C",
        help="held-out cases of a level (default: %(default)s)",
    )
    train.add_argument("--out", type=Path, default=shipping.PLOTS, help="folder (default: assets/plots)")
    train.add_argument("--ship", action="store_true", help="make it the baseline `trained`")
    train.set_defaults(command=_fleet_train)

    asked = commands.add_parser(
        "nl2sql",
        help="score the analyst's planner on questions with SQL",
        description=nl2sql.ABOUT,
        formatter_class=shape,
    )
    nl2sql.add_options(asked)
    asked.set_defaults(command=_nl2sql)

    show = commands.add_parser("report", help="show kept results", parents=[store])
    show.add_argument("--env", help=f"default: all of {known}")
    show.add_argument("--json", action="store_true", help="as JSON")
    show.set_defaults(command=_report)
    return parser


def _positive(text: str) -> int:
    number = _count(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is too small; use 1 or more")
    return number


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} is below 0; use 0 or more")
    return number


if __name__ == "__main__":
    sys.exit(main())
