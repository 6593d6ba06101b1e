"""Positions of a project and their candidate moves, as the tree has them.

A node is one position, however it is reached; nothing in it depends on a path.  A candidate has a
copy of what its child carries up, so that a descent reads one node a ply.  A move that leads back
would make a cycle: it carries nothing (see `Node.is_above`), and keeps the value of its own search.
"""

from enum import StrEnum

import msgspec

ROOT = 1  # number of a project's first node
OTHERS = "*"  # stands for the legal moves that no search has listed
NEW = 0  # number of a node that is not stored yet


class Kind(StrEnum):
    """The source of a node's own value."""

    UNSEARCHED = "unsearched"  # none yet: the node waits for a search, or is in work
    SEARCHED = "searched"  # an engine
    CHECKMATE = "checkmate"  # the rules; those of variants have other ends that are as good
    STALEMATE = "stalemate"
    DEAD_DRAW = "dead draw"  # neither side can mate
    TABLEBASE = "tablebase"
    FAILED = "failed"  # none: engines die at the position


class Candidate(msgspec.Struct, frozen=True):
    """A move of a node in UCI's notation, or `OTHERS`.

    Attributes:
        move: the move.
        own: its value by searches of the node; None if it was added and no search listed it.
            Of `OTHERS`: the value that none of them exceeds.
        child: the number of the node that it leads to, if that is known.
        value: that of the child, carried, if the child carries a value; otherwise `own`.
        priority: that of the child, if it carries; None: nothing to expand below it.
        is_proven: its value is a fact.
        is_excluded: the owner has forbidden it.
        is_pinned: the owner allows this move and others that are pinned only.
        is_added: the owner has added it.

    """

    move: str
    own: int | None = None
    child: int | None = None
    value: int | None = None
    priority: int | None = None
    is_proven: bool = False
    is_excluded: bool = False
    is_pinned: bool = False
    is_added: bool = False


class Node(msgspec.Struct, frozen=True):
    """A position of a project.

    Attributes:
        number: its number in the project, from 1; the root is 1.
        key: the position without counters: EPD with castling by files, and en passant if legal.
        phase: the irreversible moves that may still come, at most: no move makes it more, and an
            irreversible one less.
        rank: plies from the root, by the way on which it was found first.
        found_by: the number of the node that it was found from; None for the root.
        kind: the source of its own value.
        own: the value by its own search, or by the rules; None before.
        depth: the depth of that search, 0 if there was none.
        nodes: the nodes of that search.
        asked: the nodes that it was given; an engine may need less.
        engine: the index of the engine that searched, in the project's list.
        candidates: its moves, in the order of its search.
        value: the best value of its candidates, or its own without any; None if there is neither.
        priority: the cost of the cheapest leaf below, in thousandths of a ply, negative if it is
            urgent; None: there is nothing to expand, or all of it is in work.
        is_proven: its value is a fact.
        is_claimed: a search of it is in work: of all moves, or of `OTHERS`.
        size: nodes of its subtree that have a value of their own, itself among them; each node
            of the project is counted at the node that it was found from.
        height: half-moves to the deepest position below, by moves that carry, that has a value of
            its own.
        grown: the project's count of searches when its size changed last.
        trend: item i is its value when its size had reached 2 ** i.
        turned: the project's count of searches when its best move changed last.

    """

    key: str
    phase: int
    rank: int = 0
    number: int = NEW
    found_by: int | None = None
    kind: Kind = Kind.UNSEARCHED
    own: int | None = None
    depth: int = 0
    nodes: int = 0
    asked: int = 0
    engine: int | None = None
    candidates: tuple[Candidate, ...] = ()
    value: int | None = None
    priority: int | None = 0
    is_proven: bool = False
    is_claimed: bool = False
    size: int = 0
    height: int = 0
    grown: int = 0
    trend: tuple[int, ...] = ()
    turned: int = 0

    @property
    def is_white(self) -> bool:
        """The side to move."""
        return self.key.split(" ", 2)[1] == "w"

    @property
    def effort(self) -> int:
        """The nodes that its search had, or was given if an engine has ended it before."""
        return max(self.nodes, self.asked)

    @property
    def order(self) -> tuple[int, int]:
        """The place of the node in an order that every carrying move descends."""
        return self.phase, -self.rank

    def is_above(self, child: "Node") -> bool:
        """Return whether a move from here to that node carries its value up.

        It does if the move is irreversible or leads to a higher rank.  No other condition is
        needed to keep cycles out, as no move makes the phase more.
        """
        return child.order < self.order

    def counting(self) -> tuple[Candidate, ...]:
        """Return the candidates that are allowed: the pinned ones only, if there are any."""
        allowed = tuple(each for each in self.candidates if not each.is_excluded)
        return tuple(each for each in allowed if each.is_pinned) or allowed

    def best(self) -> Candidate | None:
        """Return the allowed move with the best value, the first of several; None without any."""
        valued = [
            each for each in self.counting() if each.move != OTHERS and each.value is not None
        ]
        return max(valued, key=lambda each: each.value or 0, default=None)

    def best_value(self) -> int | None:
        """Return the value of the best move; None without any."""
        best = self.best()
        return best.value if best else None
