"""Trees beside long searches: which move they find, and whether more search confirms it.

A tree and a long search have the same nodes.  The judge is a search with ten times as many.  In
the second part each position inside a tree is asked twice: which move the tree carries up as the
best, and which one its own search, plain MultiPV, had found; the judge of both is a search with
ten times the nodes of that search.
"""

import json
import random
from dataclasses import dataclass, fields
from pathlib import Path

import chess

from bench.projects.api import ProjectsApi
from bench.served import serving

MORE = 10  # times the nodes, of the search that judges
LEAF_HASH = {"Hash": 16}  # MB, of the searches of a tree, each of which begins with it empty
LONG_HASH = {"Hash": 256}  # MB, of a long search


@dataclass(frozen=True, slots=True)
class Problem:
    """A position whose best moves, or moves to avoid, are known; none are if both are empty."""

    name: str
    board: chess.Board
    best: frozenset[str]
    avoid: frozenset[str]

    def is_solved_by(self, move: str) -> bool:
        """Return whether a move, in UCI, is the answer."""
        return move in self.best if self.best else move not in self.avoid


def read_problems(file: Path) -> list[Problem]:
    """Read a file of EPD."""
    found: list[Problem] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        board, operations = chess.Board.from_epd(line)
        best, avoid = (_moves(operations.get(each)) for each in ("bm", "am"))
        found.append(Problem(str(operations.get("id", board.fen())), board, best, avoid))
    return found


def _moves(moves: object) -> frozenset[str]:
    return frozenset(each.uci() for each in moves) if isinstance(moves, list) else frozenset()


async def compare_hard(folder: Path, problems: list[Problem], nodes: int, leaf: int) -> None:
    """Print the moves of the tree, of a search as long, and of one ten times as long."""
    print("| position | tree | search | ten times | nodes | seconds: tree, search |")
    print("|---|---|---|---|---|---|", flush=True)
    rows: list[tuple[Problem, list[str]]] = []
    async with serving(folder, "hard", 1) as server, ProjectsApi(server.url) as api:
        for problem in problems:
            fen = problem.board.fen()
            project = await api.create(fen, leaf, {"nodes": nodes}, LEAF_HASH)
            grown = await api.until_over(project)
            position = await api.read_document(f"/v1/projects/{project}/position", fen=fen)
            spent = int(grown["nodes"])
            same = await api.analyse(fen, spent, LONG_HASH)
            longer = await api.analyse(fen, MORE * spent, LONG_HASH)
            moves = [str(position["moves"][0]["move"]), str(same["best"]), str(longer["best"])]
            rows.append((problem, moves))
            cells = [
                f"{problem.board.san(chess.Move.from_uci(each))}{'' if good else ' -'}"
                for each, good in zip(moves, map(problem.is_solved_by, moves), strict=True)
            ]
            times = f"{grown['cpu_seconds']:.1f}, {same['time'] / 1000:.1f}"
            print(f"| {problem.name} | {' | '.join(cells)} | {spent} | {times} |", flush=True)
    for number, name in enumerate(("tree", "search", "ten times")):
        solved = sum(problem.is_solved_by(moves[number]) for problem, moves in rows)
        agreed = sum(moves[number] == moves[2] for _, moves in rows)
        print(f"{name}: {solved} of {len(rows)} solved, {agreed} as ten times the nodes say")


async def compare_openings(
    folder: Path, boards: list[chess.Board], searches: int, leaf: int, judged: int
) -> None:
    """Print how often a search of ten times the nodes confirms the best moves of positions."""
    print("| position | judged | tree confirmed | plain confirmed | where they differ |")
    print("|---|---|---|---|---|", flush=True)
    tallies: list[Tally] = []
    async with serving(folder, "openings", 1) as server, ProjectsApi(server.url) as api:
        for board in boards:
            budget = {"nodes": searches * leaf}
            project = await api.create(board.fen(), leaf, budget, LEAF_HASH)
            await api.until_over(project)
            tallies.append(await _judge(api, project, judged))
            print(f"| {board.fen()} | {tallies[-1].cells()} |", flush=True)
    whole = Tally()
    for each in tallies:
        whole.add(each)
    print(
        f"| all | {whole.cells()} |\n\ntree {whole.tree / whole.judged:.1%}, plain"
        f" {whole.plain / whole.judged:.1%} of {whole.judged} confirmed"
    )


@dataclass(slots=True)
class Tally:
    """Positions that were judged, and whose best moves were confirmed."""

    judged: int = 0
    tree: int = 0
    plain: int = 0
    differ: int = 0
    tree_alone: int = 0
    plain_alone: int = 0

    def count(self, tree: str, plain: str, judge: str) -> None:
        """Count a position, with the moves of the tree, of its own search, and of the judge."""
        self.judged += 1
        self.tree += tree == judge
        self.plain += plain == judge
        self.differ += tree != plain
        self.tree_alone += tree == judge != plain
        self.plain_alone += plain == judge != tree

    def add(self, other: "Tally") -> None:
        """Add those of another one."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))

    def cells(self) -> str:
        """Return the cells of a row of the table."""
        apart = f"{self.differ}: tree right {self.tree_alone}, plain {self.plain_alone}"
        return f"{self.judged} | {self.tree} | {self.plain} | {apart}"


async def _judge(api: ProjectsApi, project: str, judged: int) -> Tally:
    """Judge some positions inside a tree."""
    text = await api.read_text(f"/v1/projects/{project}/export", format="ndjson")
    inner = [each for each in map(json.loads, text.splitlines()) if each.get("size", 1) > 1]
    tally = Tally()
    for node in random.Random(1).sample(inner, min(judged, len(inner))):
        fen = node["fen"]
        position = await api.read_document(f"/v1/projects/{project}/position", fen=fen)
        own = {
            each["move"]: _centipawns(each["own"]) for each in position["moves"] if "own" in each
        }
        plain = (max if fen.split()[1] == "w" else min)(own, key=own.__getitem__)
        judge = await api.analyse(fen, MORE * int(node["nodes"]), LONG_HASH)
        tally.count(position["moves"][0]["move"], plain, judge["best"])
    return tally


def _centipawns(value: dict[str, int]) -> float:
    if "cp" in value:
        return value["cp"]
    far = value.get("mate", value.get("tablebase", 0))
    return (1_000_000 - abs(far)) * (1 if far > 0 else -1)
