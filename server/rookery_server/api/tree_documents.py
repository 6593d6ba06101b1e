"""Positions of projects' trees as documents of the API.  They are made where the tree is read."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

import chess
import msgspec

from rookery_server.api import project_schema as api
from rookery_server.api.job_documents import date_text
from rookery_server.growth.main_line import main_line
from rookery_server.growth.node import OTHERS, ROOT, Candidate, Node
from rookery_server.growth.path import Path
from rookery_server.growth.rules import ChessRules, Step
from rookery_server.growth.tree_map import largest_subtrees, newest_below
from rookery_server.growth.value import MATE, TABLE, is_decided
from rookery_server.projects.root_history import RootHistory
from rookery_server.projects.tree_store import TreeReader

NEWEST = 200  # positions that a map shows as the newest
_VISITED = 500  # of the largest subtrees, in which changes are looked for,
_TURNED = 500  # and of the last changes


@dataclass(frozen=True, slots=True)
class TreePlace:
    """A position of a request in the game of a project, and the way to it."""

    rules: ChessRules
    key: str
    path: Path


def value_document(value: int | None, *, is_white: bool) -> api.TreeValue | None:
    """Return a value as White has it; None if there is none."""
    if value is None:
        return None
    sign = 1 if (value > 0) == is_white else -1
    if not is_decided(value):
        return api.TreeValue(cp=value if is_white else -value)
    size = abs(value)
    if size > TABLE:
        return api.TreeValue(mate=sign * ((MATE - size + 1) // 2))
    return api.TreeValue(tablebase=sign * (TABLE - size + 1))


def position_document(tree: TreeReader, place: TreePlace, history: RootHistory) -> api.TreePosition:
    """Return what a tree has of a position; of its root, the history too."""
    node = tree.node_of(place.key)
    board = place.rules.board(place.key)
    board.halfmove_clock = place.path.clock
    fen = board.fen()
    if node is None:
        return api.TreePosition(fen=fen, kind="unknown")
    children = tree.nodes_of(_children(node))
    line = main_line(tree, node)
    rest = [each for each in node.candidates if each.move == OTHERS]
    listed = len(node.candidates) - len(rest)
    return api.TreePosition(
        fen=fen,
        kind=node.kind.value,
        value=value_document(node.value, is_white=node.is_white),
        own=value_document(node.own, is_white=node.is_white),
        depth=node.depth,
        nodes=node.nodes,
        engine=node.engine,
        size=node.size,
        rank=node.rank,
        height=node.height,
        grown=node.grown,
        turned=node.turned,
        trend=trend_of(node),
        history=_history(history, board, is_white=node.is_white) if node.number == ROOT else [],
        proven=node.is_proven,
        searching=node.is_claimed,
        moves=_moves(node, children, place, board),
        others=api.OtherMoves(
            count=board.legal_moves.count() - listed, excluded=rest[0].is_excluded
        ) if rest else None,
        line=list(line),
        san=san_of(board, line),
    )  # fmt: skip


def _history(history: RootHistory, board: chess.Board, *, is_white: bool) -> list[api.RootChange]:
    return [
        api.RootChange(
            size=each.size,
            time=date_text(each.at),
            move=each.move,
            san=board.san(board.parse_uci(each.move)),
            value=value_document(each.value, is_white=is_white),
        )
        for each in history
    ]


def _moves(
    node: Node, children: dict[int, Node], place: TreePlace, board: chess.Board
) -> list[api.TreeMove]:
    total = sum(each.size for each in children.values())
    found = []
    for each in _sorted(node):
        child = None if each.child is None else children.get(each.child)
        step = place.rules.step(node.key, each.move)
        document = api.TreeMove(
            move=each.move,
            san=board.san(board.parse_uci(each.move)),
            value=value_document(each.value, is_white=node.is_white),
            own=value_document(each.own, is_white=node.is_white),
            proven=each.is_proven,
            excluded=each.is_excluded,
            pinned=each.is_pinned,
            added=each.is_added,
            repetition=_is_drawn(place, step),
        )
        if child is not None:
            document.size = child.size
            document.share = round(child.size / total, 4) if total else 0.0
            document.height = child.height
            document.grown = child.grown
            document.depth = child.depth
            document.nodes = child.nodes
            document.trend = trend_of(child)
            document.searching = child.is_claimed
            document.returns = not node.is_above(child)
        found.append(document)
    return found


def _sorted(node: Node) -> list[Candidate]:
    """Return the moves of a node, the best first and excluded ones last."""
    allowed = node.counting()

    def order_of(each: Candidate) -> tuple[bool, bool, int]:
        return each not in allowed, each.value is None, -(each.value or 0)

    return sorted((each for each in node.candidates if each.move != OTHERS), key=order_of)


def _is_drawn(place: TreePlace, step: Step) -> bool:
    return place.path.after(step).is_drawn(place.rules)


def changes_document(tree: TreeReader, rules: ChessRules, after: int, most: int) -> api.TreeChanges:
    """Return the positions whose best move has changed behind a count.

    They are looked for among the largest subtrees, and the last changes of all.
    """
    found = {each.number: each for each in tree.newly_turned(after, _TURNED)}
    for node in islice(largest_subtrees(tree), _VISITED):
        if node.turned > after:
            found[node.number] = node
    grown = [each for each in found.values() if each.size > 1]
    grown.sort(key=lambda each: (-each.size, each.number))
    changes = [_change(tree, rules, each) for each in grown[:most]]
    return api.TreeChanges(
        size=tree.node(ROOT).size, changes=[each for each in changes if each is not None]
    )


def _change(tree: TreeReader, rules: ChessRules, node: Node) -> api.TreeChange | None:
    best = node.best()
    if best is None:
        return None
    board = rules.board(node.key)
    return api.TreeChange(
        fen=board.fen(),
        moves=_way_to(tree, node),
        turned=node.turned,
        size=node.size,
        value=value_document(node.value, is_white=node.is_white),
        best=best.move,
        san=board.san(board.parse_uci(best.move)),
    )


def _way_to(tree: TreeReader, node: Node) -> list[str]:
    """Return the moves from the root by which a node was found first."""
    moves: list[str] = []
    while node.found_by is not None:
        parent = tree.node(node.found_by)
        moves.append(_move_to(parent, node.number))
        node = parent
    return moves[::-1]


def _move_to(parent: Node, child: int) -> str:
    return next((each.move for each in parent.candidates if each.child == child), "")


def map_document(tree: TreeReader, rules: ChessRules, most: int) -> api.TreeMap:
    """Return the largest subtrees of a tree."""
    newest = tree.newest(NEWEST)
    below = newest_below(tree, newest)
    shown: dict[int, tuple[Node, api.MapNode]] = {}
    for node in islice(largest_subtrees(tree), most):
        document = api.MapNode(
            number=node.number,
            size=node.size,
            value=value_document(node.value, is_white=node.is_white),
            newest=below.get(node.number),
            height=node.height,
            grown=node.grown,
        )
        if node.found_by is not None and node.found_by in shown:
            parent, above = shown[node.found_by]
            document.move = _move_to(parent, node.number)
            if document.move:
                board = rules.board(parent.key)
                document.san = board.san(board.parse_uci(document.move))
            above.nodes = [*above.nodes, document]
        shown[node.number] = node, document
    return api.TreeMap(newest=newest[0], root=shown[ROOT][1])


def node_line(node: Node, rules: ChessRules) -> bytes:
    """Return a node as a line of NDJSON."""
    is_white = node.is_white
    record = api.NodeRecord(
        number=node.number,
        fen=rules.board(node.key).fen(),
        kind=node.kind.value,
        rank=node.rank,
        found_by=node.found_by,
        value=value_document(node.value, is_white=is_white),
        own=value_document(node.own, is_white=is_white),
        depth=node.depth,
        nodes=node.nodes,
        engine=node.engine,
        size=node.size,
        height=node.height,
        grown=node.grown,
        trend=trend_of(node),
        moves=[
            api.MoveRecord(
                move=each.move,
                child=each.child,
                value=value_document(each.value, is_white=is_white),
                own=value_document(each.own, is_white=is_white),
                proven=each.is_proven,
                excluded=each.is_excluded,
                pinned=each.is_pinned,
                added=each.is_added,
            )
            for each in node.candidates
        ],
    )
    return msgspec.json.encode(record) + b"\n"


def san_of(board: chess.Board, moves: Iterable[str]) -> list[str]:
    """Return moves in SAN; the board is as before."""
    board = board.copy()
    found = []
    for each in moves:
        move = board.parse_uci(each)
        found.append(board.san(move))
        board.push(move)
    return found


def _children(node: Node) -> set[int]:
    return {each.child for each in node.candidates if each.child is not None}


def trend_of(node: Node) -> list[api.TreeValue]:
    """Return the values that a node has had, as White has them."""
    found = (value_document(each, is_white=node.is_white) for each in node.trend)
    return [each for each in found if each is not None]
