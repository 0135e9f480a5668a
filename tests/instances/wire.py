"""A wire between a process and PostgreSQL that can be cut in the middle of a commit."""

from __future__ import annotations

import shutil
import socket
import tempfile
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

SOCKET = ".s.PGSQL.5432"
# As they stand in PostgreSQL's protocol: kind, length, content.
COMMIT = b"Q\0\0\0\x0bCOMMIT\0"
GOODBYE = b"X\0\0\0\4"


class Wire:
    """Passes everything on between its own socket and the server's, until it is told to cut.

    Attributes:
        folder: Holds its socket; connect there instead of at the server.
        cut: Set when a connection has been cut.
    """

    def __init__(self, server: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="wire-"))
        self.cut = Event()
        self._server = str(server / SOCKET)
        self._when: str | None = None
        self._down = self._stay_down = False
        self._ends: set[socket.socket] = set()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.folder / SOCKET))
        self._listener.listen()
        Thread(target=self._accept, daemon=True).start()

    def cut_next_commit(self, when: str, *, stay_down: bool = False) -> None:
        """Cuts the connection over which the next commit goes.

        Args:
            when: `before` the server has heard of it, or `after` it has carried it out.
            stay_down: Cuts all others too, and lets nobody through until `restore`.
        """
        self._when, self._stay_down = when, stay_down

    def restore(self) -> None:
        self._down = False

    def close(self) -> None:
        self._listener.close()
        shutil.rmtree(self.folder)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self._down:
                client.close()
                continue
            server = socket.socket(socket.AF_UNIX)
            server.connect(self._server)
            Thread(target=self._pass_on, args=(client, server), daemon=True).start()

    def _pass_on(self, client: socket.socket, server: socket.socket) -> None:
        self._ends |= {client, server}
        back = Thread(target=_copy, args=(server, client), daemon=True)
        back.start()
        with suppress(OSError):
            while sent := client.recv(65_536):
                if self._when is not None and COMMIT in sent:
                    self._cut(client, server, sent)
                    break
                server.sendall(sent)
        _shut(client, server)
        back.join()
        self._ends -= {client, server}
        client.close()
        server.close()

    def _cut(self, client: socket.socket, server: socket.socket, sent: bytes) -> None:
        when, self._when = self._when, None
        self._down = self._stay_down
        _shut(client)
        if when == "after":
            # The server closes when it has done all that it was sent.
            server.sendall(sent + GOODBYE)
            while server.recv(65_536):
                pass
        if self._down:
            _shut(*self._ends)
        self.cut.set()


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while received := source.recv(65_536):
            target.sendall(received)
    _shut(target)


def _shut(*ends: socket.socket) -> None:
    for end in ends:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
