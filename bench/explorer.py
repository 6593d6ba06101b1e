"""Explorer of a server with many games: `python -m bench.explorer [GAMES [POSITIONS]]`.

The games are made up.  The explorer's file is made from them, and a server is asked about
positions: the most frequent ones, and others by chance from the moves that are found by position.
Half an hour for a million games on two cores; `--folder` keeps the files for the next run.
"""

import argparse
import asyncio
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import median

import aiohttp

from bench.child import find
from bench.made_games import PART, made_game, pgn_parts
from bench.served import serving

GAMES = 1_000_000
POSITIONS = 400
FREQUENT = 20
SAMPLE = 2_000  # games from which the positions are
PLIES = 40  # half-moves that are found by position, as `games build` has it
PROGRESS = 50 * PART  # games


def main() -> None:
    """Make the files, or take those that are there; ask, and print what it took."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.explorer",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("games", nargs="?", type=int, default=GAMES, help="(1,000,000)")
    parser.add_argument("positions", nargs="?", type=int, default=POSITIONS, help="(400)")
    parser.add_argument("--folder", type=Path, help="of the files, which are kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as other:
        folder = options.folder or Path(other)
        folder.mkdir(parents=True, exist_ok=True)
        file = _made(folder, options.games).resolve()
        print(f"{file.stat().st_size / 1e6:.0f} MB on disk")
        asyncio.run(_ask(folder, file, options.games, options.positions))


def _made(folder: Path, games: int) -> Path:
    source, target = folder / f"{games}.pgn", folder / f"{games}.explorer"
    if target.exists():
        return target
    began = time.monotonic()
    with source.open("w", encoding="utf-8") as file:
        for number, part in enumerate(pgn_parts(games), 1):
            file.write(part)
            if number * PART % PROGRESS == 0:
                print(f"{number * PART} games made, {time.monotonic() - began:.0f} s", flush=True)
    command = [find("rookery-server"), "games", "build", str(source), "-o", str(target)]
    if subprocess.run(command, check=False).returncode:
        sys.exit("bench: the explorer's file was not made")
    source.unlink()
    return target


async def _ask(folder: Path, file: Path, games: int, positions: int) -> None:
    paths = [made_game(number).moves[:PLIES] for number in range(min(SAMPLE, games))]
    starts = Counter(path[:plies] for path in paths for plies in range(len(path)))
    chance = random.Random(1)
    others = [path[: chance.randrange(len(path))] for path in chance.choices(paths, k=positions)]
    print("| positions | first, ms | median, ms | slowest, ms |\n|---|---|---|---|")
    settings = f'[explorer]\nfile = "{file}"\n'
    async with (
        serving(folder, "explorer", settings=settings) as server,
        aiohttp.ClientSession(server.url) as session,
    ):
        frequent = [path for path, _ in starts.most_common(FREQUENT)]
        for name, asked in (("by chance", others), ("the most frequent", frequent)):
            times = [await _time(session, path) for path in asked]
            print(
                f"| {len(asked)} {name} | {times[0]:.1f} | {median(times):.1f} | {max(times):.1f} |"
            )


async def _time(session: aiohttp.ClientSession, path: tuple[str, ...]) -> float:
    began = time.perf_counter()
    async with session.get("/v1/explorer", params={"moves": " ".join(path)}) as response:
        answer = await response.json()
    taken = 1000 * (time.perf_counter() - began)
    assert response.status == 200, answer
    assert answer["moves"], f"no move after {path}"
    return taken


if __name__ == "__main__":
    main()
