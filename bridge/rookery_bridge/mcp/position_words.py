"""A position in words, so that a model sees which one it has asked about.  No I/O."""

from collections.abc import Iterator, Sequence

import chess

from rookery_bridge.mcp.legal_move import move_label, move_number

_POINTS = {chess.QUEEN: 9, chess.ROOK: 5, chess.BISHOP: 3, chess.KNIGHT: 3, chess.PAWN: 1}
_ORDER = (chess.KING, *_POINTS)
_MANY_MOVES = 10  # of each side: the opening ends there, at the latest
_FEW, _FEWEST = 11, 6  # pieces, less kings and pawns, of a middlegame and of an endgame


def side_name(color: chess.Color) -> str:
    """Return `White` or `Black`."""
    return "White" if color else "Black"


def describe_position(board: chess.Board) -> dict[str, object]:
    """Return what there is to say of a position, by name; the last move if it is known."""
    return {
        "fen": board.fen(shredder=board.chess960),
        "to_move": side_name(board.turn),
        "move_number": board.fullmove_number,
        "last_move": last_move(board),
        "in_check": check_words(board),
        "phase": phase_of(board),
        "white": pieces_of(board, chess.WHITE),
        "black": pieces_of(board, chess.BLACK),
        "material": material_words(board),
        "castling": castling_words(board),
        "en_passant": _en_passant(board),
        "outcome": outcome_words(board),
    }


def position_lines(board: chess.Board) -> Iterator[str]:
    """Yield a description as lines for a model."""
    last = last_move(board)
    after = f"Position after {last}: " if last else "Position: "
    check = check_words(board)
    yield (
        f"{after}{side_name(board.turn)} to move (move {board.fullmove_number}),"
        f" {phase_of(board)}; {check or 'no check'}."
    )
    yield f"White: {pieces_of(board, chess.WHITE)}"
    yield f"Black: {pieces_of(board, chess.BLACK)}"
    passed = _en_passant(board)
    yield (
        f"Material: {material_words(board)}. Castling: {castling_words(board)}."
        f"{f' En passant on {passed}.' if passed else ''}"
    )
    yield f"FEN: {board.fen(shredder=board.chess960)}"
    if over := outcome_words(board):
        yield f"The game is over: {over}."


def last_move(board: chess.Board) -> str | None:
    """Return the last move with its number, where the moves are known."""
    if not board.move_stack:
        return None
    before = board.copy(stack=1)
    move = before.pop()
    return move_label(before, move)


def check_words(board: chess.Board) -> str | None:
    """Return the check that is on the board, with the squares from which it is given."""
    givers = [
        f"the {chess.piece_name(board.piece_type_at(square) or chess.PAWN)} on"
        f" {chess.square_name(square)}"
        for square in board.checkers()
    ]
    return f"{side_name(board.turn)} is in check by {' and '.join(givers)}" if givers else None


def phase_of(board: chess.Board) -> str:
    """Return `opening`, `middlegame` or `endgame`."""
    pieces = chess.popcount(board.occupied & ~board.pawns & ~board.kings)
    if pieces <= _FEWEST:
        return "endgame"
    is_early = board.fullmove_number <= _MANY_MOVES
    return "opening" if is_early and pieces >= _FEW else "middlegame"


def pieces_of(board: chess.Board, color: chess.Color) -> str:
    """Return the pieces of a side and their squares: `Kg1 Qd1 ... a2 b2`."""
    return " ".join(
        f"{chess.piece_symbol(kind).upper().replace('P', '')}{chess.square_name(square)}"
        for kind in _ORDER
        for square in board.pieces(kind, color)
    )


def material_words(board: chess.Board) -> str:
    """Return what either side has more than the other, and the balance in points."""
    more: dict[chess.Color, list[str]] = {chess.WHITE: [], chess.BLACK: []}
    points = 0
    for kind, worth in _POINTS.items():
        surplus = len(board.pieces(kind, chess.WHITE)) - len(board.pieces(kind, chess.BLACK))
        points += worth * surplus
        if surplus:
            name, count = chess.piece_name(kind), abs(surplus)
            more[surplus > 0].append(f"{count} {name}{'s' * (count > 1)}")
    sides = [
        f"{side_name(color)} has {', '.join(each)} more" for color, each in more.items() if each
    ]
    many = f"{abs(points)} point{'s' * (abs(points) > 1)}"
    balance = f"{side_name(points > 0)} is {many} ahead" if points else "equal points"
    return "; ".join([*sides, balance]) if sides else "equal, the same pieces"


def castling_words(board: chess.Board) -> str:
    """Return which side may still castle, and where."""
    said = []
    for color in chess.COLORS:
        wings = [
            wing
            for wing, has in (
                ("kingside", board.has_kingside_castling_rights(color)),
                ("queenside", board.has_queenside_castling_rights(color)),
            )
            if has
        ]
        said.append(f"{side_name(color)} {' and '.join(wings) or 'none'}")
    return ", ".join(said)


def outcome_words(board: chess.Board) -> str | None:
    """Return how the game is over in a position, or None."""
    if board.is_checkmate():
        return f"checkmate, {side_name(not board.turn)} has won"
    if board.is_stalemate():
        return "stalemate, a draw"
    if board.is_insufficient_material():
        return "a draw, neither side can mate"
    return None


def line_words(board: chess.Board, moves: Sequence[str], most: int) -> str:
    """Return a line of UCI moves in SAN with numbers, cut to so many half-moves.

    It ends before a move that is not legal: the words of an engine are not believed either.
    """
    after = board.copy(stack=False)
    words: list[str] = []
    for text in moves[:most]:
        try:
            move = after.parse_uci(text)
        except ValueError:
            break
        number = move_number(after) if after.turn or not words else ""
        words.append(f"{number}{after.san(move)}")
        after.push(move)
    return " ".join(words)


def _en_passant(board: chess.Board) -> str | None:
    return chess.square_name(board.ep_square or 0) if board.has_legal_en_passant() else None
