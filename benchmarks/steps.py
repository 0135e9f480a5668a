"""What a step costs: in the kernel, and committed over HTTP against a bare echo."""

from __future__ import annotations

import statistics
import time

from benchmarks.load import Measured, Script, open_instances, run
from benchmarks.servers import Server, auditorium, echo
from envs.forecast_audit import ForecastAudit
from envs.forecast_audit.models import Action, Request
from envs.kernel.play import look, open_episode, play

ACTION = (
    b'{"operation":"impute","target_index":2,"predicted_value":135.0,"severity":"low",'
    b'"violated_constraints":[],"rationale":"Series follows a +5 linear trend."}'
)
# Three steps to an episode: the share of resets is taken out of the figure below.
RESET = b'{"task_id":"hard_energy_forecast_001"}'
STEPS = 3
REPEATS = 3


def kernel_step_us() -> float:
    """Median time of one step with its observation, in microseconds."""
    env = ForecastAudit()
    episode = open_episode(env, Request(task_id="hard_energy_forecast_001"), env.memory_type(), 1)
    action = Action.model_validate_json(ACTION)
    times: list[float] = []
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(200):
            look(env, play(env, episode, action))
        times.append((time.perf_counter() - start) / 200 * 1e6)
    return statistics.median(times)


def report() -> None:
    """Prints the table of steps."""
    print(f"kernel step with observation  {kernel_step_us():7.1f} µs  (aim ≤ 50)")
    with auditorium() as ours, echo() as bare:
        for clients, rounds in ((1, 400), (64, 25)):
            ratios = [_compare(ours, bare, clients, rounds) for _ in range(REPEATS)]
            ratio = sorted(ratios, key=lambda r: r[0])[REPEATS // 2]
            _, step_us, echo_us, load = ratio
            print(
                f"committed step, {clients:2d} clients    {step_us:7.1f} µs CPU  "
                f"echo {echo_us:6.1f} µs CPU  ratio {step_us / echo_us:5.2f}  (aim ≤ 3)  "
                f"p50 {load.quantile_ms(0.5):6.2f} ms  p99 {load.quantile_ms(0.99):6.2f} ms"
            )


def _compare(ours: Server, bare: Server, clients: int, rounds: int) -> tuple[float, float, float, Measured]:
    ids = open_instances(ours, clients)
    resets = [[(f"/envs/forecast-audit/instances/{i}/reset", RESET)] * (STEPS + 1) for i in ids]
    episodes = [episode_script(i) for i in ids]
    echoes: list[Script] = [[("/step", ACTION)] * (STEPS + 1)] * clients
    yardstick = run(bare, echoes, rounds)
    reset_us = run(ours, resets, rounds).cpu_us
    load = run(ours, episodes, rounds)
    step_us = (load.cpu_us * (STEPS + 1) - reset_us) / STEPS
    return step_us / yardstick.cpu_us, step_us, yardstick.cpu_us, load


def episode_script(instance_id: str) -> Script:
    """A reset and three steps, which may be repeated."""
    base = f"/envs/forecast-audit/instances/{instance_id}"
    return [(f"{base}/reset", RESET), *[(f"{base}/step", ACTION)] * STEPS]
