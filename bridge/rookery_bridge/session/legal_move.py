"""A move for when no engine gives one, and what an engine is told, by the server's rules.  No I/O.

What is refused, and what is mended, is in docs/position.md.  The library takes 0.1 s to
load, so that is done when it is needed first; `warm` does it ahead.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rookery_uci import Position, UciError, to_move

if TYPE_CHECKING:
    import chess

NO_MOVE = "0000"


def warm() -> None:
    """Load the library."""
    import chess.variant  # noqa: F401


def choose_move(
    position: Position,
    candidates: Iterable[str],
    *,
    among: Iterable[str] = (),
    chess960: bool,
    variant: str = "",
) -> str:
    """Return the first candidate that is legal, else the move that takes most.

    It is one `among` those that the GUI has named, if any of them is legal.  Without a legal
    move, or if the position is none, it is `0000`.
    """
    try:
        told = as_told(position, chess960=chess960, variant=variant)
        board = _set_up(told, chess960=chess960, variant=variant)
    except ValueError:
        return NO_MOVE
    legal = sorted(board.legal_moves, key=lambda move: move.uci())
    moves = [move for text in among if (move := _read(board, text))] or legal
    for text in candidates:
        if (move := _read(board, text)) and move in moves:
            return board.uci(move)
    best = max(moves, key=lambda move: board.piece_type_at(move.to_square) or 0, default=None)
    return NO_MOVE if best is None else board.uci(best)


def as_told(position: Position, *, chess960: bool, variant: str = "") -> Position:
    """Return a position as an engine must hear it: there are some that end it otherwise.

    One of a variant that python-chess does not know is believed.

    Raises:
        UciError: it is refused.

    """
    import chess.variant

    from rookery_protocol.legality import STANDARD, Referee

    try:
        kind = chess.variant.find_variant(variant or STANDARD)
    except ValueError:
        if position.fen == "":
            raise UciError("the position cannot be read") from None
        return position
    return Referee().check(position, chess960=chess960, variant=kind.uci_variant or STANDARD)


def usual_castling(position: Position, *, variant: str = "") -> tuple[str, ...]:
    """Return the moves of a position for who does not know Chess960: `e1h1` is `e1g1`.

    Those of a position that is none stay as they are.
    """
    try:
        told = as_told(position, chess960=True, variant=variant)
        board = _set_up(told._replace(moves=()), chess960=True, variant=variant)
        moves = []
        for text in told.moves:
            move = board.parse_uci(text)
            moves.append(board.uci(move, chess960=False))
            board.push(move)
    except ValueError:
        return position.moves
    return tuple(moves)


def _read(board: "chess.Board", text: str) -> "chess.Move | None":
    """Return a legal move; None if it is not."""
    try:
        return board.parse_uci(to_move(text) or text)
    except ValueError:
        return None


def _set_up(position: Position, *, chess960: bool, variant: str) -> "chess.Board":
    import chess.variant

    kind: type[chess.Board] = chess.Board
    if variant and variant != "chess":
        kind = chess.variant.find_variant(variant)
    board = (
        kind(chess960=chess960) if position.fen is None else kind(position.fen, chess960=chess960)
    )
    for text in position.moves:
        board.push_uci(text)
    return board
