"""`python -m ui.results`: plays the official run and puts its results where they ship with this version.

Every number comes from a command of `python -m evals` that is printed before it is carried out. What was
played is kept in a store of its own, so that a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import asyncio
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from envs.catalog import ENVIRONMENTS
from evals import artifact
from evals.gates import table
from evals.report import gates_report
from evals.runs import code_digest
from evals.subject import SPLITS, Subject
from evals.subjects import SUBJECTS
from instances.service import Service
from instances.store import Store, open_engine
from ui.results.kept import SHIPPED_FOLDER

SEEDS = 300
STORE = "sqlite:///data/results.db"
BREACHED = 1


def official(subject: Subject, seeds: int) -> list[list[str]]:
    """The words of the commands behind `python -m evals`, in order."""
    agents = dict.fromkeys((*subject.rungs, *subject.entry.policies))
    env = ["--env", subject.env.slug]
    runs = [
        ["run", *env, "--agent", agent, "--split", split, "--seeds", str(seeds), "--no-episodes"]
        for split in SPLITS
        for agent in agents
    ]
    return [*runs, ["gates", *env, "--keep"]]


def main(arguments: list[str] | None = None) -> int:
    """Carries out all commands, then writes the files; returns 1 if a gate is breached."""
    parser = argparse.ArgumentParser("python -m ui.results", description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS, help="cases of each run (default: %(default)s)")
    parser.add_argument("--store", default=STORE, help="what was played (default: %(default)s)")
    parser.add_argument("--folder", type=Path, default=SHIPPED_FOLDER, help="default: %(default)s")
    options = parser.parse_args(arguments)
    breached = 0
    for subject in SUBJECTS.values():
        for words in official(subject, options.seeds):
            command = ["python", "-m", "evals", *words, "--store", options.store]
            print(f"$ {shlex.join(command)}", flush=True)
            status = subprocess.run([sys.executable, *command[1:]], check=False).returncode
            if status not in (0, BREACHED):
                return status
            breached |= status
        asyncio.run(ship(subject, options.seeds, options.store, options.folder))
    return breached


async def ship(subject: Subject, seeds: int, url: str, folder: Path) -> None:
    """Replaces an environment's files in the folder by those of this version, code and size in the store."""
    env = subject.env
    version = f"v{env.version}-{code_digest(env)}"
    store = Store(open_engine(url))
    service = Service(store, ENVIRONMENTS)
    try:
        names = await service.artifacts(f"{artifact.PREFIX}{env.slug}/")
        wanted = [name for name in names if f"-{version}-n{seeds}-k1." in name]
        gates = f"{table.PREFIX}{env.slug}.json"
        kept = {name: await service.artifact(name) for name in (*wanted, gates)}
    finally:
        service.close()
        store.close()
    found = {name: file[1] for name, file in kept.items() if file is not None}
    if gates in found and gates_report(found[gates]).version != version:
        del found[gates]
    shutil.rmtree(folder / artifact.PREFIX / env.slug, ignore_errors=True)
    (folder / gates).unlink(missing_ok=True)
    for name, content in found.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    print(f"{len(found)} files of {env.slug} {version} are in {folder}")


if __name__ == "__main__":
    sys.exit(main())
