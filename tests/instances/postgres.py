"""A real PostgreSQL server for the tests, started and thrown away by them."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
from psycopg.sql import SQL, Identifier
from sqlalchemy import make_url

DEBIAN = Path("/usr/lib/postgresql")
# Nothing here has to outlive the machine, and each test wants its own database at once.
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "max_connections": "200",
    "shared_buffers": "64MB",
    "log_min_messages": "fatal",
}


def programs() -> Path | None:
    """Where PostgreSQL's own programs are, None where it is not installed."""
    versions = sorted(DEBIAN.glob("*/bin/initdb"), key=lambda found: int(found.parts[-3]))
    if versions:
        return versions[-1].parent
    found = shutil.which("initdb")
    return Path(found).resolve().parent if found else None


@dataclass
class Postgres:
    """A server on a socket in a folder of its own, which only this machine's processes can reach.

    Attributes:
        folder: Holds the socket and the cluster.
    """

    bin: Path
    folder: Path
    _names: count[int] = field(default_factory=count)
    _free: list[str] = field(default_factory=list)

    @classmethod
    def make(cls, bin_dir: Path) -> Postgres:
        """A new cluster, started."""
        made = cls(bin_dir, Path(tempfile.mkdtemp(prefix="pg-")))
        # PostgreSQL refuses to run as root.
        if os.geteuid() == 0:
            shutil.chown(made.folder, "postgres", "postgres")
        options = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        made._run("initdb", "-D", str(made._cluster), *options)
        made.start()
        return made

    def start(self) -> None:
        """Starts the server, if need be after a crash, and waits until it answers."""
        settings = {"unix_socket_directories": str(self.folder), **SETTINGS}
        options = " ".join(f"-c {name}='{value}'" for name, value in settings.items())
        log = str(self.folder / "server.log")
        self._run("pg_ctl", "-D", str(self._cluster), "-l", log, "-o", options, "start")

    def stop(self) -> None:
        """Stops the server in good order; every client is thrown out."""
        self._run("pg_ctl", "-D", str(self._cluster), "-m", "fast", "stop")

    def crash(self) -> None:
        """Ends the server at once, without a word to its clients or its files."""
        self._run("pg_ctl", "-D", str(self._cluster), "-m", "immediate", "stop")

    def remove(self) -> None:
        """Ends the server and leaves nothing behind."""
        self.crash()
        shutil.rmtree(self.folder)

    def new(self) -> str:
        """The URL of an empty database."""
        if self._free:
            name = self._free.pop()
            with self.connect(name) as connection:
                connection.execute("DROP SCHEMA public CASCADE")
                connection.execute("CREATE SCHEMA public")
        else:
            name = f"auditorium_{next(self._names)}"
            with self.connect() as connection:
                connection.execute(SQL("CREATE DATABASE {} TEMPLATE template0").format(Identifier(name)))
        return self.url(name)

    def release(self, url: str) -> None:
        """Takes back a database that nobody uses any more; making them anew takes longer than most tests."""
        name = make_url(url).database or ""
        with self.connect() as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,)
            )
        self._free.append(name)

    def url(self, name: str, folder: Path | None = None) -> str:
        """The URL of a database, by this server's socket or by one in another folder."""
        return f"postgresql+psycopg://postgres@/{name}?host={folder or self.folder}"

    def connect(self, name: str = "postgres") -> psycopg.Connection[Any]:
        """A connection for the test itself."""
        return psycopg.connect(host=str(self.folder), user="postgres", dbname=name, autocommit=True)

    @property
    def _cluster(self) -> Path:
        return self.folder / "cluster"

    def _run(self, program: str, *arguments: str) -> None:
        account: dict[str, Any] = {}
        if os.geteuid() == 0:
            postgres = pwd.getpwnam("postgres")
            account = {"user": postgres.pw_uid, "group": postgres.pw_gid, "extra_groups": []}
        output = self.folder / f"{program}.out"
        with output.open("wb") as file:
            subprocess.run(
                [self.bin / program, *arguments],
                cwd=self.folder,
                stdout=file,
                stderr=subprocess.STDOUT,
                check=True,
                timeout=60,
                **account,
            )
