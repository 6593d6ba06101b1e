"""A tree as one game in PGN, with variations and evaluations.

Each position is followed once, where the game reaches it first; a move that leads to it elsewhere
ends its variation.  Little is in memory: the numbers of the nodes, and the line that is written.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice

import chess
import chess.pgn

from rookery_server.growth.node import OTHERS, ROOT, Candidate, Node
from rookery_server.growth.rules import ChessRules
from rookery_server.growth.tree_map import PortionReader, largest_subtrees
from rookery_server.growth.value import MATE, MAX_SCORE, TABLE, is_decided

MOST_NODES = 100_000  # that a game may have: more is no reading, and would fill the memory
_WIDTH = 79  # characters of a line
_PAUSE = 100  # nodes that are chosen, until others have their turn


@dataclass(frozen=True, slots=True)
class PgnBounds:
    """The part of a tree that is written: the largest subtrees, each with so many positions.

    `plies` are counted from the root.
    """

    plies: int = 400
    nodes: int = 10_000
    visits: int = 1


def pgn_pieces(
    tree: PortionReader, rules: ChessRules, board: chess.Board, name: str, bounds: PgnBounds
) -> Iterator[str]:
    """Yield the text of a game, in pieces; empty ones are for others to have their turn.

    Args:
        tree: the nodes.
        rules: of the game.
        board: the root, with the moves of the game up to it.
        name: what the project is called.
        bounds: the part that is written.

    """
    chosen: set[int] = set()
    for node in islice(largest_subtrees(tree), bounds.nodes):
        if node.size < bounds.visits:
            break
        chosen.add(node.number)
        if len(chosen) % _PAUSE == 0:
            yield ""
    yield _head(board, name)
    wrapped = _WrappedText()
    for word in _Writer(tree, rules, chosen, bounds.plies).words(board):
        if text := wrapped.add(word):
            yield text
    yield wrapped.finish()


def eval_comment(value: int, depth: int, *, is_white: bool) -> str:
    """Return the comment that programs read as White's evaluation: `[%eval 0.25,18]`."""
    white = value if is_white else -value
    if is_decided(value) and abs(value) > TABLE:
        moves = (MATE - abs(value) + 1) // 2
        text = f"#{'-' if white < 0 else ''}{moves}"
    else:
        text = f"{max(-MAX_SCORE, min(MAX_SCORE, white)) / 100:.2f}"
    return f"[%eval {text},{depth}]" if depth else f"[%eval {text}]"


def _head(board: chess.Board, name: str) -> str:
    """Return the tags of the game."""
    headers = chess.pgn.Headers(
        {
            "Event": name or "?", "Site": "?", "Date": "????.??.??", "Round": "?",
            "White": "?", "Black": "?", "Result": "*",
        }
    )  # fmt: skip
    game = chess.pgn.Game(headers)
    game.setup(board.root())
    return "".join(f"{_tag(*each)}\n" for each in game.headers.items()) + "\n"


def _tag(name: str, value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


class _WrappedText:
    """Words in lines of a bounded length."""

    def __init__(self) -> None:
        self._line: list[str] = []
        self._length = 0

    def add(self, word: str) -> str:
        """Add a word; return a line if one is full."""
        text = ""
        if self._line and self._length + len(word) > _WIDTH:
            text = self._flush()
        self._line.append(word)
        self._length += len(word) + 1
        return text

    def finish(self) -> str:
        """Return the last line, with the end of the game."""
        return self.add("*") + self._flush()

    def _flush(self) -> str:
        text = " ".join(self._line) + "\n"
        self._line, self._length = [], 0
        return text


@dataclass(frozen=True, slots=True)
class _Family:
    """A node, and the nodes that its moves lead to, by their numbers."""

    node: Node
    children: Mapping[int, Node]

    def child(self, candidate: Candidate) -> Node | None:
        """Return the node that a move leads to; None if there is none."""
        return None if candidate.child is None else self.children.get(candidate.child)


class _Writer:
    """The moves of the nodes that were chosen."""

    def __init__(
        self, tree: PortionReader, rules: ChessRules, chosen: set[int], plies: int
    ) -> None:
        self._tree = tree
        self._rules = rules
        self._left = chosen  # that are not written yet
        self._plies = plies

    def words(self, board: chess.Board) -> Iterator[str]:
        """Yield the words of the game: its moves before the root, and the tree."""
        before = board.root()
        for move in board.move_stack:
            yield from _move_words(before, move, is_first=before.ply() == board.root().ply())
            before.push(move)
        root = self._tree.node(ROOT)
        if root.value is not None:
            yield f"{{ {eval_comment(root.value, root.depth, is_white=root.is_white)} }}"
        yield from self._line(root, board, 0)

    def _line(self, node: Node | None, board: chess.Board, ply: int) -> Iterator[str]:
        """Yield what follows in a position, which is on the board and comes back there."""
        height = len(board.move_stack)
        for each in self._main_line(node, ply):
            main, *others = self._moves(each.node) or (None,)
            if main is None:
                break
            yield from _described_move(each, main, board)
            for other in others:
                yield from self._variation(each, other, board, ply)
            board.push(board.parse_uci(main.move))
            ply += 1
        while len(board.move_stack) > height:
            board.pop()

    def _main_line(self, node: Node | None, ply: int) -> list[_Family]:
        """Return the nodes that are written one after the other, and none of them elsewhere."""
        line: list[_Family] = []
        while node is not None and ply + len(line) < self._plies:
            self._left.discard(node.number)
            numbers = {each.child for each in node.candidates if each.child is not None}
            line.append(_Family(node, self._tree.nodes_of(numbers)))
            node = self._next(line[-1], node.best())
        return line

    def _variation(
        self, family: _Family, candidate: Candidate, board: chess.Board, ply: int
    ) -> Iterator[str]:
        first, *words = _described_move(family, candidate, board)
        child = self._next(family, candidate)
        board.push(board.parse_uci(candidate.move))
        held = f"({first}"
        for word in chain(words, self._line(child, board, ply + 1)):
            yield held
            held = word
        board.pop()
        yield f"{held})"

    def _moves(self, node: Node) -> list[Candidate]:
        """Return the moves that are written, the best first."""
        best = node.best()
        allowed = [each for each in node.counting() if each.move != OTHERS]
        written = [each for each in allowed if each == best or each.child in self._left]
        return sorted(written, key=lambda each: (each != best, -(each.value or -MATE)))

    def _next(self, family: _Family, candidate: Candidate | None) -> Node | None:
        """Return the node that is written behind a move; None if it is written elsewhere."""
        if candidate is None or candidate.child not in self._left:
            return None
        return family.child(candidate)


def _described_move(family: _Family, candidate: Candidate, board: chess.Board) -> list[str]:
    """Return the words of a move, with the value that it has."""
    words = _move_words(board, board.parse_uci(candidate.move), is_first=True)
    if candidate.value is not None:
        child = family.child(candidate)
        depth = child.depth if child else 0
        comment = eval_comment(candidate.value, depth, is_white=family.node.is_white)
        words.append(f"{{ {comment} }}")
    return words


def _move_words(board: chess.Board, move: chess.Move, *, is_first: bool) -> list[str]:
    """Return a move in SAN, with its number if that is needed."""
    if board.turn == chess.WHITE:
        return [f"{board.fullmove_number}.", board.san(move)]
    number = [f"{board.fullmove_number}..."] if is_first else []
    return [*number, board.san(move)]
