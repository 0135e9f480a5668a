"""What an idle instance costs: memory and threads of a server that holds ten thousand of them."""

from __future__ import annotations

import asyncio

from benchmarks.load import Client, open_instances
from benchmarks.servers import Server, auditorium

INSTANCES = 10_000
CLIENTS = 16


def report() -> None:
    """Prints what 10,000 opened and reset instances added to the server."""
    with auditorium() as server:
        _open_and_reset(server, 200)
        before, threads = server.resident_bytes(), server.threads()
        _open_and_reset(server, INSTANCES)
        each = (server.resident_bytes() - before) / INSTANCES
        print(
            f"idle instance, of {INSTANCES:,}     {each / 1024:7.2f} KB resident  (aim ≤ 5)  "
            f"threads {threads} → {server.threads()}"
        )


def _open_and_reset(server: Server, count: int) -> None:
    ids = open_instances(server, count)

    async def reset(mine: list[str]) -> None:
        client = await Client(server.port).open()
        for instance_id in mine:
            await client.post(f"/envs/forecast-audit/instances/{instance_id}/reset", b"{}")
        client.close()

    async def reset_all() -> None:
        await asyncio.gather(*(reset(ids[start::CLIENTS]) for start in range(CLIENTS)))

    asyncio.run(reset_all())
