"""A project of many positions: the time and size of each view, and the memory of its server.

A stand-in for engines grows it in the database, by the same transactions as a server does: each
move has a value by chance, which depends on the position alone.
"""

import random
import statistics
import time
from hashlib import blake2b
from pathlib import Path

import aiohttp
import chess

from bench.projects.api import Document
from bench.served import Server, serving
from rookery_server.access.account import LOCAL
from rookery_server.config.resources import Quota
from rookery_server.growth.finding import Finding, Leaf, Line
from rookery_server.projects.project_store import ProjectStore
from rookery_server.projects.stored_project import (
    NewProject,
    ProjectBudget,
    ProjectEngine,
    ProjectRoot,
    ProjectSettings,
)
from rookery_server.projects.tree_growth import FinishedSearch

MUCH = Quota(projects=10_000, project_nodes=100_000_000)
SETTINGS = ProjectSettings((ProjectEngine("rookery"),), nodes=1000)
SEARCHES = 64  # at once
PROGRESS = 50_000  # positions
SPREAD = 121  # centipawns between the best and the worst move
WALKS = 200  # positions that are looked at


async def measure(folder: Path, positions: int) -> None:
    """Grow the project, or go on with the one that the folder has; print a table of its views."""
    file = folder / "large.sqlite"
    project = _grow(f"sqlite:///{file}", positions)
    print(f"{file.stat().st_size / 1e6:.0f} MB, {file.stat().st_size / positions:.0f} B a position")
    async with serving(folder, "large", 1) as server:
        print(f"memory of the server: {_memory(server)} MB before its views", flush=True)
        endless = aiohttp.ClientTimeout()  # An export of the whole tree takes minutes.
        async with aiohttp.ClientSession(timeout=endless) as session:
            await _Views(server, session, project).measure()
        print(f"memory of the server: {_memory(server)} MB after them")


def _grow(url: str, positions: int) -> str:
    """Grow a project, or go on with it; return its id."""
    store = ProjectStore(url)
    server = store.register_server()
    root = ProjectRoot(chess.STARTING_FEN, ())
    new = NewProject(LOCAL, "large", root, SETTINGS, ProjectBudget(positions=positions))
    first = next(iter(store.projects_of(LOCAL.name)), None) or store.create(new, MUCH)
    project, shown = first, first.positions
    began, cpu = time.monotonic(), time.process_time()
    done: list[FinishedSearch] = []
    while grown := store.advance(project.number, server, done, SEARCHES, MUCH):
        project = grown.project
        done = [FinishedSearch(each.number, _found_in(each.leaf), 1) for each in grown.claims]
        if project.positions - shown >= PROGRESS:
            shown = project.positions
            spent = 1000 * (time.process_time() - cpu)
            print(
                f"{shown} positions after {time.monotonic() - began:.0f} s,"
                f" {spent / (project.leaves - first.leaves):.2f} ms of CPU a search",
                flush=True,
            )
        if not done:
            break
    store.close()
    return project.id


def _found_in(leaf: Leaf) -> Finding:
    board = chess.Board(f"{leaf.key} 0 1")
    moves = leaf.moves or tuple(board.uci(each) for each in board.legal_moves)
    lines = [Line(move, _value(leaf.key, move)) for move in moves]
    best = sorted(lines, key=lambda each: (-each.value, each.move))[: leaf.lines]
    return Finding(tuple(best), depth=10, nodes=leaf.nodes, engine=0)


def _value(key: str, move: str) -> int:
    digest = blake2b(f"{key} {move}".encode(), digest_size=2).digest()
    return int.from_bytes(digest) % SPREAD - SPREAD // 2


Asked = tuple[str, dict[str, str | int]]  # a path, and its query


class _Views:
    """The views of a project, as a server shows them."""

    def __init__(self, server: Server, session: aiohttp.ClientSession, project: str) -> None:
        self._url = server.url
        self._session = session
        self._path = f"/v1/projects/{project}"

    async def measure(self) -> None:
        """Print how long each takes."""
        print("| view | times | first, ms | median, ms | slowest, ms | bytes |")
        print("|---|---|---|---|---|---|")
        root = await self._position([])
        book = {"board": chess.STARTING_FEN}
        views: dict[str, list[Asked]] = {
            "positions by chance": await self._walks(),
            "the root": [self._of("position")] * 20,
            "list of projects": [("/v1/projects", {})] * 20,
            "map of 100": [self._of("map", nodes=100)] * 10,
            "map of 300": [self._of("map", nodes=300)] * 10,
            "map of 1,000": [self._of("map", nodes=1000)] * 10,
            "changes, all": [self._of("changes", after=0)] * 10,
            "changes, last tenth": [self._of("changes", after=root["size"] * 9 // 10)] * 10,
            "queryall": [self._of("query", action="queryall", **book)] * 20,
            "querypv": [self._of("query", action="querypv", **book)] * 20,
            "PGN of 2,000": [self._of("export", format="pgn", nodes=2000)] * 3,
            "Polyglot": [self._of("export", format="polyglot")],
            "NDJSON": [self._of("export", format="ndjson")],
        }
        for name, asked in views.items():
            await self._show(name, asked)

    async def _walks(self) -> list[Asked]:
        """Return ways into the tree: at each position one of its moves, by chance."""
        chooser = random.Random(1)
        found: list[Asked] = []
        while len(found) < WALKS:
            moves: list[str] = []
            for _ in range(chooser.randrange(1, 30)):
                document = await self._position(moves)
                inner = [each["move"] for each in document["moves"] if each.get("size")]
                if not inner:
                    break
                moves = [*moves, chooser.choice(inner)]
            found.append(self._of("position", moves=" ".join(moves)))
        return found

    async def _position(self, moves: list[str]) -> Document:
        path, query = self._of("position", moves=" ".join(moves))
        async with self._session.get(self._url + path, params=query) as response:
            return dict(await response.json())

    def _of(self, view: str, **query: str | int) -> Asked:
        return f"{self._path}/{view}", query

    async def _show(self, name: str, asked: list[Asked]) -> None:
        """Print how long the answers take."""
        found: list[float] = []
        size = 0
        for path, query in asked:
            began = time.monotonic()
            async with self._session.get(self._url + path, params=query) as response:
                response.raise_for_status()
                size = len(await response.read())
            found.append(1000 * (time.monotonic() - began))
        times = (found[0], statistics.median(found), max(found))
        cells = " | ".join(f"{each:.1f}" for each in times)
        print(f"| {name} | {len(found)} | {cells} | {size} |", flush=True)


def _memory(server: Server) -> int:
    """Return the resident memory of a server, without its engines, in MB."""
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
    line = next(each for each in status.splitlines() if each.startswith("VmRSS"))
    return int(line.split()[1]) // 1024
