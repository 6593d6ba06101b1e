"""Projects, and a stand-in for their engines, whose values depend on the position alone."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b

import chess
import sqlalchemy as sa

from rookery_server.access.account import LOCAL, Account
from rookery_server.config.resources import Quota
from rookery_server.database.tables import project_nodes
from rookery_server.growth.finding import Finding, Leaf, Line
from rookery_server.projects.project_store import ProjectStore
from rookery_server.projects.stored_project import (
    NewProject,
    ProjectBudget,
    ProjectEngine,
    ProjectRoot,
    ProjectSettings,
    StoredProject,
)
from rookery_server.projects.tree_growth import Claim, FinishedSearch

MUCH = Quota(projects=10_000, project_nodes=100_000_000)
SETTINGS = ProjectSettings((ProjectEngine("rookery"),), nodes=1000)


def new_project(
    account: Account = LOCAL,
    *,
    name: str = "",
    fen: str = chess.STARTING_FEN,
    moves: tuple[str, ...] = (),
    settings: ProjectSettings = SETTINGS,
    budget: ProjectBudget | None = None,
) -> NewProject:
    root = ProjectRoot(fen, moves)
    return NewProject(account, name, root, settings, budget or ProjectBudget())


def found_in(leaf: Leaf) -> Finding:
    """Return what the stand-in finds: each move has a value by chance, always the same."""
    board = chess.Board(f"{leaf.key} 0 1")
    moves = leaf.moves or tuple(board.uci(each) for each in board.legal_moves)
    lines = [Line(move, _value(leaf.key, move)) for move in moves]
    best = sorted(lines, key=lambda each: (-each.value, each.move))[: leaf.lines]
    return Finding(tuple(best), depth=10, nodes=leaf.nodes, engine=0)


def _value(key: str, move: str) -> int:
    digest = blake2b(f"{key} {move}".encode(), digest_size=2).digest()
    return int.from_bytes(digest) % 121 - 60  # centipawns


def finished(claim: Claim) -> FinishedSearch:
    return FinishedSearch(claim.number, found_in(claim.leaf), spent=1)


@dataclass
class Worker:
    """A worker of a server, which has two searches: one is made, and one waits."""

    store: ProjectStore
    server: int
    project: StoredProject
    quota: Quota = MUCH
    held: list[Claim] = field(default_factory=list)
    made: list[Claim] = field(default_factory=list)  # whose results were stored

    def search_next(self) -> bool:
        """Make a search; return whether there is more to do."""
        done = [finished(each) for each in self.held[:1]]
        most = 2 - len(self.held[1:])
        grown = self.store.advance(self.project.number, self.server, done, most, self.quota)
        if grown is None:
            self.held.clear()
            return False
        self.project = grown.project
        self.made += [] if grown.lost else self.held[:1]
        self.held = [*self.held[1:], *grown.claims]
        return bool(self.held)

    def grow(self, positions: int) -> None:
        """Work until the tree has so many nodes."""
        while self.project.positions < positions and self.search_next():
            pass


def build(store: ProjectStore, project: StoredProject, quota: Quota = MUCH) -> StoredProject:
    """Go on with a build to its end; return the project as it is then."""
    while store.builds.advance(project.number, quota):
        pass
    found = store.project_of(project.account.name, project.id)
    assert found
    return found


@contextmanager
def statements_of(store: ProjectStore) -> Iterator[list[str]]:
    """Have the statements that a store executes meanwhile."""
    statements: list[str] = []

    def add(_: object, __: object, statement: str, *rest: object) -> None:
        statements.append(statement)

    sa.event.listen(store._database.engine, "before_cursor_execute", add)
    yield statements
    sa.event.remove(store._database.engine, "before_cursor_execute", add)


def tree_of(url: str, project: StoredProject) -> list[tuple[object, ...]]:
    """Return all nodes of a tree as they are in the database."""
    engine = sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    query = sa.select(project_nodes).where(project_nodes.c.project == project.number)
    with engine.connect() as connection:
        rows = connection.execute(query.order_by(project_nodes.c.number))
        found = [tuple(row) for row in rows]
    engine.dispose()
    return found


def grow_until_killed(url: str, positions: int) -> None:
    """Grow the projects of a database, as a server does that begins."""
    store = ProjectStore(url)
    server = store.register_server()
    store.show_server(server, 0.0)
    for each in store.active_projects():
        Worker(store, server, each).grow(positions)
    store.close()


if __name__ == "__main__":
    grow_until_killed(sys.argv[1], int(sys.argv[2]))
