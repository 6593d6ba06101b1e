"""The growth of one project within one transaction: searches are stored, and others begun.

A search that was begun is a claim, and has a place in the order of all of its project.  Those
that are free, because their server is gone, are taken first, oldest first: so a growth that was
killed goes on to the tree that it would have had.
"""

import secrets
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Any

import msgspec
import sqlalchemy as sa

from rookery_protocol.legality import set_up
from rookery_server.config.resources import Quota
from rookery_server.database.tables import project_claims, projects
from rookery_server.growth.backup import refresh, settle_node
from rookery_server.growth.expansion import (
    Project,
    add_root,
    claim_again,
    claim_leaf,
    finish_by_tablebase,
    finish_leaf,
    give_up_leaf,
)
from rookery_server.growth.finding import Finding, Leaf, RefusedFindingError
from rookery_server.growth.merging import ForeignTreeError
from rookery_server.growth.node import ROOT, Node
from rookery_server.growth.path import Path
from rookery_server.growth.rules import ChessRules
from rookery_server.projects.project_queries import NEXT_REVISION, stored_counts
from rookery_server.projects.root_history import with_root
from rookery_server.projects.stored_project import (
    Count,
    DamageError,
    EndCause,
    GrowthEnd,
    ProjectRoot,
    ProjectStage,
    StoredProject,
    decode,
    encode,
)
from rookery_server.projects.tree_store import TreeStore

CLAIM_BITS = 62  # of a claim's number, which no other one has had
REFRESHED = 200  # nodes that get new priorities at once, so that others need not wait
FROM_THE_BEGINNING = "[-1,0,0]"  # the place where all nodes are still to be refreshed
_ROOTS = 64  # that are remembered, with the rules of their games
_claims = project_claims.c
_of_project = _claims.project == sa.bindparam("of")
_SELECT_CLAIMS = sa.select(project_claims).where(_of_project).order_by(_claims.place)
_this_claim = _claims.number == sa.bindparam("at")
_INSERT_CLAIM = sa.insert(project_claims)
_DELETE_CLAIM = sa.delete(project_claims).where(_this_claim)
_TAKE_CLAIM = (
    sa.update(project_claims)
    .where(_this_claim)
    .values(number=sa.bindparam("taken"), server=sa.bindparam("by"))
)
_this_project = projects.c.number == sa.bindparam("at")
_SELECT_REST = sa.select(projects.c.claimed, projects.c.refreshed).where(_this_project)
_MOST = 2**63 - 1  # that a database can hold: an engine may say of its search what it likes
_SAVED = ("positions", "leaves", "nodes", "spent", "stage", "reason", "cause", "updated")
_UPDATE_PROJECT = (
    sa.update(projects)
    .where(_this_project)
    .values({name: sa.bindparam(name) for name in (*_SAVED, "claimed", "refreshed", "history")})
    .values(revision=NEXT_REVISION)
)
_NOTHING_LEFT = GrowthEnd(EndCause.EXHAUSTED, "there is nothing left to search")
_NO_ROOM = GrowthEnd(EndCause.QUOTA, "its account has as many positions as it may")
_rules = lru_cache(ChessRules)


@dataclass(frozen=True, slots=True)
class Claim:
    """A search that a server has begun; `place` is that in the order of the project's searches."""

    number: int
    project: int
    place: int
    leaf: Leaf


@dataclass(frozen=True, slots=True)
class FinishedSearch:
    """The result of a claim: what was found, or the value that a tablebase has of the leaf.

    None is that no engine can search it.  `spent` is ms of CPU.
    """

    claim: int
    found: Finding | int | None
    spent: int = 0


@dataclass(frozen=True, slots=True)
class Growth:
    """The outcome of a step of growth.

    `claims` are new ones.  `lost` are the numbers of the results' claims that are not the
    server's any more: nothing of those was stored.
    """

    project: StoredProject
    claims: tuple[Claim, ...]
    lost: tuple[int, ...]


class TreeGrowth:
    """One project in a transaction that has locked it; `save` writes what has changed."""

    def __init__(self, connection: sa.Connection, project: StoredProject, now: int) -> None:
        """Read a project's claims.

        Args:
            connection: of the transaction.
            project: the project.
            now: s of the epoch.

        Raises:
            DamageError: something of it cannot be read.

        """
        self._connection = connection
        self._project = project
        self._now = now
        at = {"at": project.number}
        self._claimed, self._refreshed = connection.execute(_SELECT_REST, at).one()
        self._leaves, self._nodes, self._spent = project.leaves, project.nodes, project.spent
        self._stage, self._reason, self._cause = project.stage, project.reason, project.cause
        rules, key, path = start_of(project.root)
        self.store = TreeStore(connection, project.tree, project.positions)
        self.tree = Project(self.store, rules, project.settings.growth, path)
        if not self.store.last:
            add_root(self.tree, key)
        rows = connection.execute(_SELECT_CLAIMS, {"of": project.number})
        self._open = {row.number: _OpenClaim.of_row(row) for row in rows}

    def finish(self, finished: Iterable[FinishedSearch], server: int) -> tuple[int, ...]:
        """Store the results of a server's claims; return those that are not its any more.

        Raises:
            RefusedFindingError: one cannot be the result of its search.

        """
        lost = []
        for each in finished:
            claim = self._open.get(each.claim)
            if claim is None or claim.server != server:
                lost.append(each.claim)
            else:
                self._finish(claim, each)
        return tuple(lost)

    def claim(self, server: int, own: Collection[int], most: int, room: int) -> list[Claim]:
        """Begin searches for a server: first those that are free, then new ones.

        If there are none, and none is under way, the growth ends.

        Args:
            server: that is to make them.
            own: the claims that it knows of; others of its number are free.
            most: how many, at most.
            room: how many nodes the project may have.

        """
        free = [each for each in self._open.values() if each.is_free(server, own)]
        claims = [self._take(each, server) for each in free[:most]]
        end = self._end(room)
        while len(claims) < most and end is None:
            if leaf := claim_leaf(self.tree):
                claims.append(self._begin(leaf, server))
                end = self._end(room)
            else:
                end = ProjectStage.FINISHED, _NOTHING_LEFT
        if end and not self._open:
            self._stage, why = end
            self._reason, self._cause = why.reason, why.cause
        return claims

    def claim_again(self, number: int, nodes: int) -> bool:
        """Have a node searched again by any server; return False if that cannot be now."""
        leaf = claim_again(self.tree, number, nodes)
        if leaf:
            self._begin(leaf, None)
        return leaf is not None

    def room(self, quota: Quota) -> int:
        """Return how many nodes the project may have, as its account has others."""
        stored = stored_counts(self._connection, self._project.account.name).positions
        return quota.project_nodes - stored + self._project.positions

    def refresh_some(self) -> bool:
        """Give some nodes priorities by new settings; return whether there may be more of them."""
        if self._refreshed is None:
            return False
        place = decode("the place of new settings", self._refreshed, tuple[int, int, int])
        numbers = list(islice(self.store.bottom_up(place), REFRESHED))
        for number in numbers:
            node = self.store.node(number)
            fresh = settle_node(refresh(self.store, node), self.tree.settings)
            if fresh != node:
                self.store.write(fresh)
        is_last = len(numbers) < REFRESHED
        self._refreshed = None if is_last else f"[{node.phase},{node.rank},{number}]"
        return not is_last

    def save(self) -> StoredProject:
        """Write what has changed; return the project as it is then."""
        self.store.flush()
        saved = replace(
            self._project,
            positions=self.store.last,
            leaves=self._leaves,
            nodes=self._nodes,
            spent=self._spent,
            stage=self._stage,
            reason=self._reason,
            cause=self._cause,
            updated=self._now,
            revision=self._project.revision + 1,
            history=with_root(self._project.history, self.store.node(ROOT), self._now),
            held=sum(each.server is not None for each in self._open.values()),
        )
        values = {name: getattr(saved, name) for name in _SAVED}
        more = {
            "at": saved.number,
            "claimed": self._claimed,
            "refreshed": self._refreshed,
            "history": encode(saved.history),
        }
        self._connection.execute(_UPDATE_PROJECT, values | more)
        return saved

    def _finish(self, claim: "_OpenClaim", finished: FinishedSearch) -> None:
        leaf = claim.search.leaf(self.store.node(claim.node))
        if isinstance(finished.found, Finding):
            finish_leaf(self.tree, leaf, finished.found)
            self._nodes = min(self._nodes + finished.found.nodes, _MOST)
        elif finished.found is None:
            give_up_leaf(self.tree, leaf)
        else:
            finish_by_tablebase(self.tree, leaf, finished.found)
        self._leaves += 1
        self._spent = min(self._spent + finished.spent, _MOST)
        del self._open[claim.number]
        self._connection.execute(_DELETE_CLAIM, {"at": claim.number})

    def _take(self, claim: "_OpenClaim", server: int) -> Claim:
        """Give a server a search that no other is at."""
        taken = replace(claim, number=secrets.randbits(CLAIM_BITS), server=server)
        values = {"at": claim.number, "taken": taken.number, "by": server}
        self._connection.execute(_TAKE_CLAIM, values)
        del self._open[claim.number]
        self._open[taken.number] = taken
        leaf = claim.search.leaf(self.store.node(claim.node))
        return Claim(taken.number, self._project.number, claim.place, leaf)

    def _begin(self, leaf: Leaf, server: int | None) -> Claim:
        """Store a claim of a leaf."""
        self._claimed += 1
        search = _Search.of_leaf(leaf)
        new = _OpenClaim(secrets.randbits(CLAIM_BITS), self._claimed, leaf.number, server, search)
        values = {
            "number": new.number,
            "project": self._project.number,
            "place": new.place,
            "node": new.node,
            "server": server,
            "search": msgspec.json.encode(search).decode(),
        }
        self._connection.execute(_INSERT_CLAIM, values)
        self._open[new.number] = new
        return Claim(new.number, self._project.number, new.place, leaf)

    def _end(self, room: int) -> tuple[ProjectStage, GrowthEnd] | None:
        """Return the state in which the growth ends for now, and why; None if it goes on."""
        root = self.store.node(ROOT)
        end = self._project.budget.exceeded(
            positions=self.store.last,
            nodes=self._nodes + sum(each.search.least_nodes for each in self._open.values()),
            spent=self._spent,
            now=self._now,
            unchanged=root.size - root.turned,
        )
        if end:
            return ProjectStage.FINISHED, end
        if self.store.last >= room:
            return ProjectStage.PAUSED, _NO_ROOM
        return None


class _Search(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The search of a leaf, as a claim has it."""

    lines: Count
    nodes: Count
    moves: tuple[str, ...] = ()
    movetime: Count | None = None

    @property
    def least_nodes(self) -> int:
        """The nodes that it takes at least, as far as that is known."""
        return self.nodes if self.movetime is None else 0

    @classmethod
    def of_leaf(cls, leaf: Leaf) -> "_Search":
        return cls(leaf.lines, leaf.nodes, leaf.moves, leaf.movetime)

    def leaf(self, node: Node) -> Leaf:
        """Return the leaf that is searched."""
        return Leaf(node.number, node.key, self.moves, self.lines, self.nodes, self.movetime)


@dataclass(frozen=True, slots=True)
class _OpenClaim:
    """A claim of any server, or of none."""

    number: int
    place: int
    node: int
    server: int | None
    search: _Search

    @classmethod
    def of_row(cls, row: sa.Row[Any]) -> "_OpenClaim":
        search = decode(f"the search of node {row.node}", row.search, _Search)
        return cls(row.number, row.place, row.node, row.server, search)

    def is_free(self, server: int, own: Collection[int]) -> bool:
        """Return whether a server may take it, which knows of its own claims."""
        return self.server is None or (self.server == server and self.number not in own)


@lru_cache(_ROOTS)
def start_of(root: ProjectRoot) -> tuple[ChessRules, str, Path]:
    """Return the rules of a project's game, and the key of its root with the path there.

    Raises:
        DamageError: there is no such position, or a move before it is not legal.

    """
    try:
        rules = _rules(chess960=root.chess960, variant=root.variant)
        board = set_up(root.fen, chess960=root.chess960, variant=root.variant)
        key = rules.key(board)
        path = Path((key,), rules.phase(key), board.halfmove_clock)
        for move in root.moves:
            step = rules.step(key, move)
            path, key = path.after(step), step.key
    except (ValueError, KeyError) as error:
        raise DamageError(f"the root is no position: {error}") from error
    return rules, key, path


@contextmanager
def damage_told() -> Iterator[None]:
    """Raise what the algorithms cannot do with a tree as a DamageError.

    What the tree has was checked when it was stored, so another value is damage.
    """
    try:
        yield
    except (RefusedFindingError, ForeignTreeError):
        raise
    except (ValueError, AssertionError) as error:
        raise DamageError(f"the tree is damaged: {error}") from error
