"""The official clients, unchanged, on a running server: OpenEnv 0.10 and 0.3, its validator, MCP's SDK."""

from __future__ import annotations

import asyncio
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from openenv.core.env_server.mcp_types import CallToolAction
from openenv.core.generic_client import GenericEnvClient
from openenv.core.mcp_client import MCPToolClient

from tests.api.calls import OUTSIDE, RIGHT, SLUG, TASK, WRONG
from tests.api.openenv.sockets import MCP, OPENENV
from tests.conftest import Server, StartServer

IMPUTE = {name: value for name, value in RIGHT.items() if name != "operation"}
INDEX_IS_AWAY = ("dns error", "failed to fetch", "could not connect", "network", "connection refused")


def finite(reward: float | None) -> bool:
    return reward is not None and math.isfinite(reward)


def test_openenvs_client_plays_an_episode_in_step(server: Server):
    with GenericEnvClient(base_url=server.url + OPENENV).sync() as env:
        first = env.reset(seed=1, episode_id="mine", **TASK)
        assert (first.done, first.observation["task_id"]) == (False, TASK["task_id"])
        assert first.observation["text"]
        missed = env.step(OUTSIDE)
        assert finite(missed.reward)
        last = env.step(RIGHT)
        assert (last.reward, last.done, (last.metadata or {})["status"]) == (1.0, True, "terminated")
        state = env.state()
        assert (state["episode_id"], state["step_count"]) == ("mine", 1)
        with pytest.raises(RuntimeError, match=r"call reset.*EXECUTION_ERROR"):
            env.step(RIGHT)
        with pytest.raises(RuntimeError, match="VALIDATION_ERROR"):
            env.step({"operation": "invent"})
        assert env.reset(**TASK).done is False


async def test_openenvs_client_plays_an_episode_asynchronously_and_two_stay_apart(server: Server):
    async with (
        GenericEnvClient(base_url=server.url + OPENENV) as first,
        GenericEnvClient(base_url=server.url + OPENENV) as second,
    ):
        await first.reset(task_id="hard_energy_forecast_001")
        await second.reset(**TASK)
        for env in (first, second, first, first):
            assert finite((await env.step(WRONG)).reward)
        states = await asyncio.gather(first.state(), second.state())
    assert [state["step_count"] for state in states] == [3, 1]
    assert [state["task_id"] for state in states] == ["hard_energy_forecast_001", TASK["task_id"]]


def test_openenvs_client_joins_an_instance_by_its_base_url_alone(server: Server):
    with httpx.Client(base_url=server.url) as http:
        opened = http.post("/instances", json={"environment": SLUG}).json()
        http.post(f"{opened['base_url']}/reset", json=TASK)
        with GenericEnvClient(base_url=opened["openenv_url"]).sync() as env:
            assert env.state()["task_id"] == TASK["task_id"]
            assert (env.step(RIGHT).metadata or {})["session_id"] == opened["id"]
        surfaces = http.get(f"/instances/{opened['id']}/transcript").json()["entries"]
    assert [entry["surface"] for entry in surfaces] == ["http", "ws"]


def test_g08_openenvs_client_is_refused_at_the_start_with_the_right_names(server: Server):
    wrong = f"{server.url}/openenv/ledgershieldd"
    known = pytest.raises(RuntimeError, match=f"ledgershieldd.*{SLUG}")
    with GenericEnvClient(base_url=wrong).sync() as env, known:
        env.reset()


async def test_g04_a_client_without_pings_steps_after_a_pause(server: Server):
    async with GenericEnvClient(base_url=server.url + OPENENV, websocket_ping_interval_s=None) as env:
        await env.reset(**TASK)
        await asyncio.sleep(1.0)
        assert (await env.step(RIGHT)).done is True


async def test_openenvs_tool_client_lists_and_calls(server: Server):
    env = MCPToolClient(base_url=server.url + OPENENV)
    async with env:
        tools = await env.list_tools()
        assert {"impute", "accept"} <= {tool.name for tool in tools}
        assert all(tool.description and tool.input_schema["properties"] for tool in tools)
        opened = await env.reset(**TASK)
        assert opened.observation.task_id == TASK["task_id"]
        told = await env.call_tool("impute", **IMPUTE)
        assert (told["reward"], told["done"]) == (1.0, True)
        assert (await env.state()).step_count == 1
        with pytest.raises(RuntimeError, match="call reset"):
            await env.call_tool("accept")
        await env.reset(**TASK)
        stepped = await env.step(CallToolAction(tool_name="accept", arguments={}))
        assert (stepped.observation.tool_name, finite(stepped.reward)) == ("accept", True)


@pytest.mark.slow
def test_openenvs_validator_passes_under_the_prefix_and_at_the_root(start_server: StartServer):
    rooted = start_server(AUDITORIUM_ROOT_ENV=SLUG, AUDITORIUM_ROOT_PROTOCOL="openenv")
    for url in (rooted.url + OPENENV, rooted.url):
        command = [str(Path(sys.executable).with_name("openenv")), "validate", "--url", url, "--json"]
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr
        report = json.loads(done.stdout)
        assert (report["passed"], report["mode"]) == (True, "simulation")
        assert report["summary"]["failed_criteria"] == []


async def test_mcps_own_client_plays_an_episode(server: Server):
    address = f"{server.url}{MCP}?task_id={TASK['task_id']}"
    async with (
        streamable_http_client(address) as (read, write, session_id),
        ClientSession(read, write) as session,
    ):
        greeting = await session.initialize()
        assert "Weekday ramp is stable" in (greeting.instructions or "")
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert "reset" not in tools
        assert tools["impute"].inputSchema["required"] == ["target_index", "predicted_value"]
        assert (await session.call_tool("impute", {})).isError
        right = await session.call_tool("impute", IMPUTE)
        assert not right.isError
        assert right.structuredContent is not None
        assert (right.structuredContent["reward"], right.structuredContent["done"]) == (1.0, True)
        await session.send_ping()
        ref = session_id()
    async with httpx.AsyncClient(base_url=server.url) as http:
        entries = (await http.get(f"/instances/{ref}/transcript")).json()["entries"]
    assert [entry["surface"] for entry in entries] == ["mcp", "mcp"]


OLD_CLIENT = """
import asyncio, json, sys
from openenv.core.generic_client import GenericEnvClient
from openenv.core.mcp_client import MCPToolClient

async def main(url, task, right, impute):
    async with GenericEnvClient(base_url=url) as env:
        opened = await env.reset(**task)
        stepped = await env.step(right)
        state = await env.state()
    async with MCPToolClient(base_url=url) as env:
        await env.reset(**task)
        tools = [tool.name for tool in await env.list_tools()]
        called = await env.call_tool("impute", **impute)
    return [opened.observation["task_id"], stepped.reward, state["step_count"], tools, called["done"]]

print(json.dumps(asyncio.run(main(sys.argv[1], *map(json.loads, sys.argv[2:])))))
"""


@pytest.mark.slow
def test_the_client_of_openenv_0_3_installed_apart_plays_and_calls_tools(server: Server, tmp_path: Path):
    apart = tmp_path / "openenv-0.3"
    install = [sys.executable, "-m", "uv", "pip", "install", "--python", sys.executable]
    done = subprocess.run(
        [*install, "--target", str(apart), "openenv-core>=0.3,<0.4"],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    if done.returncode and any(sign in done.stderr.lower() for sign in INDEX_IS_AWAY):
        pytest.skip(f"the package index cannot be reached: {done.stderr[-300:]}")
    assert done.returncode == 0, done.stderr
    script = apart / "play.py"
    script.write_text(OLD_CLIENT)
    arguments = [json.dumps(part) for part in (TASK, RIGHT, IMPUTE)]
    # Isolated, it sees only the packages beside the script.
    code = f"import sys, runpy; sys.path.insert(0, {str(apart)!r}); runpy.run_path({str(script)!r})"
    played = subprocess.run(
        [sys.executable, "-S", "-c", code, server.url + OPENENV, *arguments],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert played.returncode == 0, played.stderr
    task, reward, steps, tools, ended = json.loads(played.stdout)
    assert (task, reward, steps, ended) == (TASK["task_id"], 1.0, 1, True)
    assert "impute" in tools


def test_a_clean_disconnect_logs_nothing(server: Server):
    logged = len(server.log.read_text())
    with GenericEnvClient(base_url=server.url + OPENENV).sync() as env:
        env.reset(**TASK)
    assert server.log.read_text()[logged:] == ""


@pytest.mark.load
@pytest.mark.slow
async def test_64_sessions_with_pauses_and_bursts_run_without_error(server: Server):
    logged = len(server.log.read_text())
    start = asyncio.Barrier(64)

    async def play(number: int) -> list[dict[str, Any]]:
        async with GenericEnvClient(base_url=server.url + OPENENV) as env:
            states: list[dict[str, Any]] = []
            for burst in range(3):
                await start.wait()
                await env.reset(task_id="hard_energy_forecast_001", episode_id=f"{number}/{burst}")
                for _ in range(2):
                    assert finite((await env.step(WRONG)).reward)
                states.append(await env.state())
                await asyncio.sleep(1.0 + number % 3)
            return states

    everyone = await asyncio.gather(*(play(number) for number in range(64)))
    for number, states in enumerate(everyone):
        assert [state["episode_id"] for state in states] == [f"{number}/{burst}" for burst in range(3)]
        assert {state["step_count"] for state in states} == {2}
    assert server.log.read_text()[logged:] == ""
