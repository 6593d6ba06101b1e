"""A game as a language model gives it, PGN or bare moves, and every fault by its name.  No I/O.

Nothing is guessed: an unknown word, an illegal move or a jump of the move numbers makes the
whole text an error, because positions behind it would be made up.  Comments and variations
are skipped, and never shown.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256

import chess

from rookery_bridge.mcp.checked_position import PositionError, is_chess960, place_pieces
from rookery_bridge.mcp.legal_move import move_label, play_move
from rookery_protocol.notices import legible

MAX_TEXT = 100_000  # characters; a game with a comment on each move has 30,000
MAX_PLIES = 1024  # as many as the server takes behind a FEN
_NAME = 40  # characters of a player's name that are shown
_KEPT = ("White", "Black", "Result", "FEN", "SetUp", "Variant")
_TOKEN = re.compile(
    r"""
    (?P<tag>\[[ \t]*(?P<key>[A-Za-z0-9_]{1,40})[ \t]+"(?P<value>(?:[^"\\\n]|\\.){0,400})"[ \t]*\])
    |(?P<comment>\{[^}]*\}|;[^\n]*|(?:^|(?<=\n))%[^\n]*)
    |(?P<open>\()
    |(?P<close>\))
    |(?P<glyph>\$\d{1,3}|(?:[!?]{1,2}|e\.?p\.?|(?!--)[-+=/]{1,3}|[±∓⩲⩱∞□])(?=\s|$))
    |(?P<result>(?:1-0|0-1|1/2-1/2|½-½|\*)(?=\s|$))
    |(?P<number>\d{1,4}(?:[ \t]{0,3}[.…]+|(?=\s|$)))
    |(?P<word>[^\s{}()\[\];]+)
    |(?P<other>\S)
    """,
    re.VERBOSE,
)
_VARIANTS = ("", "?", "-", "standard", "chess", "normal", "from position")


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game: its first board and its moves, all legal; `tags` are few, and may hold anything."""

    start: chess.Board
    moves: tuple[chess.Move, ...]
    tags: dict[str, str] = field(default_factory=dict)

    @property
    def handle(self) -> str:
        """The name by which later calls may mean this game."""
        text = " ".join([self.start.fen(), *map(chess.Move.uci, self.moves)])
        return f"g-{sha256(text.encode()).hexdigest()[:8]}"

    @property
    def players(self) -> str:
        """The names as the text has them, quoted and cut; "" without any."""
        names = [quoted_name(self.tags.get(color, "")) for color in ("White", "Black")]
        return f"{names[0]} - {names[1]}" if any(name != '"?"' for name in names) else ""

    def board_at(self, ply: int) -> chess.Board:
        """Return the board after so many half-moves, with these moves in its stack."""
        board = self.start.copy(stack=False)
        for move in self.moves[:ply]:
            board.push(move)
        return board

    def label_of(self, ply: int) -> str:
        """Return the move that follows so many half-moves, as `12...Nf6`; "" at the end."""
        return move_label(self.board_at(ply), self.moves[ply]) if ply < len(self.moves) else ""

    def pgn(self) -> str:
        """Return the game as PGN that has the moves and nothing else."""
        board = self.start.copy(stack=False)
        tags = '[Event "?"]\n'
        if board.fen() != chess.STARTING_FEN:
            tags += f'[SetUp "1"]\n[FEN "{board.fen(shredder=board.chess960)}"]\n'
        if board.chess960:
            tags += '[Variant "Chess960"]\n'
        words = []
        for move in self.moves:
            words.append(move_label(board, move))
            board.push(move)
        lines = (" ".join(words[count : count + 8]) for count in range(0, len(words), 8))
        return f"{tags}\n{chr(10).join(lines)} *\n"


def quoted_name(text: str, most: int = _NAME) -> str:
    """Return a name from outside, quoted and cut, so that it passes for no words of ours."""
    name = legible(" ".join(text.split()), most).replace('"', "'")
    return f'"{name or "?"}"'


def read_game(text: str, fen: str | None = None) -> GameLine:
    """Read the one game of a text; its moves follow `fen`, or its own tag, or the usual start.

    Raises:
        PositionError: it cannot be meant as a game; the text says why.

    """
    if len(text) > MAX_TEXT:
        raise PositionError(
            f"the game's text has {len(text)} characters, and {MAX_TEXT} at most are read: send"
            " one game, without its comments"
        )
    tags, words = _divide(text.lstrip("\ufeff"))
    variant = tags.get("Variant", "").strip().lower()
    if variant not in _VARIANTS and not is_chess960(variant):
        raise PositionError(
            f"the game is {quoted_name(variant)}; only chess and Chess960 are analysed"
        )
    said = tags.get("FEN")
    if said and fen and said.split()[:4] != fen.split()[:4]:
        raise PositionError("'fen' and the game's tag FEN differ: give one of them")
    start = place_pieces(fen or said, chess960=is_chess960(variant))
    return GameLine(start, tuple(_play(words, start, has_fen=bool(fen or said))), tags)


def _divide(text: str) -> tuple[dict[str, str], list[str]]:
    """Return the tags of a text, and the numbers and moves of its main line.

    Raises:
        PositionError: it is no game, or several.

    """
    tags: dict[str, str] = {}
    words: list[str] = []
    depth, is_over = 0, False
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind in ("open", "close"):
            depth += 1 if kind == "open" else -1
            if depth < 0:
                raise PositionError("a ')' of the game closes no variation")
        elif depth or kind in ("comment", "glyph"):
            continue
        elif kind == "other":
            raise PositionError(
                f"the game's text has a {token.group()!r} that is not closed, or stands alone"
            )
        elif is_over or (kind == "tag" and words):
            raise PositionError("the text has several games: send one of them")
        elif token.group("key"):
            if token.group("key") in _KEPT:
                tags.setdefault(token.group("key"), re.sub(r"\\(.)", r"\1", token.group("value")))
        elif kind == "result":
            is_over = True
            tags.setdefault("Result", token.group())
        else:
            words.append(token.group())
    if depth:
        raise PositionError("a variation of the game is not closed: a ')' is missing")
    return tags, words


def _play(words: list[str], start: chess.Board, *, has_fen: bool) -> Iterator[chess.Move]:
    """Yield the moves of words, each of which must be legal.

    Raises:
        PositionError: one is not, or some are missing before it.

    """
    board = start.copy(stack=False)
    offset: int | None = None  # files number the moves behind a FEN as they like
    for word in words:
        if number := re.match(r"\d{1,4}(?=[ .…\t]|$)", word):
            real = board.fullmove_number
            offset = int(number.group()) - real if offset is None and has_fen else offset or 0
            if int(number.group()) - offset != real:
                raise _missing_moves(board, word, has_start=bool(board.move_stack))
            continue
        if len(board.move_stack) >= MAX_PLIES:
            raise PositionError(
                f"the game has more than {MAX_PLIES} half-moves: send the last ones behind a FEN"
            )
        yield play_move(board, word)


def _missing_moves(board: chess.Board, word: str, *, has_start: bool) -> PositionError:
    number = word.rstrip(" .…\t")
    if not has_start:
        return PositionError(
            f"the game begins with move {number}: send it from its first move, or give the 'fen'"
            " of the position before that move"
        )
    side = "White" if board.turn else "Black"
    return PositionError(
        f"the move numbers jump: {side}'s move {board.fullmove_number} was expected, and the text"
        f" has number {number}; moves are missing, or are there twice"
    )
