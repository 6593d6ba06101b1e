"""A game to analyse: its text as a game of python-chess, and what is wrong with it.  No I/O.

A mistake never costs the whole game: the moves before an illegal one are a game.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice

import chess
import chess.pgn
from chess.engine import Cp, Mate, Score

from rookery_analysis.notation import ENGLISH, Letters, languages_with
from rookery_analysis.pgn_splitter import GameText
from rookery_analysis.pgn_tree import GameTree, MoveNode, read_tree, result_in
from rookery_protocol.legality import MAX_PLIES, STANDARD, set_up
from rookery_uci import Fen, Fields, Position, UciError, mended

NULL = "0000"  # a null move in UCI
LEAD = 10  # half-moves that a reading must be longer than others if none reads the whole game
_CHESS960 = re.compile(r"960|fischer|freestyle")
STANDARD_NAMES = frozenset(
    ("", "-", "?", "standard", "chess", "normal", "classical", "from position", "fromposition")
)


@dataclass(frozen=True, slots=True)
class ParsedGame:
    """A game, and all that is wrong with it, each as a sentence.

    `number` is its number among all of the input, `line` its first line in the file `source`;
    both count from 1.  `boards` are its positions, from the first one on, and `moves` lead from
    each to the next, in UCI.  `obstacle` is why none of it can be analysed.
    """

    number: int
    source: str
    line: int
    pgn: chess.pgn.Game
    boards: tuple[chess.Board, ...] = ()
    moves: tuple[str, ...] = ()
    flaws: tuple[str, ...] = ()
    obstacle: str | None = None
    remarks: tuple[str, ...] = ()  # on what does not prevent an analysis

    @property
    def chess960(self) -> bool:
        """True if castling is by the rules of Chess960."""
        return any(board.chess960 for board in self.boards[:1])

    @property
    def name(self) -> str:
        """The file, number and players of the game, for messages."""
        white, black = (self.pgn.headers.get(color, "?") for color in ("White", "Black"))
        return f"{self.source}: game {self.number} ({white} - {black})"

    def is_over(self, ply: int) -> bool:
        """Return whether the game is over in a position; it is not if a move follows.

        The exception is a position in which neither side can mate: games go on in those.
        """
        board = self.boards[ply]
        if ply < len(self.moves):
            return board.is_insufficient_material()
        return final_score(board) is not None

    def positions(self) -> list[Position]:
        """Return the positions with all moves before them, by which engines see repetitions.

        Engines know no null move: for them a game begins behind the last one.
        """
        first = self.boards[0]
        start = None if first.fen() == chess.STARTING_FEN else self._fen(0)
        begin, positions = 0, [Position(start, ())]
        for count, move in enumerate(self.moves, start=1):
            if move == NULL:
                begin, start = count, self._fen(count)
            positions.append(Position(start, self.moves[begin:count]))
        return positions

    def _fen(self, ply: int) -> str:
        return self.boards[ply].fen(shredder=self.chess960)


def parse_game(text: GameText, number: int, source: str) -> ParsedGame:
    """Return the game of a text, which has a number among all of the input and a file."""
    tree = read_tree(text.data, text.line)
    game = chess.pgn.Game()
    flaws = [(text.line, text.flaw)] if text.flaw else []
    remarks = [(text.line, each) for each in _set_tags(game, tree)]
    obstacle = _obstacle(game, tree, text)
    if not obstacle:
        try:
            played = _play_tree(tree, _first_board(game, tree))
        except AmbiguousError as error:
            obstacle = str(error)
        else:
            _fill(game, tree, played)
            flaws += played.flaws
            if sum(1 for _ in islice(game.mainline_moves(), MAX_PLIES + 1)) > MAX_PLIES:
                obstacle = f"it has more than {MAX_PLIES} half-moves"
    flaws += tree.flaws
    boards, moves = ((), ()) if obstacle else _positions_of(game)
    if NULL in moves:
        remarks.append((text.line, f"half-move {moves.index(NULL) + 1} is a null move"))
    return ParsedGame(
        number, source, text.line, game, boards, moves, tuple(map(_located, flaws)),
        obstacle=obstacle and _located((text.line, obstacle)),
        remarks=tuple(map(_located, remarks)),
    )  # fmt: skip


def _located(flaw: tuple[int, str]) -> str:
    line, text = flaw
    return f"line {line}: {text}"


def _set_tags(game: chess.pgn.Game, tree: GameTree) -> list[str]:
    """Set the tags of a game; return the remarks on them."""
    headers = game.headers
    for name, value in tree.tags:
        headers[name] = value
    said = result_in(headers["Result"])
    marked = tree.result
    headers["Result"] = (said if said and said != "*" else marked) or "*"
    if is_chess960(headers.get("Variant", "")):
        headers["Variant"] = "Chess960"
    elif headers.get("Variant", "").strip().lower() in STANDARD_NAMES:
        headers.pop("Variant", None)
    remarks = []
    if said and marked and "*" not in (said, marked) and said != marked:
        remarks.append(f"its tag says {said}, and behind its moves is {marked}: the tag counts")
    if (fen := headers.get("FEN")) and (read := _mended(fen, headers)) != fen:
        headers["FEN"] = read
        remarks += filter(None, [mended(fen, read)])
    return remarks


def _mended(fen: str, headers: chess.pgn.Headers) -> str:
    """Return a first position as sessions and the page read it, or as it is if they cannot.

    Chess960 is chosen only if the game says so, or if nothing else can be meant.
    """
    if headers.get("Variant", "Chess960") != "Chess960":
        return fen
    with suppress(ValueError):
        board = headers.board()
        if not board.chess960 or headers.is_chess960():
            return fen
    try:
        board = chess.Board(str(Fen.parse(fen, chess960=True)), chess960=True)
        if headers.is_chess960() or _is_surely_chess960(fen, board):
            return board.fen(en_passant="fen")
        return str(Fen.parse(fen))
    except ValueError:
        return fen


def _is_surely_chess960(fen: str, board: chess.Board) -> bool:
    """Return whether a FEN names rooks by their files, or is one of the first positions."""
    if re.fullmatch("[A-Ha-h]+", Fields.parse(fen).castling):
        return True
    start = board.chess960_pos(ignore_turn=True, ignore_castling=True, ignore_counters=True)
    return start is not None


def is_chess960(variant: str) -> bool:
    """Return whether a tag's value is one of the names of Chess960."""
    return _CHESS960.search(variant.lower()) is not None


def _first_board(game: chess.pgn.Game, tree: GameTree) -> chess.Board:
    """Return the board of a game's tags.

    Null moves before all others are no moves of the game, which begins behind them.
    """
    board = game.board()
    while (
        tree.root.children
        and (first := tree.root.children[0]).move
        and first.move.san == "--"
        and not board.is_check()
    ):
        board.push(chess.Move.null())
        if tree.root.children[1:]:
            why = f"{first.move.word!r} is no move, and the variations to it are left out"
            tree.flaws.append((first.line, why))
        first.comments = [*tree.root.comments, *first.comments]
        tree.root, first.parent = first, None
    if board.move_stack:
        board.clear_stack()
        game.setup(board)
    return board


def _positions_of(game: chess.pgn.Game) -> tuple[tuple[chess.Board, ...], tuple[str, ...]]:
    board = game.board()
    boards, moves = [board.copy()], []
    for move in game.mainline_moves():
        moves.append(board.uci(move))
        board.push(move)
        boards.append(board.copy(stack=False))
    return tuple(boards), tuple(moves)


def _obstacle(game: chess.pgn.Game, tree: GameTree, text: GameText) -> str | None:
    """Return the reason why a game cannot be analysed; None if it can be."""
    if not text.whole:
        return text.flaw
    firsts = [node.move for node in tree.root.children]
    if not tree.tags and not any(move and (move.to or move.san) for move in firsts):
        return "it has neither tags nor moves: this may be no PGN"
    headers = game.headers
    fen = headers.get("FEN")
    if fen is None:
        if headers.get("SetUp") == "1":
            return "its tag SetUp says that it begins elsewhere, and it has no tag FEN"
        if (tree.first_number or 0) > 1:
            return f"it begins with move {tree.first_number}, and has no tag FEN"
    try:
        board = game.board()
    except ValueError as error:
        return f"its first position cannot be set up: {error}"
    if board.uci_variant != STANDARD:
        return f"it is {board.uci_variant}, and only chess and Chess960 are analysed"
    try:
        game.setup(set_up(fen, chess960=board.chess960, variant=STANDARD))
    except UciError as error:
        return str(error)
    return None


def final_score(board: chess.Board) -> Score | None:
    """Return White's score of a position in which the game is over; None if it is not."""
    if board.is_checkmate():
        return Mate(-1 if board.turn == chess.WHITE else 1)
    if board.is_stalemate() or board.is_insufficient_material():
        return Cp(0)
    return None


class AmbiguousError(ValueError):
    """A game can be read as several."""


@dataclass(slots=True)
class PlayedTree:
    """A tree read with some letters: its legal moves, and what is wrong."""

    letters: Letters
    moves: dict[int, chess.Move] = field(default_factory=dict)  # by the node's id
    flaws: list[tuple[int, str]] = field(default_factory=list)
    main: list[chess.Move] = field(default_factory=list)
    is_whole: bool = False  # all of the main line is legal


def _play_tree(tree: GameTree, board: chess.Board) -> PlayedTree:
    """Return a tree read in the game's language.

    Illegal moves are left out, and noted.  The main line ends before its first illegal move;
    of a variation the moves before it stay.  A variation never takes the place of a move that
    is left out.

    Raises:
        AmbiguousError: its moves depend on the language, which is not known.

    """
    english = _play_with(tree, board, ENGLISH)
    if not english.flaws:
        return english
    used = {letter for node in tree.nodes() if node.move for letter in node.move.letters}
    others = [
        _play_with(tree, board, letters) for letters in languages_with(used) if letters != ENGLISH
    ]
    is_english = used <= ENGLISH.keys()
    readings = [english, *others] if is_english else others
    without_flaw = [each for each in readings if not each.flaws]
    whole = [each for each in readings if each.is_whole]
    for good in (without_flaw, whole):
        if english in good:
            return english
        if good:
            return _only(good, tree)
    return english if is_english or not others else _longest(others, tree)


def _only(readings: list[PlayedTree], tree: GameTree) -> PlayedTree:
    """Return the first of some readings, which must have the same moves.

    Raises:
        AmbiguousError: they do not.

    """
    first = readings[0]
    for other in readings[1:]:
        if other.moves != first.moves:
            raise _ambiguous(first, other, tree)
    return first


def _longest(readings: list[PlayedTree], tree: GameTree) -> PlayedTree:
    """Return the reading that is far longer than all others that differ from it."""
    first, *others = sorted(readings, key=lambda each: -len(each.main))
    for other in others:
        is_prefix = first.main[: len(other.main)] == other.main
        if not is_prefix and len(first.main) < len(other.main) + LEAD:
            raise _ambiguous(first, other, tree)
    return first


def _ambiguous(one: PlayedTree, other: PlayedTree, tree: GameTree) -> AmbiguousError:
    for node in tree.nodes():
        moves = [each.moves.get(id(node)) for each in (one, other)]
        if node.move and moves[0] != moves[1]:
            first, second = (str(move) if move is not None else "no move" for move in moves)
            return AmbiguousError(
                f"{node.move.word!r} may be {first} or {second}: by its letters the game may be"
                " in several languages; write K, Q, R, B and N"
            )
    return AmbiguousError("its language is not known; write K, Q, R, B and N")


def _play_with(tree: GameTree, board: chess.Board, letters: Letters) -> PlayedTree:
    """Play all legal moves."""
    reading = PlayedTree(letters)
    stack = [(tree.root, board.copy(stack=False))]
    while stack:
        parent, here = stack.pop()
        for node, move in _legal(parent, here, reading):
            reading.moves[id(node)] = move
            after = here.copy(stack=False)
            after.push(move)
            stack.append((node, after))
    node = tree.root
    while node.children and id(node.children[0]) in reading.moves:
        node = node.children[0]
        reading.main.append(reading.moves[id(node)])
    reading.is_whole = not node.children
    reading.flaws.sort(key=lambda flaw: flaw[0])
    return reading


def _legal(
    parent: MoveNode, board: chess.Board, reading: PlayedTree
) -> Iterator[tuple[MoveNode, chess.Move]]:
    for node in parent.children:
        assert node.move
        if node.instead_of and id(node.instead_of) not in reading.moves:
            continue
        try:
            move = node.move.on_board(board, reading.letters)
        except ValueError as error:
            reading.flaws.append((node.line, str(error)))
        else:
            reading.moves[id(node)] = move
            yield node, move


def _fill(game: chess.pgn.Game, tree: GameTree, reading: PlayedTree) -> None:
    """Add the moves of a tree to a game."""
    game.comment = " ".join(tree.root.comments)
    stack: list[tuple[MoveNode, chess.pgn.GameNode]] = [(tree.root, game)]
    while stack:
        parent, target = stack.pop()
        for node in parent.children:
            if id(node) in reading.moves:
                child = target.add_variation(
                    reading.moves[id(node)],
                    comment=" ".join(node.comments),
                    starting_comment=" ".join(node.before),
                    nags=node.nags,
                )
                stack.append((node, child))
