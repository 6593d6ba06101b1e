"""Projects of a server: `python -m bench.projects`.

kills     one project, twice: undisturbed, and with the server and its engines killed at random
large     a project of many positions: the time of each view, memory, size
hard      problems of a file in EPD: the move of a tree, and of a search with as many nodes
openings  positions of a file in EPD: how often the best moves inside a tree are confirmed

All trees are grown by one worker of the default engine, but that of `large`, by a stand-in.
"""

import argparse
import asyncio
import random
import sys
import tempfile
from pathlib import Path

from bench.projects import comparison, kills, large


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.projects",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", choices=["kills", "large", "hard", "openings"])
    parser.add_argument("file", nargs="?", type=Path, help="of hard and openings")
    parser.add_argument("--positions", type=int, help="(2,000 of kills, 1,000,000 of large)")
    parser.add_argument(
        "--nodes", type=int, default=4_000_000, help="of all searches of a tree of hard (4,000,000)"
    )
    parser.add_argument(
        "--leaf", type=int, help="nodes (1,000 of kills; 10,000; 50,000 of openings)"
    )
    parser.add_argument(
        "--folder", type=Path, help="of the database of large, which is kept: a run goes on with it"
    )
    parser.add_argument("--count", type=int, default=20, help="positions of openings (20)")
    parser.add_argument("--searches", type=int, default=150, help="of a tree of openings (150)")
    parser.add_argument("--judged", type=int, default=25, help="positions of each opening (25)")
    parser.add_argument("--server-kills", type=int, default=10, help="(10)")
    parser.add_argument("--engine-kills", type=int, default=10, help="(10)")
    parser.add_argument("--seed", type=int, default=1, help="of what is by chance (1)")
    options = parser.parse_args()
    if options.what in ("hard", "openings") and options.file is None:
        parser.error(f"{options.what} needs a file in EPD")
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(asyncio.run(_run(Path(folder), options)))


async def _run(folder: Path, options: argparse.Namespace) -> int:
    if options.what == "kills":
        same = await kills.compare(
            folder,
            options.positions or 2000,
            options.leaf or 1000,
            options.server_kills,
            options.engine_kills,
            options.seed,
        )
        return 0 if same else 1
    if options.what == "large":
        await large.measure(options.folder or folder, options.positions or 1_000_000)
        return 0
    problems = comparison.read_problems(options.file)
    if options.what == "hard":
        await comparison.compare_hard(folder, problems, options.nodes, options.leaf or 10_000)
        return 0
    chosen = random.Random(options.seed).sample([each.board for each in problems], options.count)
    await comparison.compare_openings(
        folder, chosen, options.searches, options.leaf or 50_000, options.judged
    )
    return 0


if __name__ == "__main__":
    main()
