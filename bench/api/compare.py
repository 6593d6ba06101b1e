"""The comparison: our server, a wrapper of FastAPI, and python-chess over the bridge, in turn."""

import json
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import asdict

from bench.api.clients import Figures, Load
from bench.child import OUT, MissingError, find, free_port, running, wait_for_port
from bench.table import Quantity, Row, table

NODES = 100
SECONDS = 4.0
CLIENTS = (1, 16)
OURS, WRAPPER, BRIDGE = "ours", "FastAPI", "python-chess over the bridge"
RATE_GOAL, FIRST_BYTE_GOAL = 3.0, 1.0  # ratios to FastAPI


def compare(rotations: int, *, engine: str, only: str = "") -> dict[str, list[Row]]:
    """Measure all lanes in each rotation; return a table for each baseline."""
    figures: dict[tuple[str, int], list[Figures]] = {}
    with ExitStack() as stack:
        loads = _lanes(find(engine), stack)
        for rotation in range(rotations):
            print(f"rotation {rotation + 1} of {rotations}", file=sys.stderr, flush=True)
            for clients in CLIENTS:
                if only not in f"{clients} clients":
                    continue
                # Each is the first as often as the others.
                turn = rotation % len(loads)
                for name in [*loads][turn:] + [*loads][:turn]:
                    found = _measure(loads[name], clients)
                    figures.setdefault((name, clients), []).append(found)
    return {name: _rows(name, figures) for name in (WRAPPER, BRIDGE)}


def print_tables(tables: dict[str, list[Row]]) -> None:
    """Print the tables."""
    for baseline, rows in tables.items():
        print(f"\n{table(rows, baseline=baseline)}\n", flush=True)


def _lanes(engine: str, stack: ExitStack) -> dict[str, Load]:
    """Start all servers; return what is asked of each."""
    try:
        import fastapi  # noqa: F401
    except ImportError:
        raise MissingError("FastAPI is missing: `pip install --group bench`") from None
    OUT.mkdir(exist_ok=True)
    ours, wrapper = free_port(), free_port()
    config = OUT / "api.toml"
    config.write_text(
        f"[server]\nport = {ours}\ntcp_port = false\n[engines.engine]\n"
        f"command = {json.dumps([engine])}\n[cache]\nenabled = false\n"
    )
    server = [sys.executable, "-m", "rookery_server", "serve", "--config", str(config)]
    wrapping = [sys.executable, "-m", "bench.api.wrapper", engine, str(wrapper)]
    pids = {}
    for command, port in ((server, ours), (wrapping, wrapper)):
        child = stack.enter_context(running(command))
        wait_for_port(port, child)
        pids[port] = child.pid
    return {
        OURS: Load(0, SECONDS, NODES, ours, "/v1/analyse", server=pids[ours]),
        WRAPPER: Load(0, SECONDS, NODES, wrapper, "/analyse", server=pids[wrapper]),
        BRIDGE: Load(
            0, SECONDS, NODES,
            server=pids[ours],
            command=f"{find('rookery-bridge')} ws://127.0.0.1:{ours}/engines/engine",
        ),
    }  # fmt: skip


def _measure(load: Load, clients: int) -> Figures:
    asked = json.dumps(asdict(load) | {"clients": clients})
    command = [sys.executable, "-m", "bench.api.clients", asked]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=20 * load.seconds
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    return Figures(**json.loads(done.stdout))


def _rows(baseline: str, figures: dict[tuple[str, int], list[Figures]]) -> list[Row]:
    rows = []
    has_goal = baseline == WRAPPER
    for clients in sorted({each for _, each in figures}):
        name = f"{clients} client{'s' if clients > 1 else ''}"
        theirs, ours = figures[baseline, clients], figures[OURS, clients]
        rate = Quantity(
            f"{name}: requests a second", "1/s", "higher", RATE_GOAL if has_goal else None
        )
        first = Quantity(
            f"{name}: first byte", "ms", "lower", FIRST_BYTE_GOAL if has_goal else None
        )
        last = Quantity(f"{name}: first byte, p99", "ms", "lower")
        cpu = Quantity(f"{name}: CPU time of the server", "us", "lower")
        rows += [
            Row(rate, [each.rate for each in theirs], [each.rate for each in ours]),
            Row(first, [each.median_ms for each in theirs], [each.median_ms for each in ours]),
            Row(last, [each.p99_ms for each in theirs], [each.p99_ms for each in ours]),
            Row(cpu, [each.cpu_us for each in theirs], [each.cpu_us for each in ours]),
        ]
    return rows
