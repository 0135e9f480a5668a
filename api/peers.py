"""The WebSocket server underneath: when a peer last showed that it lives.

uvicorn's own protocol takes a missing pong for a death and cuts the line, which ends long quiet sessions
behind tunnels that swallow pongs. Here a missing pong decides nothing: who keeps sockets asks `silence_s`.
That a machine has vanished is found out by TCP.
"""

from __future__ import annotations

import logging
import socket
from time import monotonic
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

# Pings that nobody acknowledges for this long end the connection; the kernel counts.
LOST_AFTER_MS = 60_000


class PeerProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket protocol with a memory of the last sign of life, in the scope's state."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._heard_at = monotonic()
        self.app_state = {**self.app_state, "silence_s": self._silence_s}
        # Its notes on every opening and closing name instances, which are capabilities.
        self.logger = logging.getLogger("uvicorn.error.websocket")
        self.logger.setLevel(logging.WARNING)
        self.logger.addFilter(_is_ours)
        self.conn.logger = self.logger

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        raw: socket.socket | None = transport.get_extra_info("socket")
        if raw is not None and raw.family != socket.AF_UNIX and hasattr(socket, "TCP_USER_TIMEOUT"):
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, LOST_AFTER_MS)

    def data_received(self, data: bytes) -> None:
        self._heard_at = monotonic()
        super().data_received(data)

    def keepalive_timeout(self) -> None:
        self.pong_timer = None
        self.pending_ping_payload = None
        if not (self.close_sent or self.transport.is_closing()):
            self.schedule_ping()

    def _silence_s(self) -> float:
        return monotonic() - self._heard_at


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether a record tells of a mistake of the server's; text that is no UTF-8 is the peer's."""
    return not str(record.msg).startswith("Invalid UTF-8")
