"""A game to analyse: what python-chess makes of its text, and what is wrong with it.  No I/O.

Nothing is thrown away for a mistake in it: the moves before an illegal one are a game.
"""

import re
from contextlib import suppress
from dataclasses import dataclass

import chess
import chess.pgn

from rookery_analysis import game_builder, pgn_tree
from rookery_analysis.judgement import final_score
from rookery_analysis.pgn_text import Text
from rookery_analysis.pgn_tree import Node, Script, result_in
from rookery_protocol.legality import MAX_PLIES, STANDARD, set_up
from rookery_uci import Fen, Fields, Position, UciError, mended

NULL = "0000"  # a null move in UCI
_CHESS960 = re.compile(r"960|fischer|freestyle")
STANDARD_NAMES = frozenset(
    ("", "-", "?", "standard", "chess", "normal", "classical", "from position", "fromposition")
)


@dataclass(frozen=True, slots=True)
class Place:
    """Which game it is: its number among all of the input, its file and its line, from 1."""

    number: int
    source: str
    line: int


@dataclass(frozen=True, slots=True)
class Work:
    """A game, and what is wrong with it, each as a sentence.

    `boards` are its positions, from the first one on, and `moves` what leads from each to
    the next, in UCI.  `obstacle` is why none of it can be analysed.
    """

    place: Place
    game: chess.pgn.Game
    boards: tuple[chess.Board, ...] = ()
    moves: tuple[str, ...] = ()
    flaws: tuple[str, ...] = ()
    obstacle: str | None = None
    remarks: tuple[str, ...] = ()  # what keeps nothing from being analysed

    @property
    def chess960(self) -> bool:
        """Whether castling is by the rules of Chess960."""
        return any(board.chess960 for board in self.boards[:1])

    @property
    def name(self) -> str:
        """Which game it is, for people."""
        white, black = (self.game.headers.get(color, "?") for color in ("White", "Black"))
        return f"{self.place.source}: game {self.place.number} ({white} - {black})"

    def is_over(self, ply: int) -> bool:
        """Say whether the game is over in a position; that a move follows shows that it is not.

        The exception is a position in which nobody can mate: people play on in those.
        """
        board = self.boards[ply]
        if ply < len(self.moves):
            return board.is_insufficient_material()
        return final_score(board) is not None

    def positions(self) -> list[Position]:
        """Return what an engine hears: all moves each time, for it looks for repetitions.

        Engines know of no null move: for them a game begins behind the last one.
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


def read(text: Text, place: Place) -> Work:
    """Read a game."""
    written = pgn_tree.read(text.data, text.line)
    game = chess.pgn.Game()
    flaws = [(text.line, text.flaw)] if text.flaw else []
    remarks = [(text.line, each) for each in _set_tags(game, written)]
    obstacle = _obstacle(game, written, text)
    if not obstacle:
        try:
            flaws += game_builder.read(written, _begin(game, written), game)
        except game_builder.AmbiguousError as error:
            obstacle = str(error)
        else:
            obstacle = _obstacle_in_moves(game)
    flaws += written.flaws
    boards, moves = ((), ()) if obstacle else _play(game)
    if NULL in moves:
        remarks.append((text.line, f"half-move {moves.index(NULL) + 1} is a null move"))
    return Work(
        place, game, boards, moves, tuple(map(_located, flaws)),
        obstacle=obstacle and _located((text.line, obstacle)),
        remarks=tuple(map(_located, remarks)),
    )  # fmt: skip


def _located(flaw: tuple[int, str]) -> str:
    line, text = flaw
    return f"line {line}: {text}"


def _set_tags(game: chess.pgn.Game, written: Script) -> list[str]:
    """Give a game its tags; return what there is to say of them."""
    headers = game.headers
    for name, value in written.tags:
        headers[name] = value
    said = result_in(headers["Result"])
    marked = written.result
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
    """Return a first position as sessions and the page read it; one that nobody can stays as it is.

    Chess960 is chosen only where the game says so, or where nothing else can be meant.
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
    """Say whether a FEN names rooks by their files, or is one of the first positions."""
    if re.fullmatch("[A-Ha-h]+", Fields.parse(fen).castling):
        return True
    start = board.chess960_pos(ignore_turn=True, ignore_castling=True, ignore_counters=True)
    return start is not None


def is_chess960(variant: str) -> bool:
    """Say whether a tag's value is one of the names of Chess960."""
    return _CHESS960.search(variant.lower()) is not None


def _begin(game: chess.pgn.Game, written: Script) -> chess.Board:
    """Return the board on which a game begins: that of its tags.

    Null moves before all others are no moves of the game, which begins behind them.
    """
    board = game.board()
    while (
        written.root.children
        and (first := written.root.children[0]).move
        and first.move.san == "--"
        and not board.is_check()
    ):
        board.push(chess.Move.null())
        if written.root.children[1:]:
            why = f"{first.move.word!r} is no move, and the variations to it are left out"
            written.flaws.append((first.line, why))
        first.comments = [*written.root.comments, *first.comments]
        written.root, first.parent = first, None
    if board.move_stack:
        board.clear_stack()
        game.setup(board)
    return board


def _play(game: chess.pgn.Game) -> tuple[tuple[chess.Board, ...], tuple[str, ...]]:
    board = game.board()
    boards, moves = [board.copy()], []
    for move in game.mainline_moves():
        moves.append(board.uci(move))
        board.push(move)
        boards.append(board.copy(stack=False))
    return tuple(boards), tuple(moves)


def _obstacle(game: chess.pgn.Game, written: Script, text: Text) -> str | None:
    """Say why a game cannot be analysed; None if it can be."""
    if not text.whole:
        return text.flaw
    if not written.tags and not any(_is_move(node) for node in written.root.children):
        return "it has neither tags nor moves: this may be no PGN"
    headers = game.headers
    fen = headers.get("FEN")
    if fen is None:
        if headers.get("SetUp") == "1":
            return "its tag SetUp says that it begins elsewhere, and it has no tag FEN"
        if (written.first_number or 0) > 1:
            return f"it begins with move {written.first_number}, and has no tag FEN"
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


def _is_move(node: Node) -> bool:
    return node.move is not None and bool(node.move.to or node.move.san)


def _obstacle_in_moves(game: chess.pgn.Game) -> str | None:
    plies = sum(1 for _ in zip(game.mainline_moves(), range(MAX_PLIES + 1), strict=False))
    return f"it has more than {MAX_PLIES} half-moves" if plies > MAX_PLIES else None
