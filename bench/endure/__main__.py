"""Endurance of a server: `python -m bench.endure [SCENARIO ...]`, or `--soak SECONDS`."""

import argparse
import asyncio
import json
import sys
import time
from datetime import date
from pathlib import Path

from bench.__main__ import machine
from bench.child import OUT, interrupt_on_term
from bench.endure.abuse import abuse
from bench.endure.disconnect import disconnect
from bench.endure.flood import flood
from bench.endure.hostile import hostile
from bench.endure.idle import crowds, idle
from bench.endure.kill import kill
from bench.endure.lockout import lockout
from bench.endure.scenario import Row, Trouble, play, table
from bench.endure.server import TRANSPORTS
from bench.endure.signals import hang_up, murder, terminate
from bench.endure.slow import slow
from bench.endure.soak import soak
from bench.endure.torrent import torrent

SCENARIOS: dict[str, Trouble] = {
    "hostile": hostile,
    "abuse": abuse,
    "torrent": torrent,
    "disconnect": disconnect,
    "kill": kill,
    "slow": slow,
    "idle": idle,
    "crowds": crowds,
    "flood": flood,
    "lockout": lockout,
    "SIGHUP": hang_up,
    "SIGTERM": terminate,
    "SIGKILL": murder,
}


def main() -> int:
    """Run what the command line asks for; 1 if something is wrong, 2 if it was interrupted."""
    arguments = _arguments()
    interrupt_on_term()
    OUT.mkdir(exist_ok=True)
    load = Path("/proc/loadavg").read_text().split()[0]
    print(f"{date.today()}, {machine()}, load {load} before", flush=True)
    try:
        return int(not asyncio.run(_soak(arguments) if arguments.soak else _play(arguments)))
    except KeyboardInterrupt:
        print("endure: interrupted; nothing is left running", file=sys.stderr)
        return 2


async def _soak(arguments: argparse.Namespace) -> bool:
    return await soak(
        arguments.soak, arguments.sessions, json_file=arguments.json, svg=arguments.svg
    )


async def _play(arguments: argparse.Namespace) -> bool:
    rows: list[Row] = []
    began = time.monotonic()
    for name in arguments.scenario or SCENARIOS:
        for transport in arguments.transport or TRANSPORTS:
            row = await play(name, SCENARIOS[name], transport, arguments.scale)
            rows.append(row)
            said = "; ".join(row.wrong) or "as it was"
            print(f"{name} over {transport}, {row.seconds:.0f} s: {said}", flush=True)
    print(f"\n{table(rows)}\n\n{time.monotonic() - began:.0f} s in all")
    arguments.json.write_text(json.dumps([row.as_json() for row in rows], indent=1) + "\n")
    return not any(row.wrong for row in rows)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.endure", description=__doc__)
    parser.add_argument("scenario", nargs="*", help=f"of {', '.join(SCENARIOS)}; all of them")
    parser.add_argument("--transport", action="append", choices=TRANSPORTS, help="(both)")
    parser.add_argument("--scale", type=float, default=1.0, help="how much of each (1)")
    parser.add_argument("--soak", type=float, metavar="SECONDS", help="search, cut and come back")
    parser.add_argument("--sessions", type=int, default=50, help="of the soak, at once (50)")
    parser.add_argument("--json", type=Path, default=OUT / "endure.json", metavar="FILE")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="a picture of the soak")
    arguments = parser.parse_args()
    if unknown := set(arguments.scenario) - set(SCENARIOS):
        parser.error(f"there is no scenario {', '.join(unknown)}")
    return arguments


if __name__ == "__main__":
    sys.exit(main())
